//! The texts of a service that describe signing cases: literals of parameters, and what scripts build.

use super::case_text::{CaseText, Origin};
use super::certainty::Certainty;
use super::parameter_copies::copy_of;
use super::provider_site::literals;
use super::service::AnalyzedService;
use crate::catalog::ParameterKind;
use crate::document::{Document, Limits};
use crate::model::SCRIPT_RESULT;

impl AnalyzedService<'_> {
    /// Every text that should describe a case, read.
    pub fn case_texts(&self) -> &[CaseText] {
        self.case_texts.get_or_init(|| find(self))
    }
}

fn find(service: &AnalyzedService<'_>) -> Vec<CaseText> {
    let mut found = Vec::new();
    for site in service.providers() {
        for given in literals(&site, ParameterKind::CaseJson) {
            let Some(text) = given.text() else { continue };
            found.push(CaseText {
                name: given.name.to_owned(),
                text: text.to_owned(),
                parsed: Document::parse(text, Limits::default()),
                file: site.analysis.file,
                origin: Origin::Literal {
                    node: given.node,
                    copy: copy_of(site.analysis.document, site.provider, given.node),
                },
            });
        }
    }
    found.extend(service.evaluated().map(|built| CaseText {
        name: SCRIPT_RESULT.to_owned(),
        text: built.text.to_owned(),
        parsed: Document::parse(built.text, Limits::default()),
        file: built.file,
        origin: Origin::Script {
            node: built.node,
            script: built.script.to_owned(),
            certainty: Certainty::of(built.text, built.other),
            forwards_parameters: built.forwards_parameters,
        },
    }));
    found
}

//! The strings of a service that describe signing cases: literals of parameters, and what scripts build.

use super::case_text::{CaseSource, CaseText};
use super::definite_values::DefiniteValues;
use super::parameter_copies::copy_of;
use super::provider_site::literals;
use super::service::AnalyzedService;
use crate::catalog::ParameterKind;
use crate::document::{Document, Limits};
use crate::model::SCRIPT_RESULT;

impl AnalyzedService<'_> {
    /// Every string that should describe a signing case, parsed.
    pub fn case_texts(&self) -> &[CaseText] {
        self.case_texts.get_or_init(|| find(self))
    }
}

fn find(service: &AnalyzedService<'_>) -> Vec<CaseText> {
    let mut found = Vec::new();
    for site in service.providers() {
        for literal in literals(&site, ParameterKind::CaseJson).filter(|literal| literal.has_its_type) {
            let Some(text) = literal.text() else { continue };
            found.push(CaseText {
                name: literal.name.to_owned(),
                text: text.to_owned(),
                parsed: Document::parse(text, Limits::default()),
                file: site.analysis.file,
                source: CaseSource::Literal {
                    node: literal.node,
                    copy: copy_of(site.analysis.document, site.provider, literal.node),
                },
            });
        }
    }
    found.extend(service.evaluated().map(|built| CaseText {
        name: SCRIPT_RESULT.to_owned(),
        text: built.text.to_owned(),
        parsed: Document::parse(built.text, Limits::default()),
        file: built.file,
        source: CaseSource::Script {
            node: built.node,
            script: built.script.to_owned(),
            definite: DefiniteValues::of(built.text, built.other),
            forwards_parameters: built.forwards_parameters,
        },
    }));
    found
}

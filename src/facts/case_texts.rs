//! The strings of a service that describe signing cases: literals of parameters, and what scripts build.

use std::rc::Rc;

use super::case_flow::case_builders;
use super::case_text::{CaseSource, CaseText};
use super::parameter_copies::copy_of;
use super::provider_site::literals;
use super::script_run::{RunScript, ScriptRun};
use super::scripts::CodeSite;
use super::service::AnalyzedService;
use crate::catalog::ParameterKind;
use crate::document::{Document, Limits};
use crate::model::SCRIPT_RESULT;
use crate::script::Evaluation;
use crate::script::evaluation::{Ending, Run, Trace};

impl AnalyzedService<'_> {
    /// Every string that should describe a signing case, parsed. One for each run of a script.
    pub fn case_texts(&self) -> &[CaseText] {
        self.case_texts.get_or_init(|| {
            let mut found = in_parameters(self);
            add_built(self, &mut found);
            found
        })
    }
}

fn in_parameters(service: &AnalyzedService<'_>) -> Vec<CaseText> {
    let mut found = Vec::new();
    for site in service.providers() {
        for literal in literals(&site, ParameterKind::CaseJson).filter(|literal| literal.has_its_type) {
            let Some(text) = literal.text() else { continue };
            found.push(CaseText {
                number: found.len(),
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
    found
}

/// Adds what the scripts whose `Json` reaches a request left there.
fn add_built(service: &AnalyzedService<'_>, found: &mut Vec<CaseText>) {
    let mut builders = None;
    for (number, site) in service.codes().enumerate() {
        // Most services have no script.
        let builders = builders.get_or_insert_with(|| case_builders(service));
        if !builders.contains(&(site.analysis.file, site.activity.id)) {
            continue;
        }
        // Values that it was not run on might show that something is correct.
        let Some(evaluation) = service.evaluation(&site).filter(|evaluation| evaluation.stopped.is_none()) else {
            continue;
        };
        let Some(syntax) = site.syntax.script() else { continue };
        let is_fixed = evaluation.runs.iter().all(|run| run.values.iter().all(|value| !value.is_made_up));
        let script = RunScript { number, text: site.text.to_owned(), syntax: syntax.clone(), is_fixed };
        add_runs(&site, evaluation, &Rc::new(script), found);
    }
}

fn add_runs(site: &CodeSite<'_, '_>, evaluation: &Evaluation, script: &Rc<RunScript>, found: &mut Vec<CaseText>) {
    let texts = || {
        evaluation.runs.iter().filter_map(|run| match &run.ending {
            Ending::Text { text, trace } => Some((run, text, trace)),
            _ => None,
        })
    };
    // An empty string does not describe a case: a script may have a reason not to build one.
    let is_always_blank = texts().all(|(_, text, _)| text.trim().is_empty());
    let built = texts().filter(|(_, text, _)| is_always_blank || !text.trim().is_empty());
    let mut known: Vec<&(&Run, &String, &Option<Trace>)> = Vec::new();
    let built: Vec<_> = built.collect();
    let appends = script.syntax.json.assignments.iter().any(|assignment| assignment.is_append);
    for one in &built {
        // Two runs with the same result show the same.
        if known.iter().any(|other| (other.1, other.2) == (one.1, one.2)) {
            continue;
        }
        known.push(one);
        let (run, text, trace) = one;
        // What `Json` holds before the script runs is not documented: WF802 reports an append to it.
        let text = text.strip_prefix("undefined").filter(|_| appends).unwrap_or(text);
        found.push(CaseText {
            number: found.len(),
            name: SCRIPT_RESULT.to_owned(),
            text: text.to_owned(),
            parsed: Document::parse(text, Limits::default()),
            file: site.analysis.file,
            source: CaseSource::Script {
                node: site.node,
                run: ScriptRun::new(Rc::clone(script), run.values.clone(), (*trace).clone()),
            },
        });
    }
}

//! What reaches the mail text of signing cases that a workflow builds: placeholders of an Assign, and parameters of a
//! script. The result of a script for sample values shows where a value goes.

use std::ops::Range;

use crate::document::{Document, Limits, NodeId};
use crate::facts::cases::assigned_cases::{AssignedPlaceholder, placeholders_in_assigned_cases};
use crate::facts::cases::case_text::CaseSource;
use crate::facts::cases::script_run::{Aspect, ScriptRun};
use crate::facts::place::Place;
use crate::facts::security::masked::{MIN_EVIDENCE_CHARS, is_evidence};
use crate::facts::security::sinks::{Sink, TaintedSink};
use crate::facts::service::AnalyzedService;
use crate::graph::Analysis;
use crate::model::ActivityId;
use crate::model::case_key::REQUEST_MESSAGE;
use crate::script::evaluation::RunValue;
use crate::text::diagnostic::FileId;

/// A use of a variable in the mail text of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseMessage {
    file: FileId,
    activity: ActivityId,
    /// The node and part of the read.
    node: NodeId,
    part: Option<Range<usize>>,
    /// Where the mail text is made.
    pub place: Place,
}

/// All such uses of a service.
pub fn case_messages(service: &AnalyzedService<'_>) -> Vec<CaseMessage> {
    let mut found = in_assigned_cases(service);
    found.extend(in_built_cases(service));
    found
}

impl CaseMessage {
    /// The use as a sink of taint; `None` if it is in another workflow.
    pub fn sink<'c, 'a>(&self, analysis: &'c Analysis<'a>) -> Option<Sink<'c, 'a>> {
        if self.file != analysis.file {
            return None;
        }
        let activity = analysis.workflow.activity(self.activity)?;
        let mut reads = analysis.effects(self.activity)?.reads.iter();
        let read = reads.find(|read| (read.node, &read.part) == (self.node, &self.part) && !read.guessed)?;
        Some(Sink { activity, read, parameter: None, case_key: Some(REQUEST_MESSAGE) })
    }

    /// Whether it is this sink.
    pub fn is(&self, found: &TaintedSink<'_, '_>) -> bool {
        let is_read = (found.sink.read.node, &found.sink.read.part) == (self.node, &self.part);
        found.sink.case_key.is_some() && found.analysis.file == self.file && is_read
    }
}

fn in_assigned_cases(service: &AnalyzedService<'_>) -> Vec<CaseMessage> {
    let message = |assigned: AssignedPlaceholder<'_>| {
        let AssignedPlaceholder { file, activity, node, placeholder } = assigned;
        let place = Place::inside(file, node, placeholder.range.clone());
        CaseMessage { file, activity, node, part: Some(placeholder.range), place }
    };
    placeholders_in_assigned_cases(service, REQUEST_MESSAGE).into_iter().map(message).collect()
}

fn in_built_cases(service: &AnalyzedService<'_>) -> Vec<CaseMessage> {
    let mut found: Vec<CaseMessage> = Vec::new();
    for case in service.case_texts() {
        let (Some(built), CaseSource::Script { node: script, run }) = (case.object(), &case.source) else { continue };
        let Some(site) = service.codes().find(|site| (site.analysis.file, site.node) == (case.file, *script)) else {
            continue;
        };
        let message = built.member(built.root(), REQUEST_MESSAGE);
        let Some((message, text)) = message.and_then(|message| Some((message, built.string(message)?))) else {
            continue;
        };
        let parameters = site.code.parameters.get().into_iter().flatten();
        let text = text.to_lowercase();
        for (parameter, _) in parameters.zip(&run.values).filter(|(_, value)| is_part(&text, value, run)) {
            let Some((node, _)) = parameter.value.get().and_then(|binding| binding.target()) else { continue };
            if found.iter().any(|known| known.file == case.file && known.node == node) {
                continue;
            }
            // One run is enough evidence.
            let place = Place { evidence: None, ..case.place_of(built, message, Aspect::Value) };
            found.push(CaseMessage { file: case.file, activity: site.activity.id, node, part: None, place });
        }
    }
    found
}

/// Whether a value, or a string in it if the script parses it, is a part of a lower-case text.
fn is_part(text: &str, value: &RunValue, run: &ScriptRun) -> bool {
    let all = &run.values;
    let is_in = |part: &str| text.contains(&part.to_lowercase()) && !run.is_of_script(part);
    if !value.is_json {
        return is_evidence(value, all) && is_in(&value.text);
    }
    let json = Document::parse(value.text.as_str(), Limits::default());
    json.is_ok_and(|json| {
        let is_own = |part: &&str| {
            part.chars().count() >= MIN_EVIDENCE_CHARS
                && all.iter().filter(|other| other.text.contains(*part)).count() == 1
        };
        value.is_made_up && strings(&json).into_iter().filter(is_own).any(is_in)
    })
}

fn strings(json: &Document) -> Vec<&str> {
    let (mut found, mut open) = (Vec::new(), vec![json.root()]);
    while let Some(node) = open.pop() {
        found.extend(json.string(node));
        open.extend(json.children(node));
    }
    found
}

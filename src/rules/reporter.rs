//! How rules report: they name nodes. The reporter finds the bytes, the pointer and the name of the activity, and adds
//! the code, name and severity of the rule.

use std::borrow::Cow;
use std::fmt::Write;

use super::finding::{Cause, Finding, InRun, RuleFindings, RuleIdentity};
use crate::document::NodeId;
use crate::facts::{AnalyzedService, Part, Place};
use crate::model::{Assumption, enclosing_element};
use crate::text::diagnostic::{
    Applicability, Diagnostic, Edit, FileId, Fix, Label, Location, MAX_ALTERNATIVES, Severity, activity_name,
};
use crate::text::quote;
use crate::text::source::Span;

/// Findings of one rule in the runs of scripts, as multiples of those that are listed: most runs show the same ones.
const RUNS: usize = 20;

/// Bytes of the texts of one rule's findings in a service, or half of the bytes of its documents: pointers may have long
/// keys, and a flow many steps. What is beyond is left out, or only counted.
const MIN_ROOM: usize = 512 << 10;
/// What a related place or a step of a flow takes besides its texts.
const LABEL_BYTES: usize = 200;
/// Steps that are kept of one flow. A flow that does not fit is left out.
const MAX_STEPS_OF_FLOW: usize = 1_000;

/// Collects the findings of one rule.
pub struct Reporter<'r> {
    service: &'r AnalyzedService<'r>,
    found: &'r mut RuleFindings,
    /// Bytes of texts that are left; not known before the first finding.
    room: Option<usize>,
    /// The last element that contained a finding, with its name: finding that takes time if it has very many keys.
    element: Option<(FileId, NodeId, Option<String>)>,
}

impl<'r> Reporter<'r> {
    /// Findings are appended to those of the rule.
    pub const fn new(service: &'r AnalyzedService<'r>, found: &'r mut RuleFindings) -> Self {
        Self { service, found, room: None, element: None }
    }

    /// Reports a finding. Its help, fix and related places are added to the draft.
    pub fn report(&mut self, place: &Place, message: impl Into<String>) -> Draft<'_> {
        let (location, message) = (locate(self.service, place), message.into());
        let in_run = place.evidence.map(|evidence| InRun { evidence, claim: None, only_agrees: false });
        let max = self.service.max_listed.saturating_mul(if in_run.is_some() { RUNS } else { 1 });
        let is_listed = self.found.findings.len() < max && self.take(location.pointer.len() + message.len());
        let diagnostic = is_listed.then(|| {
            let activity = self.activity(place);
            Diagnostic { also: second_span(self.service, place), activity, ..self.diagnostic(location, message) }
        });
        self.push(place.file, Some(place.node), vec![Cause::from(place)], in_run, diagnostic)
    }

    /// Reports a finding in a file that contains no document.
    pub fn report_bytes(&mut self, file: FileId, span: Span, message: impl Into<String>) -> Draft<'_> {
        let location = Location { file, pointer: String::new(), span };
        let diagnostic = self.diagnostic(location, message.into());
        self.push(file, None, Vec::new(), None, Some(diagnostic))
    }

    fn push(
        &mut self,
        file: FileId,
        node: Option<NodeId>,
        causes: Vec<Cause>,
        in_run: Option<InRun>,
        diagnostic: Option<Diagnostic>,
    ) -> Draft<'_> {
        let severity = self.found.rule.severity;
        let finding = match diagnostic {
            Some(diagnostic) => {
                self.found.findings.push(Finding { file, node, causes, in_run, diagnostic: Box::new(diagnostic) });
                Some(self.found.findings.len() - 1)
            }
            None => {
                // Of what runs show, only the first finding would stay.
                if in_run.is_none() {
                    *self.found.omitted.entry((file, severity)).or_default() += 1;
                }
                None
            }
        };
        Draft { service: self.service, found: self.found, room: &mut self.room, file, severity, finding }
    }

    /// Takes some bytes of texts; returns whether there were so many.
    fn take(&mut self, bytes: usize) -> bool {
        take(self.service, &mut self.room, bytes)
    }

    /// The name of the nearest activity or form field around a place, itself included.
    fn activity(&mut self, place: &Place) -> Option<String> {
        let document = self.service.document(place.file)?;
        let element = enclosing_element(document, place.node)?;
        if let Some((file, node, name)) = &self.element
            && (*file, *node) == (place.file, element)
        {
            return name.clone();
        }
        let name = document.member(element, "name").and_then(|name| document.string(name));
        let name = name.map(|name| activity_name(name).into_owned());
        self.element = Some((place.file, element, name.clone()));
        name
    }

    fn diagnostic(&self, location: Location, message: String) -> Diagnostic {
        let RuleIdentity { code, name, severity } = self.found.rule;
        Diagnostic::new(code, name, severity, message, location)
    }
}

fn take(service: &AnalyzedService<'_>, room: &mut Option<usize>, bytes: usize) -> bool {
    let all = || MIN_ROOM.max(service.files.iter().map(|file| file.source.text.len()).sum::<usize>() / 2);
    let room = room.get_or_insert_with(all);
    let left = room.checked_sub(bytes);
    *room = left.unwrap_or(*room);
    left.is_some()
}

/// The finding that was just reported, to add details to it.
pub struct Draft<'r> {
    service: &'r AnalyzedService<'r>,
    found: &'r mut RuleFindings,
    room: &'r mut Option<usize>,
    file: FileId,
    severity: Severity,
    /// Its index; `None` if it is only counted.
    finding: Option<usize>,
}

impl Draft<'_> {
    fn finding(&mut self) -> Option<&mut Finding> {
        self.found.findings.get_mut(self.finding?)
    }

    /// Whether it is listed, and not only counted: the work for a fix would be in vain.
    pub const fn is_listed(&self) -> bool {
        self.finding.is_some()
    }

    fn take(&mut self, bytes: usize) -> bool {
        take(self.service, self.room, bytes)
    }

    /// What to do, as an imperative; not needed if it would repeat the title of the fix.
    pub fn help(&mut self, help: impl Into<Cow<'static, str>>) -> &mut Self {
        if let Some(finding) = self.finding() {
            finding.diagnostic.help = Some(help.into());
        }
        self
    }

    /// Cites the assumption that the finding rests on.
    pub fn assumes(&mut self, assumption: Assumption) -> &mut Self {
        if let Some(finding) = self.finding() {
            let _ = write!(finding.diagnostic.message, " ({assumption})");
        }
        self
    }

    /// Replaces the severity of the rule.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        let before = std::mem::replace(&mut self.severity, severity);
        match self.finding() {
            Some(finding) => finding.diagnostic.severity = severity,
            None => {
                let omitted = &mut self.found.omitted;
                if let Some(count) = omitted.get_mut(&(self.file, before)).filter(|count| **count > 0) {
                    *count -= 1;
                    *omitted.entry((self.file, severity)).or_default() += 1;
                }
            }
        }
        self
    }

    /// Adds what the finding is about besides its place ([`super::PRECEDENCE`]).
    pub fn cause(&mut self, cause: Cause) -> &mut Self {
        if let Some(finding) = self.finding() {
            finding.causes.push(cause);
        }
        self
    }

    /// What the runs of a script have to agree on, if the message depends on their values. Nothing if no run shows the
    /// finding.
    pub fn claim(&mut self, claim: impl Into<String>) -> &mut Self {
        if let Some(in_run) = self.finding().and_then(|finding| finding.in_run.as_mut()) {
            in_run.claim = Some(claim.into());
        }
        self
    }

    /// Does not report it: it only shows that a run of a script agrees with others, whose values make a better message.
    pub fn only_agree(&mut self) -> &mut Self {
        if let Some(in_run) = self.finding().and_then(|finding| finding.in_run.as_mut()) {
            in_run.only_agrees = true;
        }
        self
    }

    /// Adds a place that helps to understand the finding.
    pub fn related(&mut self, place: &Place, message: impl Into<String>) -> &mut Self {
        if self.finding.is_some() {
            let label = Label { location: locate(self.service, place), message: message.into() };
            if self.take(bytes_of(&label))
                && let Some(finding) = self.finding()
            {
                finding.diagnostic.related.push(label);
            }
        }
        self
    }

    /// Shows how the workflow gets to the fault, step by step in the order of the run. One step alone shows nothing more
    /// than the finding.
    pub fn flow(&mut self, steps: impl IntoIterator<Item = (Place, String)>) -> &mut Self {
        if self.finding.is_none() {
            return self;
        }
        let label = |(place, message)| Label { location: locate(self.service, &place), message };
        let flow: Vec<Label> = steps.into_iter().take(MAX_STEPS_OF_FLOW + 1).map(label).collect();
        if (2..=MAX_STEPS_OF_FLOW).contains(&flow.len())
            && self.take(flow.iter().map(bytes_of).sum())
            && let Some(finding) = self.finding()
        {
            finding.diagnostic.flow = flow;
        }
        self
    }

    /// A fix that replaces a value. `json` is the new value as JSON.
    pub fn fix_value(
        &mut self,
        applicability: Applicability,
        title: impl Into<String>,
        node: NodeId,
        json: impl Into<String>,
    ) -> &mut Self {
        let Some(document) = self.service.document(self.file) else { return self };
        let edit = Edit { file: self.file, span: document.span(node), new_text: json.into() };
        self.fix(applicability, title, vec![edit])
    }

    /// Asks whether a name was meant. If no other is as near, the fix writes it as this value, which has this key.
    pub fn suggest(&mut self, near: &str, is_only: bool, key: &str, node: NodeId) -> &mut Self {
        self.help(format!("did you mean {}?", quote(near)));
        if is_only {
            let json = serde_json::Value::from(near).to_string();
            self.fix_value(Applicability::Unsafe, format!("set `{key}` to {}", quote(near)), node, json);
        }
        self
    }

    /// A fix of several edits.
    pub fn fix(&mut self, applicability: Applicability, title: impl Into<String>, edits: Vec<Edit>) -> &mut Self {
        if let Some(edits) = self.taken(edits)
            && let Some(finding) = self.finding()
        {
            finding.diagnostic.fix = Some(Box::new(Fix { applicability, title: title.into(), edits }));
        }
        self
    }

    /// A repair besides the fix, or one of several of which none is likelier than another. Those after the first few are
    /// left out.
    pub fn alternative(
        &mut self,
        applicability: Applicability,
        title: impl Into<String>,
        edits: Vec<Edit>,
    ) -> &mut Self {
        if self.finding().is_some_and(|finding| finding.diagnostic.alternatives.len() < MAX_ALTERNATIVES)
            && let Some(edits) = self.taken(edits)
            && let Some(finding) = self.finding()
        {
            finding.diagnostic.alternatives.push(Fix { applicability, title: title.into(), edits });
        }
        self
    }

    /// Edits in their order, if there are any, and room for them.
    fn taken(&mut self, mut edits: Vec<Edit>) -> Option<Vec<Edit>> {
        self.finding.filter(|_| !edits.is_empty())?;
        edits.sort_by_key(|edit| (edit.file, edit.span));
        join_touching(&mut edits);
        self.take(edits.iter().map(|edit| edit.new_text.len()).sum()).then_some(edits)
    }
}

const fn bytes_of(label: &Label) -> usize {
    LABEL_BYTES + label.location.pointer.len() + label.message.len()
}

/// Joins edits that follow each other directly.
fn join_touching(edits: &mut Vec<Edit>) {
    edits.dedup_by(|next, edit| {
        let touches = next.file == edit.file && next.span.start == edit.span.end;
        if touches {
            edit.span.end = next.span.end;
            edit.new_text.push_str(&next.new_text);
        }
        touches
    });
}

fn second_span(service: &AnalyzedService<'_>, place: &Place) -> Option<Span> {
    let document = service.document(place.file).filter(|_| place.part == Part::Value)?;
    document.second_anchor(place.node)
}

fn locate(service: &AnalyzedService<'_>, place: &Place) -> Location {
    let pointer = service.document(place.file).map_or_else(String::new, |document| document.pointer(place.node));
    Location { file: place.file, pointer, span: span(service, place) }
}

fn span(service: &AnalyzedService<'_>, place: &Place) -> Span {
    let Some(document) = service.document(place.file) else { return Span::default() };
    match &place.part {
        Part::Value => document.anchor(place.node),
        Part::Key => document.key_span(place.node).unwrap_or_else(|| document.anchor(place.node)),
        Part::Inside(part) => document.span_inside(place.node, part.clone()),
    }
}

//! How rules report: they name nodes. The reporter finds the bytes, the pointer and the name of the activity, and adds
//! the code, name and severity of the rule.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

use super::cause::{Cause, CauseKey};
use super::element_names::ElementNames;
use super::finding::{Finding, RuleFindings};
use super::stamp::Stamp;
use crate::diagnostic::{Applicability, Diagnostic, Edit, FileId, Fix, Label, Location, Severity};
use crate::document::{Document, NodeId};
use crate::facts::{AnalyzedService, Part, Place};
use crate::source::Span;

/// Collects the findings of one rule.
pub struct Reporter<'r> {
    service: &'r AnalyzedService<'r>,
    stamp: Stamp,
    findings: &'r mut Vec<Finding>,
    /// The number of findings in runs of scripts.
    shown_by_runs: usize,
    /// Set by the first finding: most rules have none in most services.
    left: Option<Left>,
    names: ElementNames,
}

/// Runs of scripts can show at most this many findings of one rule; more of them agree on none, and WF806 reports them.
const MAX_SHOWN_BY_RUNS: usize = 50_000;

/// Related places and steps of flows that are kept of all findings of one rule in a service: so many, or one for so many
/// bytes of documents. Each has some two hundred bytes.
const MIN_LABELS: usize = 250;
const BYTES_PER_LABEL: usize = 256;
/// Related places of a finding that are always kept.
const FEW_RELATED: usize = 3;
/// Steps that are kept of one flow. A flow that does not fit is left out.
const MAX_STEPS_OF_FLOW: usize = 1_000;

/// Bytes of a pointer or a fix that are always kept. What they have beyond is limited for all findings of one rule, to
/// so much, or to a part of the documents: long keys and names would otherwise be in memory once for each finding.
const SHORT: usize = 256;
const MIN_LONG_BYTES: usize = 64 << 10;
const BYTES_PER_LONG_BYTE: usize = 8;

/// Findings of one rule in all files of a service that are listed: so many, or one for so many bytes of documents. A
/// listed finding has several hundred bytes.
const MIN_LISTED: usize = 20_000;
const BYTES_PER_LISTED: usize = 512;

/// From this number of findings on, memory is reserved for one at each value of the documents, then for a quarter more
/// at a time.
const MANY: usize = 1 << 16;

/// The remaining budgets of the findings of one rule.
struct Left {
    /// The number of findings of each file.
    counts: BTreeMap<FileId, usize>,
    /// Findings that may be listed.
    listed: usize,
    /// Related places and steps of flows.
    labels: usize,
    /// Of pointers and fixes.
    long_bytes: usize,
}

impl Left {
    fn new(service: &AnalyzedService<'_>) -> Self {
        let bytes: usize = service.files.iter().map(|file| file.source.text.len()).sum();
        Self {
            counts: BTreeMap::new(),
            listed: MIN_LISTED.max(bytes / BYTES_PER_LISTED),
            labels: MIN_LABELS.max(bytes / BYTES_PER_LABEL),
            long_bytes: MIN_LONG_BYTES.max(bytes / BYTES_PER_LONG_BYTE),
        }
    }

    /// Takes a finding that is listed. Returns whether there was one.
    fn take_listed(&mut self) -> bool {
        let left = self.listed.checked_sub(1);
        self.listed = left.unwrap_or_default();
        left.is_some()
    }

    /// Takes so many labels. Returns whether there were so many.
    fn take_labels(&mut self, number: usize) -> bool {
        let left = self.labels.checked_sub(number);
        self.labels = left.unwrap_or(self.labels);
        left.is_some()
    }

    /// Takes the room that a pointer or a fix needs. Returns whether there was so much.
    fn take(&mut self, bytes: usize) -> bool {
        let left = self.long_bytes.checked_sub(bytes.saturating_sub(SHORT));
        self.long_bytes = left.unwrap_or(self.long_bytes);
        left.is_some()
    }
}

impl<'r> Reporter<'r> {
    /// Findings are appended to those of the rule.
    pub fn new(service: &'r AnalyzedService<'r>, rule: &'r mut RuleFindings) -> Self {
        Self {
            service,
            stamp: rule.stamp,
            findings: &mut rule.findings,
            shown_by_runs: 0,
            left: None,
            names: ElementNames::default(),
        }
    }

    /// Reports a finding. Its help, fix and related places are added to the draft.
    pub fn report(&mut self, place: &Place, message: impl Into<String>) -> Draft<'_> {
        let mut finding = Finding::new(self.stamp.severity, place.file);
        finding.set_place(place.node, &Cause::from(place));
        let mut message = message.into();
        if let Some(evidence) = place.evidence {
            finding.details().set_evidence(evidence);
        }
        let is_kept = self.is_kept(place);
        let location = is_kept.then(|| locate(self.service, place));
        if let Some(location) = location.filter(|location| self.left().take(location.pointer.len())) {
            let document = self.service.document(place.file);
            let activity = document.and_then(|document| self.names.around(document, place.file, place.node));
            // A text grows by doubling.
            message.shrink_to_fit();
            let diagnostic = self.diagnostic(location, activity, message);
            finding.list(Diagnostic { also: second_span(self.service, place), ..diagnostic });
        } else {
            finding.count_only(hash(&message));
        }
        self.push(finding)
    }

    /// Reports a finding in a file that contains no document.
    pub fn report_bytes(&mut self, file: FileId, span: Span, message: impl Into<String>) -> Draft<'_> {
        let mut finding = Finding::new(self.stamp.severity, file);
        let location = Location { file, pointer: String::new(), span };
        finding.list(self.diagnostic(location, None, message.into()));
        self.push(finding)
    }

    /// Whether the next finding in a file is listed, not only counted.
    fn is_kept(&mut self, place: &Place) -> bool {
        // The runs of a script show the same again and again, and only one of these findings stays.
        if place.evidence.is_some() {
            self.shown_by_runs += 1;
            return self.shown_by_runs <= MAX_SHOWN_BY_RUNS;
        }
        let max_listed = self.service.max_listed;
        let left = self.left();
        let count = left.counts.entry(place.file).or_default();
        *count += 1;
        *count <= max_listed && left.take_listed()
    }

    fn left(&mut self) -> &mut Left {
        self.left.get_or_insert_with(|| Left::new(self.service))
    }

    fn diagnostic(&self, location: Location, activity: Option<String>, message: String) -> Diagnostic {
        let Stamp { code, name, severity, .. } = self.stamp;
        Diagnostic {
            code,
            name,
            severity,
            message,
            location,
            also: None,
            activity,
            help: None,
            related: Vec::new(),
            flow: Vec::new(),
            fix: None,
            fingerprint: None,
        }
    }

    fn push(&mut self, finding: Finding) -> Draft<'_> {
        let index = self.findings.len();
        // Moving the findings to a larger allocation would hold them twice. Unused reserved memory costs nothing.
        if index == self.findings.capacity() && index >= MANY {
            let values: usize = self.service.documents().map(Document::len).sum();
            self.findings.reserve_exact(values.saturating_sub(index).max(index / 4));
        }
        self.findings.push(finding);
        let left = self.left.get_or_insert_with(|| Left::new(self.service));
        Draft { service: self.service, findings: self.findings, left, index }
    }
}

/// The finding that was just reported, to add details to it.
pub struct Draft<'r> {
    service: &'r AnalyzedService<'r>,
    findings: &'r mut Vec<Finding>,
    left: &'r mut Left,
    index: usize,
}

impl Draft<'_> {
    fn change(&mut self, change: impl FnOnce(&mut Finding)) -> &mut Self {
        if let Some(finding) = self.findings.get_mut(self.index) {
            change(finding);
        }
        self
    }

    /// Changes a detail, if the finding is kept.
    fn detail(&mut self, change: impl FnOnce(&mut Diagnostic)) -> &mut Self {
        self.change(|finding| {
            if let Some(diagnostic) = finding.diagnostic_mut() {
                change(diagnostic);
            }
        })
    }

    /// What to do, as an imperative; not needed if it would repeat the title of the fix.
    pub fn help(&mut self, help: impl Into<Cow<'static, str>>) -> &mut Self {
        let help = help.into();
        self.detail(|diagnostic| diagnostic.help = Some(help))
    }

    /// Replaces the severity of the rule.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.change(|finding| {
            finding.severity = severity;
            if let Some(diagnostic) = finding.diagnostic_mut() {
                diagnostic.severity = severity;
            }
        })
    }

    /// Adds a cause that the finding is about: it yields if a rule that it yields to explains this cause.
    pub fn about(&mut self, cause: impl Into<CauseKey>) -> &mut Self {
        self.change(|finding| finding.details().about(cause))
    }

    /// Adds a cause that the finding explains: rules that yield to this rule report nothing about it.
    pub fn explains(&mut self, cause: impl Into<CauseKey>) -> &mut Self {
        self.change(|finding| finding.details().explains(cause))
    }

    /// What the runs of a script have to agree on, if the message depends on their values. Nothing if no run shows the
    /// finding.
    pub fn claim(&mut self, claim: impl Into<String>) -> &mut Self {
        self.change(|finding| {
            if finding.evidence().is_some() {
                finding.details().set_claim(claim.into());
            }
        })
    }

    /// Does not report it: it only shows that a run of a script agrees with others, whose values make a better message.
    pub fn only_agree(&mut self) -> &mut Self {
        self.change(|finding| finding.details().only_agree())
    }

    /// Adds a node to the area of a rule that yields to all others: it yields to any finding at this node or inside it,
    /// but not inside activities in it.
    pub fn area(&mut self, node: NodeId) -> &mut Self {
        self.change(|finding| finding.details().add_area(node))
    }

    fn listed(&self) -> Option<&Diagnostic> {
        self.findings.get(self.index)?.diagnostic()
    }

    /// Adds a place that helps to understand the finding.
    pub fn related(&mut self, place: &Place, message: impl Into<String>) -> &mut Self {
        let Some(related) = self.listed().map(|diagnostic| diagnostic.related.len()) else { return self };
        if !self.left.take_labels(1) && related >= FEW_RELATED {
            return self;
        }
        let location = locate(self.service, place);
        if !self.left.take(location.pointer.len()) {
            return self;
        }
        let mut message = message.into();
        // A text grows by doubling.
        message.shrink_to_fit();
        self.detail(|diagnostic| {
            // Most findings have few.
            if diagnostic.related.len() < 4 {
                diagnostic.related.reserve_exact(1);
            }
            diagnostic.related.push(Label { location, message });
        })
    }

    /// Shows how the workflow gets to the fault, step by step in the order of the run. One step alone shows nothing more
    /// than the finding.
    pub fn flow(&mut self, steps: impl IntoIterator<Item = (Place, String)>) -> &mut Self {
        let service = self.service;
        if self.listed().is_none() {
            return self;
        }
        let label = |(place, message)| Label { location: locate(service, &place), message };
        let most = MAX_STEPS_OF_FLOW.min(self.left.labels);
        let mut flow: Vec<Label> = steps.into_iter().take(most + 1).map(label).collect();
        if (2..=most).contains(&flow.len())
            && flow.iter().all(|step| self.left.take(step.location.pointer.len()))
            && self.left.take_labels(flow.len())
        {
            flow.shrink_to_fit();
            self.detail(|diagnostic| diagnostic.flow = flow);
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
        let file = self.findings.get(self.index).map(|finding| finding.file);
        let Some((file, document)) = file.and_then(|file| Some((file, self.service.document(file)?))) else {
            return self;
        };
        let edit = Edit { file, span: document.span(node), new_text: json.into() };
        self.fix(applicability, title, vec![edit])
    }

    /// A fix of several edits.
    pub fn fix(&mut self, applicability: Applicability, title: impl Into<String>, mut edits: Vec<Edit>) -> &mut Self {
        edits.sort_by_key(|edit| (edit.file, edit.span));
        join_touching(&mut edits);
        if self.listed().is_none() || !self.left.take(edits.iter().map(|edit| edit.new_text.len()).sum()) {
            return self;
        }
        let fix = Fix { applicability, title: title.into(), edits };
        self.detail(|diagnostic| diagnostic.fix = Some(Box::new(fix)))
    }
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

/// Only compared with others of the same run.
fn hash(message: &str) -> u64 {
    foldhash::fast::FixedState::default().hash_one(message)
}

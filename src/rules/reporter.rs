//! How rules report: they name nodes. The reporter finds the bytes, the pointer and the name of the activity, and adds
//! the code, name and severity of the rule.

use super::cause::Cause;
use super::stamp::{Stamp, YieldsTo};
use crate::diagnostic::{Applicability, Diagnostic, Edit, FileId, Fix, Label, Location, Severity};
use crate::document::NodeId;
use crate::facts::{AnalyzedService, Part, Place};
use crate::model::enclosing_element;
use crate::source::Span;

/// A diagnostic with the data for precedence.
#[derive(Debug)]
pub struct Finding {
    pub(super) diagnostic: Diagnostic,
    pub(super) yields_to: YieldsTo,
    /// It yields to a finding that explains one of these causes.
    pub(super) about: Vec<Cause>,
    /// Findings about one of these causes yield to it.
    pub(super) explains: Vec<Cause>,
    /// `None` in a file that contains no document.
    pub(super) node: Option<NodeId>,
    /// If its rule yields to all others: the nodes in which it yields to any other finding.
    pub(super) area: Vec<NodeId>,
}

/// Collects the findings of one rule.
pub struct Reporter<'r> {
    service: &'r AnalyzedService<'r>,
    stamp: Stamp,
    findings: &'r mut Vec<Finding>,
    last_element: Option<NamedElement>,
}

/// The name of an activity or form field.
struct NamedElement {
    file: FileId,
    node: NodeId,
    name: Option<String>,
}

impl<'r> Reporter<'r> {
    /// Findings are appended to `findings`.
    pub const fn new(service: &'r AnalyzedService<'r>, stamp: Stamp, findings: &'r mut Vec<Finding>) -> Self {
        Self { service, stamp, findings, last_element: None }
    }

    /// Reports a finding. Its help, fix and related places are added to the draft.
    pub fn report(&mut self, place: &Place, message: impl Into<String>) -> Draft<'_> {
        let location = locate(self.service, place);
        let activity = self.element_name(place);
        self.push(location, Some(place), activity, message.into())
    }

    /// Reports a finding in a file that contains no document.
    pub fn report_bytes(&mut self, file: FileId, span: Span, message: impl Into<String>) -> Draft<'_> {
        let location = Location { file, pointer: String::new(), span };
        self.push(location, None, None, message.into())
    }

    /// The name of the nearest activity or form field around a place, itself included.
    fn element_name(&mut self, place: &Place) -> Option<String> {
        let document = self.service.document(place.file)?;
        let element = enclosing_element(document, place.node)?;
        // Consecutive findings are often in one element, and finding its name takes time if it has very many keys.
        if let Some(last) = &self.last_element
            && (last.file, last.node) == (place.file, element)
        {
            return last.name.clone();
        }
        let name = document.member(element, "name").and_then(|name| document.string(name)).map(str::to_owned);
        self.last_element = Some(NamedElement { file: place.file, node: element, name: name.clone() });
        name
    }

    fn push(
        &mut self,
        location: Location,
        place: Option<&Place>,
        activity: Option<String>,
        message: String,
    ) -> Draft<'_> {
        let index = self.findings.len();
        // Every finding is about its place, and explains it.
        let causes: Vec<Cause> = place.map(Cause::from).into_iter().collect();
        self.findings.push(Finding {
            diagnostic: Diagnostic {
                code: self.stamp.code,
                name: self.stamp.name,
                severity: self.stamp.severity,
                message,
                also: place.and_then(|place| second_span(self.service, place)),
                location,
                activity,
                help: None,
                related: Vec::new(),
                fix: None,
            },
            yields_to: self.stamp.yields_to,
            about: causes.clone(),
            explains: causes,
            node: place.map(|place| place.node),
            area: Vec::new(),
        });
        Draft { service: self.service, findings: self.findings, index }
    }
}

/// The finding that was just reported, to add details to it.
pub struct Draft<'r> {
    service: &'r AnalyzedService<'r>,
    findings: &'r mut Vec<Finding>,
    index: usize,
}

impl Draft<'_> {
    fn change(&mut self, change: impl FnOnce(&mut Finding)) -> &mut Self {
        if let Some(finding) = self.findings.get_mut(self.index) {
            change(finding);
        }
        self
    }

    /// What to do, as an imperative; not needed if it would repeat the title of the fix.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        let help = help.into();
        self.change(|finding| finding.diagnostic.help = Some(help))
    }

    /// Replaces the severity of the rule.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.change(|finding| finding.diagnostic.severity = severity)
    }

    /// Adds a cause that the finding is about: it yields if a rule that it yields to explains this cause.
    pub fn about(&mut self, cause: Cause) -> &mut Self {
        self.change(|finding| finding.about.push(cause))
    }

    /// Adds a cause that the finding explains: rules that yield to this rule report nothing about it.
    pub fn explains(&mut self, cause: Cause) -> &mut Self {
        self.change(|finding| finding.explains.push(cause))
    }

    /// Adds a node to the area of a rule that yields to all others: it yields to any finding at this node or inside it,
    /// but not inside activities in it.
    pub fn area(&mut self, node: NodeId) -> &mut Self {
        self.change(|finding| finding.area.push(node))
    }

    /// Adds a place that helps to understand the finding.
    pub fn related(&mut self, place: &Place, message: impl Into<String>) -> &mut Self {
        let location = locate(self.service, place);
        let message = message.into();
        self.change(|finding| finding.diagnostic.related.push(Label { location, message }))
    }

    /// A fix that replaces a value. `json` is the new value as JSON.
    pub fn fix_value(
        &mut self,
        applicability: Applicability,
        title: impl Into<String>,
        node: NodeId,
        json: impl Into<String>,
    ) -> &mut Self {
        let file = self.findings.get(self.index).map(|finding| finding.diagnostic.location.file);
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
        let fix = Fix { applicability, title: title.into(), edits };
        self.change(|finding| finding.diagnostic.fix = Some(fix))
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
    let Some(document) = service.document(place.file) else {
        return Location { file: place.file, pointer: String::new(), span: Span::default() };
    };
    let span = match &place.part {
        Part::Value => document.anchor(place.node),
        Part::Key => document.key_span(place.node).unwrap_or_else(|| document.anchor(place.node)),
        Part::Inside(part) => document.span_inside(place.node, part.clone()),
    };
    Location { file: place.file, pointer: document.pointer(place.node), span }
}

//! How rules report: they name nodes, and this layer finds the bytes, the pointer and the name of
//! the activity, and stamps the rule's code, name and severity.

use super::cause::Cause;
use super::stamp::{Stamp, YieldsTo};
use crate::diagnostic::{Applicability, Diagnostic, Edit, FileId, Fix, Label, Location, Severity};
use crate::document::NodeId;
use crate::facts::{AnalyzedService, Part, Place};
use crate::model::enclosing_element;
use crate::source::Span;

/// A diagnostic with what precedence needs to know of it.
#[derive(Debug)]
pub struct Finding {
    pub(super) diagnostic: Diagnostic,
    pub(super) yields_to: YieldsTo,
    /// What it is about: dropped if a finding that it yields to explains one of these.
    pub(super) about: Vec<Cause>,
    /// What it explains: findings about one of these that yield to it are dropped.
    pub(super) explains: Vec<Cause>,
    /// Its place; none in a file that holds no document.
    pub(super) node: Option<NodeId>,
    /// Of a rule that yields to all others: the nodes in which another finding silences it.
    pub(super) area: Vec<NodeId>,
}

/// Takes the findings of one rule.
pub struct Reporter<'r> {
    service: &'r AnalyzedService<'r>,
    stamp: Stamp,
    found: &'r mut Vec<Finding>,
    last_element: Option<NamedElement>,
}

/// An activity or form field, and its name if it has one.
struct NamedElement {
    file: FileId,
    node: NodeId,
    name: Option<String>,
}

impl<'r> Reporter<'r> {
    /// A reporter for a rule, adding to `found`.
    pub const fn new(service: &'r AnalyzedService<'r>, stamp: Stamp, found: &'r mut Vec<Finding>) -> Self {
        Self { service, stamp, found, last_element: None }
    }

    /// Reports a finding: the place, and what is wrong. Its help, fix and related places are added to the draft.
    pub fn report(&mut self, place: &Place, message: impl Into<String>) -> Draft<'_> {
        let location = locate(self.service, place);
        let activity = self.element_name(place);
        self.push(location, Some(place), activity, message.into())
    }

    /// Reports a finding in a file that holds no document.
    pub fn report_bytes(&mut self, file: FileId, span: Span, message: impl Into<String>) -> Draft<'_> {
        let location = Location { file, pointer: String::new(), span };
        self.push(location, None, None, message.into())
    }

    /// The name of the nearest activity or form field around a place, itself included.
    fn element_name(&mut self, place: &Place) -> Option<String> {
        let document = self.service.document(place.file)?;
        let element = enclosing_element(document, place.node)?;
        // Many findings in a row are in one element, which may have very many members.
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
        let index = self.found.len();
        let causes: Vec<Cause> = place.map(Cause::from).into_iter().collect();
        self.found.push(Finding {
            diagnostic: Diagnostic {
                code: self.stamp.code,
                name: self.stamp.name,
                severity: self.stamp.severity,
                message,
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
        Draft { service: self.service, found: self.found, index }
    }
}

/// A finding that was just reported, to be completed.
pub struct Draft<'r> {
    service: &'r AnalyzedService<'r>,
    found: &'r mut Vec<Finding>,
    index: usize,
}

impl Draft<'_> {
    fn change(&mut self, change: impl FnOnce(&mut Finding)) -> &mut Self {
        if let Some(finding) = self.found.get_mut(self.index) {
            change(finding);
        }
        self
    }

    /// What to do, as an imperative; left out where it would repeat the fix's title.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        let help = help.into();
        self.change(|finding| finding.diagnostic.help = Some(help))
    }

    /// Another severity than the rule's.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.change(|finding| finding.diagnostic.severity = severity)
    }

    /// Something else that the finding is about: when a rule that it yields to explains it, the finding is dropped.
    pub fn about(&mut self, cause: Cause) -> &mut Self {
        self.change(|finding| finding.about.push(cause))
    }

    /// Something else that the finding explains: findings about it of rules that yield to this one are dropped.
    pub fn explains(&mut self, cause: Cause) -> &mut Self {
        self.change(|finding| finding.explains.push(cause))
    }

    /// A node, with all in it but activities, in which any other finding silences one of a rule that yields to all.
    pub fn area(&mut self, node: NodeId) -> &mut Self {
        self.change(|finding| finding.area.push(node))
    }

    /// A place that helps to understand it.
    pub fn related(&mut self, place: &Place, message: impl Into<String>) -> &mut Self {
        let location = locate(self.service, place);
        let message = message.into();
        self.change(|finding| finding.diagnostic.related.push(Label { location, message }))
    }

    /// A fix that replaces the value at a node; `json` is its new JSON.
    pub fn fix_value(
        &mut self,
        applicability: Applicability,
        title: impl Into<String>,
        node: NodeId,
        json: impl Into<String>,
    ) -> &mut Self {
        let file = self.found.get(self.index).map(|finding| finding.diagnostic.location.file);
        let Some(document) = file.and_then(|file| self.service.document(file)) else { return self };
        let edit = Edit { span: document.span(node), new_text: json.into() };
        self.fix(applicability, title, vec![edit])
    }

    /// A fix of several edits in the finding's file.
    pub fn fix(&mut self, applicability: Applicability, title: impl Into<String>, mut edits: Vec<Edit>) -> &mut Self {
        edits.sort_by_key(|edit| edit.span);
        let fix = Fix { applicability, title: title.into(), edits };
        self.change(|finding| finding.diagnostic.fix = Some(fix))
    }
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

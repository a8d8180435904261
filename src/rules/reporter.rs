//! How rules report: they name nodes, and this layer finds the bytes, the pointer and the name of
//! the activity, and stamps the rule's code, name and severity.

use std::ops::Range;

use super::context::Context;
use super::rule::Rule;
use crate::diagnostic::{Applicability, Diagnostic, Edit, FileId, Fix, Label, Location, Severity};
use crate::document::NodeId;
use crate::model::enclosing_element;
use crate::source::Span;

/// A place in a document, by node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    file: FileId,
    node: NodeId,
    part: Part,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Value,
    Key,
    Inside(Range<usize>),
}

impl Place {
    /// A value.
    pub const fn value(file: FileId, node: NodeId) -> Self {
        Self { file, node, part: Part::Value }
    }

    /// The name of a member, by its value.
    pub const fn key(file: FileId, node: NodeId) -> Self {
        Self { file, node, part: Part::Key }
    }

    /// A part of a string, as a byte range of its characters without escapes.
    pub const fn inside(file: FileId, string: NodeId, part: Range<usize>) -> Self {
        Self { file, node: string, part: Part::Inside(part) }
    }
}

/// Takes the findings of one rule.
pub struct Reporter<'r> {
    context: &'r Context<'r>,
    rule: &'static Rule,
    found: &'r mut Vec<Diagnostic>,
    before: usize,
    last_element: Option<(FileId, NodeId, Option<String>)>,
}

impl<'r> Reporter<'r> {
    /// A reporter for a rule, adding to `found`.
    pub const fn new(context: &'r Context<'r>, rule: &'static Rule, found: &'r mut Vec<Diagnostic>) -> Self {
        let before = found.len();
        Self { context, rule, found, before, last_element: None }
    }

    /// Reports a finding: the place, what is wrong and what the platform makes of it, and what to
    /// do.
    pub fn report(&mut self, place: &Place, message: impl Into<String>, help: impl Into<String>) -> Draft<'_> {
        let location = locate(self.context, place);
        let activity = self.element_name(place);
        self.push(location, activity, message.into(), help.into())
    }

    /// Reports a finding in a file that holds no document.
    pub fn report_bytes(
        &mut self,
        file: FileId,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Draft<'_> {
        let location = Location { file, pointer: String::new(), span };
        self.push(location, None, message.into(), help.into())
    }

    /// The name of the nearest activity or form field around a place, itself included.
    fn element_name(&mut self, place: &Place) -> Option<String> {
        let document = self.context.document(place.file)?;
        let element = enclosing_element(document, place.node)?;
        // Many findings in a row are in one element, which may have very many members.
        if let Some((file, node, name)) = &self.last_element
            && (*file, *node) == (place.file, element)
        {
            return name.clone();
        }
        let name = document.member(element, "name").and_then(|name| document.string(name)).map(str::to_owned);
        self.last_element = Some((place.file, element, name.clone()));
        name
    }

    fn push(&mut self, location: Location, activity: Option<String>, message: String, help: String) -> Draft<'_> {
        let index = self.found.len();
        self.found.push(Diagnostic {
            code: self.rule.code,
            name: self.rule.name,
            severity: self.rule.severity,
            message,
            location,
            activity,
            help: Some(help),
            related: Vec::new(),
            fix: None,
        });
        Draft { context: self.context, found: self.found, index }
    }

    /// What the rules before this one found; for rules of the last stage.
    pub fn others(&self) -> &[Diagnostic] {
        self.found.get(..self.before).unwrap_or_default()
    }
}

/// A finding that was just reported, to be completed.
pub struct Draft<'r> {
    context: &'r Context<'r>,
    found: &'r mut Vec<Diagnostic>,
    index: usize,
}

impl Draft<'_> {
    fn change(&mut self, change: impl FnOnce(&mut Diagnostic)) -> &mut Self {
        if let Some(diagnostic) = self.found.get_mut(self.index) {
            change(diagnostic);
        }
        self
    }

    /// Another severity than the rule's.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.change(|diagnostic| diagnostic.severity = severity)
    }

    /// A place that helps to understand it.
    pub fn related(&mut self, place: &Place, message: impl Into<String>) -> &mut Self {
        let location = locate(self.context, place);
        let message = message.into();
        self.change(|diagnostic| diagnostic.related.push(Label { location, message }))
    }

    /// A cure: the value at a place gets another JSON text.
    pub fn fix_value(
        &mut self,
        applicability: Applicability,
        title: impl Into<String>,
        node: NodeId,
        json: impl Into<String>,
    ) -> &mut Self {
        let Some(file) = self.found.get(self.index).map(|diagnostic| diagnostic.location.file) else { return self };
        let Some(document) = self.context.document(file) else { return self };
        let edit = Edit { span: document.span(node), new_text: json.into() };
        self.fix(applicability, title, vec![edit])
    }

    /// A cure made of several edits in the finding's file.
    pub fn fix(&mut self, applicability: Applicability, title: impl Into<String>, mut edits: Vec<Edit>) -> &mut Self {
        edits.sort_by_key(|edit| edit.span);
        let fix = Fix { applicability, title: title.into(), edits };
        self.change(|diagnostic| diagnostic.fix = Some(fix))
    }
}

fn locate(context: &Context<'_>, place: &Place) -> Location {
    let Some(document) = context.document(place.file) else {
        return Location { file: place.file, pointer: String::new(), span: Span::default() };
    };
    let span = match &place.part {
        Part::Value => document.anchor(place.node),
        Part::Key => document.key_span(place.node).unwrap_or_else(|| document.anchor(place.node)),
        Part::Inside(part) => document.span_inside(place.node, part.clone()),
    };
    Location { file: place.file, pointer: document.pointer(place.node), span }
}

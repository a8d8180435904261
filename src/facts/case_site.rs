//! The signing cases of a service: in their own files, in the `Json` of requests, and in what scripts build.

use super::case_text::{CaseSource, CaseText};
use super::place::{CaseValue, Place};
use super::service::AnalyzedService;
use crate::diagnostic::{Edit, FileId};
use crate::document::{Document, NodeId, escape_step};
use crate::model::{Lowering, SigningCase};
use crate::schema::{self, DocumentKind, Violations};
use crate::script::origin;

/// Where a case is described.
#[derive(Debug, Clone, Copy)]
enum CaseLocation<'a> {
    /// In its own file.
    File(FileId),
    /// In a string of a workflow.
    Text(&'a CaseText),
}

/// A signing case that a service describes.
#[derive(Debug)]
pub struct CaseSite<'a> {
    /// Index among the service's cases.
    number: usize,
    location: CaseLocation<'a>,
    /// The case as JSON: its file's document, or one of its own.
    pub document: &'a Document,
    pub case: SigningCase<'a>,
    /// What the schema refuses in it.
    pub violations: Violations,
}

impl<'a> CaseSite<'a> {
    /// The cases of files, and those in strings of workflows.
    pub fn all(service: &'a AnalyzedService<'a>) -> Vec<Self> {
        let in_files = service.files.iter().filter_map(|file| match file.document()? {
            (DocumentKind::SigningCase, document) => Some((CaseLocation::File(file.id), document)),
            _ => None,
        });
        let in_texts = service.case_texts().iter().filter_map(|text| Some((CaseLocation::Text(text), text.object()?)));
        let site = |(number, (location, document))| Self {
            number,
            location,
            document,
            case: SigningCase::lower(Lowering { document, types: &service.config.types, suggester: service.suggester }),
            violations: schema::validate(document, DocumentKind::SigningCase),
        };
        in_files.chain(in_texts).enumerate().map(site).collect()
    }

    /// A value of the case, as findings of several places may share it.
    pub const fn case_value(&self, node: NodeId) -> CaseValue {
        CaseValue { case: self.number, node }
    }

    pub fn place_of_value(&self, node: NodeId) -> Place {
        let place = match self.location {
            CaseLocation::File(file) => Place::value(file, node),
            CaseLocation::Text(text) => text.place_of(self.document, node, origin::of_value),
        };
        place.of_case_value(self.case_value(node))
    }

    /// The place of a key, by its value.
    pub fn place_of_key(&self, node: NodeId) -> Place {
        let place = match (self.location, self.document.key_span(node)) {
            (CaseLocation::File(file), _) => Place::key(file, node),
            (CaseLocation::Text(text), Some(key)) => match text.source {
                CaseSource::Literal { .. } => text.place(key),
                CaseSource::Script { .. } => text.place_of(self.document, node, origin::of_member),
            },
            (CaseLocation::Text(_), None) => return self.place_of_value(node),
        };
        place.of_case_value(self.case_value(node))
    }

    /// Whether no generated value, on which a script was run, is a part of this value.
    pub fn is_definite(&self, node: NodeId) -> bool {
        self.is_definite_at(&self.document.pointer(node))
    }

    /// [`Self::is_definite`] for a key of an object, which may be absent.
    pub fn is_definite_member(&self, object: NodeId, key: &str) -> bool {
        self.is_definite_at(&self.pointer_of_member(object, key))
    }

    /// Whether an object has a key, with any value, for all inputs of a script.
    pub fn has_definite_key(&self, object: NodeId, key: &str) -> bool {
        match self.location {
            // A generated JSON value has keys that no order has, but the script does not name them.
            CaseLocation::Text(CaseText { source: CaseSource::Script { definite, script, .. }, .. }) => {
                definite.is_present(&self.pointer_of_member(object, key)) && script.contains(key)
            }
            CaseLocation::File(_) | CaseLocation::Text(_) => true,
        }
    }

    /// Whether what is absent or empty in the case is so in every order: false where a script looks into generated
    /// values, and may leave something out because of them.
    pub const fn is_complete(&self) -> bool {
        !matches!(
            self.location,
            CaseLocation::Text(CaseText { source: CaseSource::Script { forwards_parameters: false, .. }, .. })
        )
    }

    fn pointer_of_member(&self, object: NodeId, key: &str) -> String {
        format!("{}/{}", self.document.pointer(object), escape_step(key))
    }

    fn is_definite_at(&self, pointer: &str) -> bool {
        match self.location {
            CaseLocation::Text(CaseText { source: CaseSource::Script { definite, .. }, .. }) => {
                definite.is_definite(pointer)
            }
            CaseLocation::File(_) | CaseLocation::Text(_) => true,
        }
    }

    /// The edits that replace a value of the case by JSON that needs no escapes within a string; none where a
    /// script builds the case.
    pub fn edits(&self, service: &AnalyzedService<'_>, node: NodeId, json: &str) -> Vec<Edit> {
        let span = self.document.span(node);
        let edit = |file, span| Edit { file, span, new_text: json.to_owned() };
        match self.location {
            CaseLocation::File(file) => vec![edit(file, span)],
            CaseLocation::Text(text) => {
                let Some(workflow) = service.document(text.file) else { return Vec::new() };
                let CaseSource::Literal { node: literal, copy } = text.source else { return Vec::new() };
                let literals = std::iter::once(literal).chain(copy);
                literals.map(|literal| edit(text.file, workflow.span_inside(literal, span.range()))).collect()
            }
        }
    }
}

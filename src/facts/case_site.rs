//! Where the signing cases of a service stand: in files of their own, in texts of parameters, and in
//! the texts that scripts build.

use super::case_text::{CaseText, Origin};
use super::place::Place;
use super::service::AnalyzedService;
use crate::diagnostic::{Edit, FileId};
use crate::document::{Document, NodeId};
use crate::model::{Lowering, SigningCase};
use crate::schema::{self, DocumentKind, Violation};
use crate::script::origin;

/// Where a case stands.
#[derive(Debug, Clone, Copy)]
enum Home<'a> {
    /// In a file of its own.
    File(FileId),
    /// In the text of a parameter.
    Text(&'a CaseText),
}

/// A signing case that a service describes.
#[derive(Debug)]
pub struct CaseSite<'a> {
    home: Home<'a>,
    /// Its JSON: that of its file, or that of the text.
    pub document: &'a Document,
    /// What it says.
    pub case: SigningCase<'a>,
    /// What the schema refuses in it.
    pub violations: Vec<Violation>,
}

impl<'a> CaseSite<'a> {
    /// The cases of files, and those of texts.
    pub fn all(service: &'a AnalyzedService<'a>) -> Vec<Self> {
        let in_files = service.files.iter().filter_map(|file| match file.document()? {
            (DocumentKind::SigningCase, document) => Some((Home::File(file.id), document)),
            _ => None,
        });
        let in_texts = service.case_texts().iter().filter_map(|text| Some((Home::Text(text), text.object()?)));
        let site = |(home, document)| Self {
            home,
            document,
            case: SigningCase::lower(Lowering { document, types: &service.config.types, suggester: service.suggester }),
            violations: schema::validate(document, DocumentKind::SigningCase),
        };
        in_files.chain(in_texts).map(site).collect()
    }

    /// The place of a value of the case.
    pub fn value(&self, node: NodeId) -> Place {
        match self.home {
            Home::File(file) => Place::value(file, node),
            Home::Text(text) => text.part(self.document, node, origin::of_value),
        }
    }

    /// Whether a value of the case is what the case will have, not one that was made up to run a
    /// script.
    pub fn is_certain(&self, node: NodeId) -> bool {
        self.is_certain_at(&self.document.pointer(node))
    }

    /// The same for a member of an object, which may be absent.
    pub fn is_certain_member(&self, object: NodeId, name: &str) -> bool {
        self.is_certain_at(&format!("{}/{name}", self.document.pointer(object)))
    }

    /// Whether an object of the case has a member, whatever its value, also on other values than those
    /// that were made up.
    pub fn has_certainly(&self, object: NodeId, name: &str) -> bool {
        let pointer = format!("{}/{}", self.document.pointer(object), crate::document::escape_step(name));
        match self.home {
            // A value that was made up as JSON has members of its own.
            Home::Text(CaseText { origin: Origin::Script { certainty, script, .. }, .. }) => {
                certainty.is_there(&pointer) && script.contains(name)
            }
            Home::File(_) | Home::Text(_) => true,
        }
    }

    /// Whether what is absent or empty in the case is so in every order: not where a script looks into
    /// values that were made up to run it, and may leave something out for them alone.
    pub const fn is_whole(&self) -> bool {
        !matches!(self.home, Home::Text(CaseText { origin: Origin::Script { forwards_parameters: false, .. }, .. }))
    }

    fn is_certain_at(&self, pointer: &str) -> bool {
        match self.home {
            Home::Text(CaseText { origin: Origin::Script { certainty, .. }, .. }) => certainty.is_certain(pointer),
            Home::File(_) | Home::Text(_) => true,
        }
    }

    /// The place of the name of a member, by its value.
    pub fn key(&self, node: NodeId) -> Place {
        match (self.home, self.document.key_span(node)) {
            (Home::File(file), _) => Place::key(file, node),
            (Home::Text(text), Some(name)) => match text.origin {
                Origin::Literal { .. } => text.place(name),
                Origin::Script { .. } => text.part(self.document, node, origin::of_member),
            },
            (Home::Text(_), None) => self.value(node),
        }
    }

    /// The edits that give a value of the case another JSON text, which needs no escapes within a
    /// string; none where a script builds it.
    pub fn edits(&self, service: &AnalyzedService<'_>, node: NodeId, json: &str) -> Vec<Edit> {
        let span = self.document.span(node);
        let edit = |span| Edit { span, new_text: json.to_owned() };
        match self.home {
            Home::File(_) => vec![edit(span)],
            Home::Text(text) => {
                let Some(around) = service.document(text.file) else { return Vec::new() };
                let Origin::Literal { node: literal, copy } = text.origin else { return Vec::new() };
                let literals = std::iter::once(literal).chain(copy);
                literals.map(|literal| edit(around.span_inside(literal, span.range()))).collect()
            }
        }
    }
}

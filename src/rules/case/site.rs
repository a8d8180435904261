//! Where the signing cases of a service stand: in files of their own, and in texts of parameters.

use crate::catalog::ParameterKind;
use crate::config::Config;
use crate::diagnostic::{Edit, FileId};
use crate::document::{Document, Kind, Limits, NodeId, SyntaxError};
use crate::model::{Lowering, SigningCase};
use crate::project::File;
use crate::rules::binding::copy_of;
use crate::rules::provider::literals;
use crate::rules::{Context, Place, anchor};
use crate::schema::{self, DocumentKind, Violation};
use crate::source::Span;
use crate::suggest::Suggester;

/// The literal of a parameter that should describe a case (reference, `Json`), read.
#[derive(Debug)]
pub struct CaseText {
    /// The parameter's name.
    pub name: String,
    /// The text.
    pub text: String,
    /// The JSON that it is; any value.
    pub parsed: Result<Document, SyntaxError>,
    file: FileId,
    literal: NodeId,
    /// The same literal in `allProviderParameters`.
    copy: Option<NodeId>,
}

impl CaseText {
    /// Every text of a service that should describe a case.
    pub fn all(cx: &Context<'_>) -> Vec<Self> {
        let mut found = Vec::new();
        for site in cx.providers() {
            for given in literals(&site, ParameterKind::CaseJson) {
                let Some(text) = given.text() else { continue };
                found.push(Self {
                    name: given.name.to_owned(),
                    text: text.to_owned(),
                    parsed: Document::parse(text, Limits::default()),
                    file: site.analysis.file,
                    literal: given.node,
                    copy: copy_of(site.analysis.document, site.provider, given.node),
                });
            }
        }
        found
    }

    /// The JSON that it is, unless that is no object.
    fn object(&self) -> Option<&Document> {
        self.parsed.as_ref().ok().filter(|document| document.kind(document.root()) == Kind::Object)
    }

    /// The place of some bytes of it.
    pub const fn place(&self, part: Span) -> Place {
        Place::inside(self.file, self.literal, part.range())
    }
}

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
    pub fn all(files: &[&'a File], texts: &'a [CaseText], config: &'a Config, suggester: &'a Suggester) -> Vec<Self> {
        let in_files = files.iter().filter_map(|file| match file.document()? {
            (DocumentKind::SigningCase, document) => Some((Home::File(file.id), document)),
            _ => None,
        });
        let in_texts = texts.iter().filter_map(|text| Some((Home::Text(text), text.object()?)));
        let site = |(home, document)| Self {
            home,
            document,
            case: SigningCase::lower(Lowering { document, types: &config.types, suggester }),
            violations: schema::validate(document, DocumentKind::SigningCase),
        };
        in_files.chain(in_texts).map(site).collect()
    }

    /// The place of a value of the case.
    pub fn value(&self, node: NodeId) -> Place {
        match self.home {
            Home::File(file) => Place::value(file, node),
            Home::Text(text) => text.place(anchor(self.document, node)),
        }
    }

    /// The place of the name of a member, by its value.
    pub fn key(&self, node: NodeId) -> Place {
        match (self.home, self.document.key_span(node)) {
            (Home::Text(text), Some(name)) => text.place(name),
            (Home::Text(_), None) => self.value(node),
            (Home::File(file), _) => Place::key(file, node),
        }
    }

    /// The edits that give a value of the case another JSON text, which needs no escapes within a string.
    pub fn edits(&self, cx: &Context<'_>, node: NodeId, json: &str) -> Vec<Edit> {
        let span = self.document.span(node);
        let edit = |span| Edit { span, new_text: json.to_owned() };
        match self.home {
            Home::File(_) => vec![edit(span)],
            Home::Text(text) => {
                let Some(around) = cx.document(text.file) else { return Vec::new() };
                let literals = std::iter::once(text.literal).chain(text.copy);
                literals.map(|literal| edit(around.span_inside(literal, span.range()))).collect()
            }
        }
    }
}

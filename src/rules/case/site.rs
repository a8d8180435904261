//! Where the signing cases of a service stand: in files of their own, in texts of parameters, and in
//! the texts that scripts build.

use std::ops::Range;

use crate::catalog::ParameterKind;
use crate::config::Config;
use crate::diagnostic::{Edit, FileId};
use crate::document::{Document, Kind, Limits, NodeId, SyntaxError};
use crate::model::{Lowering, SigningCase};
use crate::project::File;
use crate::rules::binding::copy_of;
use crate::rules::provider::literals;
use crate::rules::scripts::Certainty;
use crate::rules::{Context, Place, anchor};
use crate::schema::{self, DocumentKind, Violation};
use crate::script::origin;
use crate::source::Span;
use crate::suggest::Suggester;

/// The variable that a script sets (reference, Other activity types).
const BUILT: &str = crate::model::SCRIPT_RESULT;

/// A text that should describe a case (reference, `Json`), read.
#[derive(Debug)]
pub struct CaseText {
    /// Name of the parameter, or of the variable that the script sets.
    pub name: String,
    /// The text.
    pub text: String,
    /// The JSON that it is; any value.
    pub parsed: Result<Document, SyntaxError>,
    file: FileId,
    origin: Origin,
}

/// Where a text comes from.
#[derive(Debug)]
enum Origin {
    /// It is the literal of a parameter, and the same one in `allProviderParameters`.
    Literal { node: NodeId, copy: Option<NodeId> },
    /// A script built it, run on made-up values.
    Script { node: NodeId, script: String, certainty: Certainty, is_plain: bool },
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
                    origin: Origin::Literal {
                        node: given.node,
                        copy: copy_of(site.analysis.document, site.provider, given.node),
                    },
                });
            }
        }
        found.extend(cx.evaluated().map(|built| Self {
            name: BUILT.to_owned(),
            text: built.text.to_owned(),
            parsed: Document::parse(built.text, Limits::default()),
            file: built.file,
            origin: Origin::Script {
                node: built.node,
                script: built.script.to_owned(),
                certainty: built.certainty(),
                is_plain: built.is_plain,
            },
        }));
        found
    }

    /// The JSON that it is, unless that is no object.
    fn object(&self) -> Option<&Document> {
        self.parsed.as_ref().ok().filter(|document| document.kind(document.root()) == Kind::Object)
    }

    /// The place of some bytes of it; of a text that a script builds, the script.
    pub const fn place(&self, part: Span) -> Place {
        match self.origin {
            Origin::Literal { node, .. } => Place::inside(self.file, node, part.range()),
            Origin::Script { node, .. } => Place::value(self.file, node),
        }
    }

    /// The best place known for a value of the case, or for the name of a member.
    fn part(
        &self,
        document: &Document,
        node: NodeId,
        of: fn(&str, &Document, NodeId) -> Option<Range<usize>>,
    ) -> Place {
        match &self.origin {
            Origin::Literal { .. } => self.place(anchor(document, node)),
            Origin::Script { node: script_node, script, .. } => match of(script, document, node) {
                Some(range) => Place::inside(self.file, *script_node, range),
                None => Place::value(self.file, *script_node),
            },
        }
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
        !matches!(self.home, Home::Text(CaseText { origin: Origin::Script { is_plain: false, .. }, .. }))
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
    pub fn edits(&self, cx: &Context<'_>, node: NodeId, json: &str) -> Vec<Edit> {
        let span = self.document.span(node);
        let edit = |span| Edit { span, new_text: json.to_owned() };
        match self.home {
            Home::File(_) => vec![edit(span)],
            Home::Text(text) => {
                let Some(around) = cx.document(text.file) else { return Vec::new() };
                let Origin::Literal { node: literal, copy } = text.origin else { return Vec::new() };
                let literals = std::iter::once(literal).chain(copy);
                literals.map(|literal| edit(around.span_inside(literal, span.range()))).collect()
            }
        }
    }
}

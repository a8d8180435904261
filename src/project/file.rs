//! Files before and after they are read, each with the model of its document.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;

use super::encoding::Encoding;
use super::kinds::Resemblance;
use crate::config::Types;
use crate::document::{Document, Duplicate, SyntaxError};
use crate::model::{Form, Lowering, Workflow};
use crate::schema::{self, DocumentKind, Violations};
use crate::text::diagnostic::FileId;
use crate::text::quote;
use crate::text::source::{SourceFile, Span};
use crate::text::suggest::Suggester;

/// A file that is going to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub path: PathBuf,
    /// As reports show it.
    pub name: String,
    /// Index of its configuration.
    pub config: usize,
    /// Whether it was named on the command line.
    pub named: bool,
    /// What it is meant as, whatever it holds (`expected`).
    pub meant: Option<DocumentKind>,
    /// Whether findings in it are reported.
    pub reported: bool,
    /// Its contents, when they are not read from the file.
    pub contents: Option<Contents>,
}

impl Candidate {
    /// A file that a walk has found.
    pub fn found(path: PathBuf, name: String, config: usize, contents: Option<Contents>) -> Self {
        Self { path, name, config, named: false, meant: None, reported: true, contents }
    }
}

/// The bytes of a file. Those that are a string are shared with its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
}

impl Contents {
    pub fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.into()),
            Err(_) => Self::Bytes(bytes.into()),
        }
    }

    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// A file that was read. Copies are cheap.
#[derive(Debug, Clone)]
pub struct File {
    /// Its index in the project.
    pub id: FileId,
    pub source: SourceFile,
    pub content: Content,
    /// What it is meant as, whatever it holds: by its name, by a scenario or by a `[[service]]`.
    pub meant: Option<DocumentKind>,
    /// Whether findings in it are reported. Other files are read for what their service shares.
    pub reported: bool,
    /// What was found out of its document, for all copies.
    pub(super) derived: Arc<Derived>,
}

/// What follows from a document, and is computed once.
#[derive(Debug, Default)]
pub(super) struct Derived {
    /// The schema violations of a workflow or form.
    pub violations: OnceLock<Violations>,
    model: OnceLock<Lowered>,
}

#[derive(Debug, Clone)]
pub enum Content {
    Document(DocumentKind, Arc<Document>),
    /// JSON that was named or expected, but is not a document.
    Unrelated(Arc<Document>),
    /// JSON that was not named on the command line, and is almost a document.
    Resembling(Arc<Document>, Resemblance),
    /// Invalid JSON.
    Invalid(SyntaxError),
    /// Encoded in a recognizable encoding other than UTF-8.
    OtherEncoding(Encoding),
    /// With the place of the first invalid byte.
    NotUtf8(Span),
    /// With the limit, in bytes.
    TooLarge(u64),
}

impl File {
    pub fn document(&self) -> Option<(DocumentKind, &Document)> {
        match &self.content {
            Content::Document(kind, document) => Some((*kind, document)),
            _ => None,
        }
    }

    /// Whether it would be the same if it was read from these contents, which share its text.
    pub(super) fn has_contents(&self, contents: &Contents) -> bool {
        let is_whole = match &self.content {
            Content::Document(..) | Content::Unrelated(_) | Content::Resembling(..) | Content::Invalid(_) => true,
            Content::OtherEncoding(_) | Content::NotUtf8(_) | Content::TooLarge(_) => false,
        };
        is_whole && matches!(contents, Contents::Text(text) if Arc::ptr_eq(&self.source.text, text))
    }

    /// Whether it was read at the same time as another one: both are copies of one file.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.derived, &other.derived)
    }

    /// The schema violations of a document.
    pub(super) fn violations(&self, kind: DocumentKind, document: &Document) -> &Violations {
        self.derived.violations.get_or_init(|| schema::validate(document, kind))
    }

    /// The model of its document, with the types of the configuration that it was read with.
    pub(super) fn model(&self, kind: DocumentKind, document: &Arc<Document>, types: &Types) -> &DocumentModel<'_> {
        self.derived.model.get_or_init(|| Lowered::lower(kind, document, types)).model()
    }

    /// The first duplicate key of the document, in words: programs differ in which of the values counts.
    pub fn duplicate_key(&self) -> Option<String> {
        let (_, document) = self.document()?;
        let of_pair = |pair: &Duplicate| Some((document.key_span(pair.second)?.start, pair.second));
        let (offset, second) = document.duplicates().iter().filter_map(of_pair).min()?;
        let position = self.source.position(offset);
        let key = quote(document.key(second).unwrap_or_default());
        Some(format!("duplicate key {key} at line {}, column {}", position.line, position.column))
    }

    /// The document, if it is a workflow.
    pub fn workflow(&self) -> Result<&Document, String> {
        Err(match &self.content {
            Content::Document(DocumentKind::Workflow, document) => return Ok(document),
            Content::Document(DocumentKind::Form, _) => "expected a workflow, found a form".to_owned(),
            Content::Document(DocumentKind::SigningCase, _) => "expected a workflow, found a signing case".to_owned(),
            Content::Unrelated(_) | Content::Resembling(..) => "not a workflow".to_owned(),
            Content::Invalid(_) => format!("invalid JSON; `wflint {}` shows where", self.source.name),
            Content::OtherEncoding(_) | Content::NotUtf8(_) => "not encoded in UTF-8".to_owned(),
            Content::TooLarge(limit) => format!("larger than {} MiB", limit >> 20),
        })
    }
}

self_cell!(
    /// A document with its model.
    struct Lowered {
        owner: Arc<Document>,
        #[covariant]
        dependent: DocumentModel,
    }

    impl {Debug}
);

/// The model of a document.
#[derive(Debug)]
pub(super) struct DocumentModel<'d> {
    pub kind: ModelKind<'d>,
    /// Whether it has too many unknown keys to compare all of them with the known ones.
    pub lacks_suggestions: bool,
}

#[derive(Debug)]
pub(super) enum ModelKind<'d> {
    Workflow(Workflow<'d>),
    Form(Form<'d>),
    /// WF702 reads signing cases, wherever they are.
    SigningCase,
}

impl Lowered {
    /// Lowers a document, with the types that the configuration declares.
    fn lower(kind: DocumentKind, document: &Arc<Document>, types: &Types) -> Self {
        Self::new(Arc::clone(document), |document| {
            let suggester = Suggester::default();
            let lowering = Lowering { document, types, suggester: &suggester };
            let kind = match kind {
                DocumentKind::Workflow => ModelKind::Workflow(Workflow::lower(lowering)),
                DocumentKind::Form => ModelKind::Form(Form::lower(lowering)),
                DocumentKind::SigningCase => ModelKind::SigningCase,
            };
            DocumentModel { kind, lacks_suggestions: suggester.is_exhausted() }
        })
    }

    fn model(&self) -> &DocumentModel<'_> {
        self.borrow_dependent()
    }
}

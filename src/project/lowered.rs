//! The model of a document, which is kept with the document: an unchanged one is not lowered again.

use std::sync::Arc;

use self_cell::self_cell;

use crate::config::Types;
use crate::document::Document;
use crate::model::{Form, Lowering, Workflow};
use crate::schema::DocumentKind;
use crate::suggest::Suggester;

self_cell!(
    /// A document with its model.
    pub(super) struct Lowered {
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
    pub fn lower(kind: DocumentKind, document: &Arc<Document>, types: &Types) -> Self {
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

    pub fn model(&self) -> &DocumentModel<'_> {
        self.borrow_dependent()
    }
}

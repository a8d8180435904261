//! The model of a document, which is kept with the document: an unchanged one is not lowered again, and of a workflow only
//! activities that have changed.

use std::sync::Arc;

use self_cell::self_cell;

use crate::config::Types;
use crate::document::{Document, NodeId};
use crate::model::{Form, Lowering, Workflow};
use crate::schema::DocumentKind;
use crate::suggest::Suggester;

self_cell!(
    /// A document with its model.
    pub(super) struct Lowered {
        owner: Owner,
        #[covariant]
        dependent: DocumentModel,
    }

    impl {Debug}
);

/// What a model borrows.
#[derive(Debug)]
struct Owner {
    document: Arc<Document>,
    before: Option<Before>,
}

/// A version of a document with its model, and how the document differs from it now.
#[derive(Debug, Clone)]
pub(super) struct Before {
    /// It has no version before.
    version: Arc<Lowered>,
    /// The scalars that have changed. Nodes are the same.
    changed: Vec<NodeId>,
}

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
    /// Lowers a document, with the types that the configuration declares, which are those of the version before.
    pub fn lower(kind: DocumentKind, document: &Arc<Document>, types: &Types, before: Option<&Before>) -> Self {
        let before = before.filter(|before| before.is_usable(document)).cloned();
        Self::new(Owner { document: Arc::clone(document), before }, |Owner { document, before }| {
            let suggester = Suggester::default();
            let lowering = Lowering { document, types, suggester: &suggester };
            let known = before.as_ref().and_then(|before| Some((before.workflow()?, &before.changed)));
            let kind = match (kind, known) {
                (DocumentKind::Workflow, Some((workflow, changed))) => {
                    ModelKind::Workflow(Workflow::lower_again(lowering, workflow, changed))
                }
                (DocumentKind::Workflow, None) => ModelKind::Workflow(Workflow::lower(lowering)),
                (DocumentKind::Form, _) => ModelKind::Form(Form::lower(lowering)),
                (DocumentKind::SigningCase, _) => ModelKind::SigningCase,
            };
            DocumentModel { kind, lacks_suggestions: suggester.is_exhausted() }
        })
    }

    pub fn model(&self) -> &DocumentModel<'_> {
        self.borrow_dependent()
    }

    /// As the version before; `None` if it is not a workflow, or borrows from another version.
    pub fn as_before(self: &Arc<Self>) -> Option<Before> {
        let is_usable = self.borrow_owner().before.is_none() && matches!(self.model().kind, ModelKind::Workflow(_));
        is_usable.then(|| Before { version: Arc::clone(self), changed: Vec::new() })
    }
}

/// Changed values from which on a document is lowered as a whole.
const MAX_CHANGED: usize = 32;

impl Before {
    /// The version before a document that differs from the one here in a scalar.
    pub fn changed(mut self, value: NodeId) -> Self {
        if !self.changed.contains(&value) {
            self.changed.push(value);
        }
        self
    }

    fn workflow(&self) -> Option<&Workflow<'_>> {
        match &self.version.model().kind {
            ModelKind::Workflow(workflow) => Some(workflow),
            ModelKind::Form(_) | ModelKind::SigningCase => None,
        }
    }

    /// Whether a model of the document may borrow from it: which keys are unknown depends on types, and on how many there
    /// are in the whole document.
    fn is_usable(&self, document: &Document) -> bool {
        let is_type = |&value: &NodeId| document.key(value) == Some("type");
        self.changed.len() < MAX_CHANGED && !self.version.model().lacks_suggestions && !self.changed.iter().any(is_type)
    }
}

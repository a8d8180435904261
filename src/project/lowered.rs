//! The model of a document, which is kept with the document: an unchanged one is not lowered again, and of a workflow only
//! activities that have changed since a base version, which was lowered as a whole.

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
    base: Option<BaseVersion>,
}

/// An earlier version of a workflow, from which the model of a later one borrows what has not changed.
#[derive(Debug, Clone)]
pub(super) struct BaseVersion {
    /// Its model borrows from no other version.
    lowered: Arc<Lowered>,
    /// The scalars in which the later version differs. Nodes are the same.
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
    /// Lowers a document, with the types that the configuration declares. They must be those of the base version.
    pub fn lower(kind: DocumentKind, document: &Arc<Document>, types: &Types, base: Option<&BaseVersion>) -> Self {
        let owner = Owner { document: Arc::clone(document), base: base.cloned() };
        Self::new(owner, |Owner { document, base }| {
            let suggester = Suggester::default();
            let lowering = Lowering { document, types, suggester: &suggester };
            let kind = match kind {
                DocumentKind::Workflow => ModelKind::Workflow(match base.as_ref().and_then(BaseVersion::workflow) {
                    Some((workflow, changed)) => Workflow::lower_again(lowering, workflow, changed),
                    None => Workflow::lower(lowering),
                }),
                DocumentKind::Form => ModelKind::Form(Form::lower(lowering)),
                DocumentKind::SigningCase => ModelKind::SigningCase,
            };
            DocumentModel { kind, lacks_suggestions: suggester.is_exhausted() }
        })
    }

    pub fn model(&self) -> &DocumentModel<'_> {
        self.borrow_dependent()
    }

    /// As the base of later versions; `None` if it is not a workflow, or has a base itself.
    pub fn as_base(self: &Arc<Self>) -> Option<BaseVersion> {
        let is_usable = self.borrow_owner().base.is_none() && matches!(self.model().kind, ModelKind::Workflow(_));
        is_usable.then(|| BaseVersion { lowered: Arc::clone(self), changed: Vec::new() })
    }
}

/// Changed values from which on a document is lowered as a whole.
const MAX_CHANGED: usize = 32;

impl BaseVersion {
    /// As the base of a document that differs in one more scalar from the version before. `None` if the document is to be
    /// lowered as a whole: which keys are known depends on types, and on how many unknown ones there are.
    pub fn with_change(mut self, document: &Document, value: NodeId) -> Option<Self> {
        if !self.changed.contains(&value) {
            self.changed.push(value);
        }
        let is_usable = self.changed.len() < MAX_CHANGED
            && document.key(value) != Some("type")
            && !self.lowered.model().lacks_suggestions;
        is_usable.then_some(self)
    }

    /// How long its text is, in bytes.
    pub fn bytes(&self) -> usize {
        self.lowered.borrow_owner().document.text_len()
    }

    /// With the scalars in which the later version differs.
    fn workflow(&self) -> Option<(&Workflow<'_>, &[NodeId])> {
        match &self.lowered.model().kind {
            ModelKind::Workflow(workflow) => Some((workflow, &self.changed)),
            ModelKind::Form(_) | ModelKind::SigningCase => None,
        }
    }
}

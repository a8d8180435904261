//! A service whose documents are modeled and whose workflows are analyzed: what every fact rests on.

use std::cell::OnceCell;

use super::case_text::CaseText;
use super::opaque::{mistyped_activities, opaque_activities};
use super::provider_site::ProviderSite;
use super::script_sources::scripts;
use crate::collections::HashMap;
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::graph::{self, Analysis, Scope, Usage};
use crate::model::{
    ADDITIONAL_PARAMETERS, ALL_PARAMETERS, Activity, Binding, DECLARED_PARAMETERS, Role, UnknownMember, Variable,
};
use crate::project::{Declarations, File, FormDocument, ServiceModel};
use crate::schema::{self, DocumentKind, Violation};
use crate::script::syntax::Scripts;
use crate::script::{Evaluation, Evaluator};
use crate::suggest::Suggester;

/// How scripts end, by the string that holds each; none of those that were not run.
pub type Evaluations = HashMap<(FileId, NodeId), Evaluation>;

pub struct AnalyzedService<'a> {
    /// The service's configuration.
    pub config: &'a Config,
    /// The service's files.
    pub files: Vec<&'a File>,
    /// Its documents.
    pub model: &'a ServiceModel<'a>,
    /// Its workflows, analyzed; in the order of `model.workflows`.
    pub workflows: Vec<Analysis<'a>>,
    /// The names that each form may use; in the order of `model.forms`.
    pub form_scopes: Vec<Scope<'a>>,
    /// What the service reads and writes.
    pub usage: Usage,
    /// What the schemas refuse in workflows and forms.
    pub violations: Vec<(FileId, Violation)>,
    /// For mistyped names.
    pub suggester: &'a Suggester,
    /// Runs scripts; none when they are not to be run.
    pub(super) evaluator: Option<&'a Evaluator>,
    pub(super) scripts: Scripts<'a>,
    pub(super) evaluations: OnceCell<Evaluations>,
    pub(super) case_texts: OnceCell<Vec<CaseText>>,
}

impl<'a> AnalyzedService<'a> {
    /// Analyzes the workflows of a service. Scripts are run by `evaluator` when a fact first needs them.
    pub fn new(
        files: Vec<&'a File>,
        config: &'a Config,
        model: &'a ServiceModel<'a>,
        suggester: &'a Suggester,
        evaluator: Option<&'a Evaluator>,
    ) -> Self {
        let violations: Vec<(FileId, Violation)> = files
            .iter()
            .filter_map(|file| Some((file.id, file.document()?)))
            // What is wrong with a signing case is reported by rules of its own (WF702).
            .filter(|(_, (kind, _))| *kind != DocumentKind::SigningCase)
            .flat_map(|(id, (kind, document))| {
                schema::validate(document, kind).into_iter().map(move |violation| (id, violation))
            })
            .collect();
        let scopes = model
            .workflows
            .iter()
            .map(|document| {
                let declarations = Declarations::of_workflow(model, document);
                Scope::new(declarations, config, suggester, Some(&document.workflow))
            })
            .collect();
        let form_scopes: Vec<Scope<'_>> = model
            .forms
            .iter()
            .map(|form| Scope::new(Declarations::of_form(model, form), config, suggester, None))
            .collect();
        // The analysis has to assume that an opaque activity reads and writes everything, so these come first.
        let mut opaque = opaque_activities(&files, &violations);
        opaque.extend(mistyped_activities(model));
        let (workflows, usage) = graph::analyze(model, scopes, &form_scopes, &opaque);
        Self {
            config,
            files,
            model,
            workflows,
            form_scopes,
            usage,
            violations,
            suggester,
            evaluator,
            scripts: scripts(model),
            evaluations: OnceCell::new(),
            case_texts: OnceCell::new(),
        }
    }

    /// A file of the service.
    pub fn file(&self, id: FileId) -> Option<&'a File> {
        find(&self.files, id)
    }

    /// The document of a file.
    pub fn document(&self, file: FileId) -> Option<&'a Document> {
        self.file(file)?.document().map(|(_, document)| document)
    }

    /// Every activity of every workflow, in the order of the text.
    pub fn activities(&self) -> impl Iterator<Item = (&Analysis<'a>, &'a Activity<'a>)> {
        self.workflows
            .iter()
            .flat_map(|analysis| analysis.workflow.activities.iter().map(move |activity| (analysis, activity)))
    }

    /// Every provider activity.
    pub fn providers<'c>(&'c self) -> impl Iterator<Item = ProviderSite<'c, 'a>> {
        self.workflows.iter().flat_map(ProviderSite::of)
    }

    /// Every form with the names that it may use.
    pub fn forms(&self) -> impl Iterator<Item = (&'a FormDocument<'a>, &Scope<'a>)> {
        self.model.forms.iter().zip(&self.form_scopes)
    }

    /// Calls `visit` with every binding of every workflow.
    pub fn bindings(&self, mut visit: impl FnMut(&Analysis<'a>, &'a Activity<'a>, &'a Binding<'a>, Role<'a, 'a>)) {
        for (analysis, activity) in self.activities() {
            activity.bindings(|binding, role| visit(analysis, activity, binding, role));
        }
    }

    /// The variable lists of all documents.
    pub fn variable_lists(&self) -> impl Iterator<Item = (FileId, &'a [Variable<'a>])> {
        let workflows = self.model.workflows.iter().map(|document| (document.file, &document.workflow.variables));
        let forms = self.model.forms.iter().map(|document| (document.file, &document.form.variables));
        workflows.chain(forms).filter_map(|(file, list)| Some((file, list.get()?.as_slice())))
    }

    /// The undocumented member names of all documents.
    pub fn unknown_members(&self) -> impl Iterator<Item = (FileId, &'a UnknownMember)> {
        let workflows = self.model.workflows.iter().map(|document| (document.file, &document.workflow.unknown_members));
        let forms = self.model.forms.iter().map(|document| (document.file, &document.form.unknown_members));
        workflows.chain(forms).flat_map(|(file, members)| members.iter().map(move |member| (file, member)))
    }

    /// Whether a value lies in an entry of `allProviderParameters` that is identical to an entry of
    /// the lists it is a copy of: what is wrong with it is reported there.
    pub fn is_exact_copy(&self, file: FileId, node: NodeId) -> bool {
        let Some(document) = self.document(file) else { return false };
        let path = std::iter::successors(Some(node), |&node| document.parent(node)).collect::<Vec<_>>();
        let list = path.iter().position(|&node| document.key(node) == Some(ALL_PARAMETERS));
        let Some([.., entry, list, activity]) = list.and_then(|list| path.get(..list + 2)) else { return false };
        let text = |node: NodeId| document.slice(document.span(node));
        document.key(*list).is_some()
            && [DECLARED_PARAMETERS, ADDITIONAL_PARAMETERS].iter().any(|name| {
                let own = document.member(*activity, name).map(|list| document.elements(list));
                own.into_iter().flatten().any(|own| text(own) == text(*entry))
            })
    }
}

/// A file among those of a service, which are sorted.
fn find<'a>(files: &[&'a File], id: FileId) -> Option<&'a File> {
    let index = files.binary_search_by_key(&id, |file| file.id).ok()?;
    files.get(index).copied()
}

//! A service with its models and the analyses of its workflows: the input of every fact.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::cancellation::Cancellation;
use crate::common::collections::{HashMap, HashSet};
use crate::common::limits::MAX_FINDINGS;
use crate::common::timing::Timing;
use crate::config::Config;
use crate::document::{Document, NodeId};
use crate::facts::cases::case_text::CaseText;
use crate::facts::cases::script_requests::scripts;
use crate::facts::opaque::opaque_activities;
use crate::facts::provider_site::ProviderSite;
use crate::graph::{self, Analysis, Scope, Usage};
use crate::model::{
    ADDITIONAL_PARAMETERS, ALL_PARAMETERS, Activity, ActivityId, Binding, DECLARED_PARAMETERS, Role, UnknownMember,
    Variable,
};
use crate::project::{File, FormDocument, ServiceDeclarations, ServiceModel};
use crate::schema::Violation;
use crate::script::syntax::{ParsedScripts, Scripts};
use crate::script::{Evaluation, Evaluator};
use crate::text::diagnostic::FileId;
use crate::text::suggest::Suggester;

/// The results of the scripts that were run, by the string that contains the script.
pub type Evaluations = HashMap<(FileId, NodeId), Arc<Evaluation>>;

pub struct AnalyzedService<'a> {
    pub config: &'a Config,
    /// Sorted by id.
    pub files: Vec<&'a File>,
    pub model: &'a ServiceModel<'a>,
    /// In the order of `model.workflows`.
    pub workflows: Vec<Analysis<'a>>,
    /// In the order of `model.forms`.
    pub form_scopes: Vec<Scope<'a>>,
    pub usage: Usage<'a>,
    /// The names that some document declares or binds as system variables.
    system_names: HashSet<&'a str>,
    pub suggester: &'a Suggester,
    /// Where times are collected, if they are wanted.
    pub timing: Option<&'a Timing>,
    /// Ends the checks of rules early.
    pub cancellation: Option<&'a Cancellation>,
    /// Findings of one rule in one file that are listed, not only counted.
    pub max_listed: usize,
    /// `None` if scripts are not run (`--no-scripts`).
    pub evaluator: Option<&'a Evaluator>,
    pub scripts: Scripts<'a>,
    pub evaluations: OnceCell<Evaluations>,
    pub case_texts: OnceCell<Vec<CaseText>>,
    /// Many rules look at provider activities alone: by workflow, its index.
    provider_places: OnceCell<Vec<(usize, ActivityId)>>,
    pub credential_variables: OnceCell<BTreeSet<String>>,
    /// By `allProviderParameters`: its entries that are exact copies.
    exact_copies: RefCell<HashMap<(FileId, NodeId), HashSet<NodeId>>>,
}

impl<'a> AnalyzedService<'a> {
    /// Analyzes the workflows. Scripts do not run yet, but when a fact first needs their results.
    pub fn new(
        files: Vec<&'a File>,
        config: &'a Config,
        model: &'a ServiceModel<'a>,
        suggester: &'a Suggester,
        evaluator: Option<&'a Evaluator>,
    ) -> Self {
        Self::with_parsed(files, config, model, suggester, evaluator, None)
    }

    /// As [`Self::new`], with scripts that are not parsed again.
    pub fn with_parsed(
        files: Vec<&'a File>,
        config: &'a Config,
        model: &'a ServiceModel<'a>,
        suggester: &'a Suggester,
        evaluator: Option<&'a Evaluator>,
        parsed: Option<&'a ParsedScripts>,
    ) -> Self {
        let declared = ServiceDeclarations::new(model);
        let scopes = model
            .workflows
            .iter()
            .map(|document| Scope::new(declared.of_workflow(document), config, suggester, Some(document.workflow)))
            .collect();
        let all = || model.workflows.iter().map(|document| document.workflow);
        let form_scopes: Vec<Scope<'_>> =
            model.forms.iter().map(|form| Scope::new(declared.of_form(form), config, suggester, all())).collect();
        // The analysis has to assume that an opaque activity reads and writes everything, so these come first.
        let opaque = opaque_activities(&files, model);
        let (workflows, usage) = graph::analyze(model, scopes, &form_scopes, &opaque);
        let mut analyzed = Self {
            config,
            files,
            model,
            workflows,
            form_scopes,
            usage,
            system_names: HashSet::default(),
            suggester,
            timing: None,
            cancellation: None,
            max_listed: MAX_FINDINGS,
            evaluator,
            scripts: scripts(model, parsed),
            evaluations: OnceCell::new(),
            case_texts: OnceCell::new(),
            provider_places: OnceCell::new(),
            credential_variables: OnceCell::new(),
            exact_copies: RefCell::default(),
        };
        analyzed.system_names = analyzed.find_system_names();
        analyzed
    }

    /// Whether the findings are not wanted any more.
    pub fn is_canceled(&self) -> bool {
        self.cancellation.is_some_and(Cancellation::is_canceled)
    }

    fn find_system_names(&self) -> HashSet<&'a str> {
        let variables = self.variable_lists().flat_map(|(_, variables)| variables);
        let declared = variables.filter(|variable| variable.details().is_system.value() == Some(true));
        let bound = self.workflows.iter().flat_map(|analysis| analysis.scope.bound_as_system());
        declared.filter_map(|variable| variable.name.value()).chain(bound).collect()
    }

    /// Whether the name is a variable of the platform in some document of the service.
    pub fn is_system(&self, name: &str) -> bool {
        self.system_names.contains(name)
            || self.config.is_system_variable(name)
            || self.config.catalog.is_common_output(name)
    }

    pub fn file(&self, id: FileId) -> Option<&'a File> {
        find(&self.files, id)
    }

    pub fn document(&self, file: FileId) -> Option<&'a Document> {
        self.file(file)?.document().map(|(_, document)| document)
    }

    /// Schema violations in workflows and forms; at most `MAX_FINDINGS` in each.
    pub fn violations(&self) -> impl Iterator<Item = (FileId, &'a Violation)> {
        self.model.listed_violations()
    }

    /// Every activity of every workflow, in document order.
    pub fn activities(&self) -> impl Iterator<Item = (&Analysis<'a>, &'a Activity<'a>)> {
        self.workflows
            .iter()
            .flat_map(|analysis| analysis.workflow.activities.iter().map(move |activity| (analysis, activity)))
    }

    pub fn providers<'c>(&'c self) -> impl Iterator<Item = ProviderSite<'c, 'a>> {
        let places = self.provider_places.get_or_init(|| {
            let providers = self.workflows.iter().enumerate().flat_map(|(workflow, analysis)| {
                let providers = analysis.workflow.activities.iter().filter(|activity| activity.provider().is_some());
                providers.map(move |activity| (workflow, activity.id))
            });
            providers.collect()
        });
        places.iter().filter_map(|&(workflow, id)| ProviderSite::of_activity(self.workflows.get(workflow)?, id))
    }

    pub fn forms(&self) -> impl Iterator<Item = (&'a FormDocument<'a>, &Scope<'a>)> {
        self.model.forms.iter().zip(&self.form_scopes)
    }

    /// Calls `visit` with every binding of every workflow.
    pub fn bindings(&self, mut visit: impl FnMut(&Analysis<'a>, &'a Activity<'a>, &'a Binding<'a>, Role<'a, 'a>)) {
        for (analysis, activity) in self.activities() {
            activity.bindings(|binding, role| visit(analysis, activity, binding, role));
        }
    }

    /// The `variables` of all documents.
    pub fn variable_lists(&self) -> impl Iterator<Item = (FileId, &'a [Variable<'a>])> {
        let workflows = self.model.workflows.iter().map(|document| (document.file, &document.workflow.variables));
        let forms = self.model.forms.iter().map(|document| (document.file, &document.form.variables));
        workflows.chain(forms).filter_map(|(file, list)| Some((file, list.get()?.as_slice())))
    }

    /// Whether the parser of scripts has failed, so that another lint may find more.
    pub fn has_failed(&self) -> bool {
        self.scripts.has_failed()
    }

    /// Whether some unknown name was not compared with all known ones, because there are too many.
    pub fn lacks_suggestions(&self) -> bool {
        self.model.lacks_suggestions.is_some() || self.suggester.is_exhausted()
    }

    /// The unknown keys of all workflows and forms.
    pub fn unknown_members(&self) -> impl Iterator<Item = (FileId, &'a UnknownMember)> {
        let workflows = self.model.workflows.iter().map(|document| (document.file, &document.workflow.unknown_members));
        let forms = self.model.forms.iter().map(|document| (document.file, &document.form.unknown_members));
        workflows.chain(forms).flat_map(|(file, members)| members.iter().map(move |member| (file, member)))
    }

    /// Whether a value is in an entry of `allProviderParameters` that is an exact copy of an entry of the original
    /// arrays (docs/concepts.md, Parameters): its faults are reported there.
    pub fn is_exact_copy(&self, file: FileId, node: NodeId) -> bool {
        let Some(document) = self.document(file) else { return false };
        // From the node upwards: …, the entry, the array, the activity.
        let path = std::iter::successors(Some(node), |&node| document.parent(node)).collect::<Vec<_>>();
        let list = path.iter().position(|&node| document.key(node) == Some(ALL_PARAMETERS));
        let Some([.., entry, list, activity]) = list.and_then(|list| path.get(..list + 2)) else { return false };
        let mut known = self.exact_copies.borrow_mut();
        let copies = known.entry((file, *list)).or_insert_with(|| exact_copies(document, *activity, *list));
        copies.contains(entry)
    }
}

/// The entries of `allProviderParameters` that are also in the original arrays.
fn exact_copies(document: &Document, activity: NodeId, list: NodeId) -> HashSet<NodeId> {
    let json = |node: &NodeId| document.slice(document.span(*node));
    let lists = [DECLARED_PARAMETERS, ADDITIONAL_PARAMETERS].iter().filter_map(|key| document.member(activity, key));
    let originals: Vec<NodeId> = lists.flat_map(|list| document.elements(list)).collect();
    let originals: HashSet<&str> = originals.iter().map(json).collect();
    document.elements(list).filter(|entry| originals.contains(json(entry))).collect()
}

fn find<'a>(files: &[&'a File], id: FileId) -> Option<&'a File> {
    let index = files.binary_search_by_key(&id, |file| file.id).ok()?;
    files.get(index).copied()
}

//! What a rule sees: one service, modelled and analysed.

use crate::collections::{HashMap, HashSet};
use crate::config::Config;
use crate::diagnostic::{FileId, quote};
use crate::document::{Document, Kind, NodeId};
use crate::graph::{self, Analysis, ProviderOutputs, Scope, Usage};
use crate::model::{Activity, Binding, Member, Provider, Role, UnknownMember, Variable};
use crate::project::{Declarations, File, FormDocument, ServiceModel};
use crate::schema::{self, DocumentKind, Violation};
use crate::script::Evaluation;
use crate::script::syntax::Scripts;
use crate::suggest::Suggester;

use super::case::site::{CaseSite, CaseText};
use super::reporter::Place;
use super::scripts::scripts;
use super::security::secrets::{self, Secret};

/// A service as rules see it.
pub struct Context<'a> {
    /// The service's configuration.
    pub config: &'a Config,
    /// The service's files.
    pub files: Vec<&'a File>,
    /// Its documents.
    pub model: &'a ServiceModel<'a>,
    /// Its workflows, analysed; in the order of `model.workflows`.
    pub workflows: Vec<Analysis<'a>>,
    /// The names that each form may use; in the order of `model.forms`.
    pub form_scopes: Vec<Scope<'a>>,
    /// What the service reads and writes.
    pub usage: Usage,
    /// What the schemas refuse in workflows and forms.
    pub violations: Vec<(FileId, Violation)>,
    /// For mistyped names.
    pub suggester: &'a Suggester,
    /// Texts that should be signing cases, read; see [`Context::with_cases`].
    pub case_texts: &'a [CaseText],
    /// The signing cases that the service describes.
    pub cases: Vec<CaseSite<'a>>,
    /// The secrets in its documents.
    pub secrets: Vec<Secret<'a>>,
    /// What the scripts say.
    pub(super) scripts: Scripts<'a>,
    /// How the scripts of Code activities end, by the string that holds them; none of those that were
    /// not run.
    pub(super) evaluations: HashMap<(FileId, NodeId), Evaluation>,
}

/// A provider activity and all that rules ask of it.
pub struct ProviderSite<'c, 'a> {
    /// The workflow.
    pub analysis: &'c Analysis<'a>,
    /// The activity.
    pub activity: &'c Activity<'a>,
    /// Its Provider members.
    pub provider: &'c Provider<'a>,
    /// What it writes, and its method.
    pub outputs: &'c ProviderOutputs<'a>,
}

impl<'a> Context<'a> {
    /// The context of a service whose documents are modelled.
    pub fn new(
        files: Vec<&'a File>,
        config: &'a Config,
        model: &'a ServiceModel<'a>,
        suggester: &'a Suggester,
    ) -> Self {
        let violations: Vec<(FileId, Violation)> = files
            .iter()
            .filter_map(|file| Some((file.id, file.document()?)))
            // What is wrong with a signing case is told by rules of its own (WF702).
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
        let mut opaque = opaque_activities(&files, &violations);
        opaque.extend(slipped_activities(model));
        let (workflows, usage) = graph::analyse(model, scopes, &form_scopes, &opaque);
        let mut context = Self {
            config,
            files,
            model,
            workflows,
            form_scopes,
            usage,
            violations,
            suggester,
            case_texts: &[],
            cases: Vec::new(),
            secrets: Vec::new(),
            scripts: scripts(model),
            evaluations: HashMap::default(),
        };
        context.secrets = secrets::find(&context);
        context
    }

    /// The context with the signing cases of the service: those of files, and those that `texts` hold,
    /// which are [`CaseText::all`] of this very context.
    #[must_use]
    pub fn with_cases(mut self, texts: &'a [CaseText]) -> Self {
        self.case_texts = texts;
        self.cases = CaseSite::all(&self.files, texts, self.config, self.suggester);
        self
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

    /// The member names of all documents that nobody knows.
    pub fn unknown_members(&self) -> impl Iterator<Item = (FileId, &'a UnknownMember)> {
        let workflows = self.model.workflows.iter().map(|document| (document.file, &document.workflow.unknown_members));
        let forms = self.model.forms.iter().map(|document| (document.file, &document.form.unknown_members));
        workflows.chain(forms).flat_map(|(file, members)| members.iter().map(move |member| (file, member)))
    }

    /// Whether a value lies in an entry of `allProviderParameters` that is, to the letter, an entry of
    /// the lists it is a copy of: what is wrong with it is told there.
    pub fn is_exact_copy(&self, file: FileId, node: NodeId) -> bool {
        let Some(document) = self.document(file) else { return false };
        let path = std::iter::successors(Some(node), |&node| document.parent(node)).collect::<Vec<_>>();
        let list = path.iter().position(|&node| document.key(node) == Some("allProviderParameters"));
        let Some([.., entry, list, activity]) = list.and_then(|list| path.get(..list + 2)) else { return false };
        let text = |node: NodeId| document.slice(document.span(node));
        document.key(*list).is_some()
            && ["providerParameters", "additionalProviderParameters"].iter().any(|name| {
                let own = document.member(*activity, name).map(|list| document.elements(list));
                own.into_iter().flatten().any(|own| text(own) == text(*entry))
            })
    }
}

impl<'c, 'a> ProviderSite<'c, 'a> {
    /// Every provider activity of a workflow.
    pub fn of(analysis: &'c Analysis<'a>) -> impl Iterator<Item = Self> {
        analysis.workflow.activities.iter().zip(&analysis.effects).filter_map(move |(activity, effects)| {
            let provider = activity.provider()?;
            let outputs = effects.provider.as_deref()?;
            Some(Self { analysis, activity, provider, outputs })
        })
    }

    /// A place in the workflow's document.
    pub const fn at(&self, node: NodeId) -> Place {
        Place::value(self.analysis.file, node)
    }

    /// Where outputs are named: the prefix's literal, else the activity.
    pub fn prefix_place(&self) -> Place {
        self.at(self.outputs.prefix_node.unwrap_or(self.activity.node))
    }
}

/// Members whose value hides neither a read nor a write when it cannot be read.
const HARMLESS: [&str; 29] = [
    "allProviderParameters",
    "boundToId",
    "boundValues",
    "connectedFormName",
    "description",
    "displayWarning",
    "event",
    "hasNewerVersion",
    "hasValue",
    "hasWarning",
    "id",
    "inputDisabled",
    "isAdditional",
    "isBoundToSystemVariable",
    "isDuplicate",
    "isValid",
    "methodId",
    "module",
    "needsValue",
    "onTimeout",
    "ownBoundVariables",
    "package",
    "properties",
    "providerParameterType",
    "remindTemplate",
    "required",
    "statusTranslations",
    "templateName",
    "warningText",
];

/// The objects of the activities in which something cannot be read that may hide a read or write.
fn opaque_activities(files: &[&File], violations: &[(FileId, Violation)]) -> HashSet<(FileId, NodeId)> {
    let mut opaque = HashSet::default();
    for (file, violation) in violations {
        let Some((_, document)) = find(files, *file).and_then(File::document) else { continue };
        let path: Vec<NodeId> = std::iter::successors(Some(violation.node), |&node| document.parent(node)).collect();
        let activity = path.iter().position(|&node| is_activity(document, node));
        let Some((position, &activity)) = activity.and_then(|at| Some((at, path.get(at)?))) else { continue };
        let inside = path.get(..position).unwrap_or_default();
        let is_harmless = inside.iter().any(|&node| document.key(node).is_some_and(|key| HARMLESS.contains(&key)));
        if !is_harmless {
            opaque.insert((*file, activity));
        }
    }
    opaque
}

/// Members of an activity, and of what is in it, by which it reads and writes.
const FLOW: [&str; 20] = [
    "activities",
    "additionalProviderParameters",
    "approvalResult",
    "assignedVariables",
    "assignees",
    "body",
    "boundTo",
    "expression",
    "isBound",
    "left",
    "parameter",
    "parameters",
    "providerParameters",
    "providerResult",
    "result",
    "right",
    "script",
    "state",
    "status",
    "value",
];

/// The activities of which such a member has a mistyped name, so that nobody knows what they read and
/// write: the slip is told once (WF007).
fn slipped_activities(model: &ServiceModel<'_>) -> Vec<(FileId, NodeId)> {
    let mut slipped = Vec::new();
    for workflow in &model.workflows {
        let document = workflow.document;
        let slips = workflow.workflow.unknown_members.iter().filter(|unknown| unknown.near_is_absent);
        for slip in slips.filter(|slip| slip.near.is_some_and(|near| FLOW.contains(&near))) {
            let mut path = std::iter::successors(Some(slip.object), |&node| document.parent(node));
            slipped.extend(path.find(|&node| is_activity(document, node)).map(|activity| (workflow.file, activity)));
        }
    }
    slipped
}

/// A file among those of a service, which are sorted.
fn find<'a>(files: &[&'a File], id: FileId) -> Option<&'a File> {
    let index = files.binary_search_by_key(&id, |file| file.id).ok()?;
    files.get(index).copied()
}

fn is_activity(document: &Document, node: NodeId) -> bool {
    let list = document.parent(node).filter(|&parent| document.kind(parent) == Kind::Array);
    list.is_some_and(|list| document.key(list) == Some("activities"))
}

/// The bindings of a provider's parameters, each with the parameter's name.
pub fn named_parameters<'p, 'a>(
    provider: &'p Provider<'a>,
) -> impl Iterator<Item = (&'a str, &'p crate::model::Parameter<'a>)> {
    provider.parameters().filter_map(|parameter| Some((parameter.name.value()?, parameter)))
}

/// Whether a member says so; one that is absent or cannot be read does not.
pub fn is_true(member: Member<bool>) -> bool {
    member.value() == Some(true)
}

/// What to call an activity in a message: by its name, or by its type when it has none.
pub fn called(activity: &Activity<'_>) -> String {
    match (activity.name.value(), activity.type_name.value()) {
        (Some(name), _) if !name.trim().is_empty() => quote(name),
        (_, Some(kind)) if !kind.is_empty() => format!("this {kind}"),
        _ => "this activity".to_owned(),
    }
}

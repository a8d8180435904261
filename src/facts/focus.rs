//! Where rules may find something after a change of one value: where they have found nothing, and nothing that they read
//! has changed, they find nothing again.
//!
//! A rule says what it reads ([`Reads`]). Secrets are found as a rule would that reads activities. No rule reads a few texts.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::secrets::{Secret, credential_variables};
use super::service::{ActivityPlace, AnalyzedService};
use crate::collections::HashSet;
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::model::enclosing_element;
use crate::project::{Content, File};
use crate::script::Evaluator;

/// What the findings of a rule depend on, beside the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Anything in the service.
    All,
    /// In an activity, only the activity, those around and inside it, and the declared variables; elsewhere, no activity.
    /// After a change of one value, the rule does not look at other activities again ([`super::Context::activities`]).
    EachActivity,
    /// The declared variables and the forms: after a change of an activity, the rule is not checked again.
    Declarations,
}

/// What rules found in the last version of a service; all versions have one configuration.
#[derive(Debug, Default)]
pub struct KnownFindings(Mutex<Option<Version>>);

type FileDocument = (FileId, Arc<Document>);

/// A version of a service.
#[derive(Debug)]
struct Version {
    documents: Vec<FileDocument>,
    /// By workflow: the names that it binds as system variables, on which other activities depend as well.
    bound_as_system: Vec<BTreeSet<String>>,
    /// The variables whose values are names of credentials: such a value is not a secret wherever it is assigned.
    credentials: BTreeSet<String>,
    /// Whether scripts were run; `None` if some have yet to run.
    runs_scripts: Option<bool>,
    /// The codes of the rules that have found something.
    rules: HashSet<&'static str>,
    /// The activities in which rules that read each by itself have found something, or that contain secrets.
    activities: HashSet<(FileId, NodeId)>,
}

/// Where rules may find something.
#[derive(Debug)]
pub(super) struct Focus {
    /// The activities in which rules that read each by itself may find something, or that may contain secrets.
    pub activities: Vec<ActivityPlace>,
    /// Whether something has changed that rules read: in activities alone.
    is_changed: bool,
    /// The codes of the rules that have found something before.
    rules: HashSet<&'static str>,
}

/// What a rule has found, by places.
pub struct RuleFound {
    pub code: &'static str,
    pub reads: Reads,
    pub places: Vec<(FileId, NodeId)>,
}

/// The keys of a variable that no rule reads.
const UNREAD_KEYS: [&str; 2] = ["displayName", "description"];

impl Focus {
    /// Whether a rule may find something.
    pub(super) fn has(&self, code: &str, reads: Reads) -> bool {
        self.is_changed && reads != Reads::Declarations || self.rules.contains(code)
    }
}

impl KnownFindings {
    /// Where rules may find something in the next version; `None` if anywhere.
    pub(super) fn focus(&self, service: &AnalyzedService<'_>) -> Option<Focus> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref().filter(|_| is_comparable(service))?;
        let changes = changes(&known.documents, service)?;
        if known.bound_as_system != bound_as_system(service) || known.credentials != *credential_variables(service) {
            return None;
        }
        let mut activities =
            service.places_of(|analysis, activity| known.activities.contains(&(analysis.file, activity.node)));
        let mut is_changed = known.runs_scripts != Some(service.evaluator.is_some());
        for (file, changed) in changes {
            if !is_unread(service.document(file)?, changed) {
                is_changed = true;
                activities.extend(around_and_inside(service, file, changed)?);
            }
        }
        activities.sort_unstable();
        activities.dedup();
        Some(Focus { activities, is_changed, rules: known.rules.clone() })
    }

    /// Remembers a version by what rules have found, and its secrets.
    pub(super) fn remember(&self, service: &AnalyzedService<'_>, found: &[RuleFound], secrets: &[Secret]) {
        let version = is_comparable(service).then(|| Version::new(service, found, secrets)).flatten();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = version;
    }
}

impl Version {
    /// `None` if a rule that reads each activity by itself has found something in an element of a workflow that is not one of
    /// its activities, or some file holds something other than a document.
    fn new(service: &AnalyzedService<'_>, found: &[RuleFound], secrets: &[Secret]) -> Option<Self> {
        let of_activities = found.iter().filter(|found| found.reads == Reads::EachActivity);
        let in_workflow = |file: FileId| service.workflows.iter().any(|analysis| analysis.file == file);
        let elements = of_activities.flat_map(|found| &found.places).filter(|(file, _)| in_workflow(*file));
        let element = |file, node| Some((file, enclosing_element(service.document(file)?, node)?));
        let mut activities: HashSet<(FileId, NodeId)> =
            elements.filter_map(|&(file, node)| element(file, node)).collect();
        let places = service.places_of(|analysis, activity| activities.contains(&(analysis.file, activity.node)));
        let documents = documents(service).filter(|_| places.len() == activities.len())?;
        // Those of variables and forms are searched again.
        activities.extend(secrets.iter().filter_map(|secret| element(secret.file, secret.node)));
        let has_missed = service.evaluator.is_some_and(Evaluator::has_missed);
        Some(Self {
            documents,
            bound_as_system: bound_as_system(service),
            credentials: credential_variables(service).clone(),
            runs_scripts: (!has_missed).then_some(service.evaluator.is_some()),
            rules: found.iter().map(|found| found.code).collect(),
            activities,
        })
    }
}

/// Whether activities depend on each other only by what is compared: violations may hide some of them, an output is mistyped
/// depending on what others write, and the outputs or the script of an activity may be too many with those of others.
fn is_comparable(service: &AnalyzedService<'_>) -> bool {
    !service.model.has_broken_file
        && service.model.violations.is_empty()
        && service.workflows.iter().all(|analysis| analysis.mistyped.is_empty())
        && !service.providers().any(|site| site.outputs.are_too_many)
        && !service.lacks_suggestions()
        && !service.has_failed()
        && service.has_all_scripts()
}

/// `None` unless every file is a document.
fn documents(service: &AnalyzedService<'_>) -> Option<Vec<FileDocument>> {
    let document = |file: &&File| match &file.content {
        Content::Document(_, document) => Some((file.id, Arc::clone(document))),
        _ => None,
    };
    service.files.iter().map(document).collect()
}

fn bound_as_system(service: &AnalyzedService<'_>) -> Vec<BTreeSet<String>> {
    let names = service.workflows.iter().map(|analysis| analysis.scope.bound_as_system());
    names.map(|names| names.map(str::to_owned).collect()).collect()
}

/// The values in which documents differ from another version; `None` if they differ in more than a scalar each.
fn changes(before: &[FileDocument], service: &AnalyzedService<'_>) -> Option<Vec<(FileId, NodeId)>> {
    let mut changes = Vec::new();
    if before.len() != service.files.len() {
        return None;
    }
    for ((id, before), file) in before.iter().zip(&service.files) {
        match &file.content {
            Content::Document(_, document) if file.id == *id && Arc::ptr_eq(document, before) => {}
            _ if file.id == *id => changes.push((*id, file.changed_scalar(before)?)),
            _ => return None,
        }
    }
    Some(changes)
}

/// Whether a value is one of a variable that no rule reads.
fn is_unread(document: &Document, value: NodeId) -> bool {
    let is_in_variable = match *document.around(value) {
        [root, list, _] => root == document.root() && document.key(list) == Some("variables"),
        _ => false,
    };
    is_in_variable && document.key(value).is_some_and(|key| UNREAD_KEYS.contains(&key))
}

/// The activities around a value, and those inside the innermost one; `None` if it is in no activity.
fn around_and_inside(service: &AnalyzedService<'_>, file: FileId, value: NodeId) -> Option<Vec<ActivityPlace>> {
    let workflow = service.workflows.iter().position(|analysis| analysis.file == file)?;
    let analysis = service.workflows.get(workflow)?;
    let innermost = analysis.workflow.innermost_around(analysis.document, value)?;
    let mut around: Vec<_> = std::iter::once(innermost).chain(analysis.workflow.ancestors(innermost)).collect();
    around.reverse();
    let inside = analysis.workflow.inside(innermost);
    Some(around.into_iter().chain(inside).map(|activity| ActivityPlace { workflow, id: activity.id }).collect())
}

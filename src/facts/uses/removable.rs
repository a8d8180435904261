//! What may be removed: what has no effect, unless it may be meant for something.

use crate::common::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::facts::service::AnalyzedService;
use crate::facts::uses::unwritten::Unwritten;
use crate::graph::{Analysis, FieldTarget, Writer};
use crate::model::{Activity, ActivityId, ActivityKind, Member, Role, Variable};
use crate::text::diagnostic::FileId;

/// What decides whether something may be removed.
pub struct Removable<'a> {
    /// By name, the activities that read or write a variable.
    users: HashMap<&'a str, Vec<User>>,
    /// The variables that hold what people enter or decide.
    entered: HashSet<&'a str>,
    /// The words of the scripts of Code activities.
    script_words: HashSet<&'a str>,
    /// By name, the declarations of a variable in all documents.
    declarations: HashMap<&'a str, Vec<(FileId, &'a Variable<'a>)>>,
    /// The names that some `ownBoundVariables` lists.
    listed: HashSet<&'a str>,
    /// The workflows with a variable that is written and never read.
    with_unread: HashSet<FileId>,
    /// The workflows in which something has no value, or reads a variable that nothing writes: what seems to be unused may
    /// be meant for that.
    incomplete: HashSet<FileId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct User {
    activity: (FileId, ActivityId),
    reads: bool,
}

impl<'a> Removable<'a> {
    pub fn of(service: &'a AnalyzedService<'a>, unwritten: &[Unwritten<'a>]) -> Self {
        let mut users: HashMap<&str, Vec<User>> = HashMap::default();
        let mut entered: HashSet<&str> = HashSet::default();
        let mut incomplete: HashSet<FileId> = unwritten.iter().map(|unwritten| unwritten.analysis.file).collect();
        for analysis in &service.workflows {
            for (id, effects) in (0..).map(ActivityId).zip(&analysis.effects) {
                let reads = effects.reads.iter().map(|read| (read.variable, true));
                let writes = effects.writes.own();
                for (variable, reads) in reads.chain(writes.iter().map(|write| (write.variable, false))) {
                    let user = User { activity: (analysis.file, id), reads };
                    users.entry(analysis.names.name(variable)).or_default().push(user);
                }
                let decided = writes.iter().filter(|write| write.by == Writer::ApprovalResult);
                entered.extend(decided.map(|write| analysis.names.name(write.variable)));
            }
            if analysis.workflow.activities.iter().any(|activity| lacks_a_value(analysis, activity)) {
                incomplete.insert(analysis.file);
            }
        }
        for (form, scope) in service.forms() {
            for field in &form.form.fields {
                if let FieldTarget::Variable(name) = FieldTarget::of(field, scope) {
                    entered.insert(name);
                }
            }
        }
        let mut declarations: HashMap<&str, Vec<_>> = HashMap::default();
        for (file, variables) in service.variable_lists() {
            for variable in variables {
                let Some(name) = variable.name.value() else { continue };
                declarations.entry(name).or_default().push((file, variable));
            }
        }
        let scripts = service.activities().filter_map(|(_, activity)| activity.code()?.script.value());
        let lists = service.activities().filter_map(|(_, activity)| activity.own_bound_variables.get());
        let is_unread = |name: &str| service.usage.has_known_writer(name) && !service.usage.is_used(name);
        let workflows = service.workflows.iter();
        Self {
            users,
            entered,
            script_words: scripts.flat_map(words).collect(),
            declarations,
            listed: lists.flat_map(|list| list.iter()).filter_map(|(_, name)| name).collect(),
            with_unread: workflows
                .filter(|analysis| analysis.scope.declarations.names().any(is_unread))
                .map(|analysis| analysis.file)
                .collect(),
            incomplete,
        }
    }

    /// Whether a workflow has a variable that is written and never read.
    pub fn has_unread(&self, file: FileId) -> bool {
        self.with_unread.contains(&file)
    }

    /// Whether something in a workflow has no value, or reads a variable that nothing writes.
    pub fn is_incomplete(&self, file: FileId) -> bool {
        self.incomplete.contains(&file)
    }

    /// Whether the script of some Code activity has a word.
    pub fn is_in_script(&self, word: &str) -> bool {
        self.script_words.contains(word)
    }

    /// Whether a variable holds what people enter or decide, and no activity but this one reads it.
    pub fn is_only_reader_of_people(&self, file: FileId, activity: ActivityId, name: &str) -> bool {
        self.are_only_readers_of_people(file, &HashSet::from_iter([activity]), name)
    }

    pub fn are_only_readers_of_people(&self, file: FileId, own: &HashSet<ActivityId>, name: &str) -> bool {
        self.entered.contains(name) && !self.others(file, own, name).any(|user| user.reads)
    }

    /// Those who use a variable besides these activities.
    fn others(&self, file: FileId, own: &HashSet<ActivityId>, name: &str) -> impl Iterator<Item = &User> {
        let is_own = move |user: &&User| user.activity.0 == file && own.contains(&user.activity.1);
        self.users.get(name).into_iter().flatten().filter(move |user| !is_own(user))
    }

    /// Whether no other activities use a variable.
    pub fn are_only_users(&self, file: FileId, own: &HashSet<ActivityId>, name: &str) -> bool {
        self.others(file, own, name).next().is_none()
    }

    /// The declarations of a variable in all documents.
    pub fn declarations(&self, name: &str) -> impl Iterator<Item = (FileId, NodeId)> {
        self.declarations.get(name).into_iter().flatten().map(|(file, variable)| (*file, variable.node))
    }

    /// Whether some `ownBoundVariables` lists a name.
    pub fn is_listed(&self, name: &str) -> bool {
        self.listed.contains(name)
    }

    /// Whether nothing but activities can use a declared variable.
    pub fn may_lose_variable(&self, service: &AnalyzedService<'a>, name: &str) -> bool {
        let usage = &service.usage;
        let is_used = usage.may_read
            || usage.is_read_outside(name)
            || usage.is_preset(name)
            || usage.may_be_written_unseen(name)
            || self.is_in_script(name)
            || service.is_system(name);
        let is_input = |(_, variable): &(FileId, &Variable<'_>)| variable.details().is_input.may_be_true();
        !is_used && self.declarations.get(name).is_some_and(|declared| !declared.iter().any(is_input))
    }
}

/// The words of a script that may be names.
pub fn words(script: &str) -> impl Iterator<Item = &str> {
    script.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$')))
}

/// Whether a value that an activity needs is missing.
fn lacks_a_value(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    let mut is_missing = match &activity.kind {
        ActivityKind::Status { status, translations } => {
            let has_text = |text: &str| !text.trim().is_empty();
            let is_said = translations.get().into_iter().flatten().any(|entry| entry.text.is_some_and(has_text));
            let is_empty = status.unboxed().is_none_or(|status| status.is_empty());
            is_empty && !is_said && !status.is_unknown() && !translations.is_unknown()
        }
        ActivityKind::Approval(approval) => approval.assignees.get().is_none_or(|assignees| assignees.is_empty()),
        ActivityKind::Assign(assign) => matches!(assign.result, Member::Absent),
        ActivityKind::Provider(provider) => {
            let method = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref()?.method);
            let required = method.into_iter().flat_map(|method| &method.parameters).filter(|known| known.required);
            let mut required = required.map(|known| provider.parameter(&known.name));
            required.any(|parameter| parameter.is_none_or(|parameter| parameter.is_empty()))
        }
        _ => false,
    };
    activity.bindings(|binding, role| {
        let is_needed = match role {
            Role::Parameter(parameter) => parameter.required.is_true(),
            Role::Operand => binding.value.get().is_none(),
            Role::AssignResult | Role::Assignee(_) => true,
            _ => false,
        };
        is_missing |= is_needed && binding.is_empty();
    });
    is_missing
}

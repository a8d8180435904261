//! The activities of a workflow, for the panels of its drawing.

use super::scenarios::ScenarioRuns;
use super::subject::{Subject, quote};
use crate::graph::{VarId, VariableNames};
use crate::model::{Activity, ActivityKind, Approval, Binding, Code, Expression, Member, Operand, Provider};
use crate::page::ActivityView;
use crate::page::data::ActivityData;
use crate::redaction::REPLACEMENT;
use crate::report::visible;

/// In the order of the text, without findings.
pub fn activities(subject: &Subject<'_, '_>, runs: &ScenarioRuns) -> Vec<ActivityView> {
    let view = |activity: &Activity<'_>| {
        let effects = subject.analysis.effects(activity.id);
        let reads = effects.map(|effects| effects.reads.iter().map(|read| read.variable).collect()).unwrap_or_default();
        let writes = effects.map(|effects| effects.writes.own().iter().map(|write| write.variable).collect());
        ActivityView {
            name: subject.name(activity),
            word: word(activity),
            place: place(subject, activity),
            reads: names(&subject.analysis.names, reads),
            writes: names(&subject.analysis.names, writes.unwrap_or_default()),
            parameters: parameters(subject, activity),
            findings: Vec::new(),
            begun: runs.begun(subject, activity.id),
            branches: runs.branches(subject, activity.id),
            pointer: subject.pointer(activity),
        }
    };
    subject.activities().iter().map(view).collect()
}

/// What the script has to know of them.
pub fn data(activities: &[ActivityView]) -> Vec<ActivityData> {
    let data = |activity: &ActivityView| ActivityData {
        pointer: activity.pointer.clone(),
        name: activity.name.clone(),
        word: activity.word.clone(),
        begun: activity.begun,
    };
    activities.iter().map(data).collect()
}

/// The type, as the document has it.
pub fn word(activity: &Activity<'_>) -> String {
    visible(activity.type_name.value().unwrap_or("unknown type")).into_owned()
}

fn names(names: &VariableNames<'_>, mut variables: Vec<VarId>) -> Vec<String> {
    variables.sort_unstable();
    variables.dedup();
    let mut names: Vec<String> = variables.into_iter().map(|id| visible(names.name(id)).into_owned()).collect();
    names.sort();
    names
}

/// File and line of the name.
fn place(subject: &Subject<'_, '_>, activity: &Activity<'_>) -> String {
    let node = activity.name.node().unwrap_or(activity.node);
    let source = &subject.file.source;
    let start = subject.analysis.document.span(node).start;
    format!("{}:{}", visible(&source.name), source.position(start).line)
}

/// What the author has set, by name.
fn parameters(subject: &Subject<'_, '_>, activity: &Activity<'_>) -> Vec<(String, String)> {
    let value = |name: &str, binding: &Member<Binding<'_>>| set(subject, name, binding.get());
    match &activity.kind {
        ActivityKind::Provider(provider) => of_provider(subject, provider),
        ActivityKind::Approval(approval) => of_approval(subject, approval),
        ActivityKind::Assign(assign) => {
            let body = assign.body.known().map(|(node, body)| ("text".to_owned(), subject.plain(node, body)));
            value("variable", &assign.result).into_iter().chain(body).collect()
        }
        ActivityKind::Status { status, .. } => set(subject, "status", status.unboxed()).into_iter().collect(),
        ActivityKind::If { expression } => condition(subject, expression.unboxed()).into_iter().collect(),
        ActivityKind::While { expression, delay } => {
            let delay = set(subject, "seconds between rounds", delay.unboxed());
            condition(subject, expression.unboxed()).into_iter().chain(delay).collect()
        }
        ActivityKind::Code(code) => of_code(subject, code),
        ActivityKind::Event { event } => {
            let event = event.known().map(|(node, event)| ("event".to_owned(), subject.plain(node, event)));
            event.into_iter().collect()
        }
        ActivityKind::Declared { delay, .. } => set(subject, "delay", delay.unboxed()).into_iter().collect(),
        ActivityKind::Sequence | ActivityKind::Terminate | ActivityKind::Unknown { .. } => Vec::new(),
    }
}

/// A binding that has a value.
fn set(subject: &Subject<'_, '_>, name: &str, binding: Option<&Binding<'_>>) -> Option<(String, String)> {
    let binding = binding.filter(|binding| !binding.is_empty())?;
    Some((visible(name).into_owned(), subject.value(Some(binding))))
}

fn of_provider(subject: &Subject<'_, '_>, provider: &Provider<'_>) -> Vec<(String, String)> {
    let method = provider.method.known().map(|(node, name)| ("method".to_owned(), subject.plain(node, name)));
    let parameters = provider.parameters().filter_map(|parameter| {
        let name = parameter.name.value().unwrap_or("(no name)");
        set(subject, name, parameter.value.get())
    });
    let on_error = if provider.stops_on_error() { "the order ends" } else { "the order goes on" };
    let on_error = [("if it fails".to_owned(), on_error.to_owned())];
    let result = provider.result.get().filter(|result| result.target().is_some());
    let result = set(subject, "whether it succeeded goes to", result);
    method.into_iter().chain(parameters).chain(on_error).chain(result).collect()
}

fn of_approval(subject: &Subject<'_, '_>, approval: &Approval<'_>) -> Vec<(String, String)> {
    let assignees = approval.assignees.get().into_iter().flatten();
    let mut all: Vec<(String, String)> =
        assignees.filter_map(|assignee| set(subject, "asks", assignee.parameter.get())).collect();
    let settings = approval.settings();
    all.extend(set(subject, "timeout in seconds", settings.timeout.get()));
    all.extend(set(subject, "sends mails", settings.notify.get()));
    all.extend(set(subject, "reminds", settings.remind.get()));
    all.extend(set(subject, "seconds until it reminds", settings.remind_time.get()));
    let words = [("required", approval.required), ("after the timeout", approval.on_timeout)];
    all.extend(
        words.into_iter().filter_map(|(name, member)| {
            member.known().map(|(node, text)| (name.to_owned(), subject.plain(node, text)))
        }),
    );
    all.extend(set(subject, "decision goes to", approval.result.get()));
    all
}

fn of_code(subject: &Subject<'_, '_>, code: &Code<'_>) -> Vec<(String, String)> {
    let parameters = code.parameters.get().into_iter().flatten();
    parameters.filter_map(|it| set(subject, it.name.value().unwrap_or("(no name)"), it.value.get())).collect()
}

fn condition(subject: &Subject<'_, '_>, expression: Option<&Expression<'_>>) -> Option<(String, String)> {
    Some(("condition".to_owned(), condition_words(subject, expression?)))
}

/// A condition in words: "`ESignStatus` is Finished".
pub fn condition_words(subject: &Subject<'_, '_>, expression: &Expression<'_>) -> String {
    let verb = match expression.operand.value() {
        Some(Operand::Equal) => "is",
        Some(Operand::NotEqual) => "is not",
        None => "is compared with",
    };
    let (left, right) = (expression.left.get(), expression.right.get());
    format!("{} {verb} {}", side(subject, left, right), side(subject, right, left))
}

/// A side of a condition. What a masked variable is compared with is one of its values.
fn side(subject: &Subject<'_, '_>, binding: Option<&Binding<'_>>, other: Option<&Binding<'_>>) -> String {
    let is_masked = other.and_then(Binding::target).is_some_and(|(_, name)| subject.is_masked(name));
    match binding.filter(|binding| binding.target().is_none()) {
        None => subject.value(binding),
        Some(literal) if literal.is_empty() => "empty".to_owned(),
        Some(_) if is_masked => REPLACEMENT.to_owned(),
        literal => quote(&subject.value(literal)),
    }
}

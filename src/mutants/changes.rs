//! The changes of a workflow: each activity dropped, or swapped with its neighbor; each condition negated, and each body
//! dropped; texts of Status, Assign and parameters changed; bound parameters not set; `stopOnError` toggled.

use super::change::{Edit, Site, WorkflowChange};
use crate::config::Mutation;
use crate::document::{Document, NodeId, NodeKind};
use crate::model::{Activity, ActivityId, ActivityKind, Binding, LocaleText, Operand, Provider};
use crate::text::quote;
use crate::text::source::Span;

/// Suffix of a changed text that is not a number or a boolean.
const ADDED: &str = "-changed";

/// The changes in the order of the document, those of the same place in the order of the documentation. What runs leave
/// out is not changed: no scenario can notice it.
pub fn changes(site: &Site<'_>) -> Vec<WorkflowChange> {
    let lists = site.workflow.roots.get().map(Vec::as_slice).into_iter();
    let lists = lists.chain(site.workflow.activities.iter().map(|activity| activity.children()));
    let mut changes: Vec<WorkflowChange> = lists.flat_map(|list: &[ActivityId]| of_list(site, list)).collect();
    for activity in &site.workflow.activities {
        changes.extend(of_condition(site, activity));
        changes.extend(of_texts(site, activity));
        for (parameter, name, bindings) in parameters(activity) {
            changes.extend(changed_parameter(site, activity, name, &bindings));
            changes.extend(unset(site, activity, (parameter, name), &bindings));
        }
        changes.extend(activity.provider().and_then(|provider| toggled(site, activity, provider)));
    }
    let left_out = site.workflow.left_out();
    let is_run = |id: ActivityId| left_out.get(id.0 as usize) != Some(&true);
    changes.retain(|change| is_run(change.activity) && change.other.is_none_or(is_run));
    changes.sort_by_key(|change| (site.document.anchor(change.node), change.activity, change.mutation));
    changes
}

/// The changes of one `activities` array.
fn of_list(site: &Site<'_>, list: &[ActivityId]) -> Vec<WorkflowChange> {
    let list: Vec<&Activity<'_>> = list.iter().filter_map(|&id| site.workflow.activity(id)).collect();
    let mut changes = Vec::new();
    for (index, &activity) in list.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| list.get(index).copied());
        let after = list.get(index + 1).copied();
        changes.push(dropped(site, before, activity, after));
        changes.extend(after.and_then(|after| swapped(site, activity, after)));
    }
    changes
}

/// An activity dropped with the comma that separates it.
fn dropped(
    site: &Site<'_>,
    before: Option<&Activity<'_>>,
    activity: &Activity<'_>,
    after: Option<&Activity<'_>>,
) -> WorkflowChange {
    let span = |activity: &Activity<'_>| site.document.span(activity.node);
    let own = span(activity);
    let dropped = match (before, after) {
        (_, Some(after)) => Span::new(own.start, span(after).start),
        (Some(before), None) => Span::new(span(before).end, own.end),
        (None, None) => own,
    };
    let clause = format!("{} is dropped", activity.display_name());
    WorkflowChange::new(Mutation::DropActivity, activity, activity.node, clause, vec![Edit::new(dropped, "")])
}

/// Two neighbors in the other order; `None` for events of an Approval, whose order does not matter.
fn swapped(site: &Site<'_>, first: &Activity<'_>, second: &Activity<'_>) -> Option<WorkflowChange> {
    let is_event = |activity: &Activity<'_>| matches!(activity.kind, ActivityKind::Event { .. });
    let parent = first.parent.and_then(|parent| site.workflow.activity(parent));
    let is_in_approval = parent.is_some_and(|parent| parent.approval().is_some());
    if is_in_approval && is_event(first) && is_event(second) {
        return None;
    }
    let [one, two] = [first, second].map(|activity| site.document.span(activity.node));
    let clause = format!("{} and {} are swapped", first.display_name(), second.display_name());
    let edits = vec![Edit::copy(one, two), Edit::copy(two, one)];
    let change = WorkflowChange::new(Mutation::SwapActivities, first, first.node, clause, edits);
    Some(WorkflowChange { other: Some(second.id), ..change })
}

/// An If or a While with its condition negated, and without its body.
fn of_condition(site: &Site<'_>, activity: &Activity<'_>) -> Vec<WorkflowChange> {
    if !matches!(activity.kind, ActivityKind::If { .. } | ActivityKind::While { .. }) {
        return Vec::new();
    }
    let (document, name) = (site.document, activity.display_name());
    let operand = activity.expression().and_then(|expression| expression.operand.known());
    let negated = operand.map(|(node, operand)| {
        let json = match operand {
            Operand::Equal => "\"notEqual\"",
            Operand::NotEqual => "\"equal\"",
        };
        let clause = format!("the condition of {name} is negated");
        WorkflowChange::new(Mutation::NegateCondition, activity, node, clause, vec![Edit::value(document, node, json)])
    });
    let body = activity.children.known().filter(|(_, children)| !children.is_empty());
    let emptied = body.map(|(list, _)| {
        let clause = format!("the body of {name} is dropped");
        WorkflowChange::new(
            Mutation::EmptyBody,
            activity,
            activity.node,
            clause,
            vec![Edit::value(document, list, "[]")],
        )
    });
    negated.into_iter().chain(emptied).collect()
}

/// A Status or an Assign with another text.
fn of_texts(site: &Site<'_>, activity: &Activity<'_>) -> Vec<WorkflowChange> {
    let clause = format!("the text of {} is changed", activity.display_name());
    let changed = |text: (NodeId, &str)| changed(site, activity, clause.clone(), &[text]);
    match &activity.kind {
        ActivityKind::Status { status, translations } => {
            let translations = translations.get().map_or(&[] as &[_], |texts| texts);
            match status.unboxed().filter(|status| status.is_bound() || has_value(status)) {
                Some(status) => status.literal_text().and_then(changed).into_iter().collect(),
                None => of_translations(site, activity, translations),
            }
        }
        ActivityKind::Assign(assign) => {
            assign.body.known().and_then(|(node, text)| changed((node, text))).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn has_value(status: &Binding<'_>) -> bool {
    status.literal().is_some_and(|(_, literal)| !literal.is_empty())
}

fn of_translations(site: &Site<'_>, activity: &Activity<'_>, translations: &[LocaleText<'_>]) -> Vec<WorkflowChange> {
    let of_locale = |translation: &LocaleText<'_>| {
        let clause = format!("the text of {} for {} is changed", activity.display_name(), quote(translation.locale));
        changed(site, activity, clause, &[(translation.node, translation.text?)])
    };
    translations.iter().filter_map(of_locale).collect()
}

/// A parameter with its name and its binding; of a Provider also with that of its copy.
type BoundParameter<'p, 'd> = (NodeId, Option<&'d str>, Vec<&'p Binding<'d>>);

/// The parameters of a Provider or Code that have a binding.
fn parameters<'p, 'd>(activity: &'p Activity<'d>) -> Vec<BoundParameter<'p, 'd>> {
    match &activity.kind {
        ActivityKind::Provider(provider) => {
            let with_copy = provider.parameters().filter_map(|parameter| {
                let copy = provider.copy(parameter).and_then(|copy| copy.value.get());
                let bindings = std::iter::once(parameter.value.get()?).chain(copy);
                Some((parameter.node, parameter.name.value(), bindings.collect()))
            });
            with_copy.collect()
        }
        ActivityKind::Code(code) => {
            let parameters = code.parameters.get().into_iter().flatten();
            let bound = parameters.filter_map(|it| Some((it.node, it.name.value(), vec![it.value.get()?])));
            bound.collect()
        }
        _ => Vec::new(),
    }
}

fn parameter_name(name: Option<&str>) -> String {
    name.map_or_else(|| "an unnamed parameter".to_owned(), |name| format!("parameter {}", quote(name)))
}

/// A static parameter with another text.
fn changed_parameter(
    site: &Site<'_>,
    activity: &Activity<'_>,
    name: Option<&str>,
    bindings: &[&Binding<'_>],
) -> Option<WorkflowChange> {
    let texts: Vec<_> = bindings.iter().filter_map(|binding| binding.literal_text()).collect();
    bindings.first()?.literal_text()?;
    let clause = format!("{} of {} has another text", parameter_name(name), activity.display_name());
    changed(site, activity, clause, &texts)
}

/// Other texts in place of some, of which the first is where the change is; `None` if it is empty.
fn changed(
    site: &Site<'_>,
    activity: &Activity<'_>,
    clause: String,
    texts: &[(NodeId, &str)],
) -> Option<WorkflowChange> {
    let (node, first) = texts.first()?;
    if first.is_empty() {
        return None;
    }
    let edit = |&(node, text): &(NodeId, &str)| {
        let json = serde_json::Value::from(other(text)).to_string();
        Edit::value(site.document, node, json)
    };
    Some(WorkflowChange::new(Mutation::ChangeText, activity, *node, clause, texts.iter().map(edit).collect()))
}

/// Another text of the same kind: the next number, the other boolean, or a longer text.
fn other(text: &str) -> String {
    match text {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        _ => match text.parse::<i64>().ok().and_then(|number| number.checked_add(1)) {
            Some(next) => next.to_string(),
            None => format!("{text}{ADDED}"),
        },
    }
}

/// A parameter that is not set instead of bound to a variable.
fn unset(
    site: &Site<'_>,
    activity: &Activity<'_>,
    (parameter, name): (NodeId, Option<&str>),
    bindings: &[&Binding<'_>],
) -> Option<WorkflowChange> {
    bindings.first()?.target()?;
    let clause = format!("{} of {} is not set", parameter_name(name), activity.display_name());
    let bound = bindings.iter().filter(|binding| binding.target().is_some());
    let edits = bound.flat_map(|binding| not_set(site.document, binding.node)).collect();
    Some(WorkflowChange::new(Mutation::UnsetParameter, activity, parameter, clause, edits))
}

/// The members that the editor writes for a binding that is not set.
fn not_set(document: &Document, binding: NodeId) -> Vec<Edit> {
    let member = |name, json: &str| document.member(binding, name).map(|node| Edit::value(document, node, json));
    let is = |name: &str, kind| document.member(binding, name).is_some_and(|node| document.kind(node) == kind);
    let state = member("state", "\"notSet\"");
    // Without a state: not bound, and without a value.
    let none = if state.is_none() { [member("isBound", "false"), member("value", "null")] } else { [None, None] };
    let id = member("boundToId", "0").filter(|_| is("boundToId", NodeKind::Number));
    let is_system = member("isBoundToSystemVariable", "false");
    let is_system = is_system.filter(|_| is("isBoundToSystemVariable", NodeKind::True));
    state
        .into_iter()
        .chain(none.into_iter().flatten())
        .chain(member("boundTo", "\"\""))
        .chain(id)
        .chain(is_system)
        .collect()
}

/// `stopOnError` turned; without it, it counts as true.
fn toggled(site: &Site<'_>, activity: &Activity<'_>, provider: &Provider<'_>) -> Option<WorkflowChange> {
    let (document, now) = (site.document, !provider.stops_on_error());
    let (node, edit) = match provider.stop_on_error.known() {
        Some((node, _)) => (node, Edit::value(document, node, now.to_string())),
        None if provider.stop_on_error.is_absent() => {
            // A Provider has a `type` at least.
            let start = document.span(activity.node).start + 1;
            (activity.node, Edit::new(Span::new(start, start), format!("\"stopOnError\":{now},")))
        }
        None => return None,
    };
    let clause = format!("`stopOnError` of {} is {now}", activity.display_name());
    Some(WorkflowChange::new(Mutation::ToggleStopOnError, activity, node, clause, vec![edit]))
}

#[cfg(test)]
mod tests {
    use super::other;

    #[test]
    fn another_text_is_of_the_same_kind() {
        let found = ["x", "41", "-1", "true", "false", "", "9223372036854775807"].map(other);
        assert_eq!(found, ["x-changed", "42", "0", "false", "true", "-changed", "9223372036854775807-changed"]);
    }
}

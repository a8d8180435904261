//! Unsets bound parameters, and toggles `stopOnError`.

use super::change::{Change, Site};
use super::edit::Edit;
use crate::config::Mutation;
use crate::document::{Document, NodeId, NodeKind};
use crate::model::{Activity, ActivityKind, Binding, Code, Provider};
use crate::source::Span;
use crate::text::quote;

pub fn changes(site: &Site<'_>, activity: &Activity<'_>) -> Vec<Change> {
    match &activity.kind {
        ActivityKind::Provider(provider) => {
            let mut changes = of_provider(site, activity, provider);
            changes.extend(toggled(site, activity, provider));
            changes
        }
        ActivityKind::Code(code) => of_code(site, activity, code),
        _ => Vec::new(),
    }
}

fn of_provider(site: &Site<'_>, activity: &Activity<'_>, provider: &Provider<'_>) -> Vec<Change> {
    let parameters = provider.parameters().filter_map(|parameter| {
        let own = bound(parameter.value.get())?;
        let copy = provider.copy(parameter).and_then(|copy| bound(copy.value.get()));
        let bindings: Vec<&Binding<'_>> = std::iter::once(own).chain(copy).collect();
        Some(unset(site, activity, parameter.node, parameter.name.value(), &bindings))
    });
    parameters.collect()
}

fn of_code(site: &Site<'_>, activity: &Activity<'_>, code: &Code<'_>) -> Vec<Change> {
    let parameters = code.parameters.get().into_iter().flatten();
    let bound = parameters.filter_map(|parameter| Some((parameter, bound(parameter.value.get())?)));
    bound.map(|(parameter, own)| unset(site, activity, parameter.node, parameter.name.value(), &[own])).collect()
}

fn bound<'b, 'd>(binding: Option<&'b Binding<'d>>) -> Option<&'b Binding<'d>> {
    binding.filter(|binding| binding.target().is_some())
}

fn unset(
    site: &Site<'_>,
    activity: &Activity<'_>,
    parameter: NodeId,
    name: Option<&str>,
    bindings: &[&Binding<'_>],
) -> Change {
    let parameter_name =
        name.map_or_else(|| "an unnamed parameter".to_owned(), |name| format!("parameter {}", quote(name)));
    let clause = format!("{parameter_name} of {} is not set", activity.display_name());
    let edits = bindings.iter().flat_map(|binding| not_set(site.document, binding.node)).collect();
    Change::new(Mutation::UnsetParameter, activity, parameter, clause, edits)
}

/// The members that the editor writes for a binding that is not set.
fn not_set(document: &Document, binding: NodeId) -> Vec<Edit> {
    let member = |name, json: &str| document.member(binding, name).map(|node| Edit::value(document, node, json));
    let kinds = |name: &str| document.member(binding, name).map(|node| document.kind(node));
    let mut edits = Vec::new();
    match member("state", "\"notSet\"") {
        Some(state) => edits.push(state),
        // Not bound, and without a value.
        None => edits.extend([member("isBound", "false"), member("value", "null")].into_iter().flatten()),
    }
    edits.extend(member("boundTo", "\"\""));
    edits.extend(member("boundToId", "0").filter(|_| kinds("boundToId") == Some(NodeKind::Number)));
    edits.extend(
        member("isBoundToSystemVariable", "false").filter(|_| kinds("isBoundToSystemVariable") == Some(NodeKind::True)),
    );
    edits
}

/// `stopOnError` turned; without it, it counts as true.
fn toggled(site: &Site<'_>, activity: &Activity<'_>, provider: &Provider<'_>) -> Option<Change> {
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
    Some(Change::new(Mutation::ToggleStopOnError, activity, node, clause, vec![edit]))
}

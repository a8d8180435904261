use crate::document::Editor;
use crate::facts::{Context, ProviderSite, repeated_parameters};
use crate::model::{Parameter, Provider};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule = rule!("WF206-duplicate-parameter", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for [earlier, parameter] in repeated_parameters(site.provider) {
            let Some(name) = parameter.name.value() else { continue };
            let mut draft = out.report(&site.at(parameter.node), format!("duplicate parameter {}", quote(name)));
            match removal(&site, name, [earlier, parameter]) {
                Some(edits) => draft.fix(Applicability::Unsafe, "remove the second entry, which is equal", edits),
                None => draft.help("remove one of the two"),
            }
            .related(&site.at(earlier.node), "first set here")
            // Which value counts is unknown, so an empty one is part of the same fault.
            .cause(Cause::Name(site.analysis.file, site.activity.node, name.to_owned()));
        }
    }
}

/// The edits that remove an entry which is equal to the first one, with its copy. `None` if the entry that has to go is not
/// certain: the first one is declared, but the method does not have it.
fn removal(site: &ProviderSite<'_, '_>, name: &str, [first, second]: [&Parameter<'_>; 2]) -> Option<Vec<Edit>> {
    let provider = site.provider;
    let is_added = |parameter: &Parameter<'_>| provider.additional().any(|added| added.node == parameter.node);
    let is_unknown = site.outputs.method.is_some_and(|method| method.parameter(name).is_none());
    if !are_equal(first, second) || is_unknown && is_added(second) && !is_added(first) {
        return None;
    }
    let named = |parameter: &&Parameter<'_>| parameter.name.value() == Some(name);
    let own: Vec<&Parameter<'_>> = provider.parameters().filter(named).collect();
    let copies = copies(provider, first, name);
    let mut editor = Editor::new(site.analysis.document, site.analysis.file);
    editor.remove(second.node);
    // A copy that is missing already is not removed again.
    let copy = copies.iter().rposition(|copy| copies.len() == own.len() && are_equal(copy, second));
    if let Some(copy) = copy.and_then(|copy| copies.get(copy)) {
        editor.remove(copy.node);
    }
    if own.len() == 2 {
        let left = copies.iter().enumerate().filter(|(index, _)| Some(*index) != copy).map(|(_, copy)| *copy);
        for (node, _) in left.chain([first]).filter_map(|left| left.is_duplicate.known()).filter(|(_, is)| **is) {
            editor.replace(node, false);
        }
    }
    Some(editor.finish())
}

/// The entries of `allProviderParameters` with a name; none if it is no copy, but the only array.
fn copies<'p, 'a>(provider: &'p Provider<'a>, first: &Parameter<'_>, name: &str) -> Vec<&'p Parameter<'a>> {
    let named = || provider.all.get().into_iter().flatten().filter(|copy| copy.name.value() == Some(name));
    let is_only_array = named().any(|copy| copy.node == first.node);
    named().filter(|_| !is_only_array).collect()
}

/// Whether two entries of one name certainly give the same value.
fn are_equal(one: &Parameter<'_>, other: &Parameter<'_>) -> bool {
    let values = one.value.get().zip(other.value.get());
    let has_same_value = values.is_some_and(|(one, other)| one.state.is_same(other.state) && one.has_value_of(other));
    (has_same_value || one.is_empty() && other.is_empty())
        && one.value_type.is_same(other.value_type)
        && one.required.is_same(other.required)
}

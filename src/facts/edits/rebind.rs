//! Writing another variable in place of the one that a binding or a field names.

use crate::facts::context::Context;
use crate::facts::edits::parameter_copies::with_copy;
use crate::graph::{Analysis, Scope, Suggestion};
use crate::model::{Activity, Binding};
use crate::text::diagnostic::Edit;

/// Whether it is not sure enough for a fix that the suggested variable was meant by an undefined name: another one is as
/// similar, or the service writes and reads both names, so that their variables are two.
pub fn is_doubtful(cx: &Context<'_>, scope: &Scope<'_>, name: &str, meant: Suggestion<'_>) -> bool {
    let uses = cx.name_uses();
    !meant.by_id
        && (!scope.suggester.is_only(name, meant.name, scope.known_names())
            || uses.is_consistent(name) && uses.is_used(meant.name))
}

/// The edits that bind a bound value to another variable: its name, and its id where the binding has one, also in the
/// copies of the parameter. The arrays that list the variables of activities are not changed.
pub fn rebinding(analysis: &Analysis<'_>, activity: &Activity<'_>, binding: &Binding<'_>, variable: &str) -> Vec<Edit> {
    let json = |node, json: String| with_copy(analysis, activity, node, &json);
    let Some((name, _)) = binding.target() else { return Vec::new() };
    let mut edits = json(name, serde_json::Value::from(variable).to_string());
    let declarations = &analysis.scope.declarations;
    let id = declarations.variable(variable).and_then(|declared| declared.variable.id.value());
    if let Some(((node, &old), id)) = binding.bound_to_id.known().zip(id) {
        // It may be the `realId`.
        let is_right = declarations.with_id(old).is_some_and(|it| it.variable.name.value() == Some(variable));
        if !is_right {
            edits.extend(json(node, id.to_string()));
        }
    }
    edits
}

/// The edits that give a declared variable the name that the service uses instead of its own. `None` if something uses its
/// own name, or may do so.
pub fn renamed_declaration(cx: &Context<'_>, declared: &str, used: &str) -> Option<Vec<Edit>> {
    let mut words = cx.forms().flat_map(|(form, _)| form.form.script_words());
    if cx.name_uses().is_used(declared) || words.any(|word| word == declared) {
        return None;
    }
    let variables = cx.variable_lists().flat_map(|(file, variables)| variables.iter().map(move |it| (file, it)));
    let named = variables.filter_map(|(file, variable)| Some((file, variable.name.known()?)));
    let edit = |(file, (node, _))| {
        let new_text = serde_json::Value::from(used).to_string();
        Some(Edit { file, span: cx.document(file)?.span(node), new_text })
    };
    named.filter(|(_, (_, name))| **name == declared).map(edit).collect()
}

use std::cell::LazyCell;

use crate::common::collections::HashMap;
use crate::facts::{
    Context, Place, declaring, is_doubtful, is_lost_output, rebuilt_assigned_variables, renamed_declaration, renaming,
};
use crate::graph::{Analysis, Placeholder, Resolution, Suggestion};
use crate::model::{Activity, ActivityKind, Assign, Binding};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::{json_inside, quote};

pub const RULE: Rule = rule!("WF306-unknown-placeholder", Error, check, fixes: Fixes::Unsafe);

/// Fixes of one body: each may rebuild the arrays that list its variables.
const MAX_FIXES: usize = 100;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let Some(node) = assign.body.node() else { continue };
        let mut fixes = 0;
        let entries = LazyCell::new(|| entries(assign));
        for placeholder in analysis.scope.placeholders_of(assign) {
            let name = placeholder.name;
            let Resolution::Undefined(nearest) = analysis.scope.resolve(name) else { continue };
            // The entry that lists the placeholder may have the id of the variable that was renamed.
            let meant = match entries.get(name).map(|entry| analysis.scope.resolve_binding(entry, name)) {
                Some(Resolution::Undefined(meant)) => meant,
                _ => nearest,
            };
            let reason = match meant.filter(|meant| meant.by_id) {
                Some(meant) => format!(", but `assignedVariables` has the id of {}", quote(meant.name)),
                None => ": no variable has this name".to_owned(),
            };
            // Another name here would leave the output lost.
            let variable = meant.filter(|meant| meant.by_id && is_lost_output(analysis, name));
            fixes += 1;
            let is_wanted = fixes <= MAX_FIXES;
            let repair = is_wanted.then(|| repair(cx, analysis, (activity, assign), &placeholder, meant)).flatten();
            let help = match (variable, meant) {
                (Some(_), _) if repair.is_some() => None,
                (Some(variable), _) => {
                    Some(format!("rename {} to {}, which a call returns", quote(variable.name), quote(name)))
                }
                (None, Some(meant)) => Some(format!("did you mean `{{{}}}`?", meant.name)),
                (None, None) if repair.is_some() => {
                    Some("write the text without braces if no variable is meant".to_owned())
                }
                (None, None) => Some("declare the variable, or write the text without braces".to_owned()),
            };
            let shown = quote(&format!("{{{name}}}"));
            let place = Place::inside(analysis.file, node, placeholder.range.clone());
            let mut draft = out.report(&place, format!("unknown placeholder {shown}{reason}"));
            if let Some(help) = help {
                draft.help(help);
            }
            draft.cause(Cause::Node(analysis.file, node)).cause(Cause::Name(analysis.file, node, name.to_owned()));
            if let Some((title, edits)) = repair {
                draft.fix(Applicability::Unsafe, title, edits);
            }
        }
    }
}

/// Title and edits that write the variable that was meant, or declare one that something writes.
fn repair(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    (activity, assign): (&Activity<'_>, &Assign<'_>),
    placeholder: &Placeholder<'_>,
    meant: Option<Suggestion<'_>>,
) -> Option<(String, Vec<Edit>)> {
    let name = placeholder.name;
    match meant {
        Some(meant) if is_lost_output(analysis, name) => {
            let title = format!("rename {} to {}, which a call returns", quote(meant.name), quote(name));
            let renamed = renamed_declaration(cx, meant.name, name).map(|edits| (title, edits));
            renamed.or_else(|| Some((format!("declare {}", quote(name)), declaring(cx, &[name])?)))
        }
        Some(meant) if !is_doubtful(cx, &analysis.scope, name, meant) => {
            let edits = renamed(cx, analysis, activity, assign, placeholder, meant.name)?;
            Some((format!("write {}", quote(&format!("{{{}}}", meant.name))), edits))
        }
        _ => Some((format!("declare {}", quote(name)), declaring(cx, &[name])?)),
    }
}

/// The bindings of `assignedVariables`, by the name that they list.
fn entries<'a, 'd>(assign: &'a Assign<'d>) -> HashMap<&'d str, &'a Binding<'d>> {
    let listed = assign.variables.get().into_iter().flatten();
    listed.filter_map(|entry| Some((entry.target()?.1, entry))).collect()
}

/// The edits that write another variable into a placeholder, and into the arrays that name it; none where a placeholder
/// cannot have its name.
fn renamed(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    assign: &Assign<'_>,
    placeholder: &Placeholder<'_>,
    new: &str,
) -> Option<Vec<Edit>> {
    let text = format!("{{{new}}}");
    if analysis.scope.placeholders(&text).next().is_none_or(|found| found.name != new) {
        return None;
    }
    let body = assign.body.node()?;
    let (file, document) = (analysis.file, analysis.document);
    let edit = |span, new_text| Edit { file, span, new_text };
    let name = document.span_inside(body, placeholder.range.start + 1..placeholder.range.end - 1);
    let mut edits = vec![edit(name, json_inside(new))];
    let old = placeholder.name;
    let lists = |name: &str| {
        let mut listed = assign.variables.get().into_iter().flatten();
        listed.any(|entry| entry.target().is_some_and(|(_, listed)| listed == name))
    };
    // With both in the array, one of the two entries goes.
    if assign.variables.get().is_some() && lists(old) == lists(new) {
        let used: Vec<&str> = analysis
            .scope
            .placeholders_of(assign)
            .map(|found| if found.name == old { new } else { found.name })
            .collect();
        edits.extend(rebuilt_assigned_variables(cx, analysis, activity, assign, &used)?);
        return Some(edits);
    }
    let id = analysis.scope.declarations.variable(new).and_then(|declared| declared.variable.id.value());
    for entry in assign.variables.get().into_iter().flatten() {
        let Some((node, _)) = entry.target().filter(|(_, name)| *name == old) else { continue };
        edits.push(edit(document.span(node), serde_json::Value::from(new).to_string()));
        if let (Some(node), Some(id)) = (entry.bound_to_id.node(), id) {
            edits.push(edit(document.span(node), id.to_string()));
        }
    }
    edits.extend(renaming(analysis, activity, old, new));
    Some(edits)
}

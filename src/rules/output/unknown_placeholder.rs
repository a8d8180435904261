use std::cell::LazyCell;

use crate::common::collections::HashMap;
use crate::facts::{Context, Place, is_lost_output, rebuilt_assigned_variables, renaming};
use crate::graph::{Analysis, Placeholder, Resolution};
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
            let (variable, meant) = match meant {
                Some(variable) if variable.by_id && is_lost_output(analysis, name) => (Some(variable), None),
                meant => (None, meant),
            };
            let help = match (variable, meant) {
                (Some(variable), _) => {
                    format!("rename {} to {}, which a call returns", quote(variable.name), quote(name))
                }
                (None, Some(meant)) => format!("did you mean `{{{}}}`?", meant.name),
                (None, None) => "declare the variable, or write the text without braces".to_owned(),
            };
            let shown = quote(&format!("{{{name}}}"));
            fixes += usize::from(meant.is_some());
            let fix = meant.filter(|_| fixes <= MAX_FIXES).and_then(|meant| {
                Some((meant.name, renamed(cx, analysis, activity, assign, &placeholder, meant.name)?))
            });
            let place = Place::inside(analysis.file, node, placeholder.range.clone());
            let mut draft = out.report(&place, format!("unknown placeholder {shown}{reason}"));
            draft.help(help);
            draft.cause(Cause::Node(analysis.file, node)).cause(Cause::Name(analysis.file, node, name.to_owned()));
            if let Some((meant, edits)) = fix {
                draft.fix(Applicability::Unsafe, format!("write {}", quote(&format!("{{{meant}}}"))), edits);
            }
        }
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

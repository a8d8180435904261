use std::collections::BTreeSet;

use crate::diagnostic::{Applicability, Edit, Severity, quote};
use crate::facts::{Context, Place, Spoofing};
use crate::graph::{Analysis, Resolution, placeholders};
use crate::model::{Binding, Kind};
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF307",
    name: "assigned-variables-disagree",
    severity: Severity::Warning,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF307-assigned-variables-disagree.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Kind::Assign(assign) = &activity.kind else { continue };
        let (Some(body), Some((list, listed))) = (assign.body.value(), assign.variables.known()) else { continue };
        let used: Vec<&str> = placeholders(body).map(|placeholder| placeholder.name).collect();
        if is_told(analysis, listed, &used) || Spoofing::in_split_placeholder(body).is_some() {
            continue;
        }
        let names: BTreeSet<&str> = listed.iter().filter_map(|binding| Some(binding.target()?.1)).collect();
        let missing: Vec<&str> = unique(used.iter().copied().filter(|name| !names.contains(name)));
        let unused: Vec<&str> = unique(names.iter().copied().filter(|name| !used.contains(name)));
        let idle = listed.iter().any(|binding| binding.target().is_none());
        let message = match (missing.as_slice(), unused.as_slice()) {
            ([], []) if idle => "an entry of `assignedVariables` names no variable".to_owned(),
            ([], []) => continue,
            ([], unused) => format!("{} stands in `assignedVariables`, but the text does not use it", quoted(unused)),
            (missing, []) => format!("the text uses {}, but `assignedVariables` does not list it", quoted(missing)),
            (missing, unused) => {
                format!("the text uses {}, but `assignedVariables` lists {}", quoted(missing), quoted(unused))
            }
        };
        let mut draft = out.report(&Place::value(analysis.file, list), message);
        draft.help("`assignedVariables` lists the variables of the text's placeholders, each once");
        if let Some(edit) = rebuilt(analysis, listed, &used, list) {
            draft.fix(Applicability::Safe, "list the variables that the text uses", vec![edit]);
        }
    }
}

/// Whether a more telling rule speaks: of an unknown placeholder (WF306), of an unknown name in the
/// list (WF101), of an entry bound to nothing (WF103). So does WF909 of what is no placeholder because
/// of an invisible character.
fn is_told(analysis: &Analysis<'_>, listed: &[Binding<'_>], used: &[&str]) -> bool {
    let is_unknown = |name: &str| matches!(analysis.scope.resolve(name), Resolution::Unknown(_));
    used.iter().any(|name| is_unknown(name))
        || listed.iter().any(|binding| match binding.target() {
            Some((_, name)) => is_unknown(name),
            None => binding.is_bound() || binding.state.value().is_none(),
        })
}

fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
}

/// The list made anew: entries that are used stay as they are, missing ones are added.
fn rebuilt(
    analysis: &Analysis<'_>,
    listed: &[Binding<'_>],
    used: &[&str],
    list: crate::document::NodeId,
) -> Option<Edit> {
    let document = analysis.document;
    let mut entries = Vec::new();
    for name in unique(used.iter().copied()) {
        let known = listed.iter().find(|binding| binding.target().is_some_and(|(_, listed)| listed == name));
        entries.push(match known {
            Some(binding) => document.slice(document.span(binding.node)).to_owned(),
            None => {
                let id = analysis.scope.declarations.variable(name)?.variable.id.value()?;
                let name = serde_json::Value::from(name);
                format!("{{\"isBound\": true, \"value\": null, \"boundTo\": {name}, \"boundToId\": {id}}}")
            }
        });
    }
    Some(Edit { span: document.span(list), new_text: format!("[{}]", entries.join(", ")) })
}

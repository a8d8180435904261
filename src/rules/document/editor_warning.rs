use crate::diagnostic::{Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::{Activity, Kind, Role};
use crate::rules::{Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF009",
    name: "editor-warning",
    severity: Severity::Warning,
    yields_to: YieldsTo::AllOthers,
    page: include_str!("../../../rules/WF009-editor-warning.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some((flag, said)) = saved_warning(activity) else { continue };
        out.report(&Place::value(analysis.file, flag), said)
            .help("open the activity in the editor, see to the warning, and save it again")
            .area(activity.node);
    }
}

/// The first warning that the editor saved in an activity: its place, and what it says.
fn saved_warning(activity: &Activity<'_>) -> Option<(NodeId, String)> {
    if activity.display_warning.is_true() {
        return Some((activity.display_warning.node()?, said(activity.warning_text.value(), "")));
    }
    let mut found = None;
    activity.bindings(|binding, role| {
        if found.is_none() && binding.has_warning.is_true() {
            let about = match role {
                Role::Parameter(parameter) => format!(" about {}", quote(parameter.name.value().unwrap_or_default())),
                _ => String::new(),
            };
            found = binding.has_warning.node().map(|flag| (flag, said(binding.warning_text.value(), &about)));
        }
    });
    if found.is_some() {
        return found;
    }
    let Kind::Provider(provider) = &activity.kind else { return None };
    let invalid = provider.parameters().find(|parameter| parameter.is_valid.value() == Some(false))?;
    let name = quote(invalid.name.value().unwrap_or_default());
    Some((invalid.is_valid.node()?, format!("the editor did not accept the parameter {name}")))
}

fn said(text: Option<&str>, about: &str) -> String {
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => format!("the editor saved a warning{about} with it: {}", quote(text)),
        None => format!("the editor saved a warning{about} with it, without a text"),
    }
}

use crate::document::{Document, NodeId};
use crate::facts::{Context, Place};
use crate::model::{Activity, ActivityKind, Role};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF009-editor-warning", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some((flag, message)) = saved_warning(analysis.document, activity) else { continue };
        out.report(&Place::value(analysis.file, flag), message)
            .help("open the activity in the editor, resolve the warning, and save it again");
    }
}

/// The flag of the first warning that the editor saved in an activity, and the message about it.
fn saved_warning(document: &Document, activity: &Activity<'_>) -> Option<(NodeId, String)> {
    let name = || activity.display_name();
    if let Some(warning) = &activity.warning {
        return Some((warning.node, message(&name(), warning.text)));
    }
    let mut found = None;
    activity.bindings(|binding, role| {
        if found.is_none() && binding.has_warning.is_true() {
            let subject = match role {
                Role::Parameter(parameter) => {
                    format!("parameter {} in {}", quote(parameter.name.value().unwrap_or_default()), name())
                }
                _ => name(),
            };
            let text = document.member(binding.node, "warningText").and_then(|text| document.string(text));
            found = binding.has_warning.node().map(|flag| (flag, message(&subject, text)));
        }
    });
    if found.is_some() {
        return found;
    }
    let ActivityKind::Provider(provider) = &activity.kind else { return None };
    let invalid = provider.parameters().find(|parameter| parameter.is_valid.value() == Some(false))?;
    let parameter = quote(invalid.name.value().unwrap_or_default());
    Some((invalid.is_valid.node()?, format!("invalid parameter {parameter} in {}, according to the editor", name())))
}

fn message(subject: &str, warning: Option<&str>) -> String {
    match warning.filter(|warning| !warning.trim().is_empty()) {
        Some(warning) => format!("saved editor warning for {subject}: {}", quote(warning)),
        None => format!("saved editor warning for {subject}"),
    }
}

//! WF009

use std::collections::HashSet;

use crate::diagnostic::{Severity, quote};
use crate::document::NodeId;
use crate::model::{Activity, Binding, Kind, Member};
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage, element_of, is_true};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF009",
    name: "editor-warning",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Last,
    page: include_str!("../../../rules/WF009-editor-warning.md"),
    check,
};

/// A warning that the editor saved: the flag, and its text.
type Saved<'d> = (NodeId, Option<&'d str>);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let spoken_of: HashSet<_> = out
        .others()
        .iter()
        .filter_map(|other| {
            let document = cx.document(other.location.file)?;
            let node = document.resolve(&other.location.pointer)?;
            Some((other.location.file, element_of(document, node)?))
        })
        .collect();
    for (analysis, activity) in cx.activities() {
        if spoken_of.contains(&(analysis.file, activity.node)) {
            continue;
        }
        let Some((flag, text)) = saved_warning(activity) else { continue };
        let said = match text.filter(|text| !text.trim().is_empty()) {
            Some(text) => format!("the editor saved a warning with it: {}", quote(text)),
            None => "the editor saved a warning with it, without a text".to_owned(),
        };
        out.report(
            &Place::value(analysis.file, flag),
            said,
            "open the activity in the editor, see to the warning, and save it again",
        );
    }
}

fn saved_warning<'d>(activity: &Activity<'d>) -> Option<Saved<'d>> {
    if is_true(activity.display_warning) {
        return Some((activity.display_warning.node()?, activity.warning_text.value()));
    }
    let mut found = None;
    activity.bindings(|binding, _| found = found.or_else(|| of_binding(binding)));
    if found.is_some() {
        return found;
    }
    let Kind::Provider(provider) = &activity.kind else { return None };
    let invalid = provider.parameters().find(|parameter| parameter.is_valid.value() == Some(false))?;
    let text = invalid.value.get().and_then(|binding| binding.warning_text.value());
    Some((invalid.is_valid.node()?, text))
}

fn of_binding<'d>(binding: &Binding<'d>) -> Option<Saved<'d>> {
    let flag: Member<bool> = binding.has_warning;
    is_true(flag).then(|| Some((flag.node()?, binding.warning_text.value())))?
}

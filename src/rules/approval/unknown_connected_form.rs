use crate::facts::{Context, Place};
use crate::model::Assumption;
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF504-unknown-connected-form", Info | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for ApprovalSite { analysis, activity, .. } in approvals(cx) {
        let Some((node, &name)) = activity.form.known() else { continue };
        let place = Place::value(analysis.file, node);
        if name.is_empty() {
            out.report(
                &place,
                format!("empty `connectedFormName` in {}, so approvers see no form", activity.display_name()),
            )
            .help("set `connectedFormName` to the form that approvers see")
            .severity(Severity::Warning);
            continue;
        }
        if cx.model.forms.is_empty() || cx.model.has_broken_file || cx.model.form(name).is_some() {
            continue;
        }
        let message = format!("unknown form {} in {}", quote(name), activity.display_name());
        let names = cx.model.forms.iter().map(|form| form.name);
        let mut draft = out.report(&place, message);
        match cx.suggester.nearest(name, names.clone()) {
            Some(near) => {
                let is_only = cx.suggester.is_only(name, near, names);
                draft.suggest(near, is_only, "connectedFormName", node).severity(Severity::Warning);
            }
            None => {
                draft.assumes(Assumption::FormName);
                match named_with_ending(cx, name) {
                    Some(form) => draft.suggest(form, true, "connectedFormName", node),
                    None => draft.help(
                        "name a form by its file name up to the first dot; add files of other folders to the service \
                         under `[[service]]` in wflint.toml",
                    ),
                };
            }
        }
    }
}

/// The form whose file has this name, with all or the first part of its ending.
fn named_with_ending<'a>(cx: &Context<'a>, name: &str) -> Option<&'a str> {
    let form = cx.model.form(name.split('.').next()?)?;
    let path = &cx.file(form.file)?.source.name;
    let file = path.rsplit('/').next()?;
    file.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')).then_some(form.name)
}

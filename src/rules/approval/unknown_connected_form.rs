use crate::facts::{Context, Place};
use crate::model::Assumption;
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF504-unknown-connected-form", Info | Warning, check);

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
        match cx.suggester.nearest(name, cx.model.forms.iter().map(|form| form.name)) {
            Some(near) => {
                out.report(&place, message).help(format!("did you mean {}?", quote(near))).severity(Severity::Warning);
            }
            None => {
                out.report(&place, message).assumes(Assumption::FormName).help(
                    "name a form by its file name up to the first dot; add files of other folders to the service \
                     under `[[service]]` in wflint.toml",
                );
            }
        }
    }
}

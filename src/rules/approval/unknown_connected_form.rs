use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::approval::approvals;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF504",
    name: "unknown-connected-form",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF504-unknown-connected-form.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, _, approval) in approvals(cx) {
        let Some((node, &name)) = approval.form.known() else { continue };
        let place = Place::value(analysis.file, node);
        if name.is_empty() {
            out.report(&place, "no form is named, so the approvers see none")
                .help("name the form that approvers see")
                .severity(Severity::Warning);
            continue;
        }
        if cx.model.forms.is_empty() || cx.model.has_broken_file || cx.model.form(name).is_some() {
            continue;
        }
        let message = format!("no form of the service is named {}", quote(name));
        match cx.suggester.nearest(name, cx.model.forms.iter().map(|form| form.name)) {
            Some(near) => {
                out.report(&place, message).help(format!("did you mean {}?", quote(near))).severity(Severity::Warning);
            }
            None => {
                let help = "a form is taken to have the name of its file, up to the first dot; if this one lies \
                            elsewhere, say so under `[[service]]` in wflint.toml";
                out.report(&place, message).help(help);
            }
        }
    }
}

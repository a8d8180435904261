use crate::facts::{Context, Place};
use crate::model::Assumption;
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::truncate;

pub const RULE: Rule = rule!("WF506-invalid-duration", Error | Info, check);

/// Longer values are cut in messages, in characters.
const MAX_VALUE: usize = 60;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for ApprovalSite { analysis, activity, approval } in approvals(cx) {
        let members = [("timeout", &approval.settings().timeout), ("remindTime", &approval.settings().remind_time)];
        for (name, member) in members {
            let Some((node, literal)) = member.get().and_then(|binding| binding.literal()) else { continue };
            if literal.is_empty() {
                continue;
            }
            let place = Place::value(analysis.file, node);
            let approval = activity.display_name();
            let described = literal.describe();
            let written = truncate(&described, MAX_VALUE);
            let help = format!("set `{name}` to a number greater than 0");
            match literal.as_number() {
                None => {
                    out.report(&place, format!("expected a number for `{name}` in {approval}, found {written}"))
                        .help(help);
                }
                Some(number) if number < 0.0 => {
                    out.report(&place, format!("negative `{name}` in {approval}: {written}")).help(help);
                }
                Some(0.0) if name == "timeout" => {
                    out.report(&place, format!("undocumented `timeout` 0 in {approval}, it may mean at once or never"))
                        .assumes(Assumption::NoTimeout)
                        .help(help)
                        .severity(Severity::Info);
                }
                Some(_) => {}
            }
        }
    }
}

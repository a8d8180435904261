use crate::facts::{Context, Place};
use crate::model::{Assumption, Binding, Member};
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF503-reminder-after-timeout", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for ApprovalSite { analysis, activity, approval } in approvals(cx) {
        let number = |member: &Member<Binding<'_>>| {
            let (_, literal) = member.get()?.literal()?;
            let number = literal.as_number().filter(|&number| number > 0.0)?;
            Some((number, literal.describe().trim_matches('"').to_owned()))
        };
        let (Some((timeout, timeout_text)), Some((remind, remind_text))) =
            (number(&approval.settings().timeout), number(&approval.settings().remind_time))
        else {
            continue;
        };
        let Some(node) = approval.settings().remind_time.node().filter(|_| remind >= timeout) else { continue };
        let mut draft = out.report(
            &Place::value(analysis.file, node),
            format!(
                "reminder of {} is never sent, `remindTime` {remind_text} is not below `timeout` {timeout_text}",
                activity.display_name()
            ),
        );
        draft.assumes(Assumption::DurationUnit).help("decrease `remindTime`, or increase `timeout`");
        if let Some(timeout) = approval.settings().timeout.node() {
            draft.related(&Place::value(analysis.file, timeout), format!("`timeout` is {timeout_text}"));
        }
    }
}

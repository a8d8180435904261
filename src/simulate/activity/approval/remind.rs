//! Reminders of an approval.

use std::sync::Arc;

use crate::simulate::run::Run;
use crate::simulate::scenario::MailKind;

/// Reminds those who were asked for an approval and have not answered. A decided approval has
/// no approver left to remind.
pub fn remind_approvers(run: &mut Run<'_, '_>, approval: usize) {
    let waiting = run.waiting.get(approval).cloned().unwrap_or_default();
    let subject: Arc<str> = Arc::from("Reminder: approval needed");
    for who in waiting.iter() {
        run.send(who, MailKind::ApprovalReminder, &subject);
    }
}

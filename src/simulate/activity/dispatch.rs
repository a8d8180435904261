//! Runs activities in document order, each by its type.

use super::{approval, assign, code, condition, looping, provider, status};
use crate::config::ActivityShape;
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::simulate::assumption::Assumption;
use crate::simulate::quote;
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;
use crate::simulate::trace::Event;

/// Runs the workflow from its first activity.
///
/// # Errors
/// Why it ended before its last activity.
pub fn run_workflow(run: &mut Run<'_, '_>) -> Result<(), Stop> {
    let workflow = run.plan.workflow;
    run.run_all(workflow.roots.get().map_or(&[], Vec::as_slice))
}

impl<'p> Run<'p, '_> {
    fn run_all(&mut self, ids: &[ActivityId]) -> Result<(), Stop> {
        for &id in ids {
            let Some(activity) = self.plan.activity(id) else { continue };
            self.run_activity(activity)?;
        }
        Ok(())
    }

    /// Runs the children of an activity. Recurses with the nesting of activities, which the depth
    /// limit of the document bounds.
    pub(super) fn run_children(&mut self, activity: &'p Activity<'p>) -> Result<(), Stop> {
        if activity.children.is_unknown() {
            return Err(self.unreadable(activity, "activities"));
        }
        self.run_all(activity.children())
    }

    fn run_activity(&mut self, activity: &'p Activity<'p>) -> Result<(), Stop> {
        if let ActivityKind::Event { .. } = activity.kind {
            // In document order an Event does nothing: its Approval runs it when an approver answers.
            return Ok(());
        }
        self.begin(activity)?;
        match &activity.kind {
            ActivityKind::Provider(provider) => provider::run(self, activity, provider),
            ActivityKind::Approval(approval) => approval::run(self, activity, approval),
            ActivityKind::Assign(assign) => assign::run(self, activity, assign),
            ActivityKind::Status { status, translations } => status::run(self, activity, status, translations),
            ActivityKind::Code(code) => code::run(self, activity, code),
            ActivityKind::Sequence => self.run_children(activity),
            ActivityKind::While { expression, delay } => looping::run(self, activity, expression, delay),
            ActivityKind::If { expression } => {
                if condition::holds(self, activity, expression)? {
                    self.run_children(activity)?;
                }
                Ok(())
            }
            ActivityKind::Terminate => {
                self.note(Event::Terminated);
                Err(Stop::Terminated)
            }
            ActivityKind::Declared { shape, .. } => {
                self.assume(Assumption::DeclaredTypes);
                match shape {
                    ActivityShape::Leaf => Ok(()),
                    ActivityShape::Container => self.run_children(activity),
                }
            }
            ActivityKind::Event { .. } => Ok(()),
            ActivityKind::Unknown { .. } => Err(not_simulated(self, activity)),
        }
    }
}

fn not_simulated(run: &Run<'_, '_>, activity: &Activity<'_>) -> Stop {
    let name = run.plan.name(activity);
    let message = match activity.type_name.value() {
        Some(type_name) => format!(
            "unknown activity type {} of {name}: declare it under `[types]` in wflint.toml to skip the activity",
            quote(type_name)
        ),
        None => format!("missing key `type` in {name}"),
    };
    run.fail(activity.node, message)
}

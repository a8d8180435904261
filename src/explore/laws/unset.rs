//! Decides which variables without a value count as unset: those that lint reports there as WF302 or WF303.

use crate::collections::HashSet;
use crate::facts::AnalyzedService;
use crate::graph::{Analysis, FieldTarget};
use crate::model::{Activity, ActivityId, ActivityKind, ON_APPROVE};
use crate::simulate::UnsetRead;

/// The variables that the documents of a service set.
pub struct SetVariables<'f> {
    /// The variables that forms of the service fill: the order form, and those that approvers fill in, which runs do not
    /// play.
    filled: HashSet<&'f str>,
    /// Whether some form may fill any variable.
    fills_any: bool,
}

impl<'f> SetVariables<'f> {
    pub fn of(service: &'f AnalyzedService<'_>) -> Self {
        let forms = service.model.forms.iter().zip(&service.form_scopes);
        let targets =
            forms.flat_map(|(form, scope)| form.form.fields.iter().map(|field| FieldTarget::of(field, scope)));
        let (mut filled, mut fills_any) = (HashSet::default(), service.model.has_broken_file);
        for target in targets {
            match target {
                FieldTarget::Variable(name) => drop(filled.insert(name)),
                FieldTarget::Nothing => {}
                FieldTarget::Unknown => fills_any = true,
            }
        }
        Self { filled, fills_any }
    }
}

pub struct UnsetVariables<'f, 'a> {
    pub service: &'f AnalyzedService<'a>,
    pub analysis: &'f Analysis<'a>,
    pub set: &'f SetVariables<'f>,
}

impl UnsetVariables<'_, '_> {
    /// Whether a declared variable that has no value counts as unset where it is read.
    pub fn counts_as_unset(&self, read: &UnsetRead<'_>, timed_out: &[ActivityId]) -> bool {
        let name = read.variable;
        let scope = &self.analysis.scope;
        let is_set_elsewhere = self.set.fills_any
            || self.set.filled.contains(name)
            || !scope.declarations.are_there
            || scope.is_provided(name)
            || scope.declarations.named(name).any(|declared| declared.variable.is_preset())
            || self.service.usage.is_filled_by_order(name)
            || self.may_be_written(name)
            || self.service.usage.is_written_outside(self.analysis.file, name);
        !is_set_elsewhere && !self.is_awaited(read) && !self.is_written_by_rejections(name, timed_out)
    }

    /// Whether an activity with unknown outputs may write a variable.
    fn may_be_written(&self, name: &str) -> bool {
        let mut effects = self.analysis.effects.iter();
        effects.any(|effects| effects.may_write.is_some_and(|prefix| name.starts_with(prefix)))
    }

    /// Whether an Approval that has timed out writes a variable on rejection, since the platform may count the timeout
    /// as one (docs/platform.md, Assumptions about documents, "Events before a decision").
    fn is_written_by_rejections(&self, name: &str, timed_out: &[ActivityId]) -> bool {
        let workflow = self.analysis.workflow;
        let children = timed_out.iter().filter_map(|id| workflow.activity(*id)).flat_map(Activity::children);
        let mut rejections = children
            .filter_map(|id| workflow.activity(*id))
            .filter(|event| matches!(&event.kind, ActivityKind::Event { event } if event.value() != Some(ON_APPROVE)));
        rejections.any(|event| workflow.inside(event).any(|inner| may_write(self.analysis, inner, name)))
    }

    /// Whether the condition of a loop reads what the body of the loop may write: it waits for that.
    fn is_awaited(&self, read: &UnsetRead<'_>) -> bool {
        let workflow = self.analysis.workflow;
        let Some(activity) = read.activity.and_then(|id| workflow.activity(id)) else { return false };
        let effects = self.analysis.effects(activity.id);
        let mut reads = effects.into_iter().flat_map(|effects| &effects.reads);
        matches!(activity.kind, ActivityKind::While { .. })
            && reads.any(|own| own.node == read.node && own.in_condition)
            && workflow.inside(activity).any(|inner| may_write(self.analysis, inner, read.variable))
    }
}

fn may_write(analysis: &Analysis<'_>, activity: &Activity<'_>, name: &str) -> bool {
    let Some(effects) = analysis.effects(activity.id) else { return false };
    let is_written = |id| effects.writes.to(id).next().is_some();
    effects.may_write.is_some_and(|prefix| name.starts_with(prefix)) || analysis.names.id(name).is_some_and(is_written)
}

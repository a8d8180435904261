//! The bindings of an activity, and the role of each.

use super::activity::{Activity, ActivityKind};
use super::approval::Assignee;
use super::binding::Binding;
use super::expression::Expression;
use super::parameter::Parameter;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role<'a, 'd> {
    /// The value of a provider parameter.
    Parameter(&'a Parameter<'d>),
    /// The variable that receives whether a provider call succeeded; written.
    ProviderResult,
    /// The target of an Assign; written.
    AssignResult,
    /// An entry of `assignedVariables`.
    Assigned,
    /// What a Status publishes.
    Status,
    /// An operand of an expression.
    Operand,
    /// A number or boolean of the activity: a delay, a timeout, a reminder.
    Setting,
    /// An approver of an Approval.
    Assignee(&'a Assignee<'d>),
    /// The variable that receives an Approval's decision; written.
    ApprovalResult,
    /// A parameter of a script.
    CodeParameter,
    /// In an activity of an undocumented type: may be read or written.
    Undocumented,
}

/// Not generic: many rules visit the bindings, and the code for all of them stays in the cache of the processor.
type Visit<'v, 'a, 'd> = &'v mut dyn FnMut(&'a Binding<'d>, Role<'a, 'd>);

impl Role<'_, '_> {
    /// Whether the activity writes the variable.
    pub const fn writes(self) -> bool {
        matches!(self, Self::ProviderResult | Self::AssignResult | Self::ApprovalResult)
    }
}

impl<'d> Activity<'d> {
    /// Calls `visit` with every binding of the activity, without its children, and without
    /// `allProviderParameters`, which is a copy.
    pub fn bindings<'a>(&'a self, mut visit: impl FnMut(&'a Binding<'d>, Role<'a, 'd>)) {
        self.visit(&mut visit);
    }

    fn visit<'a>(&'a self, visit: Visit<'_, 'a, 'd>) {
        fn each<'a, 'd>(member: Option<&'a Binding<'d>>, role: Role<'a, 'd>, visit: Visit<'_, 'a, 'd>) {
            if let Some(binding) = member {
                visit(binding, role);
            }
        }
        match &self.kind {
            ActivityKind::Provider(provider) => {
                for parameter in provider.parameters() {
                    each(parameter.value.get(), Role::Parameter(parameter), visit);
                }
                each(provider.result.get(), Role::ProviderResult, visit);
            }
            ActivityKind::Approval(approval) => {
                for assignee in approval.assignees.get().into_iter().flatten() {
                    each(assignee.parameter.get(), Role::Assignee(assignee), visit);
                }
                let settings = approval.settings();
                for setting in [&settings.timeout, &settings.notify, &settings.remind_time, &settings.remind] {
                    each(setting.get(), Role::Setting, visit);
                }
                each(approval.result.get(), Role::ApprovalResult, visit);
            }
            ActivityKind::Assign(assign) => {
                for binding in assign.variables.get().into_iter().flatten() {
                    visit(binding, Role::Assigned);
                }
                each(assign.result.get(), Role::AssignResult, visit);
            }
            ActivityKind::Status { status, .. } => each(status.unboxed(), Role::Status, visit),
            ActivityKind::While { expression, delay } => {
                expression_bindings(expression.unboxed(), visit);
                each(delay.unboxed(), Role::Setting, visit);
            }
            ActivityKind::If { expression } => expression_bindings(expression.unboxed(), visit),
            ActivityKind::Code(code) => {
                for parameter in code.parameters.get().into_iter().flatten() {
                    each(parameter.value.get(), Role::CodeParameter, visit);
                }
            }
            ActivityKind::Declared { bindings, .. } | ActivityKind::Unknown { bindings } => {
                for binding in bindings {
                    visit(binding, Role::Undocumented);
                }
            }
            ActivityKind::Event { .. } | ActivityKind::Sequence | ActivityKind::Terminate => {}
        }
    }
}

fn expression_bindings<'a, 'd>(expression: Option<&'a Expression<'d>>, visit: Visit<'_, 'a, 'd>) {
    let Some(expression) = expression else { return };
    for operand in [&expression.left, &expression.right] {
        if let Some(binding) = operand.get() {
            visit(binding, Role::Operand);
        }
    }
}

use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::model::{Activity, Binding, Kind, Literal, Role, State};
use crate::rules::approval::no_assignees::names_nobody;
use crate::rules::flow::empty_status::is_empty_status;
use crate::rules::provider::missing_required_parameter::missing_values;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF105",
    name: "value-state-mismatch",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF105-value-state-mismatch.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let missing = missing_values(cx);
    cx.bindings(|analysis, activity, binding, role| {
        let told_elsewhere =
            missing.contains(&(analysis.file, binding.node)) || is_told_as_empty(activity, binding, role);
        let Some((message, help)) = mismatch(binding).filter(|_| !told_elsewhere) else { return };
        let node = binding.value.node().unwrap_or(binding.node);
        out.report(&Place::value(analysis.file, node), message).help(help);
    });
}

fn mismatch(binding: &Binding<'_>) -> Option<(&'static str, &'static str)> {
    let value = binding.value.value();
    match binding.state.value()? {
        State::Static if !binding.value.is_unknown() && matches!(value, None | Some(Literal::Null)) => Some((
            "`state` says that a literal is given, but there is none",
            "give the value, or set `state` to `notSet`",
        )),
        State::NotSet if value.is_some_and(|value| !says_nothing(value)) => Some((
            "`state` says that nothing is given, so this value is not used",
            "set `state` to `static` to use the value, or remove it",
        )),
        _ => None,
    }
}

/// What the editor writes for a value that is not set.
fn says_nothing(literal: Literal<'_>) -> bool {
    match literal {
        Literal::Null | Literal::Boolean(false) | Literal::Text("") => true,
        Literal::Number(_) => literal.as_number() == Some(0.0),
        Literal::Boolean(true) | Literal::Text(_) => false,
    }
}

/// Whether a rule of its own tells that the value is empty: of a Status WF414, of assignees WF501,
/// of a loop's delay WF405.
pub fn is_told_as_empty(activity: &Activity<'_>, binding: &Binding<'_>, role: Role<'_, '_>) -> bool {
    match (role, &activity.kind) {
        (Role::Status, _) => is_empty_status(activity),
        (Role::Assignee(assignee), _) => names_nobody(assignee),
        (Role::Setting, Kind::While { .. }) => binding.is_empty(),
        _ => false,
    }
}

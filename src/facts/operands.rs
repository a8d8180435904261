//! What the operands of conditions can hold, as far as their types go.

use super::service::AnalyzedService;
use crate::collections::HashSet;
use crate::graph::{Analysis, Writer};
use crate::model::{Activity, Binding, FILE_TYPE, Literal};

/// What an operand holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandType<'a> {
    /// True or false, or a variable that holds nothing else.
    Boolean,
    /// A number.
    Number,
    /// A string literal.
    Text(&'a str),
    /// A variable that holds a file.
    File(&'a str),
}

impl OperandType<'_> {
    /// Whether two operands can never be equal. An unset variable equals the empty string.
    fn never_equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Boolean, Self::Text(text)) => {
                !text.is_empty() && !text.eq_ignore_ascii_case("true") && !text.eq_ignore_ascii_case("false")
            }
            (Self::Number, Self::Text(text)) => Literal::Text(text).as_number().is_none(),
            (Self::File(_), Self::Text(text)) => !text.is_empty(),
            (Self::Boolean | Self::File(_), Self::Number) | (Self::File(_), Self::Boolean) => true,
            _ => false,
        }
    }
}

/// The types of a service's operands.
pub struct OperandTypes<'c> {
    /// Variables to which only the decision of an Approval, or the success of a call, is written.
    decisions: HashSet<&'c str>,
}

impl<'c> OperandTypes<'c> {
    /// The types in a service.
    pub fn of(service: &'c AnalyzedService<'_>) -> Self {
        Self { decisions: decisions(service) }
    }

    /// The operands of a condition that can never be equal by their types (WF415).
    pub fn incompatible(&self, analysis: &'c Analysis<'_>, activity: &'c Activity<'_>) -> Option<[OperandType<'c>; 2]> {
        let expression = activity.expression()?;
        expression.operand.value()?;
        let left = self.operand(analysis, expression.left.get()?)?;
        let right = self.operand(analysis, expression.right.get()?)?;
        (left.never_equals(right) || right.never_equals(left)).then_some([left, right])
    }

    fn operand(&self, analysis: &'c Analysis<'_>, binding: &Binding<'c>) -> Option<OperandType<'c>> {
        if let Some((_, name)) = binding.target() {
            if analysis.scope.declarations.type_of(name) == Some(FILE_TYPE) {
                return Some(OperandType::File(name));
            }
            return self.decisions.contains(name).then_some(OperandType::Boolean);
        }
        Some(match binding.literal()?.1 {
            Literal::Boolean(_) => OperandType::Boolean,
            Literal::Number(_) => OperandType::Number,
            Literal::Text(text) => OperandType::Text(text),
            Literal::Null => OperandType::Text(""),
        })
    }
}

fn decisions<'c>(service: &'c AnalyzedService<'_>) -> HashSet<&'c str> {
    let mut decisions = HashSet::default();
    let mut others: HashSet<&str> = HashSet::default();
    let mut prefixes: HashSet<&str> = HashSet::default();
    for analysis in &service.workflows {
        for effects in &analysis.effects {
            prefixes.extend(effects.may_write);
            for write in &effects.writes {
                let is_decision = matches!(write.by, Writer::ApprovalResult | Writer::ProviderResult);
                let names = if is_decision { &mut decisions } else { &mut others };
                names.insert(analysis.names.name(write.variable));
            }
        }
    }
    let lists = service.variable_lists().flat_map(|(_, variables)| variables);
    others.extend(lists.filter(|variable| variable.is_preset()).filter_map(|variable| variable.name.value()));
    let fields = || service.forms().flat_map(|(form, _)| &form.form.fields);
    others.extend(fields().filter_map(|field| Some(field.target()?.1)));
    let may_be_any = service.model.has_broken_file
        || fields().any(|field| field.is_opaque())
        || service.workflows.iter().any(|analysis| !analysis.scope.declarations.are_there);
    if may_be_any {
        return HashSet::default();
    }
    let is_provided = |name: &str| service.workflows.iter().any(|analysis| analysis.scope.is_system(name));
    let begins_with_one = |name: &str| {
        let ends = name.char_indices().map(|(end, _)| end).chain([name.len()]);
        ends.filter_map(|end| name.get(..end)).any(|beginning| prefixes.contains(beginning))
    };
    decisions.retain(|name| !others.contains(name) && !begins_with_one(name) && !is_provided(name));
    decisions
}

//! The types of the operands of conditions.

use super::service::AnalyzedService;
use crate::collections::{HashSet, PrefixMap};
use crate::graph::{Analysis, Writer, all_writes};
use crate::model::{Activity, Binding, FILE_TYPE, Literal};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandType<'a> {
    /// A literal, or a variable that only holds booleans.
    Boolean,
    Number,
    Text(&'a str),
    /// The name of a variable of type `File`.
    File(&'a str),
}

impl OperandType<'_> {
    /// Whether two operands can never be equal. An unset variable equals the empty string (docs/concepts.md, Flow).
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
    /// Variables with no other writers than `approvalResult` and `providerResult`.
    booleans: HashSet<&'c str>,
}

impl<'c> OperandTypes<'c> {
    pub fn of(service: &'c AnalyzedService<'_>) -> Self {
        Self { booleans: boolean_variables(service) }
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
            return self.booleans.contains(name).then_some(OperandType::Boolean);
        }
        Some(match binding.literal()?.1 {
            Literal::Boolean(_) => OperandType::Boolean,
            Literal::Number(_) => OperandType::Number,
            Literal::Text(text) => OperandType::Text(text),
            Literal::Null => OperandType::Text(""),
        })
    }
}

fn boolean_variables<'c>(service: &'c AnalyzedService<'_>) -> HashSet<&'c str> {
    let mut booleans = HashSet::default();
    // Variables with a writer that may give them another value.
    let mut others: HashSet<&str> = HashSet::default();
    let mut written_prefixes: PrefixMap<()> = PrefixMap::default();
    for analysis in &service.workflows {
        for effects in &analysis.effects {
            if let Some(prefix) = effects.may_write {
                written_prefixes.of(prefix);
            }
        }
        for write in all_writes(&analysis.effects) {
            let is_boolean = matches!(write.by, Writer::ApprovalResult | Writer::ProviderResult);
            let names = if is_boolean { &mut booleans } else { &mut others };
            names.insert(analysis.names.name(write.variable));
        }
    }
    if booleans.is_empty() {
        return booleans;
    }
    let lists = service.variable_lists().flat_map(|(_, variables)| variables);
    others.extend(lists.filter(|variable| variable.is_preset()).filter_map(|variable| variable.name.value()));
    let fields = || service.forms().flat_map(|(form, _)| &form.form.fields);
    others.extend(fields().filter_map(|field| Some(field.target()?.1)));
    let has_unknown_writers = service.model.has_broken_file
        || fields().any(|field| field.is_opaque())
        || service.workflows.iter().any(|analysis| !analysis.scope.declarations.are_there);
    if has_unknown_writers {
        return HashSet::default();
    }
    let may_be_written = |name: &str| written_prefixes.has_prefix_of(name);
    booleans.retain(|name| !others.contains(name) && !may_be_written(name) && !service.is_system(name));
    booleans
}

//! What the value of a variable is used for, as far as the workflows show it.

use crate::catalog::{Method, ParameterKind, ValueType};
use crate::collections::{HashMap, HashSet};
use crate::facts::{Context, sinks_of_kind};
use crate::model::{ActivityKind, Expression, Operand};

/// The kinds of parameters whose values have a form of their own, the most telling first.
const KINDS: [ParameterKind; 8] = [
    ParameterKind::PersonalId,
    ParameterKind::Mail,
    ParameterKind::Days,
    ParameterKind::Uri,
    ParameterKind::LdapFilter,
    ParameterKind::Identity,
    ParameterKind::CaseJson,
    ParameterKind::PropertyList,
];

/// What the variables of a service are used for.
pub struct Needs<'c> {
    kinds: HashMap<&'c str, ParameterKind>,
    types: HashMap<&'c str, ValueType>,
    /// The static text that each variable is compared with: that which ends a loop, otherwise the first.
    compared: HashMap<&'c str, (bool, &'c str)>,
    files: HashSet<&'c str>,
}

impl<'c> Needs<'c> {
    pub fn of(context: &'c Context<'_>) -> Self {
        let mut kinds = HashMap::default();
        for kind in KINDS {
            let sinks = match kind {
                ParameterKind::PersonalId => context.personal_ids().keys().copied().collect::<Vec<_>>(),
                _ => sinks_of_kind(context, kind).into_keys().collect(),
            };
            for variable in sinks {
                kinds.entry(variable).or_insert(kind);
            }
        }
        let mut needs =
            Self { kinds, types: HashMap::default(), compared: HashMap::default(), files: HashSet::default() };
        needs.add_types(context);
        needs.add_comparisons(context);
        let variables = context.variable_lists().flat_map(|(_, variables)| variables);
        needs.files = variables.filter(|variable| variable.is_file()).filter_map(|it| it.name.value()).collect();
        needs
    }

    fn add_types(&mut self, context: &'c Context<'_>) {
        for site in context.providers() {
            for parameter in site.provider.parameters() {
                let binding = parameter.value.get();
                let (Some(name), Some((_, variable))) =
                    (parameter.name.value(), binding.and_then(|binding| binding.target()))
                else {
                    continue;
                };
                let known = site.outputs.method.and_then(|method: &Method| method.parameter(name));
                let written = parameter.value_type.value();
                let own = [ValueType::Decimal, ValueType::Boolean].into_iter().find(|own| written == Some(own.word()));
                if let Some(value_type) = known.and_then(|known| known.value_type).or(own) {
                    self.types.entry(variable).or_insert(value_type);
                }
            }
        }
    }

    fn add_comparisons(&mut self, context: &'c Context<'_>) {
        for (_, activity) in context.activities() {
            let Some(expression) = activity.expression() else { continue };
            let is_loop = matches!(activity.kind, ActivityKind::While { .. });
            let Some((variable, text)) = comparison(expression) else { continue };
            let operand = expression.operand.value();
            // `notEqual` keeps a loop going until the variable has this text, `equal` while it has it.
            if is_loop && operand != Some(Operand::NotEqual) {
                continue;
            }
            let known = self.compared.entry(variable).or_insert((is_loop, text));
            if is_loop && !known.0 {
                *known = (true, text);
            }
        }
    }

    pub fn kind(&self, variable: &str) -> Option<ParameterKind> {
        self.kinds.get(variable).copied()
    }

    pub fn value_type(&self, variable: &str) -> Option<ValueType> {
        self.types.get(variable).copied()
    }

    pub fn compared(&self, variable: &str) -> Option<&'c str> {
        self.compared.get(variable).map(|(_, text)| *text)
    }

    pub fn is_file(&self, variable: &str) -> bool {
        self.files.contains(variable)
    }
}

/// A variable and the text that it is compared with.
fn comparison<'c>(expression: &Expression<'c>) -> Option<(&'c str, &'c str)> {
    let (left, right) = (expression.left.get()?, expression.right.get()?);
    let (variable, other) = match (left.target(), right.target()) {
        (Some((_, variable)), None) => (variable, right),
        (None, Some((_, variable))) => (variable, left),
        _ => return None,
    };
    let (_, text) = other.literal_text()?;
    (!text.trim().is_empty()).then_some((variable, text))
}

//! Conditions that compare what a person chooses in a drop-down with something that it does not offer.

use super::service::AnalyzedService;
use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::graph::{Analysis, Condition, FieldTarget, OperandValue, VarId};
use crate::model::{Field, Literal};

/// A comparison with a value that is no item of the restricted drop-down whose choice it tests.
pub struct MissingItem<'a> {
    /// Of the order form with the drop-down.
    pub file: FileId,
    pub field: &'a Field<'a>,
    /// `dropdownItems`.
    pub items: NodeId,
    pub compared: Literal<'a>,
    /// The item that was most likely meant.
    pub near: Option<&'a str>,
}

/// The item that a condition misses; `None` if the value may be an item, or come from outside unless it resembles one. Nothing
/// is missed by the empty string: workflows test whether there is a value.
pub fn missing_item<'a>(
    service: &AnalyzedService<'a>,
    analysis: &Analysis<'a>,
    condition: &Condition<'a>,
) -> Option<MissingItem<'a>> {
    let (variable, compared) = variable_and_literal(condition)?;
    let choice = analysis.choice(variable).filter(|choice| !compared.is_empty() && !choice.offers(compared))?;
    let name = analysis.names.name(variable);
    let order_forms = service.forms().filter(|(form, _)| form.is_order_form);
    let mut fields =
        order_forms.flat_map(|(form, scope)| form.form.fields.iter().map(move |field| (form, scope, field)));
    let (form, _, field) =
        fields.find(|(_, scope, field)| FieldTarget::of(field, scope) == FieldTarget::Variable(name))?;
    let items = &field.properties().items;
    let values = items.get()?.iter().filter_map(|item| item.value.value());
    let near = match compared {
        Literal::Text(text) => service.suggester.nearest(text, values),
        _ => None,
    };
    if !choice.is_only_source && near.is_none() {
        return None;
    }
    Some(MissingItem { file: form.file, field, items: items.node()?, compared, near })
}

fn variable_and_literal<'a>(condition: &Condition<'a>) -> Option<(VarId, Literal<'a>)> {
    match (condition.left, condition.right) {
        (OperandValue::Variable(variable), OperandValue::Literal(literal))
        | (OperandValue::Literal(literal), OperandValue::Variable(variable)) => Some((variable, literal)),
        _ => None,
    }
}

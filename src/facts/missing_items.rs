//! Conditions that compare what a person chooses in a drop-down with something that it does not offer.

use super::filled_by_scripts::FilledByScripts;
use super::service::AnalyzedService;
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::graph::{Analysis, Condition, FieldTarget, OperandValue, VarId};
use crate::model::{Field, Item, Literal, Variable};
use crate::project::FormDocument;

/// Shorter values, such as sizes, are often similar to each other. In characters.
const MIN_SIMILAR: usize = 3;

/// A comparison with a value that is no item of the restricted drop-down whose choice it tests.
pub struct MissingItem<'a> {
    /// Of the order form with the drop-down.
    pub file: FileId,
    pub field: &'a Field<'a>,
    /// `dropdownItems`.
    pub items: NodeId,
    pub variable: VarId,
    pub compared: Literal<'a>,
    /// The item that was most likely meant.
    pub near: Option<&'a str>,
}

/// The item that a condition misses. `None` if the value may be an item, its label or the initial value of the variable, or
/// if it may come from elsewhere: from a script, or from outside unless it resembles an item. Nothing is missed by the empty
/// string: workflows test whether there is a value.
pub fn missing_item<'a>(
    service: &AnalyzedService<'a>,
    analysis: &Analysis<'a>,
    condition: &Condition<'a>,
) -> Option<MissingItem<'a>> {
    let (variable, compared) = variable_and_literal(condition)?;
    let choice = analysis.choice(variable).filter(|choice| !compared.is_empty() && !choice.offers(compared))?;
    let name = analysis.names.name(variable);
    let (form, field) = drop_down_of(service, name)?;
    let items = &field.properties().items;
    let values = items.get()?;
    let is_label = values.iter().any(|item| has_label(form.document, item, compared));
    let declared = &analysis.scope.declarations;
    let is_initial = |variable: &Variable<'_>| {
        variable.value().value().is_some_and(|value| Literal::Text(value).describe() == compared.describe())
    };
    if is_label
        || declared.named(name).any(|declared| is_initial(declared.variable))
        || FilledByScripts::of(form.form).contains(field, Some(name))
    {
        return None;
    }
    let near = match compared {
        Literal::Text(text) => service
            .suggester
            .nearest(text, values.iter().filter_map(|item| item.value.value()))
            .filter(|near| is_slip(text, near)),
        _ => None,
    };
    let is_reported = choice.is_only_source() || near.is_some();
    is_reported.then_some(MissingItem { file: form.file, field, items: items.node()?, variable, compared, near })
}

fn variable_and_literal<'a>(condition: &Condition<'a>) -> Option<(VarId, Literal<'a>)> {
    match (condition.left, condition.right) {
        (OperandValue::Variable(variable), OperandValue::Literal(literal))
        | (OperandValue::Literal(literal), OperandValue::Variable(variable)) => Some((variable, literal)),
        _ => None,
    }
}

/// The field of the order form that fills a variable.
fn drop_down_of<'a>(service: &AnalyzedService<'a>, name: &str) -> Option<(&'a FormDocument<'a>, &'a Field<'a>)> {
    let mut order_forms = service.forms().filter(|(form, _)| form.is_order_form);
    order_forms.find_map(|(form, scope)| {
        let mut fields = form.form.fields.iter();
        fields.find(|field| FieldTarget::of(field, scope) == FieldTarget::Variable(name)).map(|field| (form, field))
    })
}

/// Whether the label of an item is a text, in some language: whether a variable gets the value or the label is not shown by
/// the platform.
fn has_label(document: &Document, item: &Item<'_>, text: Literal<'_>) -> bool {
    let Literal::Text(text) = text else { return false };
    let Some(label) = document.member(item.node, "label") else { return false };
    let is_text = |node| document.string(node) == Some(text);
    is_text(label) || document.children(label).any(is_text)
}

/// Whether a value that resembles an item is a misspelt one, and not another size or number.
fn is_slip(text: &str, item: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|character| !character.is_ascii_digit()).collect::<String>();
    text.eq_ignore_ascii_case(item) || text.chars().count() >= MIN_SIMILAR && letters(text) != letters(item)
}

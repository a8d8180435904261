//! Conditions that compare what a person chooses in a drop-down with something that it does not offer.

use std::cell::OnceCell;

use super::filled_by_scripts::FilledByScripts;
use super::service::AnalyzedService;
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::graph::{Analysis, Condition, FieldTarget, OperandValue, VarId};
use crate::model::{Field, Item, Literal, Variable};
use crate::project::FormDocument;

/// Shorter values, such as codes, are often similar to each other. In characters.
const MIN_SIMILAR: usize = 3;

/// A comparison with a value that no item of the restricted drop-down has whose choice it tests.
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
    /// Whether the variable has no value from outside.
    pub is_only_source: bool,
}

/// The drop-downs of the order form of a service, looked up at the first use.
pub struct DropDowns<'s, 'a> {
    service: &'s AnalyzedService<'a>,
    known: OnceCell<Option<OrderForm<'s, 'a>>>,
}

struct OrderForm<'s, 'a> {
    form: &'a FormDocument<'a>,
    /// By the variable that it fills.
    fields: HashMap<&'s str, &'a Field<'a>>,
    filled: FilledByScripts<'a, 'a>,
}

impl<'s, 'a> OrderForm<'s, 'a> {
    fn of(service: &'s AnalyzedService<'a>) -> Option<Self> {
        let (form, scope) = service.forms().find(|(form, _)| form.is_order_form)?;
        let targets = form.form.fields.iter().filter_map(|field| match FieldTarget::of(field, scope) {
            FieldTarget::Variable(name) => Some((name, field)),
            FieldTarget::Nothing | FieldTarget::Unknown => None,
        });
        Some(Self { form, fields: targets.collect(), filled: FilledByScripts::of(form.form) })
    }
}

impl<'s, 'a> DropDowns<'s, 'a> {
    pub const fn of(service: &'s AnalyzedService<'a>) -> Self {
        Self { service, known: OnceCell::new() }
    }

    /// The item that a condition misses. `None` if the value may be an item, its label or the initial value of the variable,
    /// or if it may come from elsewhere: from a script, or from outside unless it resembles an item. Nothing is missed by
    /// the empty string: workflows test whether there is a value.
    pub fn missing_item(&self, analysis: &Analysis<'a>, condition: &Condition<'a>) -> Option<MissingItem<'a>> {
        let (variable, compared) = variable_and_literal(condition)?;
        let choice = analysis.choice(variable).filter(|choice| !compared.is_empty() && !choice.offers(compared))?;
        let name = analysis.names.name(variable);
        let OrderForm { form, fields, filled } = self.known.get_or_init(|| OrderForm::of(self.service)).as_ref()?;
        let &field = fields.get(name)?;
        let items = &field.properties().items;
        let values = items.get()?;
        let is_label = values.iter().any(|item| has_label(form.document, item, compared));
        let declared = &analysis.scope.declarations;
        let is_initial = |variable: &Variable<'_>| {
            variable.value().value().is_some_and(|value| Literal::Text(value).describe() == compared.describe())
        };
        if is_label
            || declared.named(name).any(|declared| is_initial(declared.variable))
            || filled.contains(field, Some(name))
        {
            return None;
        }
        let near = match compared {
            Literal::Text(text) => self
                .service
                .suggester
                .nearest(text, values.iter().filter_map(|item| item.value.value()))
                .filter(|near| is_slip(text, near)),
            _ => None,
        };
        let is_only_source = choice.is_only_source();
        let missing =
            MissingItem { file: form.file, field, items: items.node()?, variable, compared, near, is_only_source };
        (is_only_source || near.is_some()).then_some(missing)
    }
}

fn variable_and_literal<'a>(condition: &Condition<'a>) -> Option<(VarId, Literal<'a>)> {
    match (condition.left, condition.right) {
        (OperandValue::Variable(variable), OperandValue::Literal(literal))
        | (OperandValue::Literal(literal), OperandValue::Variable(variable)) => Some((variable, literal)),
        _ => None,
    }
}

/// Whether an item has this label, in some language: whether a variable gets the value or the label is not shown by
/// the platform.
fn has_label(document: &Document, item: &Item<'_>, text: Literal<'_>) -> bool {
    let Literal::Text(text) = text else { return false };
    let Some(label) = document.member(item.node, "label") else { return false };
    let is_text = |node| document.string(node) == Some(text);
    is_text(label) || document.children(label).any(is_text)
}

/// Whether a value that resembles an item is a misspelled one, and not a short code or another number.
fn is_slip(text: &str, item: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|character| !character.is_ascii_digit()).collect::<String>();
    text.eq_ignore_ascii_case(item) || text.chars().count() >= MIN_SIMILAR && letters(text) != letters(item)
}

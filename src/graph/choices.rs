//! Restricted drop-downs: a person chooses the value of a variable among their items.

use super::effects::{Condition, Effects, VarId, VariableNames};
use super::form_users::all_writes;
use super::scope::Scope;
use super::usage::FieldTarget;
use super::value::{AbstractValue, Constant, MAX_EXCLUSIONS};
use crate::collections::{HashMap, HashSet};
use crate::model::{Field, FieldType, Form, Literal, Variable};
use crate::project::ServiceModel;

/// What a person chooses in a drop-down.
#[derive(Debug, Clone)]
pub struct Choice<'p> {
    /// The values of the items.
    items: Vec<Constant<'p>>,
    is_required: bool,
    /// Whether the variable may have another value when the order begins, such as that of an input parameter.
    is_preset: bool,
}

/// By variable.
pub type Choices<'p> = HashMap<VarId, Choice<'p>>;

impl Choice<'_> {
    /// Whether an item equals a value in a condition.
    pub fn offers(&self, value: Literal<'_>) -> bool {
        let value = Constant::literal(value);
        self.items.iter().any(|item| item.equals(value))
    }

    /// Whether no other value than an item, or nothing, is known of.
    pub const fn is_only_source(&self) -> bool {
        !self.is_preset
    }

    /// Whether a value is none of the items although one has to be chosen.
    pub fn is_excluded(&self, value: &AbstractValue<'_>) -> bool {
        self.is_required && !self.is_preset && self.items.iter().all(|item| value.equals(*item) == Some(false))
    }
}

/// A restricted drop-down.
pub struct DropDown<'p> {
    items: Vec<&'p str>,
    is_required: bool,
}

/// The variables that a restricted drop-down of the only order form fills.
pub fn choices_of_form<'p>(model: &'p ServiceModel<'p>, scopes: &[Scope<'p>]) -> HashMap<&'p str, DropDown<'p>> {
    let mut order_forms = model.forms.iter().zip(scopes).filter(|(form, _)| form.is_order_form);
    let (Some((form, scope)), None) = (order_forms.next(), order_forms.next()) else { return HashMap::default() };
    let form = form.form;
    if model.has_broken_file || has_closed_section(form) {
        return HashMap::default();
    }
    let mut choices: HashMap<&str, Option<DropDown<'_>>> = HashMap::default();
    for field in &form.fields {
        match FieldTarget::of(field, scope) {
            // What two fields write to one variable is not documented.
            FieldTarget::Variable(name) => {
                choices.entry(name).and_modify(|known| *known = None).or_insert_with(|| drop_down(field));
            }
            FieldTarget::Nothing => {}
            FieldTarget::Unknown => return HashMap::default(),
        }
    }
    choices.into_iter().filter_map(|(name, drop_down)| Some((name, drop_down?))).collect()
}

/// Whether a section hides the fields inside it, or makes them readonly.
fn has_closed_section(form: &Form<'_>) -> bool {
    let mut sections = form.fields.iter().filter(|field| field.field_type == FieldType::FormSection);
    sections.any(is_closed)
}

fn is_closed(field: &Field<'_>) -> bool {
    [field.hidden, field.readonly].iter().any(|flag| flag.is_true() || flag.is_unknown())
}

/// The drop-down of a field in which a person can choose one item at most.
fn drop_down<'d>(field: &Field<'d>) -> Option<DropDown<'d>> {
    let properties = field.properties();
    let is_restricted = field.field_type == FieldType::DropDown
        && properties.is_restricted.is_true()
        && !is_closed(field)
        && ![properties.is_multi_select, properties.is_dynamic].iter().any(|flag| flag.is_true() || flag.is_unknown());
    let items = properties.items.get().filter(|_| is_restricted)?;
    let items: Vec<&str> = items.iter().map(|item| item.value.value()).collect::<Option<_>>()?;
    // A path excludes no more values than these.
    let is_followed = (1..=MAX_EXCLUSIONS).contains(&items.len());
    is_followed.then(|| DropDown { items, is_required: field.required.is_true() })
}

/// The choices of compared variables that hold for as long as a workflow runs: only the order form writes these while it
/// runs.
pub fn choices_of_workflow<'p>(
    of_form: &HashMap<&str, DropDown<'p>>,
    scope: &Scope<'_>,
    names: &VariableNames<'_>,
    effects: &[Effects<'_>],
    is_written_outside: impl Fn(&str) -> bool,
) -> Choices<'p> {
    if of_form.is_empty() {
        return Choices::default();
    }
    let written = names.set(all_writes(effects).map(|write| write.variable));
    let prefixes: HashSet<&str> = effects.iter().filter_map(|effects| effects.may_write).collect();
    let is_written = |id: VarId, name: &str| {
        let mut ends = 0..=name.len();
        written.contains(id.0 as usize)
            || !prefixes.is_empty() && ends.any(|end| name.get(..end).is_some_and(|start| prefixes.contains(start)))
    };
    let is_fixed = |id: VarId, name: &str| {
        let declarations = &scope.declarations;
        declarations.are_there && !is_written(id, name) && !is_written_outside(name) && !scope.is_provided(name)
    };
    let compared: HashSet<VarId> =
        effects.iter().filter_map(|effects| effects.condition.as_deref()).flat_map(Condition::variables).collect();
    let choice = |name: &str, drop_down: &DropDown<'p>| Choice {
        items: drop_down.items.iter().map(|item| Constant::text(item)).collect(),
        is_required: drop_down.is_required,
        is_preset: scope.declarations.named(name).any(|declared| Variable::is_preset(declared.variable)),
    };
    of_form
        .iter()
        .filter_map(|(name, drop_down)| Some((names.id(name)?, *name, drop_down)))
        .filter(|&(id, name, _)| compared.contains(&id) && is_fixed(id, name))
        .map(|(id, name, drop_down)| (id, choice(name, drop_down)))
        .collect()
}

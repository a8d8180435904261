//! What holds when a workflow starts: the values of variables, and what a person has chosen in restricted drop-downs.

use smallvec::SmallVec;

use super::effects::{Condition, Effects, VarId, VariableNames};
use super::scope::Scope;
use super::usage::{FieldTarget, Usage};
use super::value::{AbstractValue, Constant, MAX_EXCLUSIONS};
use crate::common::collections::{HashMap, HashSet};
use crate::model::{Field, FieldType, Form, Literal, Variable};
use crate::project::ServiceModel;
use crate::text::diagnostic::FileId;

/// What order forms do before a workflow starts.
pub struct BeforeStart<'p> {
    /// The variables that they fill; `None` if these may be any.
    filled: Option<HashSet<&'p str>>,
    /// The variables that a restricted drop-down of the only order form fills.
    choices: HashMap<&'p str, DropDown<'p>>,
}

impl<'p> BeforeStart<'p> {
    /// `scopes` are those of the forms.
    pub fn of(model: &'p ServiceModel<'p>, scopes: &[Scope<'p>]) -> Self {
        Self { filled: filled_by_order_forms(model, scopes), choices: choices_of_form(model, scopes) }
    }
}

/// The variables that an order form fills before the workflow starts (docs/platform.md, Workflow document); `None` if
/// it may be any variable. A file that cannot be read may be such a form, or a workflow that runs before.
fn filled_by_order_forms<'p>(model: &'p ServiceModel<'p>, scopes: &[Scope<'p>]) -> Option<HashSet<&'p str>> {
    if model.has_broken_file {
        return None;
    }
    let forms = model.forms.iter().zip(scopes).filter(|(form, _)| form.is_order_form);
    let mut filled = HashSet::default();
    for (form, scope) in forms {
        for field in &form.form.fields {
            let target = FieldTarget::of(field, scope);
            filled.extend(target.also_meant(field, scope));
            match target {
                FieldTarget::Variable(name) => drop(filled.insert(name)),
                FieldTarget::Nothing => {}
                FieldTarget::Unknown => return None,
            }
        }
    }
    Some(filled)
}

/// The state of each variable at the entry of a workflow.
pub struct Start<'s, 'p> {
    pub before: &'s BeforeStart<'p>,
    pub file: FileId,
    pub scope: &'s Scope<'p>,
    pub names: &'s VariableNames<'p>,
    pub usage: &'s Usage<'p>,
}

impl<'p> Start<'_, 'p> {
    /// Whether a variable is definitely assigned, and its value.
    pub fn of(&self, id: VarId) -> (bool, AbstractValue<'p>) {
        let name = self.names.name(id);
        let declarations = &self.scope.declarations;
        // The order form, another workflow or the platform may have given it any value. Without declarations, every
        // variable may be one of these.
        let is_written_before = self.before.filled.as_ref().is_none_or(|filled| filled.contains(name))
            || self.usage.is_filled_by_order(name)
            || self.usage.is_written_outside(self.file, name)
            || !declarations.are_there
            || self.scope.is_provided(name);
        let declared: SmallVec<[&Variable<'p>; 2]> =
            declarations.named(name).map(|declared| declared.variable).collect();
        let is_preset = declared.iter().any(|variable| variable.is_preset());
        // The declared value is a constant only if nothing, such as the caller of the workflow, can replace it.
        let only_by_value = declared.iter().all(|variable| variable.is_preset_by_value_alone());
        let value = declared.iter().find_map(|variable| variable.value().value().filter(|value| !value.is_empty()));
        let value = value.filter(|_| !is_written_before && only_by_value);
        let is_unset = !is_written_before && !is_preset;
        // A variable without any writer counts as assigned: WF302 reports it, so that WF303 does not.
        let assigned = !is_unset || !self.usage.has_known_writer(name);
        let value = match value {
            Some(value) => AbstractValue::Is(Constant::text(value)),
            None if is_unset => AbstractValue::Unset,
            None => AbstractValue::Any,
        };
        (assigned, value)
    }
}

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
struct DropDown<'p> {
    items: Vec<&'p str>,
    is_required: bool,
}

/// The variables that a restricted drop-down of the only order form fills.
fn choices_of_form<'p>(model: &'p ServiceModel<'p>, scopes: &[Scope<'p>]) -> HashMap<&'p str, DropDown<'p>> {
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
    before: &BeforeStart<'p>,
    scope: &Scope<'_>,
    names: &VariableNames<'_>,
    effects: &[Effects<'_>],
    usage: &Usage<'_>,
) -> Choices<'p> {
    if before.choices.is_empty() {
        return Choices::default();
    }
    let is_fixed =
        |name: &str| scope.declarations.are_there && !usage.is_written_during_runs(name) && !scope.is_provided(name);
    let compared: HashSet<VarId> =
        effects.iter().filter_map(|effects| effects.condition.as_deref()).flat_map(Condition::variables).collect();
    let choice = |name: &str, drop_down: &DropDown<'p>| Choice {
        items: drop_down.items.iter().map(|item| Constant::text(item)).collect(),
        is_required: drop_down.is_required,
        is_preset: scope.declarations.named(name).any(|declared| Variable::is_preset(declared.variable)),
    };
    before
        .choices
        .iter()
        .filter_map(|(name, drop_down)| Some((names.id(name)?, *name, drop_down)))
        .filter(|(id, name, _)| compared.contains(id) && is_fixed(name))
        .map(|(id, name, drop_down)| (id, choice(name, drop_down)))
        .collect()
}

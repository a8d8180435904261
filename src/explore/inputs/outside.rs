//! Variables that are set from outside before an order begins.

use crate::common::collections::{HashMap, HashSet};
use crate::facts::{Context, ProviderSite, inferred_outputs};
use crate::graph::{Analysis, Prefix, VarId, Writer};
use crate::model::{Form, Variable};
use crate::synth::default_value;

/// A variable that is set from outside.
pub struct Outside<'a> {
    pub name: String,
    /// Its own value, if it has one that may be replaced.
    pub default: Option<&'a str>,
}

/// By name, the first declaration of each variable of a service.
pub struct Declarations<'c, 'a>(HashMap<&'c str, &'c Variable<'a>>);

impl<'c, 'a> Declarations<'c, 'a> {
    pub fn of(context: &'c Context<'a>) -> Self {
        let mut declared = HashMap::default();
        for variable in context.variable_lists().flat_map(|(_, variables)| variables) {
            if let Some(name) = variable.name.value() {
                declared.entry(name).or_insert(variable);
            }
        }
        Self(declared)
    }
}

/// The variables that the workflow reads and something outside sets: input parameters and variables of the platform
/// (even if an activity writes them later), variables that only other workflows write, and without a form those that no
/// activity writes.
pub fn outside<'a>(
    context: &Context<'a>,
    analysis: &Analysis<'a>,
    Declarations(declared): &Declarations<'_, 'a>,
    form: Option<&Form<'a>>,
) -> Vec<Outside<'a>> {
    let filled = filled(form);
    let mut written: HashSet<String> = HashSet::default();
    let writes = analysis.effects.iter().flat_map(|effects| &effects.writes).filter(|it| it.by != Writer::Form);
    written.extend(writes.map(|write| analysis.names.name(write.variable).to_owned()));
    let inferred = inferred_outputs(context, analysis);
    for site in ProviderSite::of(analysis) {
        if let (Some(outputs), Prefix::Static(prefix)) = (inferred.get(&site.activity.id), site.outputs.prefix) {
            written.extend(outputs.names.iter().map(|name| format!("{prefix}{name}")));
        }
    }
    let value_of = |name: &str| declared.get(name)?.value().value().filter(|value| !value.is_empty());
    let is_outside = |name: &str| {
        let is_provided = analysis.scope.is_provided(name);
        let Some(variable) = declared.get(name) else { return is_provided && !filled.contains(name) };
        if filled.contains(name) {
            return false;
        }
        if is_provided || is_set(variable) {
            return true;
        }
        let may_be_set = form.is_none() || context.usage.has_known_writer(name);
        value_of(name).is_none() && may_be_set && !written.contains(name)
    };
    let mut read: Vec<VarId> =
        analysis.effects.iter().flat_map(|effects| &effects.reads).map(|read| read.variable).collect();
    read.sort_unstable();
    read.dedup();
    let names = read.into_iter().map(|variable| analysis.names.name(variable));
    let mut found: Vec<&str> = names.filter(|name| is_outside(name)).collect();
    let mut known: HashSet<&str> = found.iter().copied().collect();
    found.extend(unfillable(form).into_iter().filter(|name| value_of(name).is_none() && known.insert(name)));
    found.into_iter().map(|name| Outside { name: name.to_owned(), default: value_of(name) }).collect()
}

/// Whether its declaration says that something outside sets it.
fn is_set(variable: &Variable<'_>) -> bool {
    [variable.details().is_input, variable.details().is_system, variable.details().is_bound_to_setup_form]
        .iter()
        .any(|flag| flag.value() == Some(true))
}

/// The variables that the form sets.
fn filled<'f>(form: Option<&'f Form<'_>>) -> HashSet<&'f str> {
    let Some(form) = form else { return HashSet::default() };
    let fields = form.fields.iter().zip(form.hidden());
    let sets = fields.filter(|(field, is_hidden)| {
        let is_fixed = *is_hidden || field.readonly.value() == Some(true);
        !is_fixed || default_value(field).is_some()
    });
    sets.filter_map(|(field, _)| field.target()).map(|(_, name)| name).collect()
}

/// The variables of required fields that no person can fill in, and that have no default: the form asks for a value.
fn unfillable<'f>(form: Option<&'f Form<'_>>) -> Vec<&'f str> {
    let Some(form) = form else { return Vec::new() };
    let fields = form.fields.iter().zip(form.hidden());
    let unfillable = fields.filter(|(field, is_hidden)| {
        let is_fixed = *is_hidden || field.readonly.value() == Some(true);
        is_fixed && field.required.value() == Some(true) && default_value(field).is_none()
    });
    unfillable.filter_map(|(field, _)| field.target()).map(|(_, name)| name).collect()
}

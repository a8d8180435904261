//! A method, put together from its calls.

use std::collections::BTreeSet;

use super::observe::{Call, SeenParameter};
use crate::catalog::{Additional, Method, Output, Parameter, ParameterKind, Usage, ValueType};
use crate::common::collections::{HashMap, HashSet};
use crate::text::quote;

/// The parameter with the prefix of the outputs (docs/platform.md, Outputs).
const PREFIX: &str = "Prefix";

/// A method, as its calls show it.
#[derive(Debug)]
pub(super) struct InferredMethod {
    pub method: Method,
    pub calls: Vec<Call>,
    /// The description in a catalog that it amends.
    pub(super) known: Option<Method>,
    pub(super) notes: Vec<String>,
    /// The rules that would report it if its outputs were not open.
    reported_by: BTreeSet<&'static str>,
}

impl InferredMethod {
    pub fn of(name: &str, calls: Vec<Call>) -> Self {
        let mut inferred = Self::without_details(name, calls);
        inferred.add_identity();
        inferred.add_parameters();
        inferred.add_additional();
        inferred.add_outputs();
        inferred
    }

    pub(super) fn without_details(name: &str, calls: Vec<Call>) -> Self {
        let (known, notes, reported_by) = Default::default();
        Self { method: Method::new(name), calls, known, notes, reported_by }
    }

    /// Where it is first called.
    pub fn place(&self) -> &str {
        self.calls.first().map_or("", |call| &call.place)
    }

    /// The module of the first call that names one.
    pub fn first_module(&self) -> Option<&str> {
        self.calls.iter().find_map(|call| call.module.as_deref())
    }

    /// The module that all calls name.
    pub fn module(&self) -> Option<&str> {
        agreed(self.calls.iter().map(|call| call.module.as_deref()))
    }

    /// The package that all calls name.
    pub fn package(&self) -> Option<&str> {
        agreed(self.calls.iter().map(|call| call.package.as_deref()))
    }

    pub fn is_open(&self) -> bool {
        self.method.has_open_outputs()
    }

    /// Opens its outputs, as these rules would report it otherwise.
    pub fn open(&mut self, rules: &BTreeSet<&'static str>) {
        if self.is_amendment() {
            return;
        }
        self.method.open_outputs = Some(true);
        self.reported_by.extend(rules);
    }

    /// What is not known, and what calls contradict each other about.
    pub fn notes(&mut self) -> Vec<String> {
        let mut notes = std::mem::take(&mut self.notes);
        if self.is_open() {
            let call = self.calls.iter().find(|call| call.outputs.are_open).or(self.calls.first());
            let place = call.map_or("", |call| &call.place);
            let rules: Vec<&str> = self.reported_by.iter().copied().collect();
            let reason = match call.map(|call| &call.prefix) {
                _ if !rules.is_empty() => format!("there would be new findings otherwise ({})", rules.join(", ")),
                Some(None) => "the prefix is not static".to_owned(),
                Some(Some(prefix)) if prefix.is_empty() => "no prefix shows which variables it writes".to_owned(),
                _ => "the variables do not show all of them".to_owned(),
            };
            notes
                .push(format!("{place}: note: the outputs of {} are open, because {reason}", quote(&self.method.name)));
        }
        notes
    }

    pub(super) fn note(&mut self, place: &str, what: &str) {
        self.notes.push(format!("{place}: note: {what}"));
    }

    pub(super) fn add_identity(&mut self) {
        let name = quote(&self.method.name);
        self.method.method_id = agreed(self.calls.iter().map(|call| call.method_id));
        let places: Vec<(String, String)> = [
            disagreeing(&self.calls, "`methodId`", |call| call.method_id.map(|id| id.to_string())),
            disagreeing(&self.calls, "`package`", |call| call.package.clone()),
            disagreeing(&self.calls, "`module`", |call| call.module.clone()),
        ]
        .into_iter()
        .flatten()
        .collect();
        for (place, what) in places {
            self.note(&place, &format!("{what}; left out of {name}"));
        }
        let near = self.calls.iter().find_map(|call| Some((call.place.clone(), call.near.clone()?)));
        if let Some((place, near)) = near {
            self.note(&place, &format!("{name} is not in a catalog, but {} is: a typo?", quote(&near)));
        }
    }

    fn add_parameters(&mut self) {
        let mut order: Vec<&str> = Vec::new();
        let mut by_name: HashMap<&str, Vec<&SeenParameter>> = HashMap::default();
        let is_prefix = |parameter: &&SeenParameter| parameter.name == PREFIX;
        for call in &self.calls {
            let mut known = HashSet::default();
            for parameter in call.declared.iter().chain(call.additional.iter().filter(is_prefix)) {
                // Which of two with one name counts is not documented.
                if known.insert(&parameter.name) {
                    let seen = by_name.entry(&parameter.name).or_default();
                    if seen.is_empty() {
                        order.push(&parameter.name);
                    }
                    seen.push(parameter);
                }
            }
        }
        let mut notes = Vec::new();
        let mut parameters = Vec::new();
        for name in order {
            let seen = by_name.remove(name).unwrap_or_default();
            parameters.push(parameter(&self.method.name, name, &seen, self.calls.len(), &mut notes));
        }
        self.method.parameters = parameters;
        self.notes.extend(notes);
    }

    fn add_additional(&mut self) {
        let mut known: HashSet<&str> = HashSet::default();
        for parameter in self.calls.iter().flat_map(|call| &call.additional) {
            if parameter.name != PREFIX && known.insert(&parameter.name) {
                self.method.additional.push(Additional {
                    name: parameter.name.clone(),
                    usage: Usage::Used,
                    kind: None,
                    description: parameter.description.clone(),
                });
            }
        }
    }

    /// Outputs that every call can write; where calls show different ones, the method may have more than these.
    fn add_outputs(&mut self) {
        let mut names: Vec<&str> = Vec::new();
        let mut known: HashSet<&str> = HashSet::default();
        for name in self.calls.iter().flat_map(|call| &call.outputs.names) {
            if known.insert(name) {
                names.push(name);
            }
        }
        let all = names.len();
        names.retain(|name| self.calls.iter().all(|call| can_write(call, name)));
        let is_open = names.len() < all || self.calls.iter().any(|call| call.outputs.are_open);
        self.method.outputs = names.into_iter().map(Output::named).collect();
        self.method.open_outputs = is_open.then_some(true);
    }
}

/// Whether a variable can receive an output of a call, or it is not known.
fn can_write(call: &Call, output: &str) -> bool {
    let (Some(prefix), Some(variables)) = (&call.prefix, &call.variables) else { return true };
    variables.binary_search(&format!("{prefix}{output}")).is_ok()
}

/// What all have, if they have the same.
pub(super) fn agreed<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = values.next().flatten()?;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

/// Where a call gives another value than the first one that gives any, and what.
fn disagreeing(calls: &[Call], key: &str, value: impl Fn(&Call) -> Option<String>) -> Option<(String, String)> {
    let first = calls.iter().find_map(|call| Some((call, value(call)?)))?;
    let other = calls.iter().find_map(|call| {
        let value = value(call)?;
        (value != first.1).then_some((call, value))
    });
    let (call, other) = other?;
    Some((
        call.place.clone(),
        format!("conflicting {key}, {} here and {} at {}", quote(&other), quote(&first.1), first.0.place),
    ))
}

fn parameter(method: &str, name: &str, seen: &[&SeenParameter], calls: usize, notes: &mut Vec<String>) -> Parameter {
    let label = || format!("parameter {} of {}", quote(name), quote(method));
    let word = |word: &str| {
        [ValueType::String, ValueType::Decimal, ValueType::Boolean].into_iter().find(|known| known.word() == word)
    };
    let mut typed = seen.iter().filter_map(|seen| Some((seen, seen.value_type.as_deref()?)));
    let first = typed.next();
    let value_type = first.map_or(Some(ValueType::String), |(_, written)| word(written));
    match (first, value_type) {
        (Some((seen, written)), None) => {
            notes.push(format!(
                "{}: note: {} has the undocumented type {}, the type is left out",
                seen.place,
                label(),
                quote(written)
            ));
        }
        (None, _) => {
            if let Some(seen) = seen.first().filter(|_| name != PREFIX) {
                notes.push(format!("{}: note: {} has no type, \"string\" is used", seen.place, label()));
            }
        }
        _ => {}
    }
    if let Some((first, written)) = first
        && let Some((other, another)) = typed.find(|(_, other)| *other != written)
    {
        let (one, two) = (quote(written), quote(another));
        notes.push(format!("{}: note: {} has type {two} here and {one} at {}", other.place, label(), first.place));
    }
    // A call that gives another type contradicts the first, which counts.
    let misfit = value_type.and_then(|wanted| {
        let mut alike = seen.iter().filter(|seen| seen.value_type.as_deref().is_none_or(|own| own == wanted.word()));
        alike.find(|seen| seen.misfits.contains(&wanted))
    });
    if let Some(seen) = misfit {
        notes.push(format!("{}: note: {} has a value of another type, the type is left out", seen.place, label()));
    }
    let says_so = seen.iter().filter(|seen| seen.required == Some(true)).count();
    let required = says_so == calls;
    if !required && says_so > 0 {
        let first = seen.iter().find(|seen| seen.required == Some(true));
        let place = first.map_or("", |seen| &seen.place);
        notes.push(format!("{place}: note: {} is required here, but not in every call", label()));
    }
    let takes_files = !seen.is_empty() && seen.iter().any(|seen| seen.takes_file == Some(true));
    let takes_others = seen.iter().any(|seen| seen.takes_file == Some(false));
    let kind = match name {
        PREFIX => Some(ParameterKind::Prefix),
        _ if takes_files && !takes_others => Some(ParameterKind::File),
        _ => None,
    };
    Parameter {
        required,
        description: seen.iter().find_map(|seen| seen.description.clone()),
        kind,
        ..Parameter::new(name, value_type.filter(|_| misfit.is_none()))
    }
}

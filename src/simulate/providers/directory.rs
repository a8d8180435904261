//! The directory: members of groups, users and managers (docs/scenarios.md, The directory).

use std::sync::Arc;

use super::arguments::{Arguments, boolean};
use super::{CallError, Outputs};
use crate::catalog::{Method, ParameterKind, Purpose};
use crate::ldap::{Entry, Filter, LookupError};
use crate::simulate::activity::number;
use crate::simulate::assumption::Assumption;
use crate::simulate::quote;
use crate::simulate::run::Run;

pub(super) fn members<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs, CallError> {
    let filter = filter(method, arguments)?;
    let group = find(run, method, arguments)?;
    let members: Vec<&Entry> =
        run.plan.directory.members(group).into_iter().filter(|member| passes(filter.as_ref(), member)).collect();
    Ok(outputs(run, method, arguments, &members))
}

pub(super) fn user<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs, CallError> {
    let filter = filter(method, arguments)?;
    let user = find(run, method, arguments)?;
    if !passes(filter.as_ref(), user) {
        return Err(CallError::new(format!("{} does not match the filter: nothing is found", quote(user.dn_text()))));
    }
    Ok(outputs(run, method, arguments, &[user]))
}

pub(super) fn manager<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs, CallError> {
    let filter = filter(method, arguments)?;
    let entry = find(run, method, arguments)?;
    let last = arguments
        .for_purpose(method, Purpose::TopManager)
        .and_then(|last| boolean(last.text.as_str()))
        .unwrap_or(false);
    let depth = if last { 1 } else { depth(method, arguments)? };
    let manager = run.plan.directory.manager(entry, depth, last).map_err(|error| CallError::new(error.to_string()))?;
    if !passes(filter.as_ref(), manager) {
        let name = quote(manager.dn_text());
        return Err(CallError::new(format!("the manager {name} does not match the filter: nothing is found")));
    }
    Ok(outputs(run, method, arguments, &[manager]))
}

/// How many levels up the manager is: whole, and at least 1.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked: whole and at least 1; `as` saturates
fn depth(method: &Method, arguments: &Arguments<'_>) -> Result<u32, CallError> {
    let Some(depth) = arguments.for_purpose(method, Purpose::ManagerDepth) else { return Ok(1) };
    let text = depth.text.as_str();
    let number = number(text).filter(|number| number.fract() == 0.0 && *number >= 1.0);
    number
        .map(|number| number as u32)
        .ok_or_else(|| depth.wrong(&format!("must be a whole number, 1 or more, but is {}", quote(text))))
}

fn filter(method: &Method, arguments: &Arguments<'_>) -> Result<Option<Filter>, CallError> {
    let Some(argument) = arguments.of_kind(method, ParameterKind::LdapFilter) else { return Ok(None) };
    let text = argument.text.as_str();
    match Filter::parse(text) {
        Ok(filter) => Ok(Some(filter)),
        Err(error) => Err(argument.wrong(&format!("is no LDAP filter: {}: {}", quote(text), error.message))),
    }
}

fn passes(filter: Option<&Filter>, entry: &Entry) -> bool {
    filter.is_none_or(|filter| filter.matches(entry))
}

/// The entry that `Identity` names.
fn find<'p>(run: &Run<'p, '_>, method: &Method, arguments: &Arguments<'_>) -> Result<&'p Entry, CallError> {
    let Some(identity) = arguments.of_kind(method, ParameterKind::Identity) else {
        let name = method.parameter_of_kind(ParameterKind::Identity).map_or("Identity", |parameter| &parameter.name);
        return Err(CallError::new(format!("{} has no value, so nobody can be looked up", quote(name))));
    };
    let text = identity.text.as_str();
    run.plan.directory.find(text).map_err(|error| match error {
        LookupError::NotFound => identity.wrong(&format!("is {}, which the directory does not have", quote(text))),
        LookupError::Ambiguous => identity.wrong(&format!("is {}, which several entries have", quote(text))),
    })
}

/// One output for each property that is asked for, else for the method's default.
fn outputs(run: &mut Run<'_, '_>, method: &Method, arguments: &Arguments<'_>, entries: &[&Entry]) -> Outputs {
    let mut found = Outputs::default();
    for output in &method.outputs {
        let Some(list) = &output.per_entry_of else { continue };
        let requested = arguments.given(list).map_or("", |list| list.text.as_str());
        let requested: Vec<&str> = requested.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let defaults = output.default.iter().map(String::as_str).filter(|default| !requested.contains(default));
        let named = requested.iter().map(|name| (*name, false)).chain(defaults.map(|default| (default, true)));
        for (property, is_default) in named {
            let values: Vec<String> =
                entries.iter().filter_map(|entry| entry.joined(property)).filter(|value| !value.is_empty()).collect();
            if values.len() > 1 || values.iter().any(|value| value.contains(';')) {
                run.assume(Assumption::Joined);
            }
            found.0.push((property.to_owned(), Arc::from(values.join(";")), is_default));
        }
    }
    found
}

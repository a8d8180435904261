//! The directory: members of groups, users and managers (docs/scenarios.md, The directory).

use std::borrow::Cow;
use std::sync::Arc;

use super::arguments::{Argument, Arguments, CallError, Output, Outputs, missing_of_kind};
use crate::catalog::{Method, Output as CatalogOutput, ParameterKind, Purpose, Simulation};
use crate::ldap::{Directory, Entry, Filter, LookupError};
use crate::model::Assumption;
use crate::simulate::oracle::{LookedUp, Lookup};
use crate::simulate::run::Run;
use crate::simulate::strings::{boolean, number, quote, quote_value};

// Past the limits of lookups the run ends after the call, whatever it returns.

pub(super) fn members<'p>(
    run: &mut Run<'p, '_>,
    directory: &Directory,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    let filter = filter(method, arguments)?;
    let group = find(directory, method, arguments)?;
    let mut members = directory.members(group);
    let properties: usize = method.outputs.iter().map(|output| properties(output, arguments).len()).sum();
    if !run.may_look_up(members.len() * (1 + properties)) {
        members.clear();
    }
    if let Some(filter) = &filter
        && run.may_filter(filter_bytes(method, arguments), members.len().max(1))
    {
        members.retain(|member| filter.matches(member));
    }
    Ok(outputs(run, method, arguments, &members))
}

pub(super) fn user<'p>(
    run: &mut Run<'p, '_>,
    directory: &Directory,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    let filter = filter(method, arguments)?;
    let user = find(directory, method, arguments)?;
    run.may_filter(filter_bytes(method, arguments), 1);
    if !passes(filter.as_ref(), user) {
        return Err(CallError::new(format!("no user found: {} does not match the filter", quote(user.dn_text()))));
    }
    Ok(outputs(run, method, arguments, &[user]))
}

pub(super) fn manager<'p>(
    run: &mut Run<'p, '_>,
    directory: &Directory,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    let filter = filter(method, arguments)?;
    let entry = find(directory, method, arguments)?;
    let last = is_last(method, arguments);
    let depth = if last { 1 } else { depth(method, arguments)? };
    let mut levels = 0;
    let manager = directory.manager(entry, depth, last, &mut levels);
    run.may_look_up(levels);
    run.may_filter(filter_bytes(method, arguments), 1);
    let manager = manager.map_err(|error| CallError::new(error.to_string()))?;
    if !passes(filter.as_ref(), manager) {
        let name = quote(manager.dn_text());
        return Err(CallError::new(format!("no manager found: {name} does not match the filter")));
    }
    Ok(outputs(run, method, arguments, &[manager]))
}

/// Whether the manager without a manager is looked for.
fn is_last(method: &Method, arguments: &Arguments<'_>) -> bool {
    let last = arguments.for_purpose(method, Purpose::TopManager);
    last.and_then(|last| boolean(last.text.as_str())).unwrap_or(false)
}

/// The question that a call asks of the directory, or why it cannot; `None` of another call.
pub(super) fn lookup<'l>(
    method: &Method,
    simulation: Simulation,
    arguments: &'l Arguments<'_>,
) -> Option<Result<Lookup<'l>, CallError>> {
    let of = match simulation {
        Simulation::GroupMembers => Ok(LookedUp::Members),
        Simulation::User => Ok(LookedUp::User),
        Simulation::Manager if is_last(method, arguments) => Ok(LookedUp::TopManager),
        Simulation::Manager => depth(method, arguments).map(LookedUp::Manager),
        Simulation::SigningRequest | Simulation::SigningRequestJson | Simulation::SigningStatus => return None,
    };
    let properties = method.outputs.iter().flat_map(|output| properties(output, arguments)).map(|(name, _)| name);
    let properties = properties.map(str::to_owned).collect();
    let lookup = |of| {
        filter(method, arguments)?;
        let filter = arguments.of_kind(method, ParameterKind::LdapFilter).map(|filter| filter.text.as_str());
        let identity = identity(method, arguments)?;
        if identity.text.as_str().trim().is_empty() {
            return Err(unknown(identity));
        }
        Ok(Lookup { identity: identity.text.as_str(), properties, filter, of })
    };
    Some(of.and_then(lookup))
}

/// The properties that a call asks for by an output, and whether only by default.
fn properties<'l>(output: &'l CatalogOutput, arguments: &'l Arguments<'_>) -> Vec<(&'l str, bool)> {
    let Some(parameter) = &output.per_entry_of else { return Vec::new() };
    let requested = arguments.non_empty(parameter).map_or("", |names| names.text.as_str());
    let requested: Vec<&str> = requested.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let defaults = output.default.iter().map(String::as_str).filter(|default| !requested.contains(default));
    requested.iter().map(|name| (*name, false)).chain(defaults.map(|default| (default, true))).collect()
}

/// How many levels up the manager is: whole, and at least 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be whole and at least 1; `as` saturates"
)]
fn depth(method: &Method, arguments: &Arguments<'_>) -> Result<u32, CallError> {
    let Some(depth) = arguments.for_purpose(method, Purpose::ManagerDepth) else { return Ok(1) };
    let text = depth.text.as_str();
    let number = number(text).filter(|number| number.fract() == 0.0 && *number >= 1.0);
    number.map(|number| number as u32).ok_or_else(|| {
        depth.error(format!(
            "expected a whole number of at least 1 in {}, found {}",
            depth.parameter(),
            quote_value(text)
        ))
    })
}

fn filter(method: &Method, arguments: &Arguments<'_>) -> Result<Option<Filter>, CallError> {
    let Some(argument) = arguments.of_kind(method, ParameterKind::LdapFilter) else { return Ok(None) };
    let text = argument.text.as_str();
    match Filter::parse(text) {
        Ok(filter) => Ok(Some(filter)),
        Err(error) => {
            Err(argument.error(format!("invalid LDAP filter {} in {}: {}", quote(text), argument.parameter(), error)))
        }
    }
}

fn filter_bytes(method: &Method, arguments: &Arguments<'_>) -> usize {
    arguments.of_kind(method, ParameterKind::LdapFilter).map_or(0, |filter| filter.text.as_str().len())
}

fn passes(filter: Option<&Filter>, entry: &Entry) -> bool {
    filter.is_none_or(|filter| filter.matches(entry))
}

/// The entry with the identity of the call.
fn find<'d>(directory: &'d Directory, method: &Method, arguments: &Arguments<'_>) -> Result<&'d Entry, CallError> {
    let identity = identity(method, arguments)?;
    let text = identity.text.as_str();
    directory.find(text).map_err(|error| match error {
        LookupError::NotFound => unknown(identity),
        LookupError::Ambiguous => {
            identity.error(format!("ambiguous identity {} in {}", quote(text), identity.parameter()))
        }
    })
}

fn identity<'l, 'p>(method: &Method, arguments: &'l Arguments<'p>) -> Result<&'l Argument<'p>, CallError> {
    let identity = arguments.of_kind(method, ParameterKind::Identity);
    identity.ok_or_else(|| CallError::new(missing_of_kind(method, ParameterKind::Identity)))
}

fn unknown(identity: &Argument<'_>) -> CallError {
    let text = quote(identity.text.as_str());
    identity.error(format!("unknown identity {text} in {}", identity.parameter()))
}

/// One output for each requested property, and for the defaults of the method that were not requested.
fn outputs<'p>(run: &mut Run<'_, '_>, method: &Method, arguments: &Arguments<'_>, entries: &[&Entry]) -> Outputs<'p> {
    let mut found = Outputs::default();
    for output in &method.outputs {
        for (property, is_default) in properties(output, arguments) {
            let values: Vec<String> =
                entries.iter().filter_map(|entry| entry.joined(property)).filter(|value| !value.is_empty()).collect();
            if values.len() > 1 || values.iter().any(|value| value.contains(';')) {
                run.assume(Assumption::Joined);
            }
            let value = Arc::from(values.join(";"));
            found.0.push(Output { property: Cow::Owned(property.to_owned()), value, is_default });
        }
    }
    found
}

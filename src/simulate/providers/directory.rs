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
        && may_filter(run, filter, method, arguments, members.len())
    {
        let search = filter.search(directory);
        members.retain(|member| search.matches(member));
    }
    Ok(outputs(run, method, arguments, &members))
}

/// Users: the one with the identity, if it matches the filter, or without an identity all that match it.
pub(super) fn user<'p>(
    run: &mut Run<'p, '_>,
    directory: &Directory,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    let filter = filter(method, arguments)?;
    if is_search(method, arguments)
        && let Some(filter) = &filter
    {
        let users = search_users(run, directory, method, arguments, filter);
        return Ok(outputs(run, method, arguments, &users));
    }
    let user = find(directory, method, arguments)?;
    if !passes(run, filter.as_ref(), method, arguments, user) {
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
    let manager = manager.map_err(|error| CallError::new(error.to_string()))?;
    if !passes(run, filter.as_ref(), method, arguments, manager) {
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
        Simulation::User if is_search(method, arguments) => Ok(LookedUp::Users),
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
        if of == LookedUp::Users {
            return Ok(Lookup { identity: "", properties, filter, of });
        }
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

/// Whether the limits allow to compare a filter with entries. One that follows names goes through the directory.
fn may_filter(
    run: &mut Run<'_, '_>,
    filter: &Filter,
    method: &Method,
    arguments: &Arguments<'_>,
    entries: usize,
) -> bool {
    for unmatched in &filter.unmatched {
        let parameter = arguments.of_kind(method, ParameterKind::LdapFilter).map(Argument::parameter);
        run.warn(format!("{} in {}, it matches nothing", unmatched.message, parameter.unwrap_or_default()));
    }
    let all = if filter.has_chains() { run.plan.directory.entries().len() } else { 0 };
    let bytes = arguments.of_kind(method, ParameterKind::LdapFilter).map_or(0, |filter| filter.text.as_str().len());
    run.may_filter(bytes, entries.max(1) + all)
}

fn passes(
    run: &mut Run<'_, '_>,
    filter: Option<&Filter>,
    method: &Method,
    arguments: &Arguments<'_>,
    entry: &Entry,
) -> bool {
    let directory = run.plan.directory;
    filter.is_none_or(|filter| may_filter(run, filter, method, arguments, 1) && filter.search(directory).matches(entry))
}

/// Whether a call searches by its filter, because it has no identity.
fn is_search(method: &Method, arguments: &Arguments<'_>) -> bool {
    arguments.of_kind(method, ParameterKind::Identity).is_none()
        && arguments.of_kind(method, ParameterKind::LdapFilter).is_some()
}

/// The users that match a filter, in the order of the directory.
fn search_users<'d>(
    run: &mut Run<'_, '_>,
    directory: &'d Directory,
    method: &Method,
    arguments: &Arguments<'_>,
    filter: &Filter,
) -> Vec<&'d Entry> {
    run.assume(Assumption::UserSearch);
    let entries = directory.entries();
    if !run.may_look_up(entries.len()) || !may_filter(run, filter, method, arguments, entries.len()) {
        return Vec::new();
    }
    let search = filter.search(directory);
    let users = entries.iter().map(AsRef::as_ref).filter(|entry| is_user(entry) && search.matches(entry));
    let users: Vec<&Entry> = users.collect();
    let properties: usize = method.outputs.iter().map(|output| properties(output, arguments).len()).sum();
    if run.may_look_up(users.len() * properties) { users } else { Vec::new() }
}

/// Whether an entry is of class user. One whose class is not given is, unless it has members.
fn is_user(entry: &Entry) -> bool {
    let mut classes = entry.values("objectClass").filter_map(|class| std::str::from_utf8(class).ok()).peekable();
    if classes.peek().is_none() {
        return entry.values("member").next().is_none();
    }
    let (mut is_user, mut is_computer) = (false, false);
    for class in classes.map(str::trim) {
        // A computer is a user, too, but no account of a person.
        is_computer |= class.eq_ignore_ascii_case("computer");
        is_user |= ["user", "inetOrgPerson"].iter().any(|user| class.eq_ignore_ascii_case(user));
    }
    is_user && !is_computer
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
    identity.ok_or_else(|| {
        let filter = method.parameter_of_kind(ParameterKind::LdapFilter);
        let filter = filter.filter(|_| method.simulation == Some(Simulation::User));
        let or = filter.map_or_else(String::new, |filter| format!(" or {}", quote(&filter.name)));
        CallError::new(missing_of_kind(method, ParameterKind::Identity) + &or)
    })
}

fn unknown(identity: &Argument<'_>) -> CallError {
    let text = quote(identity.text.as_str());
    identity.error(format!("unknown identity {text} in {}", identity.parameter()))
}

/// One output for each requested property, and for the defaults of the method that were not requested.
fn outputs<'p>(run: &mut Run<'_, '_>, method: &Method, arguments: &Arguments<'_>, entries: &[&Entry]) -> Outputs<'p> {
    let directory = run.plan.directory;
    let mut found = Outputs::default();
    for output in &method.outputs {
        for (property, is_default) in properties(output, arguments) {
            let values: Vec<String> = entries
                .iter()
                .filter_map(|entry| directory.joined(entry, property))
                .filter(|it| !it.is_empty())
                .collect();
            if values.len() > 1 || values.iter().any(|value| value.contains(';')) {
                run.assume(Assumption::Joined);
            }
            let value = Arc::from(values.join(";"));
            found.0.push(Output { property: Cow::Owned(property.to_owned()), value, is_default });
        }
    }
    found
}

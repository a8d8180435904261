//! The reasons why a service cannot be explored.

use super::candidate::{Candidate, Subject};
use crate::catalog::{ParameterKind, ValueType};
use crate::made_up::Needs;
use crate::model::FieldType;
use crate::text::quote;

/// Reports the values of the configuration that the form refuses.
pub fn add_refused(candidate: &Candidate<'_>, listed: &[String], problems: &mut Vec<String>) {
    let refused = listed.iter().filter(|text| !text.is_empty() && !candidate.texts.contains(text));
    let name = subject(&candidate.subject);
    problems.extend(refused.map(|text| format!("{name}: the form does not accept {} of `fields`", quote(text))));
}

/// Reports a field for which no value could be made up.
pub fn add_missing(candidate: &Candidate<'_>, needs: &Needs<'_>, problems: &mut Vec<String>) {
    let Candidate { subject: about, texts, file, is_listed, .. } = candidate;
    if !texts.is_empty() || file.is_some() {
        return;
    }
    let (name, field) = (subject(about), about.field);
    if *is_listed {
        if !about.may_be_empty() {
            problems.push(format!("{name}: `fields` lists no value, but the form asks for one"));
        }
        return;
    }
    if field.is_some_and(|field| field.field_type == FieldType::DropDown) {
        if !about.may_be_empty() {
            problems.push(format!("{name}: its drop-down has no item to choose"));
        }
        return;
    }
    let pattern = field.and_then(|field| field.properties().validation_pattern.value());
    let pattern = pattern.filter(|pattern| !pattern.is_empty()).map(|pattern| format!("matches {}", quote(pattern)));
    let wanted = wanted(needs, about.variable()).map(|wanted| format!("is {wanted}"));
    let what: Vec<String> = pattern.into_iter().chain(wanted).collect();
    let what = if what.is_empty() { "is accepted".to_owned() } else { what.join(" and ") };
    problems.push(format!(
        "{name}: no value was found that {what}; add `fields = {{ {} = [\"…\"] }}` to `[explore]`",
        toml_key(&about.name)
    ));
}

fn subject(subject: &Subject<'_>) -> String {
    let what = if subject.field.is_some() { "field" } else { "variable" };
    format!("{what} {}", quote(&subject.name))
}

/// The use of a variable, if it demands a syntax.
fn wanted(needs: &Needs<'_>, variable: &str) -> Option<&'static str> {
    Some(match (needs.kind(variable), needs.value_type(variable)) {
        (Some(ParameterKind::PersonalId), _) => "a personal id",
        (Some(ParameterKind::Mail), _) => "a mail address",
        (Some(ParameterKind::Days), _) => "a number of days",
        (Some(ParameterKind::Uri), _) => "an absolute URI",
        (Some(ParameterKind::LdapFilter), _) => "an LDAP filter",
        (_, Some(ValueType::Decimal)) => "a number",
        (_, Some(ValueType::Boolean)) => "`true` or `false`",
        _ => return None,
    })
}

/// A key as TOML writes it.
fn toml_key(name: &str) -> String {
    let is_bare = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { toml_edit::Key::new(name).to_string() }
}

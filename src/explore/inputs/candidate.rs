//! A field or variable with the alternatives made for it, or why there are none.

use super::{Alternative, FieldInput, Section};
use crate::catalog::{ParameterKind, ValueType};
use crate::model::{Field, FieldType};
use crate::synth::{Needs, Submitted};
use crate::text::quote;

/// The field or variable for which alternatives are made.
#[derive(Clone)]
pub struct Subject<'s> {
    pub section: Section,
    /// The key in the section.
    pub name: String,
    /// `None` of a field without one, whose value nothing reads.
    pub variable: Option<String>,
    /// `None` of a variable that no form asks for.
    pub field: Option<&'s Field<'s>>,
}

impl Subject<'_> {
    /// The variable; empty without one.
    pub fn variable(&self) -> &str {
        self.variable.as_deref().unwrap_or_default()
    }

    pub fn may_be_empty(&self) -> bool {
        self.field.is_some_and(|field| field.required.value() != Some(true))
    }
}

pub struct Candidate<'s> {
    pub subject: Subject<'s>,
    /// The usual one first; empty for a file.
    pub texts: Vec<String>,
    /// Further texts that are accepted.
    pub spare: Vec<String>,
    pub file: Option<String>,
    /// Whether exploring chooses among the alternatives.
    pub is_chosen: bool,
    /// Whether the configuration lists its values.
    pub is_listed: bool,
}

impl<'s> Candidate<'s> {
    pub const fn new(subject: Subject<'s>, is_chosen: bool, is_listed: bool) -> Self {
        Self { subject, texts: Vec::new(), spare: Vec::new(), file: None, is_chosen, is_listed }
    }

    /// The usual value first.
    fn alternatives(&self) -> Vec<Alternative> {
        let file = self.file.iter().map(|name| Submitted::File(name.clone()));
        let values = file.chain(self.texts.iter().map(|text| Submitted::Text(text.clone())));
        let mut found: Vec<Alternative> = values.map(|value| Alternative { value, is_nothing: false }).collect();
        if self.subject.may_be_empty() {
            found.push(Alternative { value: Submitted::Text(String::new()), is_nothing: true });
        }
        found
    }

    /// Its entry in the scenario, and the input with its alternatives.
    pub fn finish(self) -> (Option<(String, Submitted)>, Option<FieldInput>) {
        let alternatives = self.alternatives();
        let Subject { section, name, variable, .. } = self.subject;
        let usual = alternatives.first().map(|usual| (name.clone(), usual.value.clone()));
        let variable = variable.filter(|_| self.is_chosen && !alternatives.is_empty());
        (usual, variable.map(|variable| FieldInput { section, name, variable, alternatives }))
    }
}

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

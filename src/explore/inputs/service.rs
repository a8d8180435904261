//! The fields and variables of a service, and why it cannot be explored.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::alternatives::{Acceptance, Maker};
use super::candidate::Subject;
use super::outside::{Declarations, outside};
use super::{Inputs, Section};
use crate::common::collections::{HashMap, HashSet};
use crate::facts::Context;
use crate::graph::Analysis;
use crate::ldap::{Directory, Dn, Entry, Guid};
use crate::model::{Field, FieldType};
use crate::project::FormDocument;
use crate::script::Sandbox;
use crate::script::syntax::Input;
use crate::simulate::scenario::MAX_KEY_BYTES;
use crate::simulate::submit::unreadable_key;
use crate::synth::{Compared, Comparisons, Needs, PatternTests, SUFFIX, Values, default_value, escaped};
use crate::text::quote;

/// The sources of the inputs.
pub struct Service<'s, 'a> {
    pub context: &'s Context<'a>,
    pub needs: &'s Needs<'s>,
    pub declarations: &'s Declarations<'s, 'a>,
    /// Of the workflow.
    pub analysis: &'s Analysis<'a>,
    /// The order form.
    pub form: Option<&'s FormDocument<'a>>,
    /// `[explore] fields`: by field, or by variable where no form asks for it.
    pub fields: &'s BTreeMap<String, Vec<String>>,
    /// `[explore] directory`; `None` for a made-up one.
    pub directory: Option<&'s Directory>,
}

/// The inputs of a service.
pub fn inputs(service: &Service<'_, '_>, sandbox: &mut Sandbox) -> Inputs {
    let needs = service.needs;
    let comparisons = Comparisons::of(service.analysis, compared_in_scripts(service));
    let mut maker = Maker {
        values: Values::new(needs),
        comparisons: &comparisons,
        acceptance: Acceptance { patterns: PatternTests::new(sandbox), directory: service.directory },
        listed: service.fields,
        found: Inputs::default(),
        people: BTreeSet::new(),
        candidates: Vec::new(),
        used: BTreeSet::new(),
    };
    add_fields(service, &mut maker);
    let section = if service.form.is_some() { Section::Variables } else { Section::Submit };
    for variable in outside(service.context, service.analysis, service.declarations, service.form.map(|form| form.form))
    {
        if variable.name.len() > MAX_KEY_BYTES {
            let name = quote(&variable.name);
            maker.found.problems.push(format!("variable {name}: a scenario cannot name it, as its name is too long"));
            continue;
        }
        let default = variable.default.map(str::to_owned);
        let subject = Subject { section, name: variable.name.clone(), variable: Some(variable.name), field: None };
        maker.add(subject, default, true);
    }
    maker.connect();
    let found = finish(maker);
    Inputs { comparisons, ..found }
}

fn finish(maker: Maker<'_, '_, '_>) -> Inputs {
    let mut found = Inputs { people: entries(&maker.people), ..maker.found };
    for candidate in maker.candidates {
        let (section, name) = (candidate.subject.section, candidate.subject.variable().to_owned());
        if maker.comparisons.truncated.contains(&name) {
            found.assumptions.push(format!("{} is not tried with every text that it is compared with", quote(&name)));
        }
        let (usual, choice) = candidate.finish();
        match section {
            Section::Submit => found.submit.extend(usual),
            Section::Variables => found.variables.extend(usual),
        }
        found.fields.extend(choice);
    }
    found
}

/// Entries of a directory that have these identities.
fn entries(identities: &BTreeSet<String>) -> Vec<Value> {
    let (mut directory, mut entries) = (Directory::default(), Vec::new());
    for identity in identities.iter().map(|identity| identity.trim()) {
        let is_dn = identity.contains('=') && Dn::parse(identity).is_some();
        let name = if Guid::parse(identity).is_some() { "objectGUID" } else { "sAMAccountName" };
        let dn = if is_dn { identity.to_owned() } else { format!("CN={},{SUFFIX}", escaped(identity)) };
        let attributes = if is_dn { Vec::new() } else { vec![(name.to_owned(), vec![identity.to_owned()])] };
        let Ok(entry) = Entry::new(&dn, attributes) else { continue };
        if directory.find(identity).is_err() && directory.add(entry).is_ok() {
            entries.push(if is_dn { json!({ "dn": dn }) } else { json!({ "dn": dn, name: identity }) });
        }
    }
    entries
}

/// Adds the fields that a person can fill in.
fn add_fields<'s>(service: &Service<'s, '_>, maker: &mut Maker<'s, '_, '_>) {
    let Some(form) = service.form else { return };
    let form = form.form;
    let fields: Vec<(&Field<'_>, bool)> = form
        .fields
        .iter()
        .zip(form.hidden())
        .filter(|(field, _)| field.field_type != FieldType::FormSection)
        .map(|(field, is_hidden)| (field, is_hidden || field.readonly.value() == Some(true)))
        .collect();
    // Of several fields of one variable, the last one with a value counts.
    let mut last: HashMap<&str, usize> = HashMap::default();
    let mut named: HashMap<&str, usize> = HashMap::default();
    let mut fixed: HashSet<&str> = HashSet::default();
    for (index, (field, is_fixed)) in fields.iter().enumerate() {
        if let Some((_, variable)) = field.target().filter(|_| !is_fixed || default_value(field).is_some()) {
            last.insert(variable, index);
        }
        let Some(name) = field.name.value() else { continue };
        if *is_fixed {
            fixed.insert(name);
        } else {
            *named.entry(name).or_default() += 1;
        }
    }
    let mut seen: HashSet<&str> = HashSet::default();
    for (index, (field, is_fixed)) in fields.iter().enumerate() {
        let name = field.name.value().unwrap_or_default();
        if let Some(key) = unreadable_key(field) {
            maker.found.problems.push(format!("field {}: invalid `{key}`, the form accepts no order", quote(name)));
            continue;
        }
        if *is_fixed || !seen.insert(name) {
            continue;
        }
        if name.is_empty() || name.len() > MAX_KEY_BYTES || fixed.contains(name) {
            if field.required.value() == Some(true) && default_value(field).is_none() {
                let reason = unfillable(name);
                maker.found.problems.push(format!("required field {} cannot be filled in: {reason}", quote(name)));
            }
            continue;
        }
        let is_shared = named.get(name).is_some_and(|count| *count > 1);
        if is_shared {
            let assumption = format!("the fields named {} always have the same usual value", quote(name));
            maker.found.assumptions.push(assumption);
        }
        let variable = field.target().map(|(_, variable)| variable);
        let is_chosen = !is_shared && variable.is_none_or(|variable| last.get(variable) == Some(&index));
        let variable = variable.map(str::to_owned);
        let subject = Subject { section: Section::Submit, name: name.to_owned(), variable, field: Some(field) };
        maker.add(subject, default_value(field), is_chosen);
    }
}

/// Why a scenario cannot fill in a field by its name.
const fn unfillable(name: &str) -> &'static str {
    if name.is_empty() {
        "it has no name"
    } else if name.len() > MAX_KEY_BYTES {
        "its name is too long"
    } else {
        "another field of this name is hidden or read-only"
    }
}

/// What the scripts of the workflow compare their parameters with, by the variable of the parameter.
fn compared_in_scripts(service: &Service<'_, '_>) -> Vec<(String, Compared)> {
    let mut found = Vec::new();
    for site in service.context.codes_of(service.analysis) {
        let Some(script) = site.syntax.script() else { continue };
        for comparison in &script.hints.comparisons {
            let Input::Global(global) = &comparison.input else { continue };
            let parameters = site.code.parameters.get().into_iter().flatten();
            for parameter in parameters.filter(|parameter| parameter.name.value() == Some(global.as_str())) {
                if let Some((_, variable)) = parameter.value.get().and_then(|binding| binding.target()) {
                    let compared = Compared { text: comparison.constant.clone(), is_number: false };
                    found.push((variable.to_owned(), compared));
                }
            }
        }
    }
    found
}

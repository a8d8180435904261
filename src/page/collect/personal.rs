//! Which variables hold personal data, as far as forms, the catalog and signing cases show.

use super::subject::Subject;
use crate::catalog::{ParameterKind, Simulation};
use crate::common::collections::HashMap;
use crate::facts::{ProviderSite, mail_addresses, party_names};
use crate::graph::Receiver;
use crate::model::Role;

/// Kinds by variable, in words.
pub type Kinds = HashMap<String, &'static str>;

/// The first kind that is found counts, the plainest evidence first.
pub fn personal(subject: &Subject<'_, '_>) -> Kinds {
    let mut kinds = Kinds::default();
    let mut add = |name: &str, kind| {
        kinds.entry(name.to_owned()).or_insert(kind);
    };
    subject.context.personal_ids().keys().for_each(|name| add(name, "personal id"));
    for form in &subject.context.model.forms {
        for field in &form.form.fields {
            let kind = match () {
                () if field.lists_people() => "person from the directory",
                () if field.takes_mail_address() => "mail address",
                () => continue,
            };
            if let Some((_, name)) = field.target() {
                add(name, kind);
            }
        }
    }
    for analysis in &subject.context.workflows {
        ProviderSite::of(analysis).for_each(|site| of_lookup(&site, &mut add));
        for activity in &analysis.workflow.activities {
            activity.bindings(|binding, role| {
                if let (Role::Assignee(_), Some((_, name))) = (role, binding.target()) {
                    add(name, "mail address");
                }
            });
        }
    }
    for name in mail_addresses(subject.context).keys() {
        add(name, "mail address");
    }
    for case in subject.context.cases() {
        let parties = case.case.parties.get().into_iter().flatten();
        for text in parties.filter_map(|party| party.name.value()) {
            subject.analysis.scope.placeholders(text).for_each(|found| add(found.name, "name"));
        }
    }
    for name in party_names(subject.context).keys() {
        add(name, "name");
    }
    kinds
}

/// Whom a lookup in the directory looks for, and what it returns of people.
fn of_lookup(site: &ProviderSite<'_, '_>, add: &mut impl FnMut(&str, &'static str)) {
    let Some(method) = site.outputs.method else { return };
    let is_of_one = match method.simulation {
        Some(Simulation::User | Simulation::Manager) => true,
        Some(Simulation::GroupMembers) => false,
        _ => return,
    };
    let identity = method.parameter_of_kind(ParameterKind::Identity).filter(|_| is_of_one);
    let identity = identity.and_then(|known| site.provider.parameter(&known.name)?.value.get()?.target());
    if let Some((_, name)) = identity {
        add(name, "person from the directory");
    }
    for output in &site.outputs.outputs {
        if matches!(output.receiver, Receiver::Variable | Receiver::Unknown) {
            add(&output.name, attribute(output.property));
        }
    }
}

/// What an attribute of a person in the directory is.
fn attribute(property: &str) -> &'static str {
    match property.to_ascii_lowercase().as_str() {
        "mail" | "userprincipalname" | "proxyaddresses" => "mail address",
        "displayname" | "name" | "cn" | "givenname" | "sn" | "surname" => "name",
        "mobile" | "telephonenumber" | "homephone" => "phone number",
        _ => "from a person's entry in the directory",
    }
}

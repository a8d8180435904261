//! Entries of a directory, made up for the lookups of a run.

use crate::collections::{HashMap, HashSet};
use crate::ldap::{Dn, Entry, Filter, Guid};
use crate::simulate::{LookedUp, Lookup};
use crate::synth::people::Person;

/// The suffix of all made-up entries.
pub const SUFFIX: &str = "DC=example,DC=com";

/// Levels of managers that are made up.
const MAX_LEVELS: u32 = 20;

/// The entries of a scenario.
#[derive(Debug, Clone, Default)]
pub struct ScenarioDirectory {
    entries: Vec<MadeUp>,
    /// By identity and distinguished name, in lower case.
    by_name: HashMap<String, usize>,
    people: HashSet<Person>,
    /// The first number that no person may have yet.
    next: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeUp {
    pub dn: String,
    /// The person whose properties it has; `None` for a group.
    person: Option<Person>,
    pub attributes: Vec<(String, String)>,
}

impl ScenarioDirectory {
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds the entry of a person with this identity, unless it is there.
    pub fn add_person(&mut self, identity: &str) {
        self.person(identity);
    }

    /// Adds the entries that a lookup needs. Returns whether the directory changed.
    pub fn supply(&mut self, lookup: &Lookup<'_>) -> bool {
        let before = self.entries.clone();
        if lookup.identity.trim().is_empty() {
            return false;
        }
        match lookup.of {
            LookedUp::User => {
                let user = self.person(lookup.identity);
                self.give(user, lookup);
            }
            LookedUp::Members => {
                let group = self.find_or_add(lookup.identity, false);
                let member = match self.link(group, "member") {
                    Some(member) => member,
                    None => self.new_person(),
                };
                self.connect(group, "member", member);
                self.give(member, lookup);
            }
            LookedUp::Manager(_) | LookedUp::TopManager => {
                let levels = if let LookedUp::Manager(levels) = lookup.of { levels.clamp(1, MAX_LEVELS) } else { 1 };
                let mut current = self.person(lookup.identity);
                for _ in 0..levels {
                    let manager = match self.link(current, "manager") {
                        Some(manager) => manager,
                        None => self.new_person(),
                    };
                    self.connect(current, "manager", manager);
                    current = manager;
                }
                self.give(current, lookup);
            }
        }
        before != self.entries
    }

    /// In the order in which they were made up.
    pub fn entries(&self) -> &[MadeUp] {
        &self.entries
    }

    fn person(&mut self, identity: &str) -> usize {
        self.find_or_add(identity, true)
    }

    fn find_or_add(&mut self, identity: &str, is_person: bool) -> usize {
        let identity = identity.trim();
        if let Some(known) = self.by_name.get(&identity.to_lowercase()) {
            return *known;
        }
        let by_account = || Person::of_account(identity).filter(|person| !self.people.contains(person));
        let person = is_person.then(|| by_account().unwrap_or_else(|| self.unused_person()));
        let mut attributes = Vec::new();
        let dn = if identity.contains('=') && Dn::parse(identity).is_some() {
            identity.to_owned()
        } else {
            let name = person.map_or_else(|| escaped(identity), |person| person.name());
            let name = if Guid::parse(identity).is_some() {
                attributes.push(("objectGUID".to_owned(), identity.to_owned()));
                name
            } else {
                attributes.push(("sAMAccountName".to_owned(), identity.to_owned()));
                name
            };
            format!("CN={name},{SUFFIX}")
        };
        let dn = self.unused(&dn);
        let index = self.entries.len();
        self.by_name.insert(identity.to_lowercase(), index);
        self.by_name.insert(dn.to_lowercase(), index);
        self.people.extend(person);
        self.entries.push(MadeUp { dn, person, attributes });
        index
    }

    /// A distinguished name that no entry has.
    fn unused(&self, dn: &str) -> String {
        let mut candidate = dn.to_owned();
        let mut number = 2;
        while self.by_name.contains_key(&candidate.to_lowercase()) {
            candidate = format!("OU={number},{dn}");
            number += 1;
        }
        candidate
    }

    /// The first person who has no entry.
    fn unused_person(&self) -> Person {
        let people = (self.next..).map(Person);
        people.into_iter().find(|person| !self.people.contains(person)).unwrap_or(Person(self.next))
    }

    fn new_person(&mut self) -> usize {
        let person = self.unused_person();
        self.next = person.0 + 1;
        self.person(&person.account())
    }

    /// The entry that an attribute names.
    fn link(&self, entry: usize, attribute: &str) -> Option<usize> {
        let (_, dn) = self.entries.get(entry)?.attributes.iter().find(|(name, _)| name == attribute)?;
        self.by_name.get(&dn.to_lowercase()).copied()
    }

    fn connect(&mut self, from: usize, attribute: &str, to: usize) {
        let Some(dn) = self.entries.get(to).map(|entry| entry.dn.clone()) else { return };
        self.set(from, attribute, dn);
    }

    fn set(&mut self, entry: usize, attribute: &str, value: String) {
        let Some(entry) = self.entries.get_mut(entry) else { return };
        if !entry.attributes.iter().any(|(name, _)| name.eq_ignore_ascii_case(attribute)) {
            entry.attributes.push((attribute.to_owned(), value));
        }
    }

    /// Gives an entry the properties of a lookup, and the attributes in its filter.
    fn give(&mut self, entry: usize, lookup: &Lookup<'_>) {
        let person = self.entries.get(entry).and_then(|entry| entry.person).unwrap_or(Person(0));
        for property in &lookup.properties {
            // An invalid attribute name is never found.
            if Entry::new("CN=x", vec![(property.clone(), Vec::new())]).is_ok() && !is_own_name(property) {
                self.set(entry, property, property_of(person, property));
            }
        }
        let Some(filter) = lookup.filter.filter(|filter| Filter::parse(filter).is_ok()) else { return };
        for (attribute, value) in equalities(filter) {
            if Entry::new("CN=x", vec![(attribute.to_owned(), Vec::new())]).is_ok() && !is_own_name(attribute) {
                let value = if value == "*" { property_of(person, attribute) } else { value.to_owned() };
                self.set(entry, attribute, value);
            }
        }
    }
}

fn is_own_name(property: &str) -> bool {
    ["dn", "distinguishedName", "entryDN"].iter().any(|name| property.eq_ignore_ascii_case(name))
}

fn property_of(person: Person, property: &str) -> String {
    match property.to_lowercase().as_str() {
        "mail" | "userprincipalname" => person.mail(),
        "displayname" | "cn" | "name" => person.name(),
        "samaccountname" | "uid" => person.account(),
        "mobile" | "telephonenumber" => Person::telephone().to_owned(),
        _ => "Example".to_owned(),
    }
}

/// A value of a distinguished name with its special characters escaped (RFC 4514, 2.4).
pub fn escaped(value: &str) -> String {
    let mut text = String::new();
    let last = value.chars().count().saturating_sub(1);
    for (index, one) in value.chars().enumerate() {
        let is_edge = (index == 0 && matches!(one, ' ' | '#')) || (index == last && one == ' ');
        if one == '\0' {
            text.push_str("\\00");
            continue;
        }
        if is_edge || "\"+,;<>\\=".contains(one) {
            text.push('\\');
        }
        text.push(one);
    }
    text
}

/// The comparisons `(attribute=value)` of a filter that are not negated; one with other wildcards is left out.
fn equalities(filter: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut before = "";
    for part in filter.split('(') {
        let item = part.split(')').next().unwrap_or_default();
        if let Some((attribute, value)) = item.split_once('=')
            && !before.ends_with('!')
            && (value == "*" || !value.contains(['*', '\\']))
            && !attribute.ends_with([':', '>', '<', '~'])
        {
            found.push((attribute.trim(), value));
        }
        before = part.trim_end();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equalities_of_a_filter_are_found() {
        let filter = "(&(objectClass=user)(!(title=Trainee))(mail=*)(cn=a*)(level>=3))";
        assert_eq!(equalities(filter), [("objectClass", "user"), ("mail", "*")]);
    }

    #[test]
    fn special_characters_of_names_are_escaped() {
        for name in ["a,b", " a ", "#a", "a=b+c", "<>\"\\;", "é"] {
            assert!(Dn::parse(&format!("CN={},{SUFFIX}", escaped(name))).is_some(), "{name}");
        }
    }
}

//! An entry of a made-up directory, whose attributes are decided when a lookup needs them.

use std::collections::BTreeMap;

use super::scenario_directory::{SUFFIX, escaped};
use crate::ldap::{Dn, Entry, Guid};
use crate::mail;

/// Characters of a label, which begins a mail address.
const MAX_LABEL: usize = 40;

pub const MANAGER: &str = "manager";
pub const MEMBER: &str = "member";

/// Two names of one value: deciding one decides the other.
const GUIDS: [&str; 2] = ["objectguid", "entryuuid"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedEntry {
    dn: String,
    /// `dn` for comparison; `None` as long as it is empty.
    key: Option<Dn>,
    /// Account name; the name and mail address follow from it.
    pub label: String,
    /// The mail address that it was asked for by.
    pub mail: Option<String>,
    /// The decided attributes, by attribute type in lower case.
    pub attributes: BTreeMap<String, Attribute>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The name as in the lookup.
    pub name: String,
    /// Empty if the entry lacks the attribute.
    pub values: Vec<String>,
}

impl AskedEntry {
    /// The entry that an identity names: a distinguished name, GUID or account name.
    pub fn of_identity(identity: &str) -> Self {
        let mut entry = Self::of_label(label(identity));
        if identity.contains('=') && Dn::parse(identity).is_some() {
            let first = identity.split(',').next().and_then(|part| part.split_once('='));
            entry.label = label(first.map_or(identity, |(_, value)| value));
            entry.set_dn(identity.to_owned());
            return entry;
        }
        let is_guid = Guid::parse(identity).is_some();
        let name = if is_guid { "objectGUID" } else { "sAMAccountName" };
        entry.decide(name.to_lowercase(), name, vec![identity.to_owned()]);
        if mail::is_address(identity) {
            entry.mail = Some(identity.to_owned());
        }
        entry.set_dn(format!("CN={},{SUFFIX}", escaped(identity)));
        entry
    }

    /// Somebody who is known by a link alone; without a distinguished name yet.
    pub const fn of_label(label: String) -> Self {
        Self { dn: String::new(), key: None, label, mail: None, attributes: BTreeMap::new() }
    }

    /// The distinguished name; empty as long as it has none.
    pub fn dn(&self) -> &str {
        &self.dn
    }

    /// The distinguished name, for comparison.
    pub const fn key(&self) -> Option<&Dn> {
        self.key.as_ref()
    }

    pub fn set_dn(&mut self, dn: String) {
        self.key = Dn::parse(&dn);
        self.dn = dn;
    }

    /// The distinguished name that follows from the label.
    pub fn usual_dn(&self) -> String {
        format!("CN={},{SUFFIX}", escaped(&self.name()))
    }

    /// Words of the label; one alone gets a family name.
    pub fn name(&self) -> String {
        let words = self.label.split('-').filter(|word| !word.is_empty()).map(|word| {
            let (first, rest) = word.split_at(1.min(word.len()));
            format!("{}{rest}", first.to_uppercase())
        });
        let words: Vec<String> = words.collect();
        if words.len() > 1 { words.join(" ") } else { format!("{} Example", words.join(" ")) }
    }

    pub fn is_open(&self, attribute_type: &str) -> bool {
        !self.attributes.contains_key(attribute_type)
    }

    /// Decides an attribute, unless it is decided already.
    pub fn decide(&mut self, attribute_type: String, name: &str, values: Vec<String>) {
        if let [one, other] = GUIDS
            && (attribute_type == one || attribute_type == other)
        {
            let other = if attribute_type == one { other } else { one };
            let none = || Attribute { name: other.to_owned(), values: Vec::new() };
            self.attributes.entry(other.to_owned()).or_insert_with(none);
        }
        self.attributes.entry(attribute_type).or_insert_with(|| Attribute { name: name.to_owned(), values });
    }

    /// The values of an attribute; `None` when it is not decided.
    pub fn values(&self, attribute_type: &str) -> Option<&[String]> {
        self.attributes.get(attribute_type).map(|attribute| attribute.values.as_slice())
    }

    /// The attributes that it has.
    pub fn present(&self) -> impl Iterator<Item = &Attribute> {
        self.attributes.values().filter(|attribute| !attribute.values.is_empty())
    }

    /// The entry for lookups; `None` if it is invalid.
    pub fn entry(&self) -> Option<Entry> {
        let attributes = self.present().map(|attribute| (attribute.name.clone(), attribute.values.clone()));
        Entry::new(&self.dn, attributes.collect()).ok()
    }
}

/// The letters and digits of a text, as the beginning of a mail address: never empty.
fn label(text: &str) -> String {
    let text = text.split_once('@').map_or(text, |(local, _)| local).to_lowercase();
    let mut label = String::new();
    for one in text.chars() {
        if one.is_ascii_alphanumeric() {
            label.push(one);
        } else if !label.is_empty() && !label.ends_with('-') {
            label.push('-');
        }
        if label.len() >= MAX_LABEL {
            break;
        }
    }
    let label = label.trim_end_matches('-');
    if label.is_empty() { "entry".to_owned() } else { label.to_owned() }
}

/// The label of the next entry of a kind: `anna`, `anna-manager`, `anna-manager-2`.
pub fn next_label(label: &str, kind: &str) -> String {
    let end = format!("-{kind}");
    if let Some(base) = label.strip_suffix(&end) {
        return format!("{base}{end}-2");
    }
    let numbered = label.rsplit_once('-').and_then(|(base, number)| Some((base, number.parse::<u32>().ok()?)));
    match numbered {
        Some((base, number)) if base.ends_with(&end) => format!("{base}-{}", number.saturating_add(1)),
        _ => format!("{label}{end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_named_by_what_they_are_asked_for_by() {
        for (identity, label, dn) in [
            ("anna", "anna", "CN=anna,DC=example,DC=com"),
            ("Anna.Berg@example.org", "anna-berg", "CN=Anna.Berg@example.org,DC=example,DC=com"),
            ("CN=Sales \\, all,OU=x", "sales", "CN=Sales \\, all,OU=x"),
            ("???", "entry", "CN=???,DC=example,DC=com"),
        ] {
            let entry = AskedEntry::of_identity(identity);
            assert_eq!((entry.label.as_str(), entry.dn()), (label, dn));
            assert!(entry.entry().is_some());
        }
        let guid = AskedEntry::of_identity("00112233-4455-6677-8899-aabbccddeeff");
        assert_eq!(guid.values("entryuuid"), Some(&[][..]));
        assert_eq!(AskedEntry::of_label("anna-manager".to_owned()).name(), "Anna Manager");
    }

    #[test]
    fn labels_stay_short() {
        let mut label = "a".repeat(MAX_LABEL);
        for _ in 0..200 {
            label = next_label(&label, MANAGER);
        }
        assert!(label.ends_with("-manager-200") && label.len() < 64, "{label}");
        assert_eq!(next_label("anna-manager", MEMBER), "anna-manager-member");
    }
}

//! The values of made-up properties.

use std::collections::BTreeMap;

use super::asked_entry::AskedEntry;
use crate::catalog::{ParameterKind, Simulation, ValueType};
use crate::facts::ProviderSite;
use crate::graph::{Analysis, Prefix};
use crate::ldap::attribute_type;
use crate::made_up::needs::Needs;
use crate::made_up::people::Person;

/// Values that are tried for a property, until a filter is met.
pub const VARIANTS: usize = 6;

/// How a workflow uses the properties that its lookups return, by attribute type.
#[derive(Debug, Clone, Default)]
pub struct PropertyUses(BTreeMap<String, Use>);

#[derive(Debug, Clone)]
enum Use {
    Kind(ParameterKind),
    Type(ValueType),
    /// A condition compares it with this text.
    Compared(String),
}

impl PropertyUses {
    /// The uses of the variables that lookups write.
    pub fn of(analysis: &Analysis<'_>, needs: &Needs<'_>) -> Self {
        let mut uses = BTreeMap::new();
        for site in ProviderSite::of(analysis) {
            let simulation = site.outputs.method.and_then(|method| method.simulation);
            let is_lookup =
                matches!(simulation, Some(Simulation::User | Simulation::GroupMembers | Simulation::Manager));
            let Prefix::Static(prefix) = site.outputs.prefix else { continue };
            for output in site.outputs.outputs.iter().filter(|_| is_lookup) {
                let variable = format!("{prefix}{}", output.property);
                let kind = needs.kind(&variable).map(Use::Kind);
                let value_type = || needs.value_type(&variable).filter(|it| *it != ValueType::String).map(Use::Type);
                let compared = || needs.compared(&variable).map(|text| Use::Compared(text.to_owned()));
                let found = kind.or_else(value_type).or_else(compared);
                if let (Some(found), Some(attribute)) = (found, attribute_type(output.property)) {
                    uses.entry(attribute).or_insert(found);
                }
            }
        }
        Self(uses)
    }

    /// A value of a property; several variants, as a filter may exclude some.
    pub fn value(&self, entry: &AskedEntry, attribute_type: &str, variant: usize) -> String {
        let other =
            ["", "Other", "other@example.com", "512", "0", "999999999"].get(variant).copied().unwrap_or_default();
        if matches!(attribute_type, "samaccountname" | "uid") {
            return if variant == 0 { entry.label.clone() } else { format!("{}.{variant}", entry.label) };
        }
        if matches!(attribute_type, "objectguid" | "entryuuid") {
            return guid(&entry.label, variant);
        }
        if !other.is_empty() {
            return other.to_owned();
        }
        match self.0.get(attribute_type) {
            Some(Use::Kind(ParameterKind::PersonalId)) => {
                let ids = Person(usize::from(hash(&entry.label).to_le_bytes()[0])).personal_ids();
                return ids.into_iter().next().unwrap_or_default();
            }
            Some(Use::Kind(ParameterKind::Mail)) => return mail(entry),
            Some(Use::Kind(ParameterKind::Uri)) => return "https://example.com/api/v2".to_owned(),
            Some(Use::Kind(ParameterKind::LdapFilter)) => return "(objectClass=*)".to_owned(),
            Some(Use::Kind(ParameterKind::Days) | Use::Type(ValueType::Decimal)) => return "14".to_owned(),
            Some(Use::Type(ValueType::Boolean)) => return "true".to_owned(),
            Some(Use::Compared(text)) => return text.clone(),
            Some(Use::Kind(_) | Use::Type(ValueType::String)) | None => {}
        }
        match attribute_type {
            "mail" | "userprincipalname" => mail(entry),
            "displayname" | "cn" | "name" => entry.name(),
            "givenname" => entry.name().split(' ').next().unwrap_or_default().to_owned(),
            "mobile" | "telephonenumber" => Person::telephone().to_owned(),
            _ => "Example".to_owned(),
        }
    }
}

fn mail(entry: &AskedEntry) -> String {
    entry.mail.clone().unwrap_or_else(|| format!("{}@example.com", entry.label))
}

fn guid(label: &str, variant: usize) -> String {
    let digits = format!("{:016x}", hash(&format!("{label} {variant}")));
    let (start, end) = digits.split_at(4);
    format!("10000000-0000-4000-{start}-{end}")
}

/// FNV-1a, 64 bits: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

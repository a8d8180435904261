//! The possible results of a directory lookup: values that fit what the workflow does with them, in entries that match
//! the filter.

use std::collections::BTreeMap;

use super::comparisons::Comparisons;
use super::needs::Needs;
use super::people::{DOMAIN, Person};
use crate::catalog::{ParameterKind, Simulation, ValueType};
use crate::facts::ProviderSite;
use crate::graph::{Analysis, Prefix};
use crate::ldap::{Demand, Dn, Entry, Filter, attribute_type};
use crate::simulate::{LookedUp, Lookup};
use crate::text::mail;

/// The suffix of all made-up entries.
pub const SUFFIX: &str = "DC=example,DC=com";

/// The attribute with the classes of an entry, and the class that a search for users asks for.
const CLASS: &str = "objectClass";
const USER: &str = "user";

/// Ways to match a filter that are tried.
const MAX_WAYS: usize = 64;

/// Characters of the name of an entry, which begins a mail address. A chain of managers has equal names from there on.
const MAX_LABEL: usize = 40;

/// What a lookup returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupAnswer {
    /// Every property has a value that may have one.
    Full,
    /// No property has a value, except those that the filter asks for. A group has no members, and a search finds
    /// nobody.
    Empty,
    /// Two members, or two users of a search, each with every property.
    Two,
}

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
    pub fn of(analysis: &Analysis<'_>, needs: &Needs<'_>, comparisons: &Comparisons) -> Self {
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
                let compared = || comparisons.texts(&variable).next().map(|it| Use::Compared(it.text.clone()));
                let found = kind.or_else(value_type).or_else(compared);
                if let (Some(found), Some(attribute)) = (found, attribute_type(output.property)) {
                    uses.entry(attribute).or_insert(found);
                }
            }
        }
        Self(uses)
    }

    /// The possible answers to a lookup, the usual first, each with the values of the properties. None if no entry can
    /// match the filter.
    pub fn answers(&self, lookup: &Lookup<'_>) -> Vec<(LookupAnswer, Vec<String>)> {
        let label = label_of(lookup);
        let finds_several = matches!(lookup.of, LookedUp::Members | LookedUp::Users);
        let Some(full) = self.entry(&label, lookup, LookupAnswer::Full) else {
            let nothing = vec![String::new(); lookup.properties.len()];
            // A search that finds nobody succeeds.
            return if lookup.of == LookedUp::Users { vec![(LookupAnswer::Empty, nothing)] } else { Vec::new() };
        };
        let values = |entries: &[&Entry]| -> Vec<String> {
            let joined = |property: &String| {
                let values = entries.iter().filter_map(|entry| entry.joined(property));
                values.filter(|value| !value.is_empty()).collect::<Vec<_>>().join(";")
            };
            lookup.properties.iter().map(joined).collect()
        };
        let mut answers = vec![(LookupAnswer::Full, values(&[&full]))];
        let mut add = |answer, values| {
            if answers.iter().all(|(_, known)| *known != values) {
                answers.push((answer, values));
            }
        };
        if finds_several {
            add(LookupAnswer::Empty, values(&[]));
            if let Some(second) = self.entry(&format!("{label}-2"), lookup, LookupAnswer::Full) {
                add(LookupAnswer::Two, values(&[&full, &second]));
            }
        } else if let Some(empty) = self.entry(&label, lookup, LookupAnswer::Empty) {
            add(LookupAnswer::Empty, values(&[&empty]));
        }
        answers
    }

    /// An entry that matches the filter: with the usual values (or none of the properties), otherwise without those that the
    /// filter may exclude (or with those that it asks for).
    fn entry(&self, label: &str, lookup: &Lookup<'_>, answer: LookupAnswer) -> Option<Entry> {
        let filter = lookup.filter.and_then(|filter| Filter::parse(filter).ok());
        let ways = filter.as_ref().map_or_else(|| vec![Vec::new()], |filter| filter.demands(MAX_WAYS));
        let attempt = |way: &[Demand], is_strict: bool| {
            let mut attributes = self.demanded(label, lookup, way);
            if lookup.of == LookedUp::Users {
                let (_, classes) = attributes.entry(CLASS.to_lowercase()).or_insert_with(|| (CLASS.to_owned(), vec![]));
                classes.push(USER.to_owned());
            }
            for property in &lookup.properties {
                let Some(attribute) = attribute_type(property) else { continue };
                if answer == LookupAnswer::Empty {
                    if is_strict && attributes.contains_key(&attribute) {
                        return None;
                    }
                } else if is_strict || !excludes(way, &attribute) {
                    let value = || (property.clone(), vec![self.value(label, lookup, &attribute)]);
                    attributes.entry(attribute.clone()).or_insert_with(value);
                }
            }
            let entry = Entry::new(&dn(label), attributes.into_values().collect()).ok()?;
            filter.as_ref().is_none_or(|filter| filter.matches(&entry)).then_some(entry)
        };
        let mut attempts = [true, false].into_iter().flat_map(|is_strict| ways.iter().map(move |way| (way, is_strict)));
        attempts.find_map(|(way, is_strict)| attempt(way, is_strict))
    }

    /// The attributes that a way to match asks for, by type: name and values.
    fn demanded(&self, label: &str, lookup: &Lookup<'_>, way: &[Demand]) -> BTreeMap<String, (String, Vec<String>)> {
        let mut found: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
        for demand in way.iter().filter(|demand| demand.holds) {
            let Some(name) = &demand.attribute else { continue };
            let Some(attribute) = attribute_type(name) else { continue };
            // Every entry has an object class.
            if attribute == "objectclass" && demand.example.is_none() {
                continue;
            }
            let value = demand.example.clone().unwrap_or_else(|| self.value(label, lookup, &attribute));
            let (_, values) = found.entry(attribute).or_insert_with(|| (name.clone(), Vec::new()));
            if !values.contains(&value) {
                values.push(value);
            }
        }
        found
    }

    /// The usual value of a property.
    fn value(&self, label: &str, lookup: &Lookup<'_>, attribute_type: &str) -> String {
        let mail = || match lookup.identity.trim() {
            own if lookup.of == LookedUp::User && mail::is_address(own) => own.to_owned(),
            _ => format!("{label}{DOMAIN}"),
        };
        match attribute_type {
            "samaccountname" | "uid" => return label.to_owned(),
            "objectguid" | "entryuuid" => return guid(label),
            "manager" | "member" => return dn(&format!("{label}-{attribute_type}")),
            _ => {}
        }
        match self.0.get(attribute_type) {
            Some(Use::Kind(ParameterKind::PersonalId)) => {
                let ids = Person(usize::from(hash(label).to_le_bytes()[0])).personal_ids();
                return ids.into_iter().next().unwrap_or_default();
            }
            Some(Use::Kind(ParameterKind::Mail)) => return mail(),
            Some(Use::Kind(ParameterKind::Uri)) => return "https://example.com/api/v2".to_owned(),
            Some(Use::Kind(ParameterKind::LdapFilter)) => return "(objectClass=*)".to_owned(),
            Some(Use::Kind(ParameterKind::Days) | Use::Type(ValueType::Decimal)) => return "14".to_owned(),
            Some(Use::Type(ValueType::Boolean)) => return "true".to_owned(),
            Some(Use::Compared(text)) => return text.clone(),
            Some(Use::Kind(_) | Use::Type(ValueType::String)) | None => {}
        }
        match attribute_type {
            "mail" | "userprincipalname" => mail(),
            "displayname" | "cn" | "name" => name(label),
            "givenname" => name(label).split(' ').next().unwrap_or_default().to_owned(),
            "mobile" | "telephonenumber" => Person::telephone(100 + usize::from(hash(label).to_le_bytes()[1])),
            _ => format!("Example {attribute_type} of {label}"),
        }
    }
}

/// Whether a way to match asks that an attribute does not have some value.
fn excludes(way: &[Demand], attribute: &str) -> bool {
    let excluded = way.iter().filter(|demand| !demand.holds).filter_map(|demand| demand.attribute.as_deref());
    excluded.filter_map(attribute_type).any(|excluded| excluded == attribute)
}

/// The account name of the entry that a lookup finds.
fn label_of(lookup: &Lookup<'_>) -> String {
    let demanded = || {
        let filter = lookup.filter.and_then(|filter| Filter::parse(filter).ok())?;
        let way = filter.demands(1).into_iter().next()?;
        let is_class =
            |it: &Demand| it.attribute.as_deref().is_some_and(|name| name.to_lowercase().starts_with("object"));
        way.into_iter().find_map(|it| it.example.clone().filter(|_| it.holds && !is_class(&it)))
    };
    if lookup.of == LookedUp::Users {
        return demanded().map_or_else(|| USER.to_owned(), |value| format!("{}-{USER}", label(&value)));
    }
    let identity = lookup.identity.trim();
    let is_dn = identity.contains('=') && Dn::parse(identity).is_some();
    let first = identity.split(',').next().and_then(|part| part.split_once('=')).filter(|_| is_dn);
    let label = label(first.map_or(identity, |(_, value)| value));
    match lookup.of {
        LookedUp::User | LookedUp::Users => label,
        LookedUp::Members => format!("{label}-member"),
        LookedUp::Manager(0 | 1) | LookedUp::TopManager => format!("{label}-manager"),
        LookedUp::Manager(levels) => format!("{label}-manager-{levels}"),
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

/// Words of the label; one alone gets a family name.
fn name(label: &str) -> String {
    let words = label.split('-').filter(|word| !word.is_empty()).map(|word| {
        let (first, rest) = word.split_at(1.min(word.len()));
        format!("{}{rest}", first.to_uppercase())
    });
    let words: Vec<String> = words.collect();
    if words.len() > 1 { words.join(" ") } else { format!("{} Example", words.join(" ")) }
}

fn dn(label: &str) -> String {
    format!("CN={},{SUFFIX}", escaped(&name(label)))
}

fn guid(label: &str) -> String {
    let digits = format!("{:016x}", hash(label));
    let (start, end) = digits.split_at(4);
    format!("10000000-0000-4000-{start}-{end}")
}

/// FNV-1a, 64 bits: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_of_names_are_escaped() {
        for name in ["a,b", " a ", "#a", "a=b+c", "<>\"\\;", "é"] {
            assert!(Dn::parse(&format!("CN={},{SUFFIX}", escaped(name))).is_some(), "{name}");
        }
    }

    fn answers(of: LookedUp, identity: &str, properties: &[&str], filter: Option<&str>) -> Vec<Vec<String>> {
        let properties = properties.iter().map(|property| (*property).to_owned()).collect();
        let lookup = Lookup { identity, properties, filter, of };
        PropertyUses::default().answers(&lookup).into_iter().map(|(_, values)| values).collect()
    }

    #[test]
    fn lookup_has_each_answer() {
        let properties = ["Mail", "DisplayName", "distinguishedName", "not valid"];
        let dn = "CN=Anna Example,DC=example,DC=com";
        let found = answers(LookedUp::User, "anna", &properties, None);
        assert_eq!(found, [["anna@example.com", "Anna Example", dn, ""], ["", "", dn, ""]]);
        let found = answers(LookedUp::Members, "CN=The team,DC=x", &["Mail"], None);
        let two = "the-team-member@example.com;the-team-member-2@example.com";
        assert_eq!(found, [["the-team-member@example.com"], [""], [two]]);
        assert_eq!(answers(LookedUp::Manager(2), "anna", &["uid"], None), [["anna-manager-2"], [""]]);
        assert_eq!(answers(LookedUp::User, "a.b@example.org", &["Mail"], None)[0], ["a.b@example.org"]);
    }

    #[test]
    fn search_finds_one_none_or_two_users() {
        let found = |filter| answers(LookedUp::Users, "", &["Mail"], Some(filter));
        let one = "sales-user@example.com";
        let two = "sales-user@example.com;sales-user-2@example.com";
        assert_eq!(found("(&(objectClass=user)(department=Sales))"), [[one], [""], [two]]);
        assert_eq!(
            found("(mail=anna@example.org)"),
            [["anna@example.org"], [""], ["anna@example.org;anna@example.org"]]
        );
        assert_eq!(found("(!(objectClass=user))"), [[""]]);
    }

    #[test]
    fn values_match_the_filter() {
        for (filter, property, number) in [
            (
                "(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))",
                "Mail",
                2,
            ),
            ("(userAccountControl:1.2.840.113556.1.4.803:=2)", "userAccountControl", 1),
            ("(mail=*@example.org)", "Mail", 1),
            ("(|(mail=*)(title=*))", "Mail", 2),
            ("(!(department=Example department*))", "department", 1),
            ("(whenCreated>=20240101000000.0Z)", "Mail", 2),
            ("(manager=CN=Boss,DC=x)", "manager", 1),
            ("(ou:dn:=x)", "Mail", 2),
            ("(&(mail=*)(!(mail=*)))", "Mail", 0),
            ("(|)", "Mail", 0),
        ] {
            assert_eq!(answers(LookedUp::User, "anna", &[property], Some(filter)).len(), number, "{filter}");
        }
    }

    #[test]
    fn hostile_lookups_end() {
        let (many, long) = ("(|(a=1)(b=2))".repeat(2000), "x".repeat(100_000));
        for filter in [format!("(&{many})"), format!("(!(|{many}))"), format!("(a={long})")] {
            for identity in ["anna", &long, "CN=a\\,b+OU=c,DC=x", "=", "\\", "é"] {
                answers(LookedUp::User, identity, &["Mail", &long, "", "a;b"], Some(&filter));
            }
        }
    }
}

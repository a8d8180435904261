//! RFC 4511 §4.5.1.7: whether an entry matches a filter, in three truth values; and what a filter demands of an entry.

use std::ops::Not;
use std::sync::Arc;

use super::attribute::Description;
use super::filter::{Filter, Item, Node, Test};
use super::matching::{MatchingRule, name};
use super::{Directory, Dn, Entry, dn, preparation};
use crate::common::collections::HashSet;

/// `None` is undefined.
type Truth = Option<bool>;

/// The disjunction of three-valued logic: true if any is true, otherwise undefined if any is undefined, otherwise false.
fn any(truths: impl Iterator<Item = Truth>) -> Truth {
    let mut result = Some(false);
    for truth in truths {
        if truth == Some(true) {
            return truth;
        }
        result = result.and(truth);
    }
    result
}

impl Filter {
    /// The filter, for the entries of a directory.
    pub fn search<'s>(&'s self, directory: &'s Directory) -> Search<'s> {
        let chains = self.chains.iter().map(|(attribute, name)| directory.reaching(attribute, name));
        Search { filter: self, directory, chains: chains.collect() }
    }

    /// Whether an entry of no directory matches.
    pub fn matches(&self, entry: &Entry) -> bool {
        self.search(&Directory::default()).matches(entry)
    }

    /// Whether it follows names through the whole directory.
    pub fn has_chains(&self) -> bool {
        !self.chains.is_empty()
    }
}

/// A filter in a directory.
pub struct Search<'s> {
    filter: &'s Filter,
    directory: &'s Directory,
    /// By number, the keys of the entries from which each chain reaches its name.
    chains: Vec<HashSet<Arc<str>>>,
}

impl Search<'_> {
    /// Whether an entry matches (RFC 4511 §4.5.1.7); an undefined result is not a match.
    ///
    /// A comparison with an attribute that the entry lacks is false, so that its negation is true, as in
    /// Active Directory. Undefined are unknown matching rules, and rules that do not apply to the values.
    pub fn matches(&self, entry: &Entry) -> bool {
        self.node(&self.filter.root, entry) == Some(true)
    }

    fn node(&self, node: &Node, entry: &Entry) -> Truth {
        match node {
            // De Morgan: all are true unless any negation is. Negation keeps what is undefined, so this is exact in
            // three-valued logic too.
            Node::And(filters) => {
                any(filters.iter().map(|filter| self.node(filter, entry).map(bool::not))).map(bool::not)
            }
            Node::Or(filters) => any(filters.iter().map(|filter| self.node(filter, entry))),
            Node::Not(filter) => self.node(filter, entry).map(bool::not),
            Node::Item(item) => self.item(item, entry),
        }
    }

    fn item(&self, item: &Item, entry: &Entry) -> Truth {
        if let Test::Rule(rule, assertion) = &item.test
            && !assertion.is_valid_for(*rule)
        {
            return None;
        }
        let truth = match &item.attribute {
            Some(description) => {
                let attribute = description.attribute.as_str();
                // Every entry has an object class (RFC 4512 §2.4), even if the file omits it.
                if attribute == "objectclass" && matches!(item.test, Test::Present) {
                    return Some(true);
                }
                any(self.directory.described(entry, description).map(|value| self.test(&item.test, attribute, value)))
            }
            // Without an attribute the rule is applied to all attributes; those whose values it cannot
            // compare do not count (RFC 4511 §4.5.1.7.7).
            None => {
                let truths = entry.all_values().map(|(attribute, value)| self.test(&item.test, attribute, value));
                any(truths.flatten().map(Some))
            }
        };
        // `:dn` adds the attributes in the distinguished name to those of the entry.
        if !item.with_name || truth == Some(true) {
            return truth;
        }
        let wanted = item.attribute.as_ref().map(|description| description.attribute.as_str());
        let components = dn::components(entry.dn_text()).unwrap_or_default();
        let parts = components.iter().flatten().filter(|part| wanted.is_none_or(|wanted| wanted == part.attribute));
        let named = parts.map(|part| self.test(&item.test, &part.attribute, &part.value));
        any(std::iter::once(truth).chain(named))
    }

    fn test(&self, test: &Test, attribute: &str, value: &[u8]) -> Truth {
        let Test::InChain(number, assertion) = test else { return test.evaluate(attribute, value) };
        let given = preparation::text(value).and_then(name)?;
        let reaches = |given: &Dn| self.chains.get(*number).is_some_and(|chain| chain.contains(given.key()));
        Some(assertion.name() == Some(&given) || reaches(&given))
    }
}

impl Test {
    fn evaluate(&self, attribute: &str, value: &[u8]) -> Truth {
        match self {
            Self::Present => Some(true),
            Self::Equal(assertion) => Some(assertion.equals(attribute, value)),
            Self::Substrings(parts) => Some(parts.matches(value)),
            Self::AtLeast(assertion) => Some(assertion.compare(value).is_ge()),
            Self::AtMost(assertion) => Some(assertion.compare(value).is_le()),
            Self::Rule(rule, assertion) => assertion.matches_rule(*rule, value),
            Self::InChain(..) => None,
        }
    }
}

/// Demands of all ways together; then only the first alternatives are followed.
const MAX_DEMANDS: usize = 4096;

/// A comparison that has to be true, or false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// The attribute with its options; `None` for a matching rule that is applied to all attributes.
    pub attribute: Option<String>,
    pub holds: bool,
    /// A value for which it is true; `None` where any value will do, or none is known.
    pub example: Option<String>,
}

impl Filter {
    /// Ways to match: in each, all demands have to be met. Of a filter with more than `max` some are left out.
    pub fn demands(&self, max: usize) -> Vec<Vec<Demand>> {
        self.root.ways(true, max)
    }
}

/// The attribute type that a name stands for, in lower case; `None` of a name that no attribute can have, and of the
/// distinguished name.
pub fn attribute_type(name: &str) -> Option<String> {
    Description::parse(name).filter(|description| !description.is_own_name()).map(|description| description.attribute)
}

impl Node {
    /// The disjunctive normal form, as far as `max` allows. Recurses as deep as the filter is nested.
    fn ways(&self, holds: bool, max: usize) -> Vec<Vec<Demand>> {
        match self {
            Self::Not(node) => node.ways(!holds, max),
            Self::Item(item) => vec![vec![item.demand(holds)]],
            Self::And(nodes) if holds => all(nodes, holds, max),
            Self::Or(nodes) if !holds => all(nodes, holds, max),
            Self::And(nodes) | Self::Or(nodes) => {
                nodes.iter().flat_map(|node| node.ways(holds, max)).take(max).collect()
            }
        }
    }
}

fn all(nodes: &[Node], holds: bool, max: usize) -> Vec<Vec<Demand>> {
    let mut ways: Vec<Vec<Demand>> = vec![Vec::new()];
    for node in nodes {
        let more = node.ways(holds, max);
        let Some(first) = more.first() else { return Vec::new() };
        let demands: usize = ways.iter().map(Vec::len).sum();
        if more.len() == 1 || demands > MAX_DEMANDS {
            for way in &mut ways {
                way.extend(first.iter().cloned());
            }
            continue;
        }
        let joined = ways.iter().flat_map(|way| more.iter().map(move |more| [way.as_slice(), more].concat()));
        ways = joined.take(max).collect();
    }
    ways
}

impl Item {
    fn demand(&self, holds: bool) -> Demand {
        let example = match &self.test {
            Test::Present => None,
            Test::Equal(assertion) | Test::AtLeast(assertion) | Test::AtMost(assertion) => assertion.example(),
            Test::Substrings(parts) => parts.example(),
            Test::Rule(MatchingRule::Unknown, _) => None,
            Test::Rule(_, assertion) | Test::InChain(_, assertion) => assertion.example(),
        };
        Demand { attribute: self.attribute.as_ref().map(Description::name), holds, example }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ldap::ldif;
    use proptest::prelude::*;

    const ANNA: &str = "dn: CN=Anna Berg,OU=IT,DC=x\ncn: Anna  Berg\ncn;lang-sv: Ånna\nmail: anna@example.com\n\
        memberOf: CN=R\\, D,OU=Groups,DC=x\nuserAccountControl: 514\ngroupType: -2147483646\nage: 9\n\
        whenCreated: 20240229120000.0Z\nobjectGUID:: MyIRAFVEd2aImaq7zN3u/w==\nphoto:: /9gBAv8=\n\
        objectCategory: CN=Person,CN=Schema,DC=x\n";

    fn matches(filter: &str) -> bool {
        let entries = ldif::parse(ANNA).unwrap();
        Filter::parse(filter).unwrap_or_else(|error| panic!("{filter}: {error}")).matches(&entries[0])
    }

    #[test]
    fn text_is_compared_without_case_and_extra_white_space() {
        for filter in [
            "(CN= anna berg )", "(2.5.4.3=ANNA BERG)", "(cn=ånna)", "(cn;lang-sv=*)", "(cn~=anna berg)", "(mail=*)",
            "(mail=anna*)", "(mail=*.com)", "(mail=a*@*.*m)", "(cn=* *)", "(cn=anna * berg)", "(cn=*a b*)",
        ] {
            assert!(matches(filter), "{filter}");
        }
        for filter in ["(cn=annaberg)", "(cn;lang-en=*)", "(mail=anna)", "(mail=*anna)", "(mail=an*nna@*)", "(cn=)"] {
            assert!(!matches(filter), "{filter}");
        }
        assert!(!matches("(mail=* *)"));
        assert!(!matches("(age=9*9)"), "parts do not overlap");
    }

    #[test]
    fn names_are_compared_as_distinguished_names() {
        assert!(matches("(memberOf=cn=r\\5c2C d, ou=groups, dc=X)"));
        assert!(!matches("(memberOf=CN=D,OU=Groups,DC=x)"));
        assert!(matches("(distinguishedName=cn=anna berg,ou=it,dc=x)"));
        assert!(matches("(dn=*)"));
        assert!(matches("(ou:dn:=it)"));
        assert!(!matches("(ou:=it)"));
        assert!(matches("(memberOf:distinguishedNameMatch:=cn=R\\5c, D,ou=Groups,dc=x)"));
        assert!(matches("(objectCategory=user)"));
        assert!(matches("(objectCategory=cn=person,cn=schema,dc=x)"));
        assert!(!matches("(objectCategory=computer)"));
    }

    #[test]
    fn numbers_and_text_are_ordered() {
        assert!(matches("(age>=9)"));
        assert!(matches("(age<=10)"));
        assert!(!matches("(age>=10)"));
        assert!(matches("(whenCreated>=20240101000000.0Z)"));
        assert!(matches("(mail<=B)"));
        assert!(!matches("(height>=1)"));
    }

    #[test]
    fn matching_rules_compare_bits_and_case() {
        assert!(matches("(userAccountControl:1.2.840.113556.1.4.803:=2)"));
        assert!(!matches("(userAccountControl:1.2.840.113556.1.4.803:=3)"));
        assert!(matches("(userAccountControl:1.2.840.113556.1.4.804:=3)"));
        assert!(matches("(groupType:1.2.840.113556.1.4.803:=2147483648)"), "the sign is the highest bit");
        assert!(matches("(cn:caseExactMatch:=Anna Berg)"));
        assert!(!matches("(cn:caseExactMatch:=anna berg)"));
        assert!(matches("(:caseExactMatch:=anna@example.com)"));
        assert!(matches("(!(:integerMatch:=7))"));
    }

    #[test]
    fn chains_follow_names_from_entry_to_entry() {
        let text = "dn: CN=Anna,DC=x\nmanager: CN=Bo,DC=x\n\ndn: CN=Bo,DC=x\nmanager: CN=Cia,DC=x\n\n\
                    dn: CN=Cia,DC=x\nmemberOf: CN=Board,DC=x\n\ndn: CN=Team,DC=x\nmember: cn=anna, dc=x\n\n\
                    dn: CN=All,DC=x\nmember: CN=Team,DC=x\nmember: CN=Round,DC=x\n\n\
                    dn: CN=Round,DC=x\nmember: CN=All,DC=x\n";
        let directory = Directory::new(ldif::parse(text).unwrap()).unwrap();
        let found = |filter: &str| {
            let filter = Filter::parse(filter).unwrap();
            let search = filter.search(&directory);
            let names = directory.entries().iter().filter(|entry| search.matches(entry)).map(|entry| entry.dn_text());
            let short = |name: &str| name.trim_start_matches("CN=").trim_end_matches(",DC=x").to_owned();
            names.map(short).collect::<Vec<_>>().join(" ")
        };
        let rule = "1.2.840.113556.1.4.1941";
        assert_eq!(found("(memberOf=CN=Team,DC=x)"), "Anna", "derived from `member`");
        assert_eq!(found("(memberOf=*)"), "Anna Cia Team All Round");
        assert_eq!(found("(directReports=CN=Bo,DC=x)"), "Cia");
        assert_eq!(found(&format!("(memberOf:{rule}:=cn=all, dc=x)")), "Anna Team All Round");
        assert_eq!(found(&format!("(memberOf:{rule}:=CN=Board,DC=x)")), "Cia");
        assert_eq!(found(&format!("(manager:{rule}:=CN=Cia,DC=x)")), "Anna Bo");
        assert_eq!(found(&format!("(member:{rule}:=CN=Anna,DC=x)")), "Team All Round");
        assert_eq!(found(&format!("(&(manager=*)(!(manager:{rule}:=CN=Bo,DC=x)))")), "Bo");
        assert_eq!(found(&format!("(member:{rule}:=CN=Gone,DC=x)")), "");
    }

    #[test]
    fn bytes_are_compared_as_they_are() {
        assert!(matches("(objectGUID=\\33\\22\\11\\00\\55\\44\\77\\66\\88\\99\\aa\\bb\\cc\\dd\\ee\\ff)"));
        assert!(matches("(objectGUID=00112233-4455-6677-8899-AABBCCDDEEFF)"));
        assert!(!matches("(objectGUID=\\33)"));
        assert!(matches("(photo=\\ff\\d8*\\02\\ff)"));
        assert!(!matches("(photo=\\ff\\d8*\\02)"));
    }

    #[test]
    fn missing_attribute_is_unequal_and_unknown_rule_is_undefined() {
        assert!(matches("(!(phone=1))"));
        assert!(matches("(objectClass=*)"));
        for filter in ["(cn:1.2.3:=a)", "(memberOf:1.2.840.113556.1.4.1941:=a)", "(age:1.2.840.113556.1.4.803:=x)"] {
            assert!(!matches(filter), "{filter}");
            assert!(!matches(&format!("(!{filter})")), "{filter}");
            assert!(matches(&format!("(|{filter}(cn=*))")), "{filter}");
            assert!(matches(&format!("(!(&{filter}(phone=1)))")), "{filter}");
            assert!(!matches(&format!("(&{filter}(cn=*))")), "{filter}");
        }
        assert!(matches("(&)"));
        assert!(!matches("(|)"));
    }

    #[test]
    fn many_wildcards_take_linear_time() {
        let entry = Entry::new("CN=a", vec![("cn".to_owned(), vec!["a".repeat(200_000)])]).unwrap();
        let filter = Filter::parse(&format!("(cn={}b)", "*a".repeat(100_000))).unwrap();
        assert!(!filter.matches(&entry));
    }

    proptest! {
        #[test]
        fn a_value_is_found_by_itself_and_by_its_parts(value in "[a-cA-CäÄßΣς€! ]{1,12}", at in 0..12usize) {
            // White space at the ends of values is insignificant, so no part of a filter matches it.
            let value = value.trim();
            let entry = Entry::new("CN=a", vec![("cn".to_owned(), vec![value.to_owned()])]).unwrap();
            let escaped = |text: &str| text.bytes().map(|byte| format!("\\{byte:02x}")).collect::<String>();
            let whole = Filter::parse(&format!("(cn={})", escaped(value))).unwrap();
            prop_assert!(whole.matches(&entry));
            let middle = value.char_indices().nth(at).map_or(value.len(), |(middle, _)| middle);
            let (first, last) = value.split_at(middle);
            let parts = Filter::parse(&format!("(cn={}*{})", escaped(first), escaped(last))).unwrap();
            prop_assert!(parts.matches(&entry));
        }
    }

    /// Each way as a string: `!` before what must be false.
    fn ways(filter: &str) -> Vec<String> {
        let text = |demand: &Demand| {
            let example = demand.example.as_deref().unwrap_or("*");
            let not = if demand.holds { "" } else { "!" };
            format!("{not}{}={example}", demand.attribute.as_deref().unwrap_or_default())
        };
        let ways = Filter::parse(filter).unwrap().demands(8);
        ways.iter().map(|way| way.iter().map(text).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn ways_are_the_disjunctive_normal_form() {
        assert_eq!(ways("(&(a=1)(!(b=2)))"), ["a=1 !b=2"]);
        assert_eq!(ways("(|(a=1)(b=*x*y))"), ["a=1", "b=xy"]);
        assert_eq!(ways("(!(&(a=*)(b>=2)))"), ["!a=*", "!b=2"]);
        assert_eq!(ways("(!(|(a=1)(b=2)))"), ["!a=1 !b=2"]);
        assert_eq!(ways("(&(|(a=1)(a=2))(|(b=1)(b=2)))"), ["a=1 b=1", "a=1 b=2", "a=2 b=1", "a=2 b=2"]);
        assert_eq!(ways("(&)"), [""]);
        assert_eq!(ways("(|)"), [""; 0]);
        assert_eq!(ways("(uac:1.2.840.113556.1.4.803:=2)"), ["uac=2"]);
    }

    #[test]
    fn many_alternatives_are_cut_off() {
        let either = "(|(a=1)(a=2)(a=3)(a=4))";
        let filter = Filter::parse(&format!("(&{})", either.repeat(5000))).unwrap();
        assert_eq!(filter.demands(64).len(), 64);
    }
}

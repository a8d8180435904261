//! RFC 4511 §4.5.1.7: whether an entry matches a filter, in three truth values.

use super::filter::{Filter, Item, Node, Test};
use super::{Entry, dn};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Undefined,
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl Truth {
    const fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Undefined => Self::Undefined,
        }
    }

    /// The disjunction of three-valued logic: true if any is true, otherwise undefined if any is
    /// undefined, otherwise false.
    fn any(truths: impl Iterator<Item = Self>) -> Self {
        let mut result = Self::False;
        for truth in truths {
            match truth {
                Self::True => return Self::True,
                Self::Undefined => result = Self::Undefined,
                Self::False => {}
            }
        }
        result
    }
}

impl Filter {
    /// Whether an entry matches (RFC 4511 §4.5.1.7); an undefined result is not a match.
    ///
    /// A comparison with an attribute that the entry lacks is false, so that its negation is true, as in
    /// Active Directory. Undefined are unknown matching rules, rules that do not apply to the values, and
    /// 1.2.840.113556.1.4.1941 ("in chain"), which needs the whole directory.
    pub fn matches(&self, entry: &Entry) -> bool {
        self.root.evaluate(entry) == Truth::True
    }
}

impl Node {
    fn evaluate(&self, entry: &Entry) -> Truth {
        match self {
            // De Morgan: all are true unless any negation is. Negation keeps Undefined, so this is exact in
            // three-valued logic too.
            Self::And(filters) => Truth::any(filters.iter().map(|filter| filter.evaluate(entry).not())).not(),
            Self::Or(filters) => Truth::any(filters.iter().map(|filter| filter.evaluate(entry))),
            Self::Not(filter) => filter.evaluate(entry).not(),
            Self::Item(item) => item.evaluate(entry),
        }
    }
}

impl Item {
    fn evaluate(&self, entry: &Entry) -> Truth {
        if let Test::Rule(rule, assertion) = &self.test
            && !assertion.is_valid_for(*rule)
        {
            return Truth::Undefined;
        }
        let truth = match &self.attribute {
            Some(description) => {
                let attribute = description.attribute.as_str();
                // Every entry has an object class (RFC 4512 §2.4), even if the file omits it.
                if attribute == "objectclass" && matches!(self.test, Test::Present) {
                    return Truth::True;
                }
                Truth::any(entry.described(description).map(|value| self.test.evaluate(attribute, value)))
            }
            // Without an attribute the rule is applied to all attributes; those whose values it cannot
            // compare do not count (RFC 4511 §4.5.1.7.7).
            None => {
                let truths = entry.all_values().map(|(attribute, value)| self.test.evaluate(attribute, value));
                Truth::any(truths.filter(|truth| *truth != Truth::Undefined))
            }
        };
        // `:dn` adds the attributes in the distinguished name to those of the entry.
        if !self.with_name || truth == Truth::True {
            return truth;
        }
        let wanted = self.attribute.as_ref().map(|description| description.attribute.as_str());
        let components = dn::components(entry.dn_text()).unwrap_or_default();
        let parts = components.iter().flatten().filter(|part| wanted.is_none_or(|wanted| wanted == part.attribute));
        let named = parts.map(|part| self.test.evaluate(&part.attribute, &part.value));
        Truth::any(std::iter::once(truth).chain(named))
    }
}

impl Test {
    fn evaluate(&self, attribute: &str, value: &[u8]) -> Truth {
        match self {
            Self::Present => Truth::True,
            Self::Equal(assertion) => assertion.equals(attribute, value).into(),
            Self::Substrings(parts) => parts.matches(value).into(),
            Self::AtLeast(assertion) => assertion.compare(value).is_ge().into(),
            Self::AtMost(assertion) => assertion.compare(value).is_le().into(),
            Self::Rule(rule, assertion) => assertion.matches_rule(*rule, value).map_or(Truth::Undefined, Truth::from),
        }
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
            "(CN= anna berg )",
            "(2.5.4.3=ANNA BERG)",
            "(cn=ånna)",
            "(cn;lang-sv=*)",
            "(cn~=anna berg)",
            "(mail=*)",
            "(mail=anna*)",
            "(mail=*.com)",
            "(mail=a*@*.*m)",
            "(cn=* *)",
            "(cn=anna * berg)",
            "(cn=*a b*)",
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
        for filter in ["(cn:1.2.3:=a)", "(memberOf:1.2.840.113556.1.4.1941:=CN=a)", "(age:1.2.840.113556.1.4.803:=x)"] {
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
}

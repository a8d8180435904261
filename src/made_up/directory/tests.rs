use super::answers::outputs;
use super::*;
use crate::ldap::{Filter, attribute_type};
use crate::simulate::{LookedUp, Lookup};

const KINDS: [LookedUp; 5] =
    [LookedUp::User, LookedUp::Members, LookedUp::Manager(1), LookedUp::Manager(2), LookedUp::TopManager];

const FILTERS: [Option<&str>; 4] =
    [None, Some("(mail=*)"), Some("(&(department=IT)(!(title=Boss)))"), Some("(|(cn=Anna*)(!(mobile=*)))")];

fn lookup<'l>(of: LookedUp, identity: &'l str, properties: &[&str], filter: Option<&'l str>) -> Lookup<'l> {
    let properties = properties.iter().map(|property| (*property).to_owned()).collect();
    Lookup { identity, properties, filter, of }
}

fn empty() -> AskedDirectory {
    AskedDirectory::new(PropertyUses::default(), &[])
}

/// What a lookup returns now.
fn seen(directory: &AskedDirectory, lookup: &Lookup<'_>) -> Option<Vec<String>> {
    let filter = lookup.filter.map(|filter| Filter::parse(filter).unwrap());
    outputs(directory.directory(), lookup, filter.as_ref())
}

/// Gives an answer, and checks that the lookup gets it and asks no more.
fn supplied(directory: &AskedDirectory, lookup: &Lookup<'_>, answer: Answer) -> AskedDirectory {
    let mut next = directory.clone();
    assert!(next.supply(lookup, answer), "{lookup:?} {answer:?}");
    let found = seen(&next, lookup).unwrap_or_else(|| panic!("{lookup:?} {answer:?} fails"));
    if answer == Answer::Two {
        assert!(found.iter().all(|value| value.split(';').count() == 2), "{lookup:?} {found:?}");
    }
    assert_eq!(next.answers(lookup), [], "{lookup:?} {answer:?} is decided");
    next
}

#[test]
fn new_entry_gives_each_answer() {
    for of in KINDS {
        let lookup = lookup(of, "anna", &["Mail", "DisplayName", "distinguishedName", "not valid"], None);
        let mut expected = vec![Answer::Full, Answer::Empty];
        expected.extend((of == LookedUp::Members).then_some(Answer::Two));
        assert_eq!(empty().answers(&lookup), expected, "{of:?}");
        let full = seen(&supplied(&empty(), &lookup, Answer::Full), &lookup).unwrap();
        assert!(full[..3].iter().all(|value| !value.is_empty()) && full[3].is_empty(), "{full:?}");
        let missing = seen(&supplied(&empty(), &lookup, Answer::Empty), &lookup).unwrap();
        assert!(missing[..2].iter().all(String::is_empty), "{missing:?}");
        assert_eq!(missing[2].is_empty(), of == LookedUp::Members, "{missing:?}");
    }
}

#[test]
fn answers_agree_with_all_earlier_ones() {
    let all = || {
        let kinds = KINDS.into_iter().enumerate();
        kinds.flat_map(|(kind, of)| {
            FILTERS.into_iter().enumerate().map(move |(number, filter)| {
                let properties: &[&str] = if (kind + number) % 2 == 0 { &["Mail"] } else { &["cn", "Mail", "Title"] };
                lookup(of, "anna", properties, filter)
            })
        })
    };
    let mut tried = 0;
    for first in all() {
        for answer in empty().answers(&first) {
            let directory = supplied(&empty(), &first, answer);
            let before = seen(&directory, &first);
            for second in all() {
                let open = directory.answers(&second);
                for answer in &open {
                    let next = supplied(&directory, &second, *answer);
                    assert_eq!(seen(&next, &first), before, "{first:?} after {second:?} {answer:?}");
                    tried += 1;
                }
                let found: Vec<_> = open.iter().map(|it| seen(&supplied(&directory, &second, *it), &second)).collect();
                let different: std::collections::BTreeSet<_> = found.iter().collect();
                assert_eq!(different.len(), found.len(), "{second:?} has different answers: {found:?}");
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn filters_are_met_by_what_is_made_up() {
    for (filter, properties, answers) in [
        ("(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))", "Mail", 2),
        ("(userAccountControl:1.2.840.113556.1.4.803:=2)", "userAccountControl", 1),
        ("(!(userAccountControl:1.2.840.113556.1.4.803:=2))", "userAccountControl", 2),
        ("(mail=*@example.org)", "Mail", 1),
        ("(|(mail=*)(title=*))", "Mail", 2),
        ("(!(department=Example))", "department", 2),
        ("(!(displayName=*))", "DisplayName", 1),
        ("(whenCreated>=20240101000000.0Z)", "Mail", 2),
        ("(memberOf=CN=All,OU=Groups,DC=x)", "memberOf", 1),
        ("(&(objectClass=user)(objectClass=person))", "Mail", 2),
        ("(manager=CN=Boss,DC=x)", "manager", 1),
        ("(manager=*)", "Mail", 2),
        ("(!(manager=*))", "Mail", 2),
        ("(ou:dn:=x)", "Mail", 2),
    ] {
        for of in KINDS {
            // A group may also be empty; that makes no difference where no member has the property.
            let is_more = of == LookedUp::Members && answers == 1 && !filter.starts_with("(!");
            let expected = answers + usize::from(is_more);
            let lookup = lookup(of, "anna", &[properties], Some(filter));
            let open = empty().answers(&lookup);
            let open: Vec<_> = open.into_iter().filter(|answer| *answer != Answer::Two).collect();
            if !(of == LookedUp::TopManager && filter.contains("manager")) {
                assert_eq!(open.len(), expected, "{of:?} {filter} {open:?}");
            }
            for answer in open {
                supplied(&empty(), &lookup, answer);
            }
        }
    }
}

#[test]
fn lookup_that_nothing_can_answer_only_fails() {
    let all = [
        lookup(LookedUp::User, " ", &["Mail"], None),
        lookup(LookedUp::User, "a\u{1}b", &["Mail"], None),
        lookup(LookedUp::User, "anna", &["Mail"], Some("(&(mail=*)(!(mail=*)))")),
        lookup(LookedUp::User, "anna", &["Mail"], Some("(sAMAccountName=bo)")),
        lookup(LookedUp::Members, "team", &["Mail"], Some("(|)")),
        lookup(LookedUp::Manager(1_000_000), "anna", &["Mail"], None),
        lookup(LookedUp::User, "anna", &["Mail"], Some("(mail")),
        lookup(LookedUp::User, "anna", &["Mail"], Some("(:caseExactMatch:=x)")),
    ];
    for lookup in all {
        assert_eq!(empty().answers(&lookup), [], "{lookup:?}");
        assert!(empty().only_fails(&lookup) && !empty().clone().supply(&lookup, Answer::Full), "{lookup:?}");
    }
    let known = lookup(LookedUp::User, "anna", &["Mail"], None);
    assert!(!supplied(&empty(), &known, Answer::Full).only_fails(&known));
}

#[test]
fn chain_of_managers_is_one_for_all_lookups() {
    let of = |of| lookup(of, "anna", &["sAMAccountName"], None);
    let directory = supplied(&empty(), &of(LookedUp::Manager(2)), Answer::Full);
    let account = seen(&directory, &of(LookedUp::Manager(2))).unwrap().remove(0);
    assert_eq!(
        seen(&directory, &lookup(LookedUp::User, &account, &["sAMAccountName"], None)).unwrap().remove(0),
        account
    );
    let directory = supplied(&directory, &of(LookedUp::Manager(1)), Answer::Full);
    let first = seen(&directory, &of(LookedUp::Manager(1))).unwrap().remove(0);
    assert_eq!(
        seen(&directory, &lookup(LookedUp::Manager(1), &first, &["sAMAccountName"], None)).unwrap().remove(0),
        account
    );
    // Nothing else is asked of the topmost, who is known then.
    let mut directory = directory;
    assert_eq!(directory.answers(&of(LookedUp::TopManager)), [Answer::Full]);
    assert!(directory.supply(&of(LookedUp::TopManager), Answer::Full));
    assert_eq!(seen(&directory, &of(LookedUp::TopManager)).unwrap(), [account]);
    assert_eq!(directory.answers(&of(LookedUp::Manager(3))), []);
    assert!(directory.only_fails(&of(LookedUp::Manager(3))));
}

#[test]
fn what_is_relevant_does_not_depend_on_other_lookups() {
    let anna = lookup(LookedUp::Manager(1), "anna", &["Mail"], None);
    let team = lookup(LookedUp::Members, "team", &["Mail"], None);
    let one = supplied(&supplied(&empty(), &anna, Answer::Full), &team, Answer::Two);
    let other = supplied(&supplied(&empty(), &team, Answer::Two), &anna, Answer::Full);
    assert_eq!(one.relevant(None), other.relevant(None));
    let different = supplied(&supplied(&empty(), &team, Answer::Empty), &anna, Answer::Full);
    assert_ne!(one.relevant(None), different.relevant(None));
    assert_eq!(one.relevant(Some(&["Anna", "nobody"])), different.relevant(Some(&["anna"])));
    assert_ne!(one.relevant(Some(&["team"])), different.relevant(Some(&["team"])));
    assert!(one.relevant(Some(&[])).is_empty());
    let lacks = supplied(&empty(), &anna, Answer::Empty);
    assert_ne!(lacks.relevant(None), supplied(&empty(), &anna, Answer::Full).relevant(None));
    let member = seen(&one, &lookup(LookedUp::Members, "team", &["distinguishedName"], None)).unwrap().remove(0);
    assert_eq!(member, "CN=Team Member,DC=example,DC=com;CN=Team Member 2,DC=example,DC=com");
}

#[test]
fn hostile_lookups_end() {
    let many = "(|(a=1)(b=2))".repeat(2000);
    let long = "x".repeat(100_000);
    for filter in [
        format!("(&{many})"),
        format!("(!(|{many}))"),
        format!("(a={long})"),
        "(!".repeat(60) + "(a=1)" + &")".repeat(60),
    ] {
        for identity in ["anna", &long, "CN=a\\,b+OU=c,DC=x", "=", "{00112233-4455-6677-8899-aabbccddeeff}", "\\", "é"]
        {
            let lookup = lookup(LookedUp::User, identity, &["Mail", &long, "", "a;b"], Some(&filter));
            for answer in empty().answers(&lookup) {
                supplied(&empty(), &lookup, answer);
            }
        }
    }
    assert_eq!(attribute_type("a b"), None);
}

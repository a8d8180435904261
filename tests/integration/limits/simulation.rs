//! The limits of a run: at the limit it goes on, beyond it is stuck.

use serde_json::{Value, json};
use wflint::common::limits::MAX_RUN_DAYS;

use crate::simulate::order::{approval, assign, conditional, order, provider, simulate, status};

/// The limit that a run exceeded; `None` if it completed. Most of what it did is not in this report.
fn exceeded(activities: &Value, variables: &[&str], scenario: &str) -> Option<String> {
    let output = simulate(&order(activities, variables), scenario, "junit");
    assert!(output.code < 2, "{}", output.err());
    let reason = output.out().split_once("exceeded the limit of ").map(|(_, reason)| reason);
    assert_eq!(output.code == 0, reason.is_none(), "{:.2000}", output.out());
    Some(reason?.split([',', ':', ';', '&', '"', '<']).next().unwrap().trim().to_owned())
}

#[test]
fn run_ends_at_its_limit_of_steps() {
    // Ten times a look at the condition and an Assign; then the loop itself, and the last look.
    let count = conditional(
        "While counting",
        ["Count", "notEqual", "xxxxxxxxxx"],
        Some(1),
        &[assign("Add", "Count", "{Count}x")],
    );
    let run = |steps: usize| exceeded(&json!([count]), &["Count"], &format!("limits: {{ steps: {steps} }}"));
    assert_eq!(run(22), None);
    assert_eq!(run(21).as_deref(), Some("21 steps"));
}

#[test]
fn run_ends_at_its_limit_of_virtual_time() {
    let seconds = u32::try_from(MAX_RUN_DAYS * 86_400).unwrap();
    let run = |timeout: u32| exceeded(&json!([approval("Ask boss", timeout)]), &["Approved"], "");
    assert_eq!(run(seconds), None);
    assert!(run(seconds + 1).unwrap().starts_with("3650d"));
}

#[test]
fn run_ends_at_its_limit_of_strings() {
    let mib = 32;
    let run = |further: &str| {
        let set = assign("Set", "A", &"x".repeat(1 << 20));
        let copies = (1..mib).map(|at| assign(&format!("Copy {at}"), "B", "{A}"));
        let activities: Vec<Value> = [set].into_iter().chain(copies).chain([assign("Add", "B", further)]).collect();
        exceeded(&json!(activities), &["A", "B"], "")
    };
    assert_eq!(run(""), None);
    assert_eq!(run("x").as_deref(), Some("32 MiB of text"));
}

#[test]
fn run_ends_at_its_limit_of_filters() {
    let mib = 256;
    // The first test decides, so that no other is compared.
    let (start, end) = ("(|(objectClass=*)", "(a=bcde))");
    let tests = ((1 << 20) - start.len() - end.len()) / 5;
    let filter = format!("{start}{}{end}", "(a=b)".repeat(tests));
    let parameters = [("Identity", "G"), ("LDAPFilter", filter.as_str()), ("Prefix", "A")];
    let lookup = provider("Find", "Get-ZPADGroupMember", &parameters);
    let run = |entries: usize| {
        let people: String = (0..entries).map(|at| format!("- {{ dn: cn={at} }}\n")).collect();
        let members: Vec<String> = (0..entries).map(|at| format!("cn={at}")).collect();
        let group = format!("- {{ dn: cn=G, sAMAccountName: G, member: [{}] }}", members.join(", "));
        exceeded(&json!([lookup]), &["AMail"], &format!("directory:\n{people}{group}"))
    };
    assert_eq!(filter.len(), 1 << 20);
    assert_eq!(run(mib), None);
    assert_eq!(run(mib + 1), Some(format!("{mib} MiB of LDAP filters")));
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn run_ends_at_its_limit_of_entries() {
    let most = 4_000_000;
    let members = 10_000;
    let people: String = (0..members).map(|at| format!("- {{ dn: cn={at} }}\n")).collect();
    let names: Vec<String> = (0..members).map(|at| format!("cn={at}")).collect();
    let group = format!("- {{ dn: cn=G, sAMAccountName: G, member: [{}] }}", names.join(", "));
    let run = |lookups: usize| {
        // Their property is the mail address.
        let parameters = [("Identity", "G"), ("Prefix", "A")];
        let lookups = vec![provider("Find", "Get-ZPADGroupMember", &parameters); lookups];
        exceeded(&json!(lookups), &["AMail"], &format!("directory:\n{people}{group}"))
    };
    assert_eq!(run(most / (2 * members)), None);
    assert_eq!(run(most / (2 * members) + 1), Some(format!("{most} entries of lookups")));
}

#[test]
fn run_ends_at_its_limit_of_events() {
    let most = 200_000;
    // A warning for each name, and the value that is set.
    let events = |number: usize| {
        let names: String = (1..number).map(|name| format!("{{x{name}}}")).collect();
        assign("Events", "A", &names)
    };
    let run = |number: usize| {
        let mut activities = vec![events(1000); number / 1000];
        activities.extend((!number.is_multiple_of(1000)).then(|| events(number % 1000)));
        activities.push(status("Publish", "a"));
        exceeded(&json!(activities), &["A"], "")
    };
    assert_eq!(run(most), None);
    assert_eq!(run(most + 1), Some(format!("{most} events")));
}

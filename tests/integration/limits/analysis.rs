//! The limits of the analysis: up to them everything is checked, beyond them a finding says what is not.

use crate::support::linted::lint_texts;

const OUTPUTS: &str = r#"{ "name": "ZPActivityStatus", "id": 9999999, "variableType": "String" }"#;

fn found(name: &str, text: &str) -> Vec<String> {
    let linted = lint_texts(&[(name, text.as_bytes())], 1);
    linted.findings().iter().map(|finding| format!("{} {}", finding.code, finding.place.pointer)).collect()
}

fn of_code(found: &[String], code: &str) -> Vec<String> {
    found.iter().filter(|finding| finding.starts_with(code)).cloned().collect()
}

fn workflow(variables: impl Iterator<Item = String>, activities: &[String]) -> String {
    let variables: Vec<String> = variables
        .enumerate()
        .map(|(id, name)| format!(r#"{{ "name": "{name}", "id": {}, "variableType": "String" }}"#, id + 1))
        .chain([OUTPUTS.to_owned()])
        .collect();
    format!(r#"{{ "activities": [{}], "variables": [{}] }}"#, activities.join(","), variables.join(","))
}

fn assign(at: usize, variable: &str, body: &str) -> String {
    format!(
        r#"{{ "name": "A{at}", "type": "Assign", "result": {{ "isBound": true, "boundTo": "{variable}" }}, "body": "{body}" }}"#
    )
}

#[test]
fn regular_expression_over_its_limit_is_reported() {
    let form = |bytes: usize| {
        let pattern = format!("({}", "a".repeat(bytes - 1));
        let properties = format!(r#"{{ "validationpattern": "{pattern}" }}"#);
        format!(
            r#"{{ "fields": [{{ "name": "F", "type": "InputText", "properties": {properties} }}], "variables": [] }}"#
        )
    };
    let message = |bytes| {
        let text = form(bytes);
        let report = lint_texts(&[("a.form.json", text.as_bytes())], 1).report(wflint::report::Format::Concise);
        String::from_utf8(report).unwrap().lines().find(|line| line.contains("WF608")).unwrap().to_owned()
    };
    let limit = usize::try_from(super::rows()["Regular expression of a field"]).unwrap();
    assert!(message(limit).contains("unterminated"), "{}", message(limit));
    assert!(message(limit + 1).contains("info"), "{}", message(limit + 1));
    assert!(message(limit + 1).contains("unchecked regular expression in"), "{}", message(limit + 1));
}

#[test]
fn filter_over_its_limit_is_reported() {
    let limit = usize::try_from(super::rows()["Nesting of an LDAP filter"]).unwrap();
    let lookup = |levels: usize| {
        let filter = format!("{}(mail=*){}", "(&".repeat(levels - 1), ")".repeat(levels - 1));
        let parameters = format!(
            r#"{{ "name": "Identity", "value": {{ "state": "static", "value": "a" }} }},
               {{ "name": "LDAPFilter", "value": {{ "state": "static", "value": "{filter}" }} }}"#
        );
        let activity = format!(
            r#"{{ "name": "L", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [{parameters}] }}"#
        );
        found("a.workflow.json", &workflow(std::iter::empty(), &[activity]))
    };
    assert_eq!(of_code(&lookup(limit), "WF216"), [""; 0]);
    assert_eq!(of_code(&lookup(limit + 1), "WF216"), ["WF216 /activities/0/providerParameters/1/value/value"]);
}

/// Ifs whose conditions share their variables, in a loop, so that very many states differ.
fn ifs(number: usize) -> String {
    let decide = |at: usize| {
        let expression = format!(
            r#"{{ "type": "EqualityExpression", "operand": "equal", "left": {{ "isBound": true, "boundTo": "x{at}" }},
                 "right": {{ "isBound": true, "boundTo": "x{}" }} }}"#,
            at + 1
        );
        let status = r#"{ "name": "S", "type": "Status" }"#;
        format!(r#"{{ "name": "I{at}", "type": "If", "expression": {expression}, "activities": [{status}] }}"#)
    };
    let activities: Vec<String> = (0..number).map(decide).collect();
    let looped = format!(r#"{{ "name": "W", "type": "While", "activities": [{}] }}"#, activities.join(","));
    workflow((0..=number).map(|at| format!("x{at}")), &[looped])
}

#[test]
fn workflow_with_too_many_paths_is_reported() {
    assert_eq!(of_code(&found("a.workflow.json", &ifs(10)), "WF416"), [""; 0]);
    assert_eq!(of_code(&found("a.workflow.json", &ifs(300)), "WF416"), ["WF416 /activities"]);
}

#[test]
fn search_for_reads_of_assigned_values_ends_with_a_finding() {
    // Each search visits all points: the square of the number, and some reads.
    let assigns = |number: usize| {
        let write = (0..number).map(|at| assign(at, &format!("x{at}"), "a"));
        let read = (0..number).map(|at| assign(number + at, "Sum", &format!("{{x{at}}}{{Sum}}")));
        let end = assign(2 * number, "x0", "{Sum}");
        let activities: Vec<String> = write.chain(read).chain([end]).collect();
        let names = (0..number).map(|at| format!("x{at}")).chain(["Sum".to_owned()]);
        of_code(&found("a.workflow.json", &workflow(names, &activities)), "WF308")
    };
    assert_eq!(assigns(50).len(), 1, "{:?}", assigns(50));
    let many = assigns(1500);
    assert_eq!(many.len(), 1, "{many:?}");
    assert!(many[0].ends_with("/result"), "{many:?}");
}

#[test]
fn search_for_reads_of_looked_up_values_ends_with_a_finding() {
    let lookups = |number: usize| {
        let lookup = |at: usize| {
            let parameter = |name: &str, value: &str| {
                format!(r#"{{ "name": "{name}", "value": {{ "state": "static", "value": "{value}" }} }}"#)
            };
            let parameters =
                [parameter("Identity", "a"), parameter("Property", "Mail"), parameter("Prefix", &format!("U{at}"))];
            format!(
                r#"{{ "name": "L{at}", "type": "Provider", "method": "Get-ZPADUser", "stopOnError": false,
                     "providerParameters": [{}] }}"#,
                parameters.join(",")
            )
        };
        let published = r#"{ "name": "S", "type": "Status",
            "status": { "isBound": true, "boundTo": "ZPActivityStatus" } }"#;
        let activities: Vec<String> = (0..number).map(lookup).chain([published.to_owned()]).collect();
        let text = workflow((0..number).map(|at| format!("U{at}Mail")), &activities);
        of_code(&found("a.workflow.json", &text), "WF417")
    };
    assert_eq!(lookups(20), [""; 0]);
    let many = lookups(600);
    assert_eq!(many.len(), 1, "{many:?}");
}

/// So many Assigns that copy what a person types, each from the one before, to the filter of a lookup.
fn chain(number: usize) -> Vec<String> {
    let copies = (0..number).map(|at| assign(at, &format!("x{}", at + 1), &format!("{{x{at}}}")));
    let lookup = format!(
        r#"{{ "name": "L", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [
             {{ "name": "Identity", "value": {{ "state": "static", "value": "a" }} }},
             {{ "name": "LDAPFilter", "value": {{ "state": "bound", "boundTo": "x{number}" }} }}] }}"#
    );
    let activities: Vec<String> = copies.chain([lookup]).collect();
    let text = workflow((0..=number).map(|at| format!("x{at}")), &activities);
    let form = r#"{ "fields": [{ "name": "x0", "type": "InputText", "isBound": true, "boundTo": "x0" }],
        "variables": [{ "name": "x0", "id": 1, "variableType": "String" }] }"#;
    let linted = lint_texts(&[("a.workflow.json", text.as_bytes()), ("a.form.json", form.as_bytes())], 1);
    let found: Vec<String> =
        linted.findings().iter().map(|finding| format!("{} {}", finding.code, finding.place.pointer)).collect();
    of_code(&found, "WF905")
}

#[test]
fn workflow_that_is_too_large_for_the_taint_analysis_is_reported() {
    assert_eq!(chain(20), ["WF905 /activities/20/providerParameters/1/value/boundTo"]);
    assert_eq!(chain(23_000), ["WF905 /activities"]);
}

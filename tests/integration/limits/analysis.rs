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

pub fn workflow(variables: impl Iterator<Item = String>, activities: &[String]) -> String {
    let variables: Vec<String> = variables
        .enumerate()
        .map(|(id, name)| format!(r#"{{ "name": "{name}", "id": {}, "variableType": "String" }}"#, id + 1))
        .chain([OUTPUTS.to_owned()])
        .collect();
    format!(r#"{{ "activities": [{}], "variables": [{}] }}"#, activities.join(","), variables.join(","))
}

pub fn assign(at: usize, variable: &str, body: &str) -> String {
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
    let limit = 4096;
    assert!(message(limit).contains("unterminated"), "{}", message(limit));
    assert!(message(limit + 1).contains("info"), "{}", message(limit + 1));
    assert!(message(limit + 1).contains("unchecked regular expression in"), "{}", message(limit + 1));
}

#[test]
fn calls_with_more_outputs_than_the_limit_are_reported() {
    let text = |properties: usize| {
        let names: Vec<String> = (0..properties).map(|at| format!("x{at:05}")).collect();
        let parameters = [("Identity", "me".to_owned()), ("Prefix", "P".to_owned()), ("Property", names.join(","))];
        let parameters = parameters.map(|(name, value)| {
            format!(r#"{{ "name": "{name}", "value": {{ "state": "static", "value": "{value}" }} }}"#)
        });
        let call = format!(
            r#"{{ "name": "L", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [{}] }}"#,
            parameters.join(",")
        );
        workflow(["Read".to_owned()].into_iter(), &[call])
    };
    let found = |properties: usize| {
        let found = found("a.workflow.json", &text(properties));
        (!of_code(&found, "WF301").is_empty(), !of_code(&found, "WF416").is_empty())
    };
    assert_eq!(found(1_000), (true, false));
    assert_eq!(found(100_000), (false, true));
}

#[test]
fn filter_over_its_limit_is_reported() {
    let limit = 64;
    let lookup = |filter: String| {
        let parameters = format!(
            r#"{{ "name": "Identity", "value": {{ "state": "static", "value": "a" }} }},
               {{ "name": "LDAPFilter", "value": {{ "state": "static", "value": "{filter}" }} }}"#
        );
        let activity = format!(
            r#"{{ "name": "L", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [{parameters}] }}"#
        );
        found("a.workflow.json", &workflow(std::iter::empty(), &[activity]))
    };
    let nested = |levels: usize| format!("{}(mail=*){}", "(&".repeat(levels - 1), ")".repeat(levels - 1));
    let reported = ["WF216 /activities/0/providerParameters/1/value/value"];
    assert_eq!(of_code(&lookup(nested(limit)), "WF216"), [""; 0]);
    assert_eq!(of_code(&lookup(nested(limit + 1)), "WF216"), reported);
    let bytes = 1 << 20;
    let long = |length: usize| format!("(mail={})", "a".repeat(length - 7));
    assert_eq!(of_code(&lookup(long(bytes)), "WF216"), [""; 0]);
    assert_eq!(of_code(&lookup(long(bytes + 1)), "WF216"), reported);
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

/// A workflow whose last activity is reached by so many states: each If but the last sets `S` to another text, after the
/// first Assign.
fn states(number: usize) -> String {
    let conditional = |name: &str, variable: &str, text: usize, inside: &str| {
        let expression = format!(
            r#"{{ "type": "EqualityExpression", "operand": "equal", "left": {{ "isBound": true, "boundTo": "{variable}" }},
                 "right": {{ "isBound": false, "value": "{text}" }} }}"#
        );
        format!(r#"{{ "name": "{name}", "type": "If", "expression": {expression}, "activities": [{inside}] }}"#)
    };
    let decide = |at: usize| conditional(&format!("I{at}"), "A", at, &assign(at, "S", &at.to_string()));
    let mut activities: Vec<String> = std::iter::once(assign(0, "S", "none")).chain((1..number).map(decide)).collect();
    activities.push(conditional("Last", "S", 0, r#"{ "name": "P", "type": "Status" }"#));
    let text = workflow(["A".to_owned(), "S".to_owned()].into_iter(), &activities);
    text.replace(r#""variableType""#, r#""isInputParameter": true, "variableType""#)
}

#[test]
fn paths_that_are_merged_are_reported() {
    let limit = wflint::common::limits::MAX_STATES;
    assert_eq!(of_code(&found("a.workflow.json", &states(limit)), "WF416"), [""; 0]);
    let beyond = found("a.workflow.json", &states(limit + 1));
    assert_eq!(of_code(&beyond, "WF416"), [format!("WF416 /activities/{}", limit + 1)]);
}

#[test]
fn a_read_with_too_many_paths_to_explain_yields_to_the_fault_in_a_condition() {
    let compare = |name: &str, variable: &str, operand: &str, inside: &str| {
        format!(
            r#"{{ "name": "{name}", "type": "If", "activities": [{inside}], "expression": {{
                 "type": "EqualityExpression", "operand": "{operand}", "left": {{ "isBound": true, "boundTo": "{variable}" }},
                 "right": {{ "isBound": false, "value": "a" }} }} }}"#
        )
    };
    // Each condition comes twice, so that paths which are kept apart are soon too many. The last one decides whether the
    // variable is assigned: the paths on which it is not are among the last.
    let codes = |conditions: usize| {
        let others = || (0..conditions).map(|at| compare(&format!("I{at}"), &format!("k{at}"), "equal", &publish(at)));
        let read = r#"{ "name": "P", "type": "Status", "status": { "isBound": true, "boundTo": "x" } }"#.to_owned();
        let last = format!("k{}", conditions - 1);
        let assigning = [("Protect", last.as_str(), "notEqual"), ("Guard", "Undefined", "equal")];
        let middle = assigning.map(|(name, variable, operand)| compare(name, variable, operand, &assign(0, "x", "b")));
        let activities: Vec<String> = others().chain(middle).chain([read]).chain(others()).collect();
        let variables = (0..conditions).map(|at| format!("k{at}")).chain(["x".to_owned()]);
        let text = workflow(variables, &activities).replacen(
            r#""variableType""#,
            r#""isInputParameter": true, "variableType""#,
            conditions,
        );
        let found = found("a.workflow.json", &text);
        ["WF101", "WF303", "WF416"].map(|code| of_code(&found, code).len())
    };
    assert_eq!((codes(1), codes(8)), ([1, 0, 0], [1, 0, 0]));
}

/// Whether there are too many paths to follow.
fn is_cut_off(text: &str) -> bool {
    found("a.workflow.json", text).contains(&"WF416 /activities".to_owned())
}

#[test]
fn workflow_with_too_many_paths_is_reported() {
    assert!(!is_cut_off(&ifs(10)));
    assert!(is_cut_off(&ifs(300)));
}

/// A Status that publishes a text.
fn publish(at: usize) -> String {
    format!(r#"{{ "name": "P{at}", "type": "Status", "status": {{ "isBound": false, "value": "a" }} }}"#)
}

#[test]
fn search_for_reads_of_values_ends_with_a_finding() {
    // Assigns to different variables, whose values are all kept until one activity reads them.
    let assigns = |number: usize| {
        let write = (0..number).map(|at| assign(at, &format!("x{at}"), "a"));
        let body: String = (0..number).map(|at| format!("{{x{at}}}")).collect();
        let activities: Vec<String> = write.chain([assign(number, "ZPActivityStatus", &body)]).collect();
        let text = workflow((0..number).map(|at| format!("x{at}")), &activities);
        of_code(&found("a.workflow.json", &text), "WF308")
    };
    assert_eq!(assigns(1000), [""; 0]);
    assert_eq!(assigns(3000), ["WF308 /activities/0/result"]);
}

/// A loop that waits for a case, and conditions in it that two paths decide, but not what both have in common, from which
/// the loop is judged. Before these conditions, the order ends if a variable has a value.
fn waiting_loop(conditions: usize, before: &[[&str; 2]]) -> String {
    let decide = |name: &str, operand: &str, left: &str, right: &str, inside: &str| {
        format!(
            r#"{{ "name": "{name}", "type": "If", "expression": {{ "type": "EqualityExpression", "operand": "{operand}",
                 "left": {{ "isBound": true, "boundTo": "{left}" }}, "right": {right} }}, "activities": [{inside}] }}"#
        )
    };
    let literal = r#"{ "isBound": false, "value": "1" }"#;
    let bound = |at| format!(r#"{{ "isBound": true, "boundTo": "x{at}" }}"#);
    let assigned = |value| {
        let assigns: Vec<String> = (0..=conditions).map(|at| assign(at, &format!("x{at}"), value)).collect();
        assigns.join(",")
    };
    let status = r#"{ "name": "S", "type": "Status", "status": { "isBound": true, "boundTo": "Kind" } }"#;
    let parameter = |name: &str, value: &str| {
        format!(r#"{{ "name": "{name}", "value": {{ "state": "static", "value": "{value}" }} }}"#)
    };
    let lookup = format!(
        r#"{{ "name": "L", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus",
             "providerParameters": [{{ "name": "Id", "value": {{ "state": "bound", "boundTo": "ESignId" }} }}, {}] }}"#,
        parameter("Prefix", "ESign")
    );
    let request = format!(
        r#"{{ "name": "R", "type": "Provider", "method": "Request-ZPESignDocumentSignature",
             "providerParameters": [{}, {}] }}"#,
        parameter("ExpireAfterDays", "5"),
        parameter("Prefix", "ESign")
    );
    let ends = |[variable, value]: &[&str; 2]| {
        let value = format!(r#"{{ "isBound": false, "value": "{value}" }}"#);
        decide("E", "equal", variable, &value, r#"{ "name": "T", "type": "Terminate" }"#)
    };
    let inside = (0..conditions).map(|at| decide("I", "equal", &format!("x{at}"), &bound(at + 1), status));
    let body: Vec<String> = [lookup].into_iter().chain(before.iter().map(ends)).chain(inside).collect();
    let looped =
        decide("W", "notEqual", "ESignStatus", r#"{ "isBound": false, "value": "Finished" }"#, &body.join(","))
            .replacen("\"If\"", "\"While\"", 1);
    let names = (0..=conditions).map(|at| format!("x{at}"));
    let names = names.chain(["Kind", "ESignStatus", "ESignId"].map(str::to_owned));
    let first = decide("A", "equal", "Kind", literal, &assigned("a"));
    let second = decide("B", "notEqual", "Kind", literal, &assigned("b"));
    let text = workflow(names, &[request, first, second, looped]);
    text.replace(r#""variableType""#, r#""isInputParameter": true, "variableType""#)
}

#[test]
fn loop_with_too_many_paths_on_a_status_is_reported() {
    // The workflow as a whole is checked.
    const MANY: usize = 46;
    let judged = |conditions: usize, before: &[[&str; 2]]| {
        let text = waiting_loop(conditions, before);
        let report = lint_texts(&[("a.json", text.as_bytes())], 1).report(wflint::report::Format::Concise);
        let report = String::from_utf8(report).unwrap();
        let messages = report.lines().filter_map(|line| line.split_once(": ")).map(|(_, message)| message.to_owned());
        messages
            .filter(|line| ["WF404", "WF409", "WF416"].iter().any(|code| line.starts_with(code)))
            .collect::<Vec<_>>()
    };
    let unchecked = "unchecked loop `W`: too many paths to see on which statuses it ends";
    assert_eq!(judged(2, &[]), ["WF404 error loop `W` never ends when `ESignStatus` is `Rejected`"]);
    // WF409 has the same reason.
    assert_eq!(judged(MANY, &[]), [format!("WF404 info {unchecked}")]);
    // On the documented statuses it ends at once.
    let before = [["ESignStatus", "Finished"], ["ESignStatus", "Rejected"]];
    let expiry =
        "loop `W` may never end when the case expires: it ends on documented values of `ESignStatus` only (A20)";
    assert_eq!(judged(2, &before), [format!("WF409 info {expiry}")]);
    assert_eq!(judged(MANY, &before), [format!("WF409 info {unchecked}")]);
    // One path that ends the order is enough, and the others are not followed.
    assert_eq!(judged(MANY, &[["Kind", "2"]]), [""; 0]);
}

#[test]
fn loop_that_waits_for_too_many_cases_is_reported() {
    let looped = |number: usize| {
        let lookup = |at: usize| {
            format!(
                r#"{{ "name": "L{at}", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus",
                     "providerParameters": [{{ "name": "Prefix", "value": {{ "state": "static", "value": "P{at}" }} }}] }}"#
            )
        };
        let body: Vec<String> = (0..number).map(lookup).collect();
        let expression = r#"{ "type": "EqualityExpression", "operand": "notEqual",
            "left": { "isBound": true, "boundTo": "P0Status" }, "right": { "isBound": false, "value": "Finished" } }"#;
        let activity = format!(
            r#"{{ "name": "W", "type": "While", "expression": {expression}, "activities": [{}] }}"#,
            body.join(",")
        );
        let text = workflow((0..number).map(|at| format!("P{at}Status")), &[activity]);
        of_code(&found("a.workflow.json", &text), "WF416")
    };
    assert_eq!(looped(64), [""; 0]);
    assert_eq!(looped(65), ["WF416 /activities/0"]);
}

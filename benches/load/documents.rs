//! One document with much of one thing.

use super::{
    Case, Shape, VARIABLE, assign, bound, case_lookup, decision, field, form, given, lookup, provider, repeated,
    status, variable, variables, workflow,
};

pub const SHAPES: &[Shape] = &[
    ("findings of one rule", |number| document(&("0,".repeat(number) + "0"), VARIABLE)),
    ("findings of two rules", |number| document(&("{},".repeat(number) + "{}"), VARIABLE)),
    ("findings in variables", |number| document("", &("{},".repeat(number) + "{}"))),
    ("findings of many rules", |number| Case::document(workflow(&repeated(number, faulty), VARIABLE))),
    ("activities", |number| document(&repeated(number, |_| STATUS.to_owned()), "")),
    ("undefined names", |number| document(&repeated(number, |at| status(&format!("x{at}"))), VARIABLE)),
    ("undefined names near variables", |number| {
        let mistyped = |at| status(&format!("Variable{at}x"));
        document(&repeated(number, mistyped), &repeated(number, |at| variable(&format!("Variable{at}"), at + 1)))
    }),
    ("keys", |number| activity_with(&repeated(number, |at| format!(r#""x{at}": 1"#)))),
    ("duplicate keys", |number| activity_with(&repeated(number, |_| r#""x": 1"#.to_owned()))),
    ("keys with one duplicate", |number| {
        let keys = repeated(number, |at| format!(r#""x{at}": 1"#));
        document(&format!(r#"{{ "name": "S", "type": "Status", {keys}, "x0": 1 }}, 5"#), "")
    }),
    ("duplicate keys of known names", |number| activity_with(&repeated(number, |at| format!(r#""name": "n{at}""#)))),
    ("variables", |number| document(&status("x0"), &variables(number))),
    ("variables of one name", |number| document(&status("x"), &repeated(number, |at| variable("x", at)))),
    ("variables of one id", |number| document(&status("x"), &repeated(number, |at| variable(&format!("x{at}"), 1)))),
    ("bindings of one variable", |number| document(&repeated(number, |_| status("Known")), VARIABLE)),
    ("placeholders", |number| document(&assign("Known", &"{x}".repeat(number)), VARIABLE)),
    ("declared placeholders", |number| {
        let body: String = (0..number).map(|at| format!("{{x{at}}}")).collect();
        document(&assign("x0", &body), &variables(number))
    }),
    ("placeholders between escapes", |number| document(&assign("Known", &r"\u00e4{x}".repeat(number)), VARIABLE)),
    ("long strings", |number| document(&assign("Known", &"abcdefgh".repeat(number)), VARIABLE)),
    ("long escaped strings", |number| document(&assign("Known", &r"\u00e4\n".repeat(number)), VARIABLE)),
    ("long names", |number| {
        let name = "abcdefgh".repeat(number);
        document(&format!("{}, {}", status(&name), status(&(name.clone() + "x"))), &variable(&name, 1))
    }),
    ("invisible characters", |number| document(&assign("Known", &r"a\u200b".repeat(number)), VARIABLE)),
    ("nesting", |number| {
        // As deep as is allowed, and as often as necessary.
        const DEPTH: usize = 60;
        let open = r#"{ "name": "Q", "type": "Sequence", "activities": ["#;
        let nested = format!("{}{STATUS}{}", open.repeat(DEPTH), "] }".repeat(DEPTH));
        document(&repeated(number / DEPTH + 1, |_| nested.clone()), "")
    }),
    ("nested arrays", |number| {
        let nested = format!("{}{}", "[".repeat(100), "]".repeat(100));
        activity_with(&format!(r#""x": [{}]"#, repeated(number / 100 + 1, |_| nested.clone())))
    }),
    ("masked values forwards", |number| masked_steps(number, |at| (at, at + 1))),
    ("masked values backwards", |number| masked_steps(number, |at| (number - at, number - at - 1))),
    ("secrets", |number| {
        let secret = |at| format!(r#"{{ "name": "Password{at}", "id": {at}, "value": "secret-{at}-x" }}"#);
        document("", &repeated(number, secret))
    }),
    ("assignees", |number| {
        let assignee = |_| format!(r#"{{ "type": "Parameter", "parameter": {} }}"#, bound("x"));
        let assignees = repeated(number, assignee);
        document(&format!(r#"{{ "name": "A", "type": "Approval", "assignees": [{assignees}] }}"#), VARIABLE)
    }),
    ("properties", |number| {
        let names = repeated(500, |at| format!("x{at}")).replace('\n', "");
        document(&repeated(number, |at| lookup(&format!("P{at}"), &names)), VARIABLE)
    }),
    ("parameters of one call", |number| {
        document(&provider("Get-ZPADUser", &repeated(number, |at| given(&format!("x{at}"), "v"))), VARIABLE)
    }),
    ("equal parameters of one call", |number| {
        document(&provider("Get-ZPADUser", &repeated(number, |_| given("Identity", "v"))), VARIABLE)
    }),
    ("copies of parameters", |number| {
        let (declared, copies) = (repeated(number, parameter), repeated(number, |at| parameter(number - 1 - at)));
        document(
            &format!(
                r#"{{ "name": "L", "type": "Provider", "method": "Get-ZPADUser",
                      "providerParameters": [{declared}], "allProviderParameters": [{copies}] }}"#
            ),
            VARIABLE,
        )
    }),
    ("calls that write one variable", |number| {
        let parameters =
            |at| [given("Identity", &format!("user{at}")), given("Prefix", "P"), given("Property", "Mail")];
        let call = |at| provider("Get-ZPADUser", &parameters(at).join(", "));
        document(&repeated(number, call), &variable("PMail", 1))
    }),
    ("assigns that write one variable", |number| {
        document(&repeated(number, |at| assign("Known", &format!("{at}"))), VARIABLE)
    }),
    ("assigns of many variables", |number| {
        document(&repeated(number, |at| assign(&format!("x{at}"), "v")), &variables(number))
    }),
    ("listed variables", |number| {
        let names = repeated(number, |at| format!(r#""x{at}""#));
        let activity = format!(
            r#"{{ "name": "S", "type": "Status", "ownBoundVariables": [{names}], "status": {} }}"#,
            bound("Known")
        );
        document(&activity, VARIABLE)
    }),
    ("empty names that are listed", |number| {
        activity_with(&format!("\"ownBoundVariables\": [{}]", vec!["\"\""; number].join(",")))
    }),
    ("empty parameters of one call", |number| document(&provider("Get-ZPADUser", &vec!["{}"; number].join(",")), "")),
    ("empty assignees", |number| {
        let assignees = vec!["{}"; number].join(",");
        document(&format!(r#"{{ "name": "A", "type": "Approval", "assignees": [{assignees}] }}"#), "")
    }),
    ("empty keys", |number| activity_with(&format!("\"x\": {{{}}}", vec!["\"\":0"; number].join(",")))),
    ("arrays of numbers", |number| activity_with(&format!("\"x\": [{}0]", "0,".repeat(number)))),
    ("assigned variables", |number| {
        let listed = repeated(number, |at| bound(&format!("x{}", number - 1 - at)));
        let body: String = (0..number).map(|at| format!("{{x{at}}}")).collect();
        let activity = format!(
            r#"{{ "name": "A", "type": "Assign", "result": {}, "body": "{body}", "assignedVariables": [{listed}] }}"#,
            bound("x0")
        );
        document(&activity, &variables(number))
    }),
    ("fields", |number| Case::document(form(&repeated(number, |_| field("x")), VARIABLE))),
    ("fields of many variables", |number| {
        Case::document(form(&repeated(number, |at| field(&format!("x{at}"))), &variables(number)))
    }),
    ("items of a field", |number| {
        let item = |at| format!(r#"{{ "value": "{at}", "displayName": {{ "en-US": "Item" }} }}"#);
        let items = repeated(number, item);
        let field = format!(
            r#"{{ "name": "F", "type": "DropDown", "isBound": true, "boundTo": "Known", "items": [{items}] }}"#
        );
        Case::document(form(&field, VARIABLE))
    }),
    ("parties of a case", |number| {
        let party = |at| format!(r#"{{ "Name": "P{at}", "EmailAddress": "p{at}@example.com", "SignatureType": 9 }}"#);
        Case::document(format!(r#"{{ "Name": "C", "Parties": [{}] }}"#, repeated(number, party)))
    }),
    ("parties × signature types", |number| {
        let party = |at| format!(r#"{{ "Name": "P{at}", "EmailAddress": "p{at}@example.com" }}"#);
        let (parties, types) = (repeated(number, party), repeated(number, |_| r#""sms", "ElectronicId""#.to_owned()));
        Case::document(format!(r#"{{ "Name": "C", "Parties": [{parties}], "AllowedSignatureTypes": [{types}] }}"#))
    }),
    ("values that are no parties", |number| {
        let zeros = format!("{}0", "0,".repeat(number));
        Case::document(format!(r#"{{ "Name": "C", "Parties": [{zeros}] }}"#))
    }),
    ("values that are no parties, in a string", |number| {
        let zeros = format!("{}0", "0,".repeat(number));
        let json = format!(r#"{{ \"Name\": \"C\", \"Parties\": [{zeros}] }}"#);
        document(&provider("Request-ZPESignDocumentSignatureWithJsonInput", &given("Json", &json)), VARIABLE)
    }),
    ("wide Ifs", |number| wide(number, |at| format!("x{}", at % 24))),
    ("wide Ifs on many variables", |number| wide(number, |at| format!("x{at}"))),
    ("Ifs of many branches", |number| {
        let branch = |at| {
            decision(
                "If",
                &format!("x{}", at % 8),
                &format!("{at}"),
                &assign(&format!("x{}", (at + 1) % 8), &format!("{at}")),
            )
        };
        document(&repeated(number, branch), &variables(8))
    }),
    ("loops", |number| {
        let looped = |at: usize| {
            decision(
                "While",
                "PStatus",
                "Finished",
                &format!("{}, {}", case_lookup("P"), status(&format!("x{}", at % 16))),
            )
        };
        document(&repeated(number, looped), &format!("{}, {}", variable("PStatus", 1), variables(16)))
    }),
    ("copies from variable to variable", |number| {
        let copy = |at| assign(&format!("x{}", at + 1), &format!("{{x{at}}}"));
        document(&repeated(number, copy), &variables(number + 1))
    }),
    ("variables compared in pairs", |number| {
        let pair = |at| {
            format!(
                r#"{{ "name": "I", "type": "If", "expression": {{ "type": "EqualityExpression", "operand": "equal",
                    "left": {}, "right": {} }}, "activities": [{STATUS}] }}"#,
                bound(&format!("x{at}")),
                bound(&format!("x{}", at + 1))
            )
        };
        document(&repeated(number, pair), &variables(number + 1))
    }),
    ("escaped keys", |number| activity_with(&repeated(number, |at| format!(r#""\u0078{at}": 1"#)))),
    ("invalid JSON", |number| Case::document(format!(r#"{{ "activities": [{}"#, "0,".repeat(number)))),
];

const STATUS: &str = r#"{ "name": "S", "type": "Status" }"#;

fn document(activities: &str, variables: &str) -> Case {
    Case::document(workflow(activities, variables))
}

fn activity_with(members: &str) -> Case {
    document(&format!(r#"{{ "name": "S", "type": "Status", {members} }}"#), "")
}

/// An activity with findings of several rules.
fn faulty(at: usize) -> String {
    let kinds: [&dyn Fn() -> String; 6] = [
        &|| status(&format!("x{at}")),
        &|| provider("Get-Unknown", &given("Prefix", "")),
        &|| assign("Known", &format!("{{y{at}}}")),
        &|| r#"{ "type": "Approval", "assignees": [], "unknown": 1 }"#.to_owned(),
        &|| r#"{ "name": 5, "type": "While", "expression": {} }"#.to_owned(),
        &|| r#"{ "name": "T", "type": "Trminate" }"#.to_owned(),
    ];
    kinds[at % kinds.len()]()
}

fn parameter(at: usize) -> String {
    given(&format!("x{at}"), "v")
}

/// A loop in which each activity gives a variable the value of another one, and each is published.
fn masked_steps(number: usize, step: impl Fn(usize) -> (usize, usize)) -> Case {
    let steps = repeated(number, |at| {
        let (from, to) = step(at);
        format!("{}, {}", assign(&format!("x{to}"), &format!("{{x{from}}}")), status(&format!("x{to}")))
    });
    let masked = r#"{ "name": "x0", "id": 1, "variableType": "String", "shouldHide": true }"#;
    let variables = repeated(number, |at| variable(&format!("x{}", at + 1), at + 2));
    let body = format!(r#"{{ "name": "W", "type": "While", "activities": [{steps}] }}"#);
    document(&body, &format!("{masked}, {variables}"))
}

/// Ifs that each write a variable which a later one reads, so that the paths are kept apart.
fn wide(number: usize, name: impl Fn(usize) -> String) -> Case {
    let taken = |at| decision("If", &name(at), "no", &assign(&format!("y{at}"), "v"));
    let read = |at| decision("If", &format!("y{at}"), "v", &status(&format!("y{at}")));
    let (names, results) = (variables(number), repeated(number, |at| variable(&format!("y{at}"), number + at + 1)));
    document(&format!("{}, {}", repeated(number, taken), repeated(number, read)), &format!("{names}, {results}"))
}

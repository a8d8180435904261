//! Much in a scenario, and much in its run.

use super::folders::many;
use super::{
    Case, Shape, VARIABLE, assign, decision, field, form, given, provider, repeated, status, variable, variables,
    workflow,
};

pub const SHAPES: &[Shape] = &[
    ("scenarios", |number| {
        let mut case = many(number, ".scenario.yaml", |_| "workflow: a.json\n".to_owned());
        case.files.push(("a.json".to_owned(), workflow(&status("Known"), VARIABLE)));
        case.run_with(&["--simulate"])
    }),
    ("submitted fields", |number| {
        let values = (0..number).map(|at| format!("  Fx{at}: v\n")).collect::<String>();
        let fields = repeated(number, |at| field(&format!("x{at}")));
        scenario(&format!("workflow: a.json\nform: f.form.json\nsubmit:\n{values}"))
            .with("f.form.json", form(&fields, &variables(number)))
    }),
    ("expected statuses", |number| {
        let texts = (0..number).map(|at| format!("    - v{at}\n")).collect::<String>();
        scenario(&format!("workflow: a.json\nexpect:\n  outcome: completed\n  statuses:\n{texts}"))
    }),
    ("expected variables", |number| {
        let values = (0..number).map(|at| format!("    x{at}: v\n")).collect::<String>();
        Case::document(workflow(&status("x0"), &variables(number)))
            .with("a.scenario.yaml", format!("workflow: a.json\nexpect:\n  outcome: completed\n  variables:\n{values}"))
            .run_with(&["--simulate"])
    }),
    ("expected mails that were not sent", |number| {
        let people = (0..number).map(|at| format!("p{at}@example.com;")).collect::<String>();
        let ask = format!(
            r#"{{ "name": "Ask", "type": "Approval", "timeout": {{ "isBound": false, "value": 60 }},
                "notifyAssignees": {{ "isBound": false, "value": true }}, "activities": [], "assignees": [
                    {{ "type": "Parameter", "parameter": {{ "isBound": false, "value": "{people}" }} }}] }}"#
        );
        let mails = (0..number).map(|at| format!("    - {{ to: p{at}@example.com, kind: finished }}\n"));
        Case::document(workflow(&ask, VARIABLE))
            .with("a.scenario.yaml", format!("workflow: a.json\nexpect:\n  mails:\n{}", mails.collect::<String>()))
            .run_with(&["--simulate"])
    }),
    ("calls that fail", |number| {
        let call = |_| provider("Get-ZPADUser", &given("Identity", "anna"));
        let fault = |at: usize| format!("  - {{ method: Get-ZPADUser, call: {}, error: e }}\n", at + 1);
        let calls =
            repeated(number, call).replace(r#""type": "Provider""#, r#""type": "Provider", "stopOnError": false"#);
        Case::document(workflow(&calls, VARIABLE))
            .with(
                "a.scenario.yaml",
                format!("workflow: a.json\nfaults:\n{}", (0..number).map(fault).collect::<String>()),
            )
            .run_with(&["--simulate"])
    }),
    ("steps of a run", |number| {
        Case::document(workflow(&repeated(number, |_| status("Known")), VARIABLE))
            .with("a.scenario.yaml", "workflow: a.json\n")
            .run_with(&["--simulate"])
    }),
    ("people of a directory", |number| {
        let entry = |at: usize| format!("dn: cn=p{at},dc=x\nobjectClass: user\ncn: p{at}\nmail: p{at}@example.com\n\n");
        let look = |at: usize| {
            provider(
                "Get-ZPADUser",
                &[given("Identity", &format!("p{at}@example.com")), given("Prefix", "P")].join(", "),
            )
        };
        let number = number.max(8);
        Case::document(workflow(&repeated(8, |at| look(at * (number / 8))), VARIABLE))
            .with("people.ldif", format!("version: 1\n\n{}", (0..number).map(entry).collect::<String>()))
            .with("a.scenario.yaml", "workflow: a.json\ndirectory: people.ldif\nrequester: p0@example.com\n")
            .run_with(&["--simulate"])
    }),
    ("lookups in a directory", |number| {
        let look = |at: usize| {
            provider("Get-ZPADUser", &[given("Identity", &format!("p{at}")), given("Prefix", "P")].join(", "))
        };
        directory(number, &repeated(number, look))
    }),
    ("LDAP filters on a directory", |number| {
        // So many filters are compared with so many entries.
        let filter = |at: usize| {
            provider("Get-ZPADUser", &[given("LDAPFilter", &format!("(cn=p{at})")), given("Prefix", "P")].join(", "))
        };
        directory(number, &repeated(8, |at| filter(at * number / 8)))
    }),
    ("members of many lookups", |number| {
        let members = (0..number).map(|at| format!("member: cn=p{at},dc=x\n")).collect::<String>();
        let look = provider("Get-ZPADGroupMember", &[given("Identity", "g"), given("Prefix", "P")].join(", "));
        let case = directory(number, &repeated(8, |_| look.clone()));
        let group = format!("dn: cn=g,dc=x\nobjectClass: group\nsAMAccountName: g\n{members}\n");
        extended(case, "people.ldif", &group)
    }),
    ("people who answer one approval", |number| {
        let people = (0..number).map(|at| format!("p{at}@example.com;")).collect::<String>();
        let ask = approval("Ask", &people);
        let answers =
            (1..=number).map(|at| format!("    p{}@example.com: {{ after: {at}s, action: reject }}\n", number - at));
        Case::document(workflow(&ask, VARIABLE))
            .with("a.scenario.yaml", format!("workflow: a.json\napprovals:\n  Ask:\n{}", answers.collect::<String>()))
            .run_with(&["--simulate"])
    }),
    ("approvals that are answered and expected", |number| {
        let answers = (0..number).map(|at| format!("  A{at}: {{ a@b.c: {{ after: 1s, action: approve }} }}\n"));
        let expected = (0..number).map(|at| format!("    A{at}: approved\n")).collect::<String>();
        let answers = answers.collect::<String>();
        Case::document(workflow(&repeated(number, |at| approval(&format!("A{at}"), "a@b.c")), VARIABLE))
            .with(
                "a.scenario.yaml",
                format!("workflow: a.json\napprovals:\n{answers}expect:\n  approvals:\n{expected}"),
            )
            .run_with(&["--simulate"])
    }),
    ("results of many methods", |number| {
        let results = (0..number).map(|at| format!("  X-Y{at}: [ {{ outputs: {{}} }} ]\n")).collect::<String>();
        Case::document(workflow(&repeated(number, |at| provider(&format!("X-Y{at}"), "")), VARIABLE))
            .with("a.scenario.yaml", format!("workflow: a.json\nproviders:\n{results}"))
            .run_with(&["--simulate"])
    }),
    ("parameters of a call that is run", |number| {
        let parameters = repeated(number, |at| given(&format!("P{at}"), "v"));
        Case::document(workflow(&provider("X-Y", &parameters), VARIABLE))
            .with("a.scenario.yaml", "workflow: a.json\nproviders:\n  X-Y: [ { outputs: {} } ]\n")
            .run_with(&["--simulate"])
    }),
    ("mails expected", |number| {
        let mails = (0..number).map(|at| format!("    - {{ to: p{at}@example.com }}\n")).collect::<String>();
        scenario(&format!("workflow: a.json\nexpect:\n  outcome: completed\n  mails:\n{mails}"))
    }),
    ("parties of a request", |number| {
        let parties = repeated(number, |at| {
            format!(r#"{{ \"Name\": \"P{at}\", \"EmailAddress\": \"p{at}@example.com\", \"SignatureType\": 9 }}"#)
        });
        let json = format!(r#"{{ \"Name\": \"C\", \"Parties\": [{}] }}"#, parties.replace('\n', ""));
        let request = provider(
            "Request-ZPESignDocumentSignatureWithJsonInput",
            &[given("Json", &json), given("Prefix", "P")].join(", "),
        );
        Case::document(workflow(&request, &variable("PId", 1)))
            .with("a.scenario.yaml", "workflow: a.json\n")
            .run_with(&["--simulate"])
    }),
    ("statuses of a run, expected", |number| {
        let texts = (0..number).map(|_| "    - v\n").collect::<String>();
        let status =
            |_| r#"{ "name": "S", "type": "Status", "status": { "isBound": false, "value": "v" } }"#.to_owned();
        Case::document(workflow(&repeated(number, status), VARIABLE))
            .with("a.scenario.yaml", format!("workflow: a.json\nexpect:\n  outcome: completed\n  statuses:\n{texts}"))
            .run_with(&["--simulate"])
    }),
    ("expectations that fail", |number| {
        let values = (0..number).map(|at| format!("    x{at}: w\n")).collect::<String>();
        Case::document(workflow(&status("x0"), &variables(number)))
            .with("a.scenario.yaml", format!("workflow: a.json\nexpect:\n  outcome: completed\n  variables:\n{values}"))
            .run_with(&["--simulate"])
    }),
    ("rounds of a loop", |number| {
        let inside = format!("{}, {}", assign("x1", "{x0}"), status("x1"));
        Case::document(workflow(&repeated(number / 50 + 1, |_| decision("While", "x0", "v", &inside)), &variables(2)))
            .with("a.scenario.yaml", "workflow: a.json\nexpect:\n  outcome: stuck\n")
            .run_with(&["--simulate"])
    }),
    ("attributes of a person", |number| {
        let values = (0..number).map(|at| format!("memberOf: cn=g{at},dc=x\n")).collect::<String>();
        let people = format!("version: 1\n\ndn: cn=p0,dc=x\nobjectClass: user\ncn: p0\nmail: p0@example.com\n{values}");
        let look = provider("Get-ZPADUser", &[given("Identity", "p0"), given("Prefix", "P")].join(", "));
        Case::document(workflow(&look, VARIABLE))
            .with("people.ldif", people)
            .with("a.scenario.yaml", "workflow: a.json\ndirectory: people.ldif\nrequester: p0@example.com\n")
            .run_with(&["--simulate"])
    }),
];

/// An Approval whose people have a day.
fn approval(name: &str, people: &str) -> String {
    format!(
        r#"{{ "name": "{name}", "type": "Approval", "timeout": {{ "isBound": false, "value": 86400 }},
            "activities": [], "assignees": [
                {{ "type": "Parameter", "parameter": {{ "isBound": false, "value": "{people}" }} }}] }}"#
    )
}

/// A case with more in one of its files.
fn extended(mut case: Case, path: &str, more: &str) -> Case {
    for (_, text) in case.files.iter_mut().filter(|(other, _)| other == path) {
        text.push_str(more);
    }
    case
}

/// A run with a directory of so many people.
fn directory(number: usize, activities: &str) -> Case {
    let entry = |at: usize| format!("dn: cn=p{at},dc=x\nobjectClass: user\ncn: p{at}\nmail: p{at}@example.com\n\n");
    Case::document(workflow(activities, VARIABLE))
        .with("people.ldif", format!("version: 1\n\n{}", (0..number).map(entry).collect::<String>()))
        .with("a.scenario.yaml", "workflow: a.json\ndirectory: people.ldif\nrequester: p0@example.com\n")
        .run_with(&["--simulate"])
}

fn scenario(text: &str) -> Case {
    Case::document(workflow(&status("Known"), VARIABLE)).with("a.scenario.yaml", text).run_with(&["--simulate"])
}

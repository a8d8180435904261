//! What little text could make much of: a long name that many findings show, values that double, pairs of two lists.

use super::folders::many;
use super::{
    Case, Shape, VARIABLE, assign, bound, case_lookup, decision, field, form, given, lookup, provider, repeated,
    status, variable, variables, workflow,
};

pub const SHAPES: &[Shape] = &[
    ("findings under long keys", |number| {
        // As long as they may be.
        let key = |at: usize| format!(r#"{{ "{}{at}": "#, "abcdefgh".repeat(50));
        let found = repeated(number, |_| r#"{ "a": 1, "a": 2 }"#.to_owned());
        let nested = format!("{}[{found}]{}", (0..10).map(key).collect::<String>(), "}".repeat(10));
        document(&format!(r#"{{ "name": "S", "type": "Status", "x": {nested} }}"#), "")
    }),
    ("findings in an activity of a long name", |number| {
        let name = "abcdefgh".repeat(number);
        let found = repeated(number, |_| r#"{ "type": "Parameter", "parameter": 5 }"#.to_owned());
        document(&format!(r#"{{ "name": "{name}", "type": "Approval", "assignees": [{found}] }}"#), "")
    }),
    ("fields of a section of a long name", |number| {
        let name = "abcdefgh".repeat(number);
        let fields = repeated(number, |at| field(&format!("x{at}")));
        let section =
            format!(r#"{{ "name": "{name}", "type": "FormSection", "fieldsViewModel": {{ "fields": [{fields}] }} }}"#);
        Case::document(form(&section, VARIABLE))
    }),
    ("ids of a variable of a long name", |number| {
        let status = |_| {
            r#"{ "name": "S", "type": "Status", "status": { "isBound": true, "boundTo": "x", "boundToId": 1 } }"#
                .to_owned()
        };
        document(&repeated(number, status), &variable(&"abcdefgh".repeat(number), 1))
    }),
    ("long undefined names", |number| {
        let long = |at| format!("{at}x{}", "abcdefgh".repeat(100));
        document(&repeated(number / 10 + 1, |at| status(&long(at))), VARIABLE)
    }),
    ("properties with a long prefix", |number| {
        let properties = repeated(70, |at| format!("x{at}")).replace('\n', "");
        let call = |at| lookup(&format!("{at}{}", "P".repeat(100)), &properties);
        Case::document(format!(r#"{{ "activities": [{}] }}"#, repeated(number, call)))
    }),
    ("too many properties", |number| {
        document(
            &lookup(&"Prefix".repeat(number), &repeated(number, |at| format!("x{at}")).replace('\n', "")),
            VARIABLE,
        )
    }),
    ("lookups of a long property", |number| {
        let long = "x".repeat(number.min(1000));
        document(&repeated(number / 100 + 1, |at| lookup(&format!("P{at}"), &long)), VARIABLE)
    }),
    ("conditions on a long value", |number| {
        let branch = |at| decision("If", "Known", &format!("v{at}"), &status("Known"));
        document(&format!("{}, {}", assign("Known", &"long ".repeat(number)), repeated(number, branch)), VARIABLE)
    }),
    ("loops on a long status", |number| {
        let inside = [case_lookup("P"), status("PStatus")].join(", ");
        let wait = |_| decision("While", "PStatus", "Finished", &inside);
        let first = decision("While", "PStatus", &"long ".repeat(number), &inside);
        document(&format!("{first}, {}", repeated(number / 8, wait)), &variable("PStatus", 1))
    }),
    ("values that double", |number| {
        // Each variable has twice the length of the one before.
        let double = |at| assign(&format!("x{}", at % 40 + 1), &format!("{{x{0}}}{{x{0}}}", at % 40));
        document(&format!("{}, {}", assign("x0", "v"), repeated(number, double)), &variables(41))
    }),
    ("values of a script that double", |number| {
        let text = format!("var a = 'x';{}Json = a;", "a = a + a;".repeat(number));
        let code = format!(r#"{{ "name": "C", "type": "Code", "script": "{text}" }}"#);
        document(&code, VARIABLE).run_with(&["--no-scripts"])
    }),
    ("approvals × fields of their form", |number| {
        let ask =
            |at| format!(r#"{{ "name": "A{at}", "type": "Approval", "connectedFormName": "f", "assignees": [] }}"#);
        // What asks for all uses of a variable, and for all its writes.
        let listing = format!(
            r#"{{ "name": "S", "type": "Status", "ownBoundVariables": ["x0", "lost"], "status": {} }}"#,
            bound("unset")
        );
        let assigned = decision("If", "x0", "v", &assign("unset", "v"));
        let declared = format!("{}, {}", variables(number), variable("unset", number + 1));
        document(&format!("{assigned}, {listing}, {}", repeated(number, ask)), &declared)
            .with("f.form.json", form(&repeated(number, |at| field(&format!("x{at}"))), &variables(number)))
    }),
    ("approvals × fields that approvers fill", |number| {
        let ask =
            |at| format!(r#"{{ "name": "A{at}", "type": "Approval", "connectedFormName": "f", "assignees": [] }}"#);
        let flow = |at| format!("{}, {}, {}", assign(&format!("x{at}"), "v"), ask(at), status(&format!("x{at}")));
        document(&repeated(number, flow), &variables(number))
            .with("f.form.json", form(&repeated(number, |at| field(&format!("x{at}"))), &variables(number)))
    }),
    ("fields with a locale each", |number| {
        let field = |at| {
            let locale = ["en", "sv", "fi", "da"][at % 4];
            let name = format!(r#"{{ "displayName": {{ "{locale}-{:03}": "Name" }},"#, at % 1000);
            field(&format!("x{at}")).replacen('{', &name, 1)
        };
        Case::document(form(&repeated(number, field), &variables(number)))
    }),
    ("names that look alike", |number| {
        let other = |at| status(&format!("X{at}"));
        document(&repeated(number, other), &variables(number))
    }),
    ("patterns of fields", |number| {
        let pattern = |at| {
            let properties = format!(r#""properties": {{ "validationpattern": "^(a+)+b{at}[a-z]{{1,9}}$" }},"#);
            field(&format!("x{at}")).replacen('{', &format!("{{ {properties}"), 1)
        };
        Case::document(form(&repeated(number, pattern), &variables(number)))
    }),
    ("nested loops", |number| {
        const DEPTH: usize = 20;
        let open = |at| {
            let condition = decision("While", &format!("x{at}"), "Finished", "@");
            condition.split_once('@').map_or_else(String::new, |(before, _)| before.to_owned())
        };
        let inside = repeated(DEPTH, |at| assign(&format!("x{at}"), "v"));
        let nested = format!("{}{inside}{}", (0..DEPTH).map(open).collect::<String>(), "] }".repeat(DEPTH));
        document(&repeated(number / DEPTH + 1, |_| nested.clone()), &variables(DEPTH))
    }),
    ("Ifs without conditions", |number| {
        document(&repeated(number, |_| format!(r#"{{ "type": "If", "activities": [{}] }}"#, status("Known"))), VARIABLE)
    }),
    ("unknown keys of a party", |number| {
        let keys = repeated(number, |at| format!(r#""x{at}":0"#)).replace('\n', "");
        Case::document(format!(r#"{{ "Name": "C", "Parties": [{{ {keys} }}] }}"#))
    }),
    ("placeholders × Assigns", |number| {
        let names: String = (0..16).map(|at| format!("{{x{at}}}")).collect();
        document(&repeated(number, |at| assign(&format!("x{}", at % 16), &names)), &variables(16))
    }),
    ("requests × parameters", |number| {
        let request = |at| {
            let names = ["DocumentName", "PartyName", "PartyEmail", "PartySSN", "RequestMessage", "FinishedMessage"];
            let parameters = names.map(|name| given(name, &format!("value {at}"))).join(", ");
            provider("Request-ZPESignDocumentSignature", &parameters)
        };
        document(&repeated(number, request), VARIABLE)
    }),
    ("events of approvals", |number| {
        let event = |at| {
            let name = ["OnForeachApprove", "OnForeachReject"][at % 2];
            format!(r#"{{ "type": "Event", "event": "{name}", "activities": [{}] }}"#, assign("Known", "v"))
        };
        let approval = format!(
            r#"{{ "name": "A", "type": "Approval", "assignees": [], "approvalResult": {}, "activities": [{}] }}"#,
            bound("Known"),
            repeated(number, event)
        );
        document(&approval, VARIABLE)
    }),
    ("files of few findings", |number| {
        let faulty = |at| format!("{}, {}", status(&format!("x{at}")), assign("Known", &format!("{{y{at}}}")));
        many(number, "/a.json", |at| workflow(&faulty(at), VARIABLE))
    }),
    ("nested folders", |number| {
        let folder = |at: usize| "d/".repeat(at % 200) + &format!("f{at}/a.json");
        let text = workflow(&status("Known"), VARIABLE);
        Case { files: (0..number).map(|at| (folder(at), text.clone())).collect(), ..Case::default() }
    }),
];

fn document(activities: &str, variables: &str) -> Case {
    Case::document(workflow(activities, variables))
}

//! How the time of a lint grows with a document: 16,000 of one thing next to 4,000 of it, with a
//! finding at each, in one run: `cargo bench --bench growth`. About 4 is linear, 16 the square.
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first error")]

use std::time::{Duration, Instant};

use wflint::lint::{self, Options};
use wflint::project::{self, Buffer, ConfigSource, Request};

const FEW: usize = 4_000;
const ROUNDS: usize = 5;

fn time_of(text: &str) -> Duration {
    let text = Buffer { path: Some("a.json".into()), bytes: text.as_bytes().into() };
    let request = Request {
        current: "/corpus".into(),
        buffers: vec![text],
        in_memory: true,
        config: ConfigSource::Isolated,
        ..Request::default()
    };
    let round = || {
        let start = Instant::now();
        let outcome = lint::lint(&project::find(&request).unwrap(), &Options::default()).unwrap();
        assert!(!outcome.diagnostics.is_empty());
        start.elapsed()
    };
    lint::on_pool(Some(1), || (0..ROUNDS).map(|_| round()).min().unwrap()).unwrap()
}

fn main() {
    for (name, shape) in SHAPES {
        let (few, many) = (time_of(&shape(FEW)), time_of(&shape(4 * FEW)));
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name:<32} {:>8.1} ms {:>8.1} ms   x {:.1}",
            milliseconds(few),
            milliseconds(many),
            many.as_secs_f64() / few.as_secs_f64()
        );
    }
}

/// What there may be much of: its name, and a document with so many of it.
type Shape = (&'static str, fn(usize) -> String);

/// Places where work for each of many must not look at all the others.
const SHAPES: [Shape; 15] = [
    ("activities", |number| workflow(&repeated(number, |_| STATUS.to_owned()), "")),
    ("misfits", |number| workflow(&repeated(number, |_| "5".to_owned()), "")),
    ("names of no variable", |number| workflow(&repeated(number, |at| status(&format!("x{at}"))), VARIABLE)),
    ("members", |number| member(&repeated(number, |at| format!(r#""x{at}": 1"#)))),
    ("equal members", |number| member(&repeated(number, |_| r#""x": 1"#.to_owned()))),
    ("variables of one name", |number| workflow(&status("x"), &repeated(number, |at| variable("x", at)))),
    ("variables of one id", |number| workflow(&status("x"), &repeated(number, |at| variable(&format!("x{at}"), 1)))),
    ("placeholders", |number| assign(&"{x}".repeat(number))),
    ("placeholders between escapes", |number| assign(&r"\u00e4{x}".repeat(number))),
    ("steps of a masked value", |number| masked_steps(number, |at| (at, at + 1))),
    ("steps of a masked value, backwards", |number| masked_steps(number, |at| (number - at, number - at - 1))),
    ("secrets", |number| {
        let secrets =
            repeated(number, |at| format!(r#"{{ "name": "Password{at}", "id": {at}, "value": "secret-{at}-x" }}"#));
        workflow("", &secrets)
    }),
    ("assignees", |number| {
        let assignees = repeated(number, |_| {
            r#"{ "type": "Parameter", "parameter": { "isBound": true, "boundTo": "x" } }"#.to_owned()
        });
        workflow(&format!(r#"{{ "name": "A", "type": "Approval", "assignees": [{assignees}] }}"#), VARIABLE)
    }),
    ("properties", |number| {
        let names = repeated(number, |at| format!("x{at}")).replace('\n', "");
        workflow(&lookup(&names), VARIABLE)
    }),
    ("fields", |number| {
        let fields =
            repeated(number, |_| r#"{ "name": "F", "type": "InputText", "isBound": true, "boundTo": "x" }"#.to_owned());
        format!(r#"{{ "fields": [{fields}], "variables": [{VARIABLE}] }}"#)
    }),
];

const STATUS: &str = r#"{ "name": "S", "type": "Status" }"#;
const VARIABLE: &str = r#"{ "name": "Known", "id": 1, "variableType": "String" }"#;

fn repeated(number: usize, item: impl Fn(usize) -> String) -> String {
    (0..number).map(item).collect::<Vec<_>>().join(",\n")
}

fn workflow(activities: &str, variables: &str) -> String {
    format!(r#"{{ "activities": [{activities}], "variables": [{variables}] }}"#)
}

fn status(variable: &str) -> String {
    format!(r#"{{ "name": "S", "type": "Status", "status": {{ "isBound": true, "boundTo": "{variable}" }} }}"#)
}

fn variable(name: &str, id: usize) -> String {
    format!(r#"{{ "name": "{name}", "id": {id}, "variableType": "String" }}"#)
}

/// A loop in which each activity gives a variable the value of another one, and each is published.
fn masked_steps(number: usize, step: impl Fn(usize) -> (usize, usize)) -> String {
    let steps = repeated(number, |at| {
        let (from, to) = step(at);
        let result = format!(r#"{{ "isBound": true, "boundTo": "x{to}" }}"#);
        format!(
            r#"{{ "name": "A", "type": "Assign", "result": {result}, "body": "{{x{from}}}" }}, {}"#,
            status(&format!("x{to}"))
        )
    });
    let masked = r#"{ "name": "x0", "id": 1, "variableType": "String", "shouldHide": true }"#;
    let variables = repeated(number, |at| variable(&format!("x{}", at + 1), at + 2));
    let body = format!(r#"{{ "name": "W", "type": "While", "activities": [{steps}] }}"#);
    workflow(&body, &format!("{masked}, {variables}"))
}

fn member(members: &str) -> String {
    workflow(&format!(r#"{{ "name": "S", "type": "Status", {members} }}"#), "")
}

fn assign(body: &str) -> String {
    let result = r#"{ "isBound": true, "boundTo": "Known" }"#;
    workflow(&format!(r#"{{ "name": "A", "type": "Assign", "result": {result}, "body": "{body}" }}"#), VARIABLE)
}

fn lookup(properties: &str) -> String {
    let parameter = |name: &str, value: &str| {
        format!(r#"{{ "name": "{name}", "value": {{ "state": "static", "value": "{value}" }} }}"#)
    };
    let parameters =
        [parameter("Identity", "me"), parameter("Prefix", "P"), parameter("Property", properties)].join(", ");
    format!(r#"{{ "name": "L", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [{parameters}] }}"#)
}

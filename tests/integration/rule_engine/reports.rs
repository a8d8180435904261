//! What `context.report` passes on, and what it refuses.

use wflint::document::NewValue;
use wflint::own_rules::engine::{NodeRef, RuleRun};
use wflint::text::diagnostic::Severity;

use super::{APPROVALS, Service, rules, sandbox, shown, visitors};

fn reports(body: &str) -> RuleRun {
    let run = Service::workflow(APPROVALS).run(&visitors(body));
    assert_eq!(run.problem, None);
    run
}

fn node(pointer: &str) -> NodeRef {
    NodeRef { document: 0, pointer: pointer.to_owned() }
}

#[test]
fn report_has_what_the_rule_says() {
    let run = reports(
        "Sequence(sequence) {
            const [second] = sequence.activities;
            context.report({
                node: second, key: 'timeout', part: [0, 3], message: 'too long', help: 'shorten it', severity: 'info',
                related: [{ node: sequence.activities, message: 'inside of this' }, { node: second, key: 'name', message: 'm' }],
                fix: {
                    title: 'repair', safe: true, set: { required: 'one', nested: { b: [1, 'x'], a: null } },
                    remove: ['timeout'], insert: { into: sequence.activities, at: 1, value: { name: 'New' } },
                },
            });
            context.report({ node: second.timeout, key: 'absent', message: 'plain' });
        },",
    );
    let [full, plain] = &run.reports[..] else { panic!("{run:?}") };
    assert_eq!((&full.node, full.key.as_deref()), (&node("/activities/1/activities/0"), Some("timeout")));
    assert_eq!(
        (full.part, full.severity, full.help.as_deref()),
        (Some((0, 3)), Some(Severity::Info), Some("shorten it"))
    );
    assert_eq!(full.related[0].node, node("/activities/1/activities"));
    assert_eq!(full.related[1].key.as_deref(), Some("name"));
    let fix = full.fix.as_ref().unwrap();
    let scalar = |json: &str| NewValue::Scalar(json.to_owned());
    let nested = NewValue::Object(vec![
        ("b".to_owned(), NewValue::Array(vec![scalar("1"), scalar("\"x\"")])),
        ("a".to_owned(), scalar("null")),
    ]);
    assert_eq!(fix.set, [("required".to_owned(), scalar("\"one\"")), ("nested".to_owned(), nested)]);
    assert_eq!((fix.is_safe, fix.remove.as_slice()), (true, &["timeout".to_owned()][..]));
    let insert = fix.insert.as_ref().unwrap();
    assert_eq!((&insert.into, insert.at), (&node("/activities/1/activities"), 1));
    assert_eq!((&plain.node, plain.key.as_deref()), (&node("/activities/1/activities/0/timeout"), None));
    assert_eq!((plain.severity, &plain.fix, plain.related.len()), (None, &None, 0));
}

#[test]
fn wrong_reports_are_problems_at_the_call() {
    for (report, expected) in [
        ("{ message: 'm' }", "report: missing key `node`"),
        ("{ node }", "report: missing key `message`"),
        ("{ node, message: 5 }", "`message`: expected a string, found 5"),
        ("{ node, mesage: 'm' }", "report: unknown key `mesage` (did you mean `message`?)"),
        (
            "{ node: {}, message: 'm' }",
            "`node`: expected an object or array of a document, found an object (pass the object that a visitor gets, not a copy)",
        ),
        ("{ node: 'x', message: 'm' }", "`node`: expected an object or array of a document, found \"x\""),
        ("{ node, message: 'm', part: [2, 1] }", "`part`: expected two indices, [from, to], found an array"),
        (
            "{ node, message: 'm', severity: 'eror' }",
            "`severity`: expected one of `error`, `warning`, `info`, found \"eror\" (did you mean `error`?)",
        ),
        (
            "{ node, message: 'm', fix: { title: 't', set: { a: () => 1 } } }",
            "`set`: `a`: expected a value of JSON, found a function",
        ),
        (
            "{ node, message: 'm', fix: { title: 't', insert: { into: node, at: -1, value: 1 } } }",
            "`at`: expected an index, found -1",
        ),
        (
            "{ node, message: 'm', fix: { title: 't', insert: { into: node, at: 0, value: 1 } } }",
            "`into`: expected an array of a document, found an object",
        ),
        (
            "{ node, message: 'm', fix: { title: 't', insert: { into: context.parent(node).activities, at: 9, value: 1 } } }",
            "`at`: expected at most 1, the length of `into`, found 9",
        ),
        ("'text'", "report: expected an object, found \"text\""),
        ("undefined", "report: expected an object, found nothing"),
    ] {
        let problem = Service::workflow(APPROVALS)
            .problem(&visitors(&format!("Event(node) {{\n  context.report({report});\n}},")));
        let expected = format!("6:10 {expected}");
        let position = shown(&problem);
        assert_eq!(position.split_once(' ').unwrap().1, expected.split_once(' ').unwrap().1, "{report}");
        assert_eq!(problem.line, Some(6), "{report}");
        assert_eq!(problem.at, Some(node("/activities/0/activities/0")), "{report}");
    }
    let service =
        Service::workflow(APPROVALS).problem(&visitors("Service(node) { context.report({ node, message: 'm' }) },"));
    assert_eq!(service.message, "`node`: the service is not in a document");
}

#[test]
fn long_messages_are_cut_and_many_are_counted() {
    let run = reports(
        "Event(node) {
            context.report({ node, message: 'ä'.repeat(3000), help: '\\u{1f600}'.repeat(3000) });
            for (let count = 0; count < 1500; count += 1) context.report({ node, message: `${count}` });
        },",
    );
    assert_eq!((run.reports.len(), run.omitted), (1000, 501));
    assert_eq!(run.reports[0].message, "ä".repeat(1000));
    assert_eq!(run.reports[0].help.as_deref(), Some("😀".repeat(1000).as_str()));
}

#[test]
fn control_characters_and_lone_surrogates_pass() {
    let run = reports("Event(node) { context.report({ node, message: '\\u0000\\u001b[31m\\ud800\\u202e\"\\n' }); },");
    assert_eq!(run.reports[0].message, "\0\u{1b}[31m\u{fffd}\u{202e}\"\n");
}

#[test]
fn documents_keep_the_numbers_of_the_caller() {
    let service = Service::of(&[
        ("b.form.json", r#"{ "fields": [{ "name": "F", "type": "InputText" }] }"#),
        ("a.workflow.json", r#"{ "activities": [{ "name": "A", "type": "Terminate" }] }"#),
    ]);
    let run = service.run(&visitors(
        "Activity(node) { seen(node, context.file(node)) }, Field(node) { seen(node, context.file(node)); node.x.y },",
    ));
    let found: Vec<_> = run.reports.iter().map(|report| (report.node.document, report.message.as_str())).collect();
    assert_eq!(found, [(1, "a.workflow.json"), (0, "b.form.json")]);
    assert_eq!(run.problem.unwrap().at, Some(NodeRef { document: 0, pointer: "/fields/0".to_owned() }));
}

#[test]
fn rules_of_a_service_have_their_own_reports() {
    let texts = [visitors("Event(node) { seen(node, 'one') },"), visitors("Approval(node) { seen(node, 'two') },")];
    let runs = Service::workflow(APPROVALS).run_in(&mut sandbox(), &rules(&[&texts[0], &texts[1]]));
    let counts: Vec<_> = runs.iter().map(|run| (run.rule, run.reports.len())).collect();
    assert_eq!(counts, [(0, 1), (1, 2)]);
}

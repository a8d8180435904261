//! How rules end when they go wrong.

use super::{APPROVALS, Service, loaded, rules, sandbox, shown, visitors};

#[test]
fn files_that_do_not_parse_are_refused_at_their_place() {
    let problem = loaded("export default {\n  create() { return {}; },\n  ä ö\n};").unwrap_err();
    assert_eq!((problem.file.as_str(), problem.line), ("rules/ORG101-rule.js", Some(3)));
    assert!(problem.message.starts_with("invalid JavaScript: "), "{}", problem.message);
    let problem = loaded("export default { a\0 };").unwrap_err();
    assert!(problem.message.starts_with("invalid JavaScript: "), "{}", problem.message);
    assert!(loaded("export default await 5;").unwrap_err().message.contains("top-level `await`"));
}

#[test]
fn what_create_does_wrong_is_a_problem_without_a_node() {
    for (create, expected) in [
        ("throw new Error('no')", "2:11 `create` threw Error: no"),
        ("return 5", "2:3 result of `create`: expected an object of visitors, found 5"),
        ("return { Aproval() {} }", "2:14 unknown visitor `Aproval` (did you mean `Approval`?)"),
        ("return { 'Fild:exit'() {} }", "2:15 unknown visitor `Fild:exit` (did you mean `Field`?)"),
        ("return { Form: 5 }", "2:14 visitor `Form`: expected a function, found 5"),
        ("return Promise", "`create` threw ReferenceError: `Promise` is not available: rules run to their end at once"),
    ] {
        let rule = format!("export default {{ create(context) {{\n    {create};\n}} }};");
        let problem = Service::workflow(APPROVALS).problem(&rule);
        assert_eq!(problem.at, None, "{create}");
        let shown = shown(&problem);
        assert!(shown.ends_with(expected.split_once(' ').unwrap().1), "{create}: {shown}");
        assert_eq!(problem.line, Some(if create == "return 5" { 1 } else { 2 }), "{create}: {shown}");
    }
}

#[test]
fn visitor_that_throws_is_told_with_its_node_and_keeps_its_findings() {
    let rule =
        visitors("Approval(node) {\n  seen(node, 'kept');\n  if (node.name === 'Second') node.missing.more();\n},");
    let run = Service::workflow(APPROVALS).run(&rule);
    assert_eq!(run.reports.len(), 2);
    let problem = run.problem.unwrap();
    assert!(problem.message.starts_with("visitor `Approval` threw TypeError: "), "{}", problem.message);
    assert_eq!((problem.file.as_str(), problem.line), ("rules/ORG101-rule.js", Some(7)));
    assert_eq!(problem.at.unwrap().pointer, "/activities/1/activities/0");
}

#[test]
fn other_rules_run_on() {
    let texts = [
        visitors("Event(node) { throw 1; },"),
        visitors("Event(node) { for (;;); },"),
        visitors("Event(node) { const all = []; for (;;) all.push('x'.repeat(1e6) + all.length); },"),
        visitors("Event(node) { seen(node, 'well'); },"),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let runs = Service::workflow(APPROVALS).run_in(&mut sandbox(), &rules(&texts));
    let problems: Vec<_> =
        runs.iter().map(|run| run.problem.as_ref().map(|problem| problem.message.as_str())).collect();
    assert_eq!(
        problems,
        [
            Some("visitor `Event` threw 1"),
            Some("visitor `Event` exceeded the limit of 10 million steps"),
            Some("visitor `Event` exceeded the memory limit of 64 MiB"),
            None
        ]
    );
    assert_eq!(runs[3].reports.len(), 1);
}

#[test]
fn steps_are_counted_for_create_and_all_visitors_of_a_rule() {
    // Two million iterations each.
    let rule = "export default { create(context) {
        const spend = () => { for (let i = 0; i < 2e6; i += 1); };
        spend();
        return { Activity(node) { context.report({ node, message: 'm' }); spend(); } };
    } };";
    let texts = [rule, rule];
    let runs = Service::workflow(APPROVALS).run_in(&mut sandbox(), &rules(&texts));
    for run in &runs {
        let problem = run.problem.as_ref().unwrap();
        assert_eq!(problem.message, "visitor `Activity` exceeded the limit of 10 million steps");
        assert!((1..4).contains(&run.reports.len()), "{}", run.reports.len());
        assert_eq!(run.reports.last().map(|report| &report.node), problem.at.as_ref());
        assert_eq!(problem.file, "rules/ORG101-rule.js".replace("101", if run.rule == 0 { "101" } else { "102" }));
    }
    let problem = Service::workflow(APPROVALS).problem("export default { create() { for (;;); } };");
    assert_eq!((problem.message.as_str(), problem.at), ("`create` exceeded the limit of 10 million steps", None));
}

#[test]
fn promises_are_refused() {
    for (body, expected) in [
        ("async Event(node) {},", "visitor `Event` returns a promise: rules run to their end at once"),
        ("Event(node) { (async () => {})(); },", "visitor `Event` uses a promise: rules run to their end at once"),
        ("Event(node) { import('./x.js'); },", "visitor `Event` uses a promise: rules run to their end at once"),
    ] {
        let problem = Service::workflow(APPROVALS).problem(&visitors(body));
        assert_eq!(problem.message, expected, "{body}");
    }
    let problem = Service::workflow(APPROVALS).problem("export default { async create() { return {}; } };");
    assert_eq!(shown(&problem), "1:24 `create` returns a promise: rules run to their end at once (remove `async`)");
}

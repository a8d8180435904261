//! Rules that attack the engine, each other or the prelude.

use super::{APPROVALS, Service, loaded, rules, sandbox, visitors};

/// Runs a rule beside one that is fine, which must not notice.
fn beside(attack: &str) -> Option<String> {
    let fine =
        visitors("Approval(node) { seen(node, [1, 2].map(String).join() + context.value(node.timeout).number); },");
    let runs = Service::workflow(APPROVALS).run_in(&mut sandbox(), &rules(&[attack, &fine]));
    assert_eq!(runs[1].problem, None, "{attack}");
    let messages: Vec<&str> = runs[1].reports.iter().map(|report| report.message.as_str()).collect();
    assert_eq!(messages, ["1,2600", "1,20"], "{attack}");
    runs[0].problem.as_ref().map(|problem| problem.message.clone())
}

#[test]
fn built_in_objects_cannot_be_changed() {
    for attack in [
        "Array.prototype.push = () => 0",
        "Array.prototype[Symbol.iterator] = function* () {}",
        "Object.prototype.toJSON = () => 'x'",
        "Object.defineProperty(Object.prototype, 'node', { get() { return 5; } })",
        "Object.setPrototypeOf(Array.prototype, {})",
        "Map.prototype.get = () => undefined",
        "String.prototype.toWellFormed = () => 'x'",
        "JSON.stringify = () => '[]'",
        "Reflect.apply = () => 0",
        "Object.getPrototypeOf(function* () {}).next = 1",
        "Object.getPrototypeOf([].values()).next = () => ({ done: true })",
        "globalThis.Array = class {}",
        "globalThis.shared = 1",
        "delete globalThis.Map",
        "Error.prepareStackTrace = () => { throw 1; }",
        "undefinedVariable = 1",
        "context.report = () => 0",
        "context.report.call = () => 0",
    ] {
        let rule = format!("export default {{ create(context) {{ {attack}; return {{}}; }} }};");
        let problem = beside(&rule).unwrap_or_else(|| panic!("allowed: {attack}"));
        assert!(problem.contains("TypeError") || problem.contains("ReferenceError"), "{attack}: {problem}");
    }
}

#[test]
fn documents_cannot_be_changed() {
    for attack in [
        "node.name = 'x'",
        "node.timeout.value = 1",
        "node.activities.push({})",
        "delete node.name",
        "Object.defineProperty(node, 'activities', { value: [] })",
        "node.timeout.more = 1",
        "Object.setPrototypeOf(node, null)",
        "context.ancestors(node).at(-1).workflows.length = 0",
    ] {
        let problem = beside(&visitors(&format!("Approval(node) {{ {attack}; }},"))).unwrap();
        assert!(problem.starts_with("visitor `Approval` threw TypeError: "), "{attack}: {problem}");
    }
}

#[test]
fn what_makes_results_vary_says_that_it_is_not_there() {
    for (code, name) in [
        ("new Date()", "`Date`"),
        ("Date.now()", "`Date`"),
        ("typeof Date", "`Date`"),
        ("Math.random()", "`Math.random`"),
        ("setTimeout(() => {}, 1)", "`setTimeout`"),
        ("new Promise(() => {})", "`Promise`"),
        ("(async () => {})().constructor", "`Promise`"),
        ("eval('1')", "`eval`"),
        ("(0, eval)('1')", "`eval`"),
        ("new Function('return 1')()", "`Function`"),
        ("(() => {}).constructor('return 1')()", "`Function`"),
        ("Object.getPrototypeOf(function* () {}).constructor('yield 1')", "`Function`"),
        ("require('fs')", "`require`"),
        ("fetch('http://a.example')", "`fetch`"),
        ("console.log(1)", "`console`"),
    ] {
        let problem = beside(&format!("export default {{ create() {{ {code}; return {{}}; }} }};")).unwrap();
        assert!(problem.contains(name), "{code}: {problem}");
    }
    // Not worth a message, and not there either.
    for name in ["WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics", "std", "os", "InternalError"] {
        assert_eq!(
            beside(&format!(
                "export default {{ create() {{ if (typeof {name} !== 'undefined') throw 1; return {{}}; }} }};"
            )),
            None,
            "{name}"
        );
    }
}

#[test]
fn hostile_values_in_reports_cost_the_rule_alone() {
    for (body, expected) in [
        (
            "Event(node) { context.report(new Proxy({}, { get() { throw new Error('trap'); }, ownKeys() { throw new Error('trap'); } })); },",
            "visitor `Event` threw Error: trap",
        ),
        (
            "Event(node) { context.report({ node, get message() { throw new Error('getter'); } }); },",
            "visitor `Event` threw Error: getter",
        ),
        (
            "Event(node) { context.report({ node, get message() { for (;;); } }); },",
            "visitor `Event` exceeded the limit of 10 million steps",
        ),
        (
            "Event(node) { context.report({ node: new Proxy(node, {}), message: 'm' }); },",
            "`node`: expected an object or array of a document, found an object",
        ),
        (
            "Event(node) { context.report({ node, message: 'm', related: new Proxy([], { get: (_, key) => (key === 'length' ? 1e9 : { node, message: 'r' }) }) }); },",
            "visitor `Event` exceeded the",
        ),
        (
            "Event(node) { const self = {}; self.self = self; context.report({ node, message: 'm', fix: { title: 't', set: self } }); },",
            "visitor `Event` threw TypeError: ",
        ),
        (
            "Event(node) { context.report({ node, message: 'm', fix: { title: 't', set: { a: { toJSON() { for (;;); } } } } }); },",
            "visitor `Event` exceeded the limit",
        ),
        (
            "Event(node) { for (let text = 'x'; ; text += text) context.report({ node, message: text }); },",
            "visitor `Event` ",
        ),
        (
            "Event(node) { throw { toString() { for (;;); } }; },",
            "visitor `Event` threw a value that cannot be converted to a string",
        ),
        (
            "Event(node) { throw { get stack() { throw 1; }, toString() { throw 2; } }; },",
            "visitor `Event` threw a value that cannot be converted to a string",
        ),
        ("Event(node) { throw null; },", "visitor `Event` threw null"),
        ("Event(node) { throw undefined; },", "visitor `Event` threw undefined"),
        (
            "Event(node) { const self = () => self(); self(); },",
            "visitor `Event` exceeded the stack limit, calls are nested too deeply",
        ),
        (
            "Event(node) { /(x+x+)+y/.test('x'.repeat(5000)); },",
            "visitor `Event` exceeded the limit of 10 million steps",
        ),
        (
            "Event(node) { try { for (;;); } catch { } finally { for (;;); } },",
            "visitor `Event` exceeded the limit of 10 million steps",
        ),
        (
            "Event(node) { for (;;) { try { null.x; } catch {} } },",
            "visitor `Event` exceeded the limit of 10 million steps",
        ),
        ("Event(node) { const all = []; for (;;) all.push([]); },", "visitor `Event` exceeded the "),
    ] {
        let problem = beside(&visitors(body)).unwrap_or_else(|| panic!("no problem: {body}"));
        assert!(problem.starts_with(expected), "{body}: {problem}");
    }
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn loop_inside_the_engine_ends_that_rule_alone() {
    let attack = visitors("Event(node) { seen(node, 'before'); new Array(2 ** 32 - 1).reverse(); },");
    let problem = beside(&attack).unwrap();
    assert!(problem.starts_with("rule exceeded its time limit of "), "{problem}");
}

#[test]
fn million_reports_are_counted_within_the_budget() {
    let run = Service::workflow(APPROVALS)
        .run(&visitors("Event(node) { for (let i = 0; i < 20000; i += 1) seen(node, i); },"));
    assert_eq!((run.problem, run.reports.len(), run.omitted), (None, 1000, 19_000));
    let run =
        Service::workflow(APPROVALS).run(&visitors("Event(node) { for (let i = 0; i < 1e6; i += 1) seen(node, i); },"));
    assert_eq!(run.problem.unwrap().message, "visitor `Event` exceeded the limit of 10 million steps");
    assert_eq!(run.reports.len(), 1000);
}

#[test]
fn rules_share_no_state() {
    // A second service in the same process.
    let counting = "let count = 0; const seen = [];
export default { create(context) { count += 1; return { Event(node) {
            seen.push(node); context.report({ node, message: `${count} ${seen.length} ${Object.keys(globalThis).length}` });
        } }; } };";
    // The first is evaluated as a function, the second as a module.
    let module = counting.replace("\nexport", "\n export");
    let mut sandbox = sandbox();
    let files = rules(&[counting, &module, counting]);
    let service = Service::workflow(APPROVALS);
    for _ in 0..3 {
        for run in service.run_in(&mut sandbox, &files) {
            assert_eq!(run.problem, None);
            assert!(run.reports[0].message.starts_with("1 1 "), "{}", run.reports[0].message);
        }
    }
}

#[test]
fn rules_of_any_shape_are_evaluated() {
    let visitors = "{ create(context) { return { Event(node) { context.report({ node, message: text() }); } }; } }";
    let template = "`\nexport default 1;\n`";
    let texts = [
        format!("export default {visitors}"),
        format!("export default {visitors}\nfunction text() {{ return typeof this; }} // the end"),
        format!("const own = {visitors};\nexport {{ own as default }};\nfunction text() {{ return typeof this; }}"),
        format!("export const text = () => typeof this;\nexport default {visitors}\n"),
        format!("const text = () => {template};\nexport default {visitors}"),
        format!("const text = () => {template}; export default {visitors}"),
        format!("const $w = 'a name of ours', text = () => $w;\r\nexport default {visitors};\r\n"),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (mut sandbox, service) = (sandbox(), Service::workflow(APPROVALS));
    let runs: Vec<_> = texts.chunks(4).flat_map(|texts| service.run_in(&mut sandbox, &rules(texts))).collect();
    let problem = runs[0].problem.as_ref().map(|problem| (problem.message.as_str(), problem.line, problem.column));
    assert_eq!(problem, Some(("visitor `Event` threw ReferenceError: text is not defined", Some(1), Some(91))));
    let said = runs[1..].iter().map(|run| run.reports[0].message.as_str());
    let template = "\nexport default 1;\n";
    let undefined = "undefined";
    assert_eq!(said.collect::<Vec<_>>(), [undefined, undefined, undefined, template, template, "a name of ours"]);
}

#[test]
fn evaluation_that_does_not_end_is_refused_when_it_is_loaded() {
    let problem = loaded("for (;;); export default {};").unwrap_err();
    assert_eq!(problem.message, "rule exceeded the limit of 10 million steps");
    let problem = loaded("export default new Proxy({}, { ownKeys() { for (;;); } });").unwrap_err();
    assert_eq!(problem.message, "rule exceeded the limit of 10 million steps");
}

//! The helpers of `context` that need no facts.

use super::{APPROVALS, Service, loaded, meta_of, rules, sandbox, shown, visitors};
use wflint::config::Types;
use wflint::text::diagnostic::Severity;

/// What `context.value` says of a binding, which is an expression.
fn value(binding: &str) -> String {
    let rule = visitors(&format!(
        "Event(node) {{
            const {{ kind, text, number, boolean, variable }} = context.value({binding});
            seen(node, [kind, text, number, boolean, variable].map((part) => String(part)).join(' '));
        }},"
    ));
    Service::workflow(APPROVALS).messages(&rule).remove(0)
}

#[test]
fn values_are_read_in_either_form() {
    for (binding, expected) in [
        ("{ state: 'static', value: 5 }", "static 5 5 undefined undefined"),
        ("{ state: 'static', value: '5' }", "static 5 5 undefined undefined"),
        ("{ state: 'static', value: ' 1.5e3 ' }", "static  1.5e3  1500 undefined undefined"),
        ("{ state: 'static', value: '0x10' }", "static 0x10 NaN undefined undefined"),
        ("{ state: 'static', value: '' }", "static  NaN undefined undefined"),
        ("{ state: 'static', value: 'True' }", "static True NaN true undefined"),
        ("{ isBound: false, value: false }", "static false NaN false undefined"),
        ("{ isBound: false, value: null }", "unset undefined NaN undefined undefined"),
        ("{ isBound: true, boundTo: 'Mail', value: 'old' }", "bound undefined NaN undefined Mail"),
        ("{ state: 'bound', boundTo: '' }", "bound undefined NaN undefined undefined"),
        ("{ state: 'notSet', value: 'x' }", "unset undefined NaN undefined undefined"),
        ("{ state: 'static', isBound: true, value: 1, boundTo: 'A' }", "static 1 1 undefined undefined"),
        ("{ state: 'static' }", "unset undefined NaN undefined undefined"),
        ("{ state: 'static', value: [1] }", "static undefined NaN undefined undefined"),
        ("{}", "unset undefined NaN undefined undefined"),
        ("null", "unset undefined NaN undefined undefined"),
        ("undefined", "unset undefined NaN undefined undefined"),
        ("600", "static 600 600 undefined undefined"),
    ] {
        assert_eq!(value(binding), expected, "{binding}");
    }
}

#[test]
fn parents_are_the_nearest_objects_that_visitors_get() {
    let rule = visitors(
        "Approval(node) {
            const names = (list) => list.map((it) => it.name ?? 'workflow');
            seen(node, names(context.ancestors(node)));
            seen(node, context.parent(node).name);
            seen(node, context.parent(node.timeout) === node && context.pointer(node.timeout));
            seen(node, context.ancestors(node.activities ?? node)[0].name);
        },
        Service(service) {
            const [workflow] = service.workflows;
            seen(workflow, context.parent(service) + ' ' + context.ancestors(service).length + ' ' + service.name);
            seen(workflow, context.parent(workflow) === service);
        },",
    );
    assert_eq!(
        Service::workflow(APPROVALS).messages(&rule),
        [
            "undefined 0 order",
            "true",
            "workflow,order",
            "",
            "/activities/0/timeout",
            "First",
            "Both,workflow,order",
            "Both",
            "/activities/1/activities/0/timeout",
            "Both"
        ]
        .map(|text| if text.is_empty() { "undefined" } else { text })
    );
}

#[test]
fn parameters_are_found_by_name() {
    let service = Service::workflow(
        r#"{ "activities": [
            { "name": "Call", "type": "Provider", "method": "Get-X",
              "providerParameters": [null, { "name": "One", "value": { "state": "static", "value": 1 } }],
              "additionalProviderParameters": [{ "name": "Two", "value": { "state": "static", "value": 2 } }],
              "allProviderParameters": [{ "name": "Copy", "value": { "state": "static", "value": 3 } }] },
            { "name": "Copies", "type": "Provider", "method": "Get-X", "allProviderParameters": [{ "name": "Copy" }] },
            { "name": "Script", "type": "Code", "parameters": [{ "name": "In" }] }
        ] }"#,
    );
    let rule = visitors(
        "Activity(node) { seen(node, ['One', 'Two', 'Copy', 'In'].map((name) => context.parameter(node, name)?.name ?? '-')); },",
    );
    assert_eq!(service.messages(&rule), ["One,Two,-,-", "-,-,Copy,-", "-,-,-,In"]);
}

#[test]
fn pointers_and_files_are_those_of_the_node() {
    let service = Service::of(&[(
        "sub/a.workflow.json",
        r#"{ "activities": [{ "name": "A", "type": "Status", "x/y": [{ "~": {} }] }] }"#,
    )]);
    let rule = visitors(
        "Status(node) { seen(node, context.file(node['x/y']) + ' ' + context.pointer(node['x/y'][0]['~'])); },",
    );
    assert_eq!(service.messages(&rule), ["sub/a.workflow.json /activities/0/x~1y/0/~0"]);
    let other = visitors("Status(node) { context.pointer({ ...node }); },");
    assert_eq!(
        service.problem(&other).message,
        "`context.pointer`: expected an object or array of a document, found an object"
    );
}

#[test]
fn options_and_settings_are_frozen_values() {
    let rule = "export default {
        meta: { severity: 'error', options: { days: 5, hosts: ['a', 'b'], strict: true, word: 'x' } },
        create(context) {
            const { options, settings } = context;
            return { Event(node) {
                const isFrozen = [options, options.hosts, settings, settings.limits, context].every(Object.isFrozen);
                context.report({ node, message: JSON.stringify([options, settings, isFrozen]) });
            } };
        },
    };";
    let meta = loaded(rule).unwrap();
    assert_eq!(
        (meta.severity, meta.needs_flow, meta.options["hosts"][1].as_str()),
        (Severity::Error, false, Some("b"))
    );
    let mut options = meta.options;
    options.insert("days".to_owned(), 3.into());
    let service = Service::workflow(APPROVALS);
    let run = service.run_with(&mut sandbox(), &rules(&[rule]), vec![meta_of(options)], &Types::default()).remove(0);
    assert_eq!(
        run.reports[0].message,
        r#"[{"days":3,"hosts":["a","b"],"strict":true,"word":"x"},{"hosts":["a.example"],"limits":{"days":5}},true]"#
    );
}

#[test]
fn meta_has_defaults_and_is_checked() {
    let meta = loaded("export default { create() { return {}; } };").unwrap();
    assert_eq!((meta.severity, meta.options.len(), meta.needs_flow), (Severity::Warning, 0, false));
    assert!(loaded("export default { meta: { needs: ['flow'] }, create: () => ({}) };").unwrap().needs_flow);
    for (rule, expected) in [
        ("export const a = 1;", "1:1 missing `export default` (export an object with `create`)"),
        ("export default 5;", "1:8 `export default`: expected an object, found 5"),
        ("export default { meta: {} };", "1:1 `create`: expected a function, found nothing"),
        ("export default { creat() {} };", "1:18 unknown key `creat` (did you mean `create`?)"),
        (
            "export default {\n  meta: { sevrity: 'error' },\n  create() {} };",
            "2:11 meta: unknown key `sevrity` (did you mean `severity`?)",
        ),
        (
            "export default { meta: { severity: 'warn' }, create() {} };",
            "1:26 `severity`: expected one of `error`, `warning`, `info`, found \"warn\"",
        ),
        (
            "export default { meta: { options: { a: null } }, create() {} };",
            "1:37 option `a`: expected a number, a string, a boolean or an array of these, found null",
        ),
        (
            "export default { meta: { options: { a: [[1]] } }, create() {} };",
            "1:37 option `a`: expected a number, a string, a boolean or an array of these, found an array",
        ),
        (
            "export default { meta: { needs: ['flows'] }, create() {} };",
            "1:26 `needs`: expected `flow`, found \"flows\"",
        ),
    ] {
        let problem = shown(&loaded(rule).unwrap_err());
        assert!(problem.starts_with(expected), "{rule}\n{problem}\n{expected}");
    }
}

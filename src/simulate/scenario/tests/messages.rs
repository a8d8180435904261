//! The messages of problems, and the spans of values in each syntax.

use super::{ScenarioSyntax, problems, slice};
use crate::simulate::scenario::parse::parse;
use crate::simulate::scenario::tree::{Shape, Style, Value};

/// The problem of a YAML text with a workflow, as `line:column pointer: message`, lines counted
/// from that text's first.
fn report(text: &str) -> String {
    problems(&format!("{text}\nworkflow: w.json\n"), ScenarioSyntax::Yaml)
}

#[test]
fn unknown_key_is_reported_at_the_key_with_a_suggestion() {
    assert_eq!(report("requestor: a@b"), "1:1 /requestor: unknown key `requestor` - did you mean `requester`?\n");
    assert_eq!(
        report("faults:\n- { mthod: Get, method: Get, error: e }"),
        "2:5 /faults/0/mthod: unknown key `mthod` - did you mean `method`?\n"
    );
    assert_eq!(
        report("limits: { memory: 5 }"),
        "1:11 /limits/memory: unknown key `memory` - use one of the keys of the limits: `steps`, `virtual-time` and `script-seconds`\n"
    );
}

#[test]
fn missing_key_is_reported_at_the_key_of_the_object() {
    assert_eq!(problems("name: n", ScenarioSyntax::Yaml), "1:1 : missing key `workflow`\n");
    assert_eq!(
        report("faults: [{}]"),
        "1:10 /faults/0: missing key `method` in entry 1 of `faults`\n1:10 /faults/0: missing key `error` in entry 1 of `faults`\n"
    );
    assert_eq!(report("signing:\n  a@b: { after: 1h }"), "2:3 /signing/a@b: missing key `action` in `a@b`\n");
    assert_eq!(report("directory: [{ mail: a@b }]"), "1:13 /directory/0: missing key `dn` in entry 1 of `directory`\n");
    // A null counts as missing.
    assert_eq!(problems("workflow: ~", ScenarioSyntax::Yaml), "1:1 : missing key `workflow`\n");
}

#[test]
fn mismatch_is_reported_at_the_value() {
    let duration = "expected a duration such as `90s`, `15m`, `2h` or `3d` in";
    assert_eq!(
        report("signing:\n  a@b: { after: 90, action: sign }"),
        format!("2:17 /signing/a@b/after: {duration} `after`, found 90\n")
    );
    assert_eq!(
        report("limits: { virtual-time: [1d] }"),
        format!("1:25 /limits/virtual-time: {duration} `virtual-time`, found an array\n")
    );
    assert_eq!(
        report("limits: { virtual-time: 99999999999999999999d }"),
        "1:25 /limits/virtual-time: expected at most 10000000 days in `virtual-time`, found \"99999999999999999999d\"\n"
    );
    for (limit, message) in [
        ("steps: -1", "1:18 /limits/steps: expected a whole number of at least 0 in `steps`, found -1\n"),
        (
            "script-seconds: 0",
            "1:27 /limits/script-seconds: expected a number of seconds above 0 and at most 86400 in `script-seconds`, found 0\n",
        ),
    ] {
        assert_eq!(report(&format!("limits: {{ {limit} }}")), message);
    }
    assert_eq!(
        report("faults: [{ method: Get, call: 0, error: e }]"),
        "1:31 /faults/0/call: expected a whole number of at least 1 in `call`, found 0\n"
    );
    assert_eq!(
        report("start: 2024-01-01"),
        "1:8 /start: expected a time with offset such as `2024-01-01T08:00:00Z` in `start`, found \"2024-01-01\"\n"
    );
    assert_eq!(report("name: [a]"), "1:7 /name: expected a string in `name`, found an array\n");
    assert_eq!(report("form: ''"), "1:7 /form: empty string in `form`\n");
    assert_eq!(
        report("submit: { A: [1] }"),
        "1:14 /submit/A: expected a string, or `{ file: … }` for an upload in `A`, found an array\n"
    );
    assert_eq!(
        report("approvals: { A: x }"),
        "1:17 /approvals/A: expected an object of mail addresses, each with `after` and `action` in `A`, found \"x\"\n"
    );
    assert_eq!(
        report("expect: { calls: { Get: [3] } }"),
        "1:25 /expect/calls/Get: expected an object with `at-least` or `at-most` in `Get`, found an array\n"
    );
    assert_eq!(problems("[]", ScenarioSyntax::Json), "1:1 : expected an object with `workflow`, found an array\n");
}

#[test]
fn unknown_word_is_reported_with_the_known_ones() {
    assert_eq!(
        report("signing: { a@b: { after: 1h, action: sgin } }"),
        "1:38 /signing/a@b/action: expected `sign` or `reject` in `action`, found \"sgin\" - did you mean `sign`?\n"
    );
    assert_eq!(
        report("expect: { outcome: done }"),
        "1:20 /expect/outcome: expected `completed`, `terminated`, `failed`, `stuck` or `refused` in `outcome`, found \"done\"\n"
    );
    assert_eq!(
        report("expect: { approvals: { A: Approved } }"),
        "1:27 /expect/approvals/A: expected `approved`, `rejected` or `timed-out` in `A`, found \"Approved\" \
         - did you mean `approved`?\n"
    );
    assert_eq!(
        report("expect: { mails: [{ kind: remind }] }"),
        "1:27 /expect/mails/0/kind: expected `sign-request`, `reminder`, `finished`, `rejected`, `recalled`, \
         `approval-request` or `approval-reminder` in `kind`, found \"remind\"\n"
    );
}

#[test]
fn bounds_are_in_order_and_not_both_missing() {
    assert_eq!(
        report("expect: { elapsed: { at-least: 2h, at-most: 119m } }"),
        "1:45 /expect/elapsed/at-most: `at-most` is less than `at-least`\n"
    );
    assert_eq!(
        report("expect:\n  elapsed: {}\n  calls: { Get: { at-least: } }"),
        "2:3 /expect/elapsed: missing key `at-least` or `at-most` in `elapsed`\n\
         3:12 /expect/calls/Get: missing key `at-least` or `at-most` in `Get`\n"
    );
}

#[test]
fn provider_result_has_either_outputs_or_an_error() {
    assert_eq!(
        report("providers: { New: [{}, { outputs: {}, error: e }, {error: e}] }"),
        "1:20 /providers/New/0: missing key `outputs` or `error` in entry 1 of `New`\n\
         1:24 /providers/New/1: conflicting keys `outputs` and `error` in entry 2 of `New`\n"
    );
}

#[test]
fn duplicate_key_is_reported_at_the_second() {
    let expected = |place: &str, pointer: &str| format!("{place} {pointer}: duplicate key `a` - remove one of them\n");
    assert_eq!(report("submit:\n  a: 1\n  \"a\": 2"), expected("3:3", "/submit/a"));
    let json = r#"{"workflow": "w", "submit": {"a": 1, "\u0061": 2}}"#;
    assert_eq!(problems(json, ScenarioSyntax::Json), expected("1:38", "/submit/a"));
    let toml = problems("workflow = 'w'\nsubmit.a = 1\nsubmit.a = 2", ScenarioSyntax::Toml);
    assert_eq!(toml, "3:8 : invalid TOML: duplicate key\n");
}

#[test]
fn all_problems_are_reported_in_the_order_of_the_file() {
    let text = "workflow: w.json\nexpect: { outcome: done }\nlimit: {}\nculture: {}\n";
    let report = problems(text, ScenarioSyntax::Yaml);
    let places: Vec<&str> = report.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(places, ["2:20", "3:1", "4:10"]);
}

#[test]
fn empty_file_is_reported() {
    let help = "set at least the workflow, such as `workflow: order.workflow.json`";
    let report = format!("1:1 : empty scenario - {help}\n");
    for syntax in super::SYNTAXES {
        assert_eq!(problems("", syntax), report);
        assert_eq!(problems("\u{feff} \n", syntax), report);
    }
    assert_eq!(problems("{}", ScenarioSyntax::Json), report);
    assert_eq!(problems("---\n", ScenarioSyntax::Yaml), report);
    assert_eq!(problems("# only a comment\n", ScenarioSyntax::Yaml), report);
    assert_eq!(problems("# only a comment\n", ScenarioSyntax::Toml), report);
}

#[test]
fn invalid_syntax_is_the_only_problem() {
    assert_eq!(problems("{\"name\": }", ScenarioSyntax::Json), "1:10 : invalid JSON: expected a value\n");
    assert_eq!(problems("nmae: [a\nworkflow: w", ScenarioSyntax::Yaml).split(": ").nth(1), Some("invalid YAML"),);
    assert!(problems("name = \nworkflow = 'w'", ScenarioSyntax::Toml).starts_with("1:8 : invalid TOML: "));
}

#[test]
fn unsupported_yaml_is_reported() {
    assert_eq!(
        report("name: !!str a"),
        "1:7 : unsupported YAML tag, every scalar is read as it is written - remove the tag\n"
    );
    assert_eq!(
        report("limits: &l { steps: 1 }\nexpect: { <<: *l }"),
        "2:11 : unsupported merge key `<<` - write out the merged keys, or write `\"<<\"` if it is a name\n"
    );
    assert_eq!(
        problems("workflow: w\n---\nworkflow: w", ScenarioSyntax::Yaml),
        "2:1 : expected one YAML document, found another\n"
    );
    assert_eq!(report("{ a: 1 }: b"), "1:1 : expected a string as key\n");
    assert_eq!(report("submit: &a { x: *a }"), "1:17 : recursive alias\n");
    assert_eq!(report("name: *a"), "1:7 : invalid YAML: while parsing node, found unknown anchor\n");
}

fn tree(text: &str, syntax: ScenarioSyntax) -> Value {
    parse(text, syntax).unwrap()
}

/// The source of each key and value, in the order of the file.
fn written(text: &str, syntax: ScenarioSyntax) -> Vec<String> {
    fn walk(value: &Value, text: &str, found: &mut Vec<String>) {
        found.push(slice(text, value.span));
        match &value.shape {
            Shape::Scalar(_) => {}
            Shape::Array(values) => values.iter().for_each(|value| walk(value, text, found)),
            Shape::Object(members) => members.iter().for_each(|member| {
                found.push(slice(text, member.key.span));
                walk(&member.value, text, found);
            }),
        }
    }
    let mut found = Vec::new();
    walk(&tree(text, syntax), text, &mut found);
    found
}

#[test]
fn spans_count_bytes_not_characters() {
    let text = "\u{feff}# ÅÄÖ 😀\nå: ä # ö\n\"ö\": [ü, 'é']\n";
    assert_eq!(
        written(text, ScenarioSyntax::Yaml),
        ["å: ä # ö\n\"ö\": [ü, 'é']", "å", "ä", "\"ö\"", "[ü, 'é']", "ü", "'é'"]
    );
    let text = "\u{feff}{\"å\": \"ä\"}";
    assert_eq!(written(text, ScenarioSyntax::Json), ["{\"å\": \"ä\"}", "\"å\"", "\"ä\""]);
    let text = "\u{feff}\"å\" = \"ä\" # ö\n";
    assert_eq!(written(text, ScenarioSyntax::Toml)[1..], ["\"å\"", "\"ä\""]);
}

#[test]
fn yaml_block_ends_with_its_last_value() {
    let text = "a:\n  b: |\n    one\n    two\n\n  # a comment\nc:\n- d\n-\n  e: f\n\n\ng:\n";
    assert_eq!(
        written(text, ScenarioSyntax::Yaml)[1..],
        ["a", "b: |\n    one\n    two", "b", "one\n    two", "c", "d\n-\n  e: f", "d", "e: f", "e", "f", "g", ""]
    );
}

#[test]
fn yaml_list_without_indentation_ends_before_the_next_key() {
    let text = "a:\n- b\n? c\n: {d: e}\n";
    assert_eq!(written(text, ScenarioSyntax::Yaml)[1..], ["a", "b", "b", "c", "{d: e}", "d", "e"]);
}

#[test]
fn toml_tables_keep_the_order_of_the_file() {
    let text = "[z]\nb = 1_0\na = 2024-01-01 08:00:00Z\n[y.x]\n[[w]]\nc = true\n";
    let Shape::Object(members) = tree(text, ScenarioSyntax::Toml).shape else { panic!("a map") };
    let keys: Vec<&str> = members.iter().map(|member| &*member.key.text).collect();
    assert_eq!(keys, ["z", "y", "w"]);
    let Shape::Object(members) = &members[0].value.shape else { panic!("a map") };
    let texts = members.iter().map(|member| match &member.value.shape {
        Shape::Scalar(scalar) => (&*member.key.text, &*scalar.text, scalar.style),
        other => panic!("{other:?}"),
    });
    let expected = [("b", "1_0", Style::Plain), ("a", "2024-01-01 08:00:00Z", Style::Plain)];
    assert_eq!(texts.collect::<Vec<_>>(), expected);
}

#[test]
fn problems_in_toml_tables_have_locations() {
    let text = "workflow = 'w'\n[limits]\nstep = 1\n[[faults]]\nmethod = 'm'\n[signing.'a@b']\nafter = '1h'\n";
    let report = problems(text, ScenarioSyntax::Toml);
    assert_eq!(
        report,
        "3:1 /limits/step: unknown key `step` - did you mean `steps`?\n\
         4:1 /faults/0: missing key `error` in entry 1 of `faults`\n\
         6:10 /signing/a@b: missing key `action` in `a@b`\n"
    );
}

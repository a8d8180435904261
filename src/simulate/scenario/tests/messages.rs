//! What people are told, and where.

use super::{Syntax, problems};

/// The problem of a YAML text with a workflow, as `line:column pointer: message`, lines counted
/// from that text's first.
fn told(text: &str) -> String {
    problems(&format!("{text}\nworkflow: w.json\n"), Syntax::Yaml)
}

#[test]
fn an_unknown_key_is_told_at_the_key_with_the_nearest() {
    assert_eq!(told("requestor: a@b"), "1:1 /requestor: unknown key `requestor` - did you mean `requester`?\n");
    assert_eq!(
        told("faults:\n- { mthod: Get, method: Get, error: e }"),
        "2:5 /faults/0/mthod: unknown key `mthod` - did you mean `method`?\n"
    );
    assert_eq!(
        told("limits: { memory: 5 }"),
        "1:11 /limits/memory: unknown key `memory` - the keys of the limits are `steps`, `virtual-time` and `script-seconds`\n"
    );
}

#[test]
fn a_missing_key_is_told_at_the_key_around_it() {
    assert_eq!(problems("name: n", Syntax::Yaml), "1:1 : a scenario needs `workflow`\n");
    assert_eq!(
        told("faults: [{}]"),
        "1:10 /faults/0: entry 1 of `faults` needs `method`\n1:10 /faults/0: entry 1 of `faults` needs `error`\n"
    );
    assert_eq!(told("signing:\n  a@b: { after: 1h }"), "2:3 /signing/a@b: `a@b` needs `action`\n");
    assert_eq!(told("directory: [{ mail: a@b }]"), "1:13 /directory/0: entry 1 of `directory` needs `dn`\n");
    // What is null is not there.
    assert_eq!(problems("workflow: ~", Syntax::Yaml), "1:1 : a scenario needs `workflow`\n");
}

#[test]
fn a_wrong_shape_is_told_at_the_value() {
    let duration = "must be a duration such as `90s`, `15m`, `2h` or `3d`";
    assert_eq!(
        told("signing:\n  a@b: { after: 90, action: sign }"),
        format!("2:17 /signing/a@b/after: `after` {duration}\n")
    );
    assert_eq!(
        told("limits: { virtual-time: [1d] }"),
        format!("1:25 /limits/virtual-time: `virtual-time` {duration}\n")
    );
    assert_eq!(
        told("limits: { virtual-time: 99999999999999999999d }"),
        "1:25 /limits/virtual-time: `virtual-time` must be at most 10000000 days\n"
    );
    for (limit, message) in [
        ("steps: -1", "1:18 /limits/steps: `steps` must be a whole number, 0 or more\n"),
        (
            "script-seconds: 0",
            "1:27 /limits/script-seconds: `script-seconds` must be a number of seconds, above 0 and at most 86400\n",
        ),
    ] {
        assert_eq!(told(&format!("limits: {{ {limit} }}")), message);
    }
    assert_eq!(
        told("faults: [{ method: Get, call: 0, error: e }]"),
        "1:31 /faults/0/call: `call` must be a whole number, 1 or more\n"
    );
    assert_eq!(
        told("start: 2024-01-01"),
        "1:8 /start: `start` must be a time such as `2024-01-01T08:00:00Z` (RFC 3339, with its offset)\n"
    );
    assert_eq!(told("name: [a]"), "1:7 /name: `name` must be a text\n");
    assert_eq!(told("form: ''"), "1:7 /form: `form` must not be empty\n");
    assert_eq!(told("submit: { A: [1] }"), "1:14 /submit/A: `A` must be a text, or `{ file: … }` for an upload\n");
    assert_eq!(
        told("approvals: { A: x }"),
        "1:17 /approvals/A: `A` must be a map of mail addresses, each with `after` and `action`\n"
    );
    assert_eq!(
        told("expect: { calls: { Get: 3 } }"),
        "1:25 /expect/calls/Get: `Get` must be a map with `at-least` or `at-most`\n"
    );
    assert_eq!(problems("[]", Syntax::Json), "1:1 : a scenario must be a map with `workflow`\n");
}

#[test]
fn an_unknown_word_is_told_with_those_that_there_are() {
    assert_eq!(
        told("signing: { a@b: { after: 1h, action: sgin } }"),
        "1:38 /signing/a@b/action: `action` must be `sign` or `reject`, not `sgin` - did you mean `sign`?\n"
    );
    assert_eq!(
        told("expect: { outcome: done }"),
        "1:20 /expect/outcome: `outcome` must be `completed`, `terminated`, `failed`, `stuck` or `refused`, not `done`\n"
    );
    assert_eq!(
        told("expect: { approvals: { A: Approved } }"),
        "1:27 /expect/approvals/A: `A` must be `approved`, `rejected` or `timed-out`, not `Approved` \
         - did you mean `approved`?\n"
    );
    assert_eq!(
        told("expect: { mails: [{ kind: remind }] }"),
        "1:27 /expect/mails/0/kind: `kind` must be `sign-request`, `reminder`, `finished`, `rejected`, `recalled`, \
         `approval-request` or `approval-reminder`, not `remind`\n"
    );
}

#[test]
fn bounds_need_an_order() {
    assert_eq!(
        told("expect: { elapsed: { at-least: 2h, at-most: 119m } }"),
        "1:45 /expect/elapsed/at-most: `at-most` is less than `at-least`\n"
    );
    assert_eq!(
        told("expect:\n  elapsed: {}\n  calls: { Get: { at-least: } }"),
        "2:3 /expect/elapsed: `elapsed` needs `at-least`, `at-most` or both\n\
         3:12 /expect/calls/Get: `Get` needs `at-least`, `at-most` or both\n"
    );
}

#[test]
fn a_result_is_outputs_or_an_error() {
    assert_eq!(
        told("providers: { New: [{}, { outputs: {}, error: e }, {error: e}] }"),
        "1:20 /providers/New/0: entry 1 of `New` needs `outputs` or `error`\n\
         1:24 /providers/New/1: entry 2 of `New` has both `outputs` and `error`\n"
    );
}

#[test]
fn a_repeated_key_is_told_at_the_second() {
    let expected = |place: &str, pointer: &str| format!("{place} {pointer}: `a` is given twice - keep one of them\n");
    assert_eq!(told("submit:\n  a: 1\n  \"a\": 2"), expected("3:3", "/submit/a"));
    let json = r#"{"workflow": "w", "submit": {"a": 1, "\u0061": 2}}"#;
    assert_eq!(problems(json, Syntax::Json), expected("1:38", "/submit/a"));
    let toml = problems("workflow = 'w'\nsubmit.a = 1\nsubmit.a = 2", Syntax::Toml);
    assert_eq!(toml, "3:8 : this is no TOML: duplicate key\n");
}

#[test]
fn all_problems_are_told_in_the_order_of_the_file() {
    let text = "workflow: w.json\nexpect: { outcome: done }\nlimit: {}\nculture: {}\n";
    let told = problems(text, Syntax::Yaml);
    let places: Vec<&str> = told.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(places, ["2:20", "3:1", "4:10"]);
}

#[test]
fn an_empty_file_is_told() {
    let help = "name at least the workflow, such as `workflow: order.workflow.json`";
    let told = format!("1:1 : the scenario is empty - {help}\n");
    for syntax in super::SYNTAXES {
        assert_eq!(problems("", syntax), told);
        assert_eq!(problems("\u{feff} \n", syntax), told);
    }
    assert_eq!(problems("{}", Syntax::Json), told);
    assert_eq!(problems("---\n", Syntax::Yaml), told);
    assert_eq!(problems("# only a comment\n", Syntax::Yaml), told);
    assert_eq!(problems("# only a comment\n", Syntax::Toml), told);
}

#[test]
fn a_text_of_another_syntax_is_told_alone() {
    assert_eq!(problems("{\"name\": }", Syntax::Json), "1:10 : this is no JSON: expected a value\n");
    assert_eq!(problems("nmae: [a\nworkflow: w", Syntax::Yaml).split(": ").nth(1), Some("this is no YAML"),);
    assert!(problems("name = \nworkflow = 'w'", Syntax::Toml).starts_with("1:8 : this is no TOML: "));
}

#[test]
fn what_of_yaml_is_not_taken_is_told() {
    assert_eq!(
        told("name: !!str a"),
        "1:7 : tags such as `!!str` are not taken: every scalar is the text that is written - leave the tag out\n"
    );
    assert_eq!(
        told("limits: &l { steps: 1 }\nexpect: { <<: *l }"),
        "2:11 : merge keys (`<<`) are not taken - write out the keys that it stands for, or give `\"<<\"` if it is a name\n"
    );
    assert_eq!(
        problems("workflow: w\n---\nworkflow: w", Syntax::Yaml),
        "2:1 : this is a second document; a scenario file holds one\n"
    );
    assert_eq!(told("{ a: 1 }: b"), "1:1 : a key must be a text\n");
    assert_eq!(told("submit: &a { x: *a }"), "1:17 : this alias stands for a value that it lies in itself\n");
    assert_eq!(told("name: *a"), "1:7 : this is no YAML: while parsing node, found unknown anchor\n");
}

//! Inputs and results: variables, and the global `Json`.

use wflint::common::limits::{MAX_SCRIPT_BYTES, MAX_VARIABLE_BYTES};
use wflint::script::sandbox::{Answer, FailureKind, JsonVariable};

use super::{failure, failure_in, job, sandbox, text, text_of, with};

#[test]
fn every_declaration_of_json_is_read() {
    for declaration in ["Json = 'x'", "var Json = 'x'", "let Json = 'x'", "const Json = 'x';", "this.Json = 'x'"] {
        assert_eq!(text(declaration), "x", "{declaration}");
    }
}

#[test]
fn json_that_is_no_string_differs_from_unset() {
    let mut sandbox = sandbox();
    for unset in ["", "var Json", "let Json = undefined", "function f() { var Json = 'inner' } f()"] {
        let answer = sandbox.run(&job(unset)).unwrap();
        assert_eq!(answer, Answer::Done { json: JsonVariable::Unset, by_job: false }, "{unset}");
    }
    for (value, word) in [
        ("null", "null"),
        ("1.5", "number"),
        ("7", "number"),
        ("1n", "bigint"),
        ("true", "boolean"),
        ("({})", "object"),
        ("new Proxy({}, {})", "object"),
        ("new String('x')", "object"),
        ("new Error('x')", "object"),
        ("Promise.resolve('x')", "object"),
        ("[1]", "array"),
        ("() => 1", "function"),
        ("class {}", "function"),
        ("Symbol('x')", "symbol"),
    ] {
        let answer = sandbox.run(&job(&format!("var Json = {value}"))).unwrap();
        assert_eq!(answer, Answer::Done { json: JsonVariable::Other(word.to_owned()), by_job: false }, "{value}");
    }
}

#[test]
fn lone_surrogates_are_replaced() {
    assert_eq!(text("Json = 'a\\ud83d\\ude00 \\ud800 \\udc00b'"), "a\u{1f600} \u{fffd} \u{fffd}b");
    assert_eq!(failure("throw '\\ud800'").message, "\u{fffd}");
    assert_eq!(text("String.prototype.toWellFormed = () => 'mine'; Json = '\\ud800'"), "\u{fffd}");
}

#[test]
fn results_up_to_the_limit_are_read() {
    assert_eq!(text("Json = '\\u0001'.repeat(2 ** 22)").len(), 1 << 22);
    assert_eq!(text("Json = '\\u20ac'.repeat(2 ** 22)").len(), 3 << 22);
    let failure = failure("Json = 'x'.repeat(2 ** 22 + 1)");
    assert_eq!(failure.kind, FailureKind::OutputTooLarge);
    assert_eq!(failure.message, "`Json` is longer than 4194304 characters");
    assert_eq!(super::failure("throw 'x'.repeat(1e7)").message.len(), 2000);
}

#[test]
fn scripts_and_variables_over_their_limits_are_rejected() {
    let mut sandbox = sandbox();
    let comment = |length: usize| format!("Json = 'x';//{}", "-".repeat(length - 13));
    assert_eq!(text_of(sandbox.run(&job(&comment(MAX_SCRIPT_BYTES))).unwrap()), "x");
    let failure = failure_in(&mut sandbox, &comment(MAX_SCRIPT_BYTES + 1));
    assert_eq!(failure.kind, FailureKind::InputTooLarge);
    assert_eq!(failure.message, "script is longer than 1 MiB");
    let value = "\u{1}".repeat(MAX_VARIABLE_BYTES - 1);
    assert_eq!(text_of(sandbox.run(&with("Json = a", &[("a", &value)])).unwrap()), value);
    let answer = sandbox.run(&with("Json = a", &[("a", &value), ("b", "")])).unwrap();
    let Answer::Failed(failure) = answer else { panic!("{answer:?}") };
    assert_eq!(failure.kind, FailureKind::InputTooLarge);
    assert_eq!(failure.message, "variables of the script are longer than 4 MiB");
}

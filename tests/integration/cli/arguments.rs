//! Invalid arguments: exit code 2, one clear error, nothing on standard output.

use crate::support::folder::Folder;
use crate::support::samples::{FINE, WARNING};

fn refused(args: &[&str]) -> String {
    let output = Folder::with(&[("a.json", FINE)]).run(args).expect_code(2);
    assert_eq!(output.out(), "", "nothing is reported for {args:?}");
    assert!(!output.stderr.is_empty(), "a reason is given for {args:?}");
    output.err().to_owned()
}

#[test]
fn unknown_option_is_rejected_by_name() {
    assert!(refused(&["--no-such-option"]).contains("--no-such-option"));
    assert!(refused(&["--selct", "WF101"]).contains("--select"), "the nearest option is suggested");
}

#[test]
fn unknown_option_value_is_rejected_with_the_known_ones() {
    assert!(refused(&["--format", "xml"]).contains("concise"));
    assert!(refused(&["--fail-on", "fatal"]).contains("warning"));
    assert!(refused(&["--color", "sometimes"]).contains("never"));
}

#[test]
fn option_without_its_value_is_rejected() {
    for option in [
        "--format", "--output", "--select", "--ignore", "--fail-on", "--jobs", "--color", "--stdin-filename",
        "--config", "--baseline",
    ] {
        assert!(refused(&[option]).contains(option), "{option}");
    }
}

#[test]
fn number_of_threads_must_be_at_least_one() {
    for number in ["0", "-1", "many", "1.5", "99999999999999999999"] {
        assert!(refused(&[&format!("--jobs={number}")]).contains(number), "{number}");
    }
}

#[test]
fn unknown_rule_selector_is_rejected_with_a_suggestion() {
    assert!(refused(&["--select", "unknown-varable"]).contains("did you mean `unknown-variable`"));
    assert!(refused(&["--ignore", "WF1O1"]).contains("did you mean `WF101`"));
    assert!(refused(&["--select", "bindings"]).contains("did you mean `binding`"));
    assert!(refused(&["--select", "WF101,nothing-of-the-kind"]).contains("`nothing-of-the-kind`"));
}

#[test]
fn unknown_rule_selector_is_rejected_wherever_it_stands() {
    assert!(refused(&["--select", "WF999", "--select", "ALL"]).contains("`WF999`"));
    assert!(refused(&["--ignore", ""]).contains("unknown rule selector ``"));
}

#[test]
fn invalid_argument_is_rejected_even_when_there_are_findings() {
    let output = Folder::with(&[("a.json", WARNING)]).run(&["--select", "WF9999", "a.json"]).expect_code(2);
    assert_eq!(output.out(), "");
}

#[test]
fn error_is_one_line_that_begins_with_wflint() {
    let reason = refused(&["--select", "WF999"]);
    assert_eq!(reason.lines().count(), 1, "{reason}");
    assert!(reason.starts_with("wflint: "), "{reason}");
}

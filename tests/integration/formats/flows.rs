//! Flows show taint, endless loops and unset variables step by step.

use serde_json::Value;
use wflint::own_rules::examples::complete;
use wflint::report::Format;
use wflint::rules::REGISTRY;

use crate::support::linted::lint_texts;
use crate::support::page::{all_examples, page_examples};

/// The results of a rule in its examples.
fn results_of(code: &str) -> Vec<Value> {
    let rule = REGISTRY.iter().find(|rule| rule.code == code).unwrap();
    let mut results = Vec::new();
    for example in all_examples(rule) {
        let files = complete(&example.files, &[]);
        let texts: Vec<(&str, &[u8])> = files
            .iter()
            .filter(|(name, _)| name.ends_with(".json"))
            .map(|(name, text)| (name.as_str(), text.as_bytes()))
            .collect();
        let report: Value = serde_json::from_slice(&lint_texts(&texts, 1).report(Format::Sarif)).unwrap();
        results.extend(report["runs"][0]["results"].as_array().unwrap().iter().cloned());
    }
    results.retain(|result| result["ruleId"] == code);
    results
}

/// The steps of a result's flow: the place and the words of each.
fn steps(result: &Value) -> Vec<(Value, String)> {
    let locations = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
    let step = |it: &Value| {
        let location = &it["location"];
        (location["physicalLocation"].clone(), location["message"]["text"].as_str().unwrap().to_owned())
    };
    locations.into_iter().flatten().map(step).collect()
}

#[test]
fn tainted_value_is_followed_from_its_source_to_the_sink() {
    for code in ["WF902", "WF905", "WF907", "WF908"] {
        let results = results_of(code);
        let flows: Vec<_> = results.iter().map(steps).filter(|steps| !steps.is_empty()).collect();
        assert!(!flows.is_empty(), "{code}");
        for steps in &flows {
            let (first, last) = (&steps[0].1, &steps[steps.len() - 1].1);
            assert!(first.starts_with("the form fills ") || first.ends_with(" is masked"), "{code}: {steps:#?}");
            assert!(last.contains(" reaches ") || last.contains(" is published by "), "{code}: {steps:#?}");
            assert!(steps.windows(2).all(|pair| pair[0].0 != pair[1].0), "{code}: no step is repeated: {steps:#?}");
        }
        assert!(flows.iter().any(|steps| steps.len() > 2), "{code}: some value flows through another variable");
    }
}

#[test]
fn endless_loop_is_followed_from_its_condition_back_to_it() {
    for code in ["WF403", "WF404", "WF407"] {
        let results = results_of(code);
        assert!(!results.is_empty());
        for result in &results {
            let steps = steps(result);
            assert!(steps.len() > 1, "{code}: {result:#}");
            assert_eq!(steps[0].0, steps[steps.len() - 1].0, "{code}: {steps:#?}");
            assert!(steps[0].1.starts_with("loop `"), "{code}: {steps:#?}");
            assert!(steps[steps.len() - 1].1.ends_with("so the loop repeats"), "{code}: {steps:#?}");
        }
    }
}

#[test]
fn unhandled_rejection_shows_the_lookup_and_the_conditions_that_do_not_help() {
    let results = results_of("WF404");
    let flows: Vec<Vec<String>> =
        results.iter().map(|result| steps(result).into_iter().map(|(_, text)| text).collect()).collect();
    let shows = |words: &str| flows.iter().any(|steps| steps.iter().any(|step| step.contains(words)));
    assert!(flows.iter().all(|steps| steps.iter().any(|step| step.ends_with("from this lookup on"))), "{flows:#?}");
    assert!(shows("the condition of ") && shows(" is false"), "{flows:#?}");
}

#[test]
fn unset_variable_is_followed_from_the_start_to_the_read() {
    let results = results_of("WF303");
    let mut with_decisions = 0;
    for result in &results {
        let steps = steps(result);
        assert!(steps[0].1.starts_with("the workflow starts without a value in "), "{steps:#?}");
        let (last, text) = &steps[steps.len() - 1];
        assert!(text.ends_with(" is read, still unset"), "{steps:#?}");
        assert_eq!(*last, result["locations"][0]["physicalLocation"]);
        with_decisions += usize::from(steps.len() > 2);
    }
    assert!(with_decisions > 2, "{with_decisions} of {}", results.len());
}

#[test]
fn json_report_has_no_flows() {
    let rule = REGISTRY.iter().find(|rule| rule.code == "WF404").unwrap();
    let example = page_examples(rule).pop().unwrap();
    let files = complete(&example.files, &[]);
    let texts: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let report = String::from_utf8(lint_texts(&texts, 1).report(Format::Json)).unwrap();
    assert!(!report.contains("so the loop repeats"));
}

//! Names and values that could break a report, or tell what is to be hidden.

use std::sync::Arc;

use wflint::explore::{ChoiceKind, Chooser, Ending, ExploredService};
use wflint::redaction::{Mask, Masker};
use wflint::report::{RunFormat, Style};
use wflint::text::columns;

use super::data::{ALL_FORMATS, Found, activity, broken, choice, end, law, line, sign_upload};
use super::formats::json;
use crate::support::run::Output;
use crate::support::safe_output::{assert_nothing_is_forged, assert_safe};

const HOSTILE: [&str; 6] = [
    "a\u{1b}[31mb\r\n::error::forged",
    "::error::forged\u{202e}",
    "##vso[task.complete]",
    "<b>&\"']]></b> | **x** `y`",
    "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
    "  ",
];

fn hostile(text: &str) -> Found {
    let mut service = sign_upload();
    let field = choice(text, text, Chooser::Field, ChoiceKind::Value(text.to_owned()));
    let call = choice(text, text, Chooser::Call, ChoiceKind::Fail);
    let people = [Chooser::Approver, Chooser::Signer].map(|by| choice(text, text, by, ChoiceKind::Never));
    service.ends.push(end(Ending::Failed, Some(text), Some(text), vec![field, call]));
    service.ends.push(end(Ending::Waits, Some(text), Some(text), people.into()));
    service.ends.push(end(Ending::Waits, Some(text), Some(text), Vec::new()));
    service.ends.push(end(Ending::Waits, Some(text), Some(text), Vec::new()));
    service.assumptions = vec![text.to_owned()];
    service.reached.unreached = vec![activity(text)];
    let mut run = broken(text);
    run.timeline = run.timeline.iter().cloned().chain([line(400, text, text, true)]).collect();
    Found::of(service, vec![law(text, vec![run])])
}

#[test]
fn nothing_is_forged() {
    for text in HOSTILE {
        let found = hostile(text);
        for format in ALL_FORMATS {
            let name = format!("{format:?} of {text:?}").to_lowercase();
            let output = Output { code: 0, stdout: found.plain(format).into_bytes(), stderr: Vec::new() };
            assert_safe(&output, &name);
            assert_nothing_is_forged(&output, &name);
        }
        json(&found);
        roxmltree::Document::parse(&found.plain(RunFormat::Junit)).unwrap();
    }
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    for text in HOSTILE.iter().copied().chain([&*"long".repeat(2_000), &*"many words ".repeat(500)]) {
        for width in [40, 60, 72, 97, 140] {
            let shown = hostile(text).report(RunFormat::Human, Style { width, ..Style::default() });
            for line in shown.lines() {
                assert!(columns(line) <= width, "{} of {width} columns: {line}", columns(line));
            }
        }
    }
}

#[test]
fn hundreds_of_ends_are_counted() {
    let mut service = sign_upload();
    let call = |number| vec![choice(&format!("Call {number}"), "Get", Chooser::Call, ChoiceKind::Fail)];
    service.ends = (0..450).map(|number| end(Ending::Failed, Some("Get"), None, call(number))).collect();
    let found = Found::of(service, Vec::new());
    let shown = found.plain(RunFormat::Human);
    assert!(shown.contains(": 450 ends, explored completely") && shown.contains("350 more ends not shown"), "{shown}");
    assert!(shown.lines().count() < 120, "{shown}");
    assert_eq!(json(&found)["services"][0]["ends"].as_array().unwrap().len(), 450);
}

#[test]
fn ends_that_read_alike_name_their_activity() {
    let service = ExploredService {
        ends: vec![
            end(Ending::Waits, Some("First loop"), None, Vec::new()),
            end(Ending::Waits, Some("Second loop"), None, Vec::new()),
        ],
        ..sign_upload()
    };
    let shown = Found::of(service, Vec::new()).plain(RunFormat::Human);
    assert!(shown.contains("forever (at `First loop`)") && shown.contains("forever (at `Second loop`)"), "{shown}");
}

#[test]
fn masked_values_show_in_scenarios_alone() {
    let secret = "19900101-2385";
    let mut found = hostile(secret);
    found.explored.laws = vec![law("ends", vec![broken(&format!("called with {secret}"))])];
    let service = &mut found.explored.services[0];
    service.masker = Arc::new(Masker::new(&[(Mask::new(0, 0), secret.into())]));
    service.reached.unreached.clear();
    for end in &mut service.ends {
        end.activity = None;
        end.open = vec![format!("case for {secret}")];
        for choice in &mut end.choices {
            choice.at = "Activity".to_owned();
        }
    }
    for law in &mut found.explored.laws {
        law.broken[0].timeline = [line(0, "Activity", &format!("X = {secret}"), false)].into();
    }
    for format in ALL_FORMATS {
        let shown = found.plain(format);
        assert!(!shown.contains(secret), "{format:?}: {shown}");
        assert!(shown.contains("*************") || shown.contains("&#42;&#42;"), "{format:?}: {shown}");
    }
    let scenario = &mut found.explored.services[0].ends[0].scenario;
    scenario["submit"] = serde_json::json!({ "PersonalId": secret });
    assert!(found.plain(RunFormat::Json).contains(secret));
}

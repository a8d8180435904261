//! Suppressions of laws.

use serde_json::json;

use super::Service;
use super::service::WORKFLOW;
use crate::explore::laws::Accepted;

fn entry(keys: &str) -> String {
    format!("[[suppress]]\nlaw = 'ends'\nfile = '{WORKFLOW}'\nreason = 'known'\n{keys}\n")
}

#[test]
fn entry_accepts_breaks_at_its_activity_or_inside_its_pointer() {
    let service = Service::new(&json!([]), &[]);
    let path = service.path(WORKFLOW);
    for (keys, wanted) in [
        ("activity = 'Wait'", true),
        ("activity = 'Other'", false),
        ("pointer = '/activities/0'", true),
        ("pointer = ''", true),
        ("pointer = '/activities/00'", false),
        ("pointer = '/activities/0/activities'", false),
        ("activity = 'Wait'\npointer = '/activities/1'", false),
        ("activity = 'Wait'\nuntil = 2026-01-02", true),
        ("activity = 'Wait'\nuntil = 2026-01-01", false),
    ] {
        let today = jiff::civil::date(2026, 1, 2);
        let mut accepted = Accepted::new(&service.config(&entry(keys)), Some(today));
        let reason = accepted.accept("ends", &path, Some("Wait"), "/activities/0");
        assert_eq!(reason, wanted.then_some("known"), "{keys}");
        assert_eq!(accepted.problems(|_, _| true).is_empty(), wanted, "{keys}");
    }
    let mut accepted = Accepted::new(&service.config(&entry("activity = 'Wait'")), None);
    assert_eq!(accepted.accept("no-fault", &path, Some("Wait"), ""), None);
    assert_eq!(accepted.accept("ends", &service.path("other.json"), Some("Wait"), ""), None);
    assert_eq!(accepted.accept("ends", &path, None, ""), None);
}

#[test]
fn entry_that_accepts_nothing_is_a_problem_if_its_law_was_judged() {
    let service = Service::new(&json!([]), &[]);
    let text = format!(
        "{}{}[[suppress]]\nlaw = 'ends'\nfile = 'gone.json'\nactivity = 'A'\nreason = 'x'\n",
        entry("activity = 'Wait'"),
        entry("activity = 'Wait'\nuntil = 2026-01-01")
    );
    let accepted = Accepted::new(&service.config(&text), Some(jiff::civil::date(2026, 1, 2)));
    let problems = accepted.problems(|_, _| true);
    let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "unused suppression of law `ends` in `order.workflow.json`",
            "suppression of law `ends` in `order.workflow.json` expired on 2026-01-01",
            "unused suppression of law `ends` in `gone.json`, no such file",
        ]
    );
    assert!(accepted.problems(|law, _| law != "ends").is_empty());
}

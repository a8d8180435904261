//! The report for terminals.

use std::sync::Arc;

use insta::assert_snapshot;
use wflint::explore::{BrokenLaw, ExploredService};
use wflint::report::{RunFormat, Style};
use wflint::text::visible_columns;

use super::data::{Found, broken, law, line, mixed, sign_upload};
use crate::support::snapshot::settings;

#[test]
fn example_of_the_guide() {
    let laws = ["ends", "no-fault", "reached"].map(|name| law(name, Vec::new()));
    let shown = Found::of(sign_upload(), laws.into()).plain(RunFormat::Human);
    let expected = "\
examples/sign-upload/order.workflow.json: 6 ends, explored completely (41 states)

  completed    Document status - Finished      the signer signs
  terminated   Document was rejected           the signer rejects
  waits        Request-ZPESign…: completed     forever if the signer never acts
  failed       (nothing)                       `Request signature` fails
  failed       Request-ZPESign…: completed     `Get signature status` fails
  failed       Request-ZPESign…: completed     `Get signature status again` fails

  13 of 13 activities and 6 of 6 branches can be reached

  ok        ends
  ok        no-fault
  ok        reached

Explored 1 service: 6 ends, 3 laws hold.
";
    assert_eq!(shown, expected);
}

#[test]
fn everything_that_can_be_said() {
    let found = mixed();
    settings().bind(|| assert_snapshot!("explore_human", found.plain(RunFormat::Human)));
    let narrow = Style { width: 40, ..Style::default() };
    settings().bind(|| assert_snapshot!("explore_human_narrow", found.report(RunFormat::Human, narrow)));
}

#[test]
fn quiet_report_has_broken_laws_alone() {
    let quiet = Style { quiet: true, ..Style::default() };
    let holds = Found::of(sign_upload(), vec![law("ends", Vec::new())]);
    assert_eq!(holds.report(RunFormat::Human, quiet), "");
    let shown = mixed().report(RunFormat::Human, quiet);
    assert!(shown.starts_with("broken: ends\n"), "{shown}");
    assert!(!shown.contains("Explored"), "{shown}");
}

#[test]
fn colors_take_no_room() {
    for width in [40, 71, 72, 100, 140] {
        let plain = Style { width, ..Style::default() };
        let (plain, colored) =
            (mixed().report(RunFormat::Human, plain), mixed().report(RunFormat::Human, Style { color: true, ..plain }));
        let widths = |text: &str| text.lines().map(visible_columns).collect::<Vec<_>>();
        assert_eq!(widths(&plain), widths(&colored));
        assert!(widths(&plain).into_iter().all(|columns| columns <= width), "{plain}");
    }
}

#[test]
fn broken_law_has_at_most_fifteen_lines() {
    let mut long = broken("the message of a law, which says what a run does against it, in many words ");
    long.message = long.message.repeat(20);
    long.timeline = (0..500).map(|at| line(at, "Activity", &format!("X = {at}"), at == 250)).collect();
    let found = Found::of(sign_upload(), vec![law("nothing is signed that was not approved", vec![long])]);
    for width in 40..140 {
        let quiet = Style { width, quiet: true, ..Style::default() };
        let shown = found.report(RunFormat::Human, quiet);
        let lines = shown.trim_end().lines().count();
        assert!(lines <= 15, "{lines} lines:\n{shown}");
        assert!(shown.contains("X = 250") && shown.contains("X = 499"), "{shown}");
    }
}

#[test]
fn places_without_a_run_share_a_heading() {
    let place = |number: usize| BrokenLaw {
        scenario: None,
        timeline: Arc::default(),
        ..broken(&format!("no run takes `Activity {number}`"))
    };
    let found = Found::of(sign_upload(), vec![law("reached", (0..40).map(place).collect())]);
    for width in [40, 100] {
        let quiet = Style { width, quiet: true, ..Style::default() };
        let shown = found.report(RunFormat::Human, quiet);
        assert_eq!(shown.matches("broken: reached").count(), 1, "{shown}");
        assert!(shown.contains("no run takes") && shown.contains("more places not shown"), "{shown}");
        assert!(shown.trim_end().lines().count() <= 15, "{shown}");
    }
}

#[test]
fn assumptions_of_several_services_are_listed_once() {
    let assumed = |name: &str| vec!["a case without a verdict has the status `Sent`".to_owned(), name.to_owned()];
    let mut found = Found::of(ExploredService { assumptions: assumed("one"), ..sign_upload() }, Vec::new());
    found.explored.services.push(ExploredService { assumptions: assumed("two"), ..sign_upload() });
    let shown = found.plain(RunFormat::Human);
    assert_eq!(shown.matches("has the status `Sent`").count(), 1, "{shown}");
    assert!(shown.contains("assumed: one") && shown.contains("assumed: two"), "{shown}");
}

//! `--format junit`: one test case for each law and service, one suite for each service.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite, XmlString};

use super::input::ExplorationReport;
use crate::explore::{BrokenLaw, ExploredLaw, ExploredService};
use crate::report::escape::visible;
use crate::text::count;

pub(super) fn write(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut whole = quick_junit::Report::new("wflint");
    for service in &exploration.explored.services {
        let file = exploration.report.file_name(service.workflow);
        let mut suite = TestSuite::new(visible(file).into_owned());
        suite.add_test_cases(exploration.explored.laws.iter().map(|law| law_case(exploration, law, service)));
        whole.add_test_suite(suite);
    }
    for (workflow, reason) in &exploration.explored.unexplored {
        let file = exploration.report.file_name(*workflow);
        let mut suite = TestSuite::new(visible(file).into_owned());
        suite.add_test_case(test_case("explore", file, non_success(NonSuccessKind::Error, reason)));
        whole.add_test_suite(suite);
    }
    whole.serialize(&mut *out).map_err(io::Error::other)
}

fn law_case(exploration: &ExplorationReport<'_>, law: &ExploredLaw, service: &ExploredService) -> TestCase {
    let file = exploration.report.file_name(service.workflow);
    let of_service = || law.broken.iter().filter(|broken| broken.workflow == service.workflow);
    let broken: Vec<&BrokenLaw> = of_service().filter(|broken| broken.accepted.is_none()).collect();
    let unlisted = law.unlisted.get(&service.workflow).copied().unwrap_or_default();
    let status = if !broken.is_empty() || unlisted > 0 {
        broken_status(exploration, service, &broken, unlisted)
    } else if let Some(reason) = of_service().find_map(|broken| broken.accepted.as_deref()) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("accepted: {}", visible(reason)));
        status
    } else if let Some(cut) = service.cut {
        let reason = format!("not decided: {}", cut.reason(service.states));
        non_success(NonSuccessKind::Error, &reason)
    } else {
        TestCaseStatus::success()
    };
    test_case(&law.name, file, status)
}

fn broken_status(
    exploration: &ExplorationReport<'_>,
    service: &ExploredService,
    broken: &[&BrokenLaw],
    unlisted: usize,
) -> TestCaseStatus {
    let mut lines: Vec<String> = broken
        .iter()
        .map(|broken| {
            let (start, _) = exploration.report.range(broken.location.file, broken.location.span);
            let message = service.masker.apply(&broken.message);
            format!("line {}, column {}: {}", start.line, start.column, visible(&message))
        })
        .collect();
    if unlisted > 0 {
        lines.push(format!("{} not listed", count(unlisted, "more run")));
    }
    let first = broken.first().map(|broken| &broken.message).or(lines.first()).map_or("", String::as_str);
    let mut status = non_success(NonSuccessKind::Failure, &service.masker.apply(first));
    status.set_description(lines.join("\n"));
    status
}

fn non_success(kind: NonSuccessKind, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(visible(message).into_owned());
    status
}

fn test_case(name: &str, file: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(visible(name).into_owned(), status);
    case.set_classname(visible(file).into_owned());
    case.extra.insert(XmlString::new("file"), XmlString::new(visible(file)));
    case
}

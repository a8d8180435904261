//! `--format junit`: one test case for each law and service, one suite for each service.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite, XmlString};

use super::input::ExplorationReport;
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::explore::{BrokenLaw, ExploredLaw, ExploredService};
use crate::report::escape::visible;
use crate::text::count;

pub(super) fn write(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut whole = quick_junit::Report::new("wflint");
    let laws: Vec<LawRuns<'_>> = exploration.explored.laws.iter().map(LawRuns::of).collect();
    for service in &exploration.explored.services {
        let file = exploration.report.file_name(service.workflow);
        let mut suite = TestSuite::new(visible(file).into_owned());
        suite.add_test_cases(laws.iter().map(|law| law_case(exploration, law, service)));
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

/// A law with the runs that break it.
struct LawRuns<'r> {
    law: &'r ExploredLaw,
    /// By workflow, also those that are accepted.
    runs: HashMap<FileId, Vec<&'r BrokenLaw>>,
}

impl<'r> LawRuns<'r> {
    fn of(law: &'r ExploredLaw) -> Self {
        let mut runs: HashMap<FileId, Vec<&BrokenLaw>> = HashMap::default();
        for broken in &law.broken {
            runs.entry(broken.workflow).or_default().push(broken);
        }
        Self { law, runs }
    }
}

fn law_case(
    exploration: &ExplorationReport<'_>,
    LawRuns { law, runs }: &LawRuns<'_>,
    service: &ExploredService,
) -> TestCase {
    let file = exploration.report.file_name(service.workflow);
    let of_service = runs.get(&service.workflow).map_or(&[][..], Vec::as_slice);
    let broken: Vec<&BrokenLaw> = of_service.iter().copied().filter(|broken| broken.accepted.is_none()).collect();
    let unlisted = law.unlisted.get(&service.workflow).copied().unwrap_or_default();
    let status = if !broken.is_empty() || unlisted > 0 {
        broken_status(exploration, service, &broken, unlisted)
    } else if let Some(reason) = of_service.iter().find_map(|broken| broken.accepted.as_deref()) {
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

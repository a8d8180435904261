//! `--format junit`: one test case a scenario.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite, XmlString};

use super::Problem;
use super::words::Told;
use crate::report::{Report, visible};
use crate::simulate::Check;

/// One run as a test case, without the times of the real clock: the same run gives the same bytes.
pub(super) fn scenario(report: &Report<'_>, told: &Told<'_, '_>, checks: &[Check]) -> TestCase {
    let file = report.file_name(told.plan.scenario_file);
    let name = told.plan.scenario.name.as_deref().map_or(file, |name| name);
    let mut case = test_case(&told.mask(name), file);
    let failed: Vec<&Check> = checks.iter().filter(|check| !check.passed).collect();
    if failed.is_empty() {
        return case;
    }
    let line = |check: &&Check| {
        let (expected, actual) = (told.checked(check, &check.expected), told.checked(check, &check.actual));
        let text = format!("{}: expected {expected}, but saw {actual}", told.mask(&check.what));
        visible(&text).into_owned()
    };
    let lines: Vec<String> = failed.iter().map(line).collect();
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(lines.first().cloned().unwrap_or_default());
    if let Some(failure) = told.ended.failure() {
        let text = visible(&told.failure(&failure.message)).into_owned();
        status.set_description(format!("{}\n{}: {text}", lines.join("\n"), told.ended.outcome().word()));
    } else {
        status.set_description(lines.join("\n"));
    }
    case.status = status;
    case
}

fn test_case(name: &str, file: &str) -> TestCase {
    let mut case = TestCase::new(visible(name).into_owned(), TestCaseStatus::success());
    case.set_classname(visible(file).into_owned());
    case.extra.insert(XmlString::new("file"), XmlString::new(visible(file)));
    case
}

/// The whole report; a scenario that cannot be read is a test case with an error.
pub(super) fn write(cases: Vec<TestCase>, problems: &[Problem], out: &mut dyn Write) -> io::Result<()> {
    let mut suite = TestSuite::new("wflint scenarios");
    suite.add_test_cases(cases);
    for problem in problems {
        let mut case = test_case(&problem.file, &problem.file);
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(visible(&problem.message).into_owned());
        case.status = status;
        suite.add_test_case(case);
    }
    let mut report = quick_junit::Report::new("wflint");
    report.add_test_suite(suite);
    report.serialize(&mut *out).map_err(io::Error::other)
}

//! `--format junit`: one test case for each finding, one suite for each file, as build servers show
//! them.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::escape::visible;
use super::findings::Report;
use crate::diagnostic::Diagnostic;
use crate::lint::Omitted;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut whole = quick_junit::Report::new("wflint");
    let files = report.by_file();
    for findings in &files {
        let file = report.file_name(findings.file);
        let mut suite = TestSuite::new(visible(file).into_owned());
        suite.add_test_cases(findings.listed.iter().map(|finding| test_case(report, file, finding)));
        suite.add_test_cases(findings.omitted.iter().map(|omitted| omitted_case(file, omitted)));
        whole.add_test_suite(suite);
    }
    if files.is_empty() {
        // A report without any test case counts as broken in most readers.
        let mut suite = TestSuite::new("wflint");
        suite.add_test_case(TestCase::new("no findings", TestCaseStatus::success()));
        whole.add_test_suite(suite);
    }
    whole.serialize(&mut *out).map_err(io::Error::other)
}

fn test_case(report: &Report<'_>, file: &str, finding: &Diagnostic) -> TestCase {
    let (start, _) = report.range(finding.location.file, finding.location.span);
    let message = visible(&finding.message).into_owned();
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(finding.severity.word());
    status.set_description(format!("line {}, column {}: {message}", start.line, start.column));
    status.set_message(message);
    let mut case = TestCase::new(format!("{} {}", finding.code, finding.name), status);
    case.set_classname(visible(file).into_owned());
    case.extra.insert("line".into(), start.line.to_string().into());
    case.extra.insert("column".into(), start.column.to_string().into());
    case
}

fn omitted_case(file: &str, omitted: &Omitted) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(omitted.severity.word());
    status.set_message(omitted.message());
    let mut case = TestCase::new(format!("{} {}", omitted.code, omitted.name), status);
    case.set_classname(visible(file).into_owned());
    case
}

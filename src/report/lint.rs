//! The results of a lint, for the formats that do not know more of them than findings.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::markup::{Table, code, message};
use super::results::{Case, Finding, Report, Results, Suite, Verdict};
use crate::lint::{Omitted, Summary};
use crate::rules::page_address;
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::{count, list};

/// More findings than these are summed up by rule.
const MAX_WITHOUT_LOUDEST: usize = 30;

impl Results for Report<'_> {
    fn report(&self) -> &Report<'_> {
        self
    }

    fn findings(&self) -> Vec<Finding<'_>> {
        let finding = |finding| Finding { diagnostic: Cow::Borrowed(finding), title: None };
        self.diagnostics().iter().map(Box::as_ref).map(finding).collect()
    }

    fn omitted(&self) -> &[Omitted] {
        &self.outcome.omitted
    }

    fn summary(&self) -> Vec<String> {
        self.fixed_line().into_iter().chain([self.summary_line()]).collect()
    }

    /// One test case for each finding, one suite for each file.
    fn suites(&self) -> Vec<Suite> {
        let suite = |name: &str, cases| Suite { name: name.to_owned(), cases };
        let by_file = self.by_file().into_iter().map(|findings| {
            let file = self.file_name(findings.file);
            let listed = findings.listed.iter().map(|finding| self.listed_case(file, finding));
            suite(file, listed.chain(findings.omitted.iter().map(|omitted| omitted_case(file, omitted))).collect())
        });
        let mut suites: Vec<Suite> = by_file.collect();
        if suites.is_empty() {
            // A report without any test case counts as broken in most readers.
            let (name, file) = ("no findings".to_owned(), String::new());
            suites.push(suite("wflint", vec![Case { name, file, attributes: Vec::new(), verdict: Verdict::Passed }]));
        }
        suites
    }

    fn tables(&self) -> Vec<Table> {
        let mut findings: Vec<&Diagnostic> = self.diagnostics().iter().map(Box::as_ref).collect();
        // The sort is stable: within a severity, the order is that of the report.
        findings.sort_by_key(|finding| Reverse(finding.severity));
        let mut table = Table::new(&["Severity", "Rule", "Place", "Finding"]);
        for finding in findings {
            table.add(&self.row(finding));
        }
        vec![table]
    }

    fn notes(&self) -> Vec<String> {
        let note = |it: &Omitted| format!("{} in {}.", message(&it.message()), code(self.file_name(it.file)));
        self.outcome.omitted.iter().map(note).collect()
    }
}

impl Report<'_> {
    fn listed_case(&self, file: &str, finding: &Diagnostic) -> Case {
        let (start, _) = self.range(finding.location.file, finding.location.span);
        let details = format!("line {}, column {}: {}", start.line, start.column, finding.message);
        Case {
            name: format!("{} {}", finding.code, finding.name),
            file: file.to_owned(),
            attributes: vec![("line", start.line.to_string()), ("column", start.column.to_string())],
            verdict: verdict(finding.severity, finding.message.clone(), Some(details)),
        }
    }

    fn row(&self, finding: &Diagnostic) -> [String; 4] {
        let mut text = message(&finding.message);
        if let Some(help) = &finding.help {
            let _ = write!(text, "<br>Help: {}", message(help));
        }
        if let Some(fix) = &finding.fix {
            let _ = write!(text, "<br>Fix ({}): {}", fix.applicability.word(), message(&fix.title));
        }
        let word = finding.severity.word();
        let is_bold = finding.severity == Severity::Error;
        let rule = match page_address(finding.code, finding.name) {
            Some(address) => format!("[{}]({address}) {}", finding.code, finding.name),
            None => format!("{} {}", finding.code, finding.name),
        };
        [
            if is_bold { format!("**{word}**") } else { word.to_owned() },
            rule,
            code(&self.place(&finding.location)),
            text,
        ]
    }

    /// The findings by severity, then what was not reported, in one line without its end.
    pub fn summary_line(&self) -> String {
        let summary = self.outcome.summary;
        let found = [(summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info")];
        let found: Vec<String> =
            found.iter().filter(|(number, _)| *number > 0).map(|&(n, noun)| count(n, noun)).collect();
        let place = if summary.files > 0 { format!(" in {}", count(summary.files, "file")) } else { String::new() };
        let mut line = match (found.as_slice(), summary.files) {
            ([], 0) => "Nothing to lint".to_owned(),
            ([], _) => format!("No problems{place}"),
            (found, _) => format!("Found {}{place}", list(found, "and")),
        };
        let mut notes = Vec::new();
        if summary.fixable > 0 {
            notes.push(format!("{} fixable with `--fix`", summary.fixable));
        }
        if summary.unsafely_fixable > 0 {
            notes.push(format!("{} with `--fix --unsafe-fixes`", unsafely(summary)));
        }
        if summary.suppressed > 0 {
            notes.push(format!("{} suppressed", summary.suppressed));
        }
        if summary.baselined > 0 {
            notes.push(format!("{} known", summary.baselined));
        }
        if summary.hidden > 0 {
            notes.push(format!("{} not listed", summary.hidden));
        }
        if summary.skipped > 0 {
            notes.push(format!("{} skipped", count(summary.skipped, "file")));
        }
        if summary.rules_not_run > 0 {
            notes.push(format!("{} not run", count(summary.rules_not_run, "own rule")));
        }
        if !notes.is_empty() {
            line = format!("{line} ({})", notes.join(", "));
        }
        line + "."
    }

    /// The rules with most of many findings, and the command that shows one rule alone; `None` for few findings.
    pub fn loudest_line(&self) -> Option<String> {
        let mut rules: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let listed = self.diagnostics().iter().map(|finding| ((finding.code, finding.name), 1));
        let omitted = self.outcome.omitted.iter().map(|omitted| ((omitted.code, omitted.name), omitted.count));
        for (rule, number) in listed.chain(omitted) {
            *rules.entry(rule).or_default() += number;
        }
        let findings: usize = rules.values().sum();
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_by_key(|&(rule, number)| (Reverse(number), rule));
        let ((code, _), _) = rules.first().filter(|_| findings > MAX_WITHOUT_LOUDEST && rules.len() > 1)?;
        let loudest = rules.iter().take(3).map(|((code, name), number)| format!("{code} {name} ({number})"));
        let loudest = list(&loudest.collect::<Vec<_>>(), "and");
        Some(format!("Most are {loudest}; `wflint --select {code} [PATHS]` shows one rule alone."))
    }

    /// The number of problems that were fixed, in one line without its end; `None` if it is 0.
    pub fn fixed_line(&self) -> Option<String> {
        let Summary { fixed, fixed_files, .. } = self.outcome.summary;
        (fixed > 0).then(|| format!("Fixed {} in {}.", count(fixed, "problem"), count(fixed_files, "file")))
    }
}

fn omitted_case(file: &str, omitted: &Omitted) -> Case {
    Case {
        name: format!("{} {}", omitted.code, omitted.name),
        file: file.to_owned(),
        attributes: Vec::new(),
        verdict: verdict(omitted.severity, omitted.message(), None),
    }
}

/// A finding fails its case, unless it is an info.
fn verdict(severity: Severity, message: String, details: Option<String>) -> Verdict {
    match severity {
        Severity::Info => Verdict::Noted(details.unwrap_or(message)),
        _ => Verdict::Failed { message, kind: Some(severity.word()), details: details.into_iter().collect() },
    }
}

/// How many findings have an unsafe fix, as the end of a list or alone.
fn unsafely(summary: Summary) -> String {
    let number = summary.unsafely_fixable;
    if summary.fixable > 0 { format!("{number} more") } else { format!("{number} fixable") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Outcome;
    use crate::report::Style;

    fn line(summary: Summary) -> String {
        let outcome = Outcome { summary, ..Outcome::default() };
        Report { outcome: &outcome, style: Style::default() }.summary_line()
    }

    #[test]
    fn summary_has_all_counts() {
        let summary =
            Summary { files: 4, skipped: 3, errors: 3, warnings: 2, infos: 1, fixable: 2, ..Summary::default() };
        assert_eq!(
            line(summary),
            "Found 3 errors, 2 warnings and 1 info in 4 files (2 fixable with `--fix`, 3 files skipped)."
        );
        let all = Summary { unsafely_fixable: 1, suppressed: 4, baselined: 5, ..summary };
        assert_eq!(
            line(all),
            "Found 3 errors, 2 warnings and 1 info in 4 files \
             (2 fixable with `--fix`, 1 more with `--fix --unsafe-fixes`, 4 suppressed, 5 known, 3 files skipped)."
        );
    }

    #[test]
    fn summary_omits_counts_of_zero() {
        let none = Summary::default();
        assert_eq!(line(Summary { files: 1, errors: 1, ..none }), "Found 1 error in 1 file.");
        assert_eq!(
            line(Summary { files: 2, warnings: 2, infos: 2, ..none }),
            "Found 2 warnings and 2 infos in 2 files."
        );
        assert_eq!(
            line(Summary { files: 1, errors: 1, unsafely_fixable: 1, ..none }),
            "Found 1 error in 1 file (1 fixable with `--fix --unsafe-fixes`)."
        );
        assert_eq!(line(Summary { infos: 1, ..none }), "Found 1 info.");
        assert_eq!(line(Summary { files: 10, ..none }), "No problems in 10 files.");
        assert_eq!(line(Summary { files: 1, skipped: 1, ..none }), "No problems in 1 file (1 file skipped).");
        assert_eq!(line(Summary { skipped: 2, ..none }), "Nothing to lint (2 files skipped).");
    }
}

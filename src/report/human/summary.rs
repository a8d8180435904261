//! The last line: how many findings, in how many files.

use crate::lint::Summary;
use crate::report::findings::Report;
use crate::text::{count, list};

/// The findings by severity, then what was not reported, in one line without its end.
pub fn summary_line(report: &Report<'_>) -> String {
    let summary = report.summary();
    let found = [(summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info")];
    let found: Vec<String> = found.iter().filter(|(number, _)| *number > 0).map(|&(n, noun)| count(n, noun)).collect();
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
    if !notes.is_empty() {
        line = format!("{line} ({})", notes.join(", "));
    }
    line + "."
}

/// How many findings have an unsafe fix, as the end of a list or alone.
fn unsafely(summary: Summary) -> String {
    let number = summary.unsafely_fixable;
    if summary.fixable > 0 { format!("{number} more") } else { format!("{number} fixable") }
}

/// `None` if nothing was fixed.
pub fn fixed_line(report: &Report<'_>) -> Option<String> {
    let Summary { fixed, fixed_files, .. } = report.summary();
    (fixed > 0).then(|| format!("Fixed {} in {}.", count(fixed, "problem"), count(fixed_files, "file")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Outcome;
    use crate::report::Style;

    fn line(summary: Summary) -> String {
        let outcome = Outcome { summary, ..Outcome::default() };
        summary_line(&Report { outcome: &outcome, style: Style::default() })
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

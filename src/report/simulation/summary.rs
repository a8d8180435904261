//! The last line: how many scenarios passed.

use crate::simulate::SessionSummary;
use crate::text::count;

/// The summary in one line, without its end.
pub fn summary_line(summary: &SessionSummary<'_>) -> String {
    let scenarios = count(summary.scenarios, "scenario");
    match summary.failed {
        0 => format!("{scenarios} passed."),
        failed => format!("{scenarios}: {} passed, {failed} failed.", summary.passed),
    }
}

//! The events of a run as rows of a table.

use jiff::SignedDuration;

use super::subject::Subject;
use crate::page::TimelineRow;
use crate::simulate::{RunEvent, RunEventKind, show_duration};
use crate::text::count;

/// Rows of a run, so that none makes the page too large.
const MAX_ROWS: usize = 300;

/// When, where and what; a time is not repeated.
pub fn timeline(subject: &Subject<'_, '_>, events: &[RunEvent]) -> Vec<TimelineRow> {
    let catalog = &subject.context.config.catalog;
    // What every call reports goes without saying.
    let is_told = |event: &&RunEvent| {
        event.kind != RunEventKind::Set || !event.variable.as_ref().is_some_and(|name| catalog.is_common_output(name))
    };
    let events: Vec<&RunEvent> = events.iter().filter(is_told).collect();
    let mut last = String::new();
    let mut rows: Vec<TimelineRow> = Vec::new();
    for event in events.iter().take(MAX_ROWS) {
        let time = show_duration(SignedDuration::from_millis(event.at));
        let at = if time == last { String::new() } else { time.clone() };
        last = time;
        let activity = event.activity.and_then(|id| subject.analysis.workflow.activity(id));
        let activity = activity.map(|activity| subject.name(activity)).unwrap_or_default();
        rows.push(TimelineRow { at, activity, text: event.text.clone() });
    }
    let more = events.len().saturating_sub(MAX_ROWS);
    if more > 0 {
        let text = format!("… {} not shown", count(more, "more event"));
        rows.push(TimelineRow { at: String::new(), activity: String::new(), text });
    }
    rows
}

/// The events as the page may show them: secrets of the documents are covered.
pub fn safe_events(subject: &Subject<'_, '_>, events: &[RunEvent]) -> Vec<RunEvent> {
    let mut events = events.to_vec();
    for event in &mut events {
        event.redact(subject.redactions);
    }
    events
}

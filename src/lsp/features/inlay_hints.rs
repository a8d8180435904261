//! Inlay hints: the variables that calls write, and delays in words.

use std::ops::RangeInclusive;

use gen_lsp_types::InlayHintParams;
use serde_json::{Value, json};

use super::ask::Ask;
use super::snapshot::Snapshot;
use crate::document::Document;
use crate::facts::ProviderSite;
use crate::graph::{Analysis, Receiver};
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::state::Server;
use crate::model::{Activity, ActivityKind};
use crate::text::diagnostic::FileId;
use crate::text::{count, truncate};

/// The inlay hints in a range of a document.
pub fn handle(server: &Server, params: &InlayHintParams) -> Option<Vec<Value>> {
    if !server.settings.inlay_hints {
        return None;
    }
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let encoding = server.client.encoding;
    // Only workflows have them: other documents have no need to be asked about in several services.
    server.service(&uri)?;
    let ask = Ask::all(server, &uri, params.range.start).into_iter().next()?;
    let (file, hints) = ask.answer(|snapshot, file, start| {
        let end = encoding.offset(snapshot.text(file)?, params.range.end);
        Some((file, inlay_hints(snapshot, file, start..=u32::try_from(end).ok()?)))
    })??;
    let (_, source) = ask.source(file)?;
    let hint = |InlayHint { offset, label, tooltip }| {
        let position = encoding.position(source, offset);
        json!({ "position": position, "label": label, "tooltip": tooltip, "paddingLeft": true })
    };
    Some(hints.into_iter().map(hint).collect())
}

/// Outputs of a call that are named; others are counted.
const MAX_OUTPUTS: usize = 4;
/// Longer names are cut, in characters.
const MAX_NAME: usize = 40;
/// Outputs in the tooltip.
const MAX_IN_TOOLTIP: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlayHint {
    /// In bytes; what it is about ends there.
    pub offset: u32,
    pub label: String,
    pub tooltip: String,
}

/// The hints in a range of a workflow, in bytes, sorted: the variables that calls write, beside the names of their
/// activities, and delays in words.
pub fn inlay_hints(snapshot: &Snapshot, file: FileId, range: RangeInclusive<u32>) -> Vec<InlayHint> {
    snapshot.analyze(|service| {
        let Some(analysis) = service.workflows.iter().find(|analysis| analysis.file == file) else {
            return Vec::new();
        };
        let activities = analysis.workflow.activities.iter().filter(|activity| {
            let span = analysis.document.span(activity.node);
            span.start <= *range.end() && *range.start() <= span.end
        });
        let hints =
            activities.flat_map(|activity| outputs(analysis, activity).into_iter().chain(delay(analysis, activity)));
        let mut hints: Vec<InlayHint> = hints.filter(|hint| range.contains(&hint.offset)).collect();
        hints.sort_by_key(|hint| hint.offset);
        hints
    })
}

/// The variables that receive the outputs of a provider call.
fn outputs(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Option<InlayHint> {
    let site = ProviderSite::of_activity(analysis, activity.id)?;
    let written = site.outputs.outputs.iter().filter(|output| output.receiver == Receiver::Variable);
    let names: Vec<&str> = written.map(|output| output.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let shown: Vec<_> = names.iter().take(MAX_OUTPUTS).map(|name| truncate(name, MAX_NAME)).collect();
    let rest = names.len().saturating_sub(MAX_OUTPUTS);
    let more = if rest > 0 { format!(", … {rest} more") } else { String::new() };
    let all: Vec<_> = names.iter().take(MAX_IN_TOOLTIP).map(|name| truncate(name, MAX_NAME)).collect();
    Some(InlayHint {
        offset: end_of_name(analysis.document, activity),
        label: format!("→ {}{more}", shown.join(", ")),
        tooltip: format!("Writes {}: {}", count(names.len(), "variable"), all.join(", ")),
    })
}

/// The end of the name of an activity; the start of an activity without one.
fn end_of_name(document: &Document, activity: &Activity<'_>) -> u32 {
    match activity.name.known() {
        Some((node, _)) => document.span(node).end,
        None => document.span(activity.node).start + 1,
    }
}

/// The delay of a While, if it is a literal.
fn delay(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Option<InlayHint> {
    let ActivityKind::While { delay, .. } = &activity.kind else { return None };
    let (node, literal) = delay.unboxed()?.literal()?;
    let label = in_words(literal.as_number()?)?;
    Some(InlayHint {
        offset: analysis.document.span(node).end,
        tooltip: format!("Waits {label} before each round"),
        label,
    })
}

/// Seconds as days, hours, minutes and seconds; `None` for what is not a whole number of them, or not positive.
fn in_words(seconds: f64) -> Option<String> {
    const MAX: f64 = 1e12;
    if !(1.0..=MAX).contains(&seconds) || seconds.fract() != 0.0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number in the range")]
    let seconds = seconds as u64;
    let parts = [
        (seconds / 86_400, "day"),
        (seconds / 3600 % 24, "hour"),
        (seconds / 60 % 60, "minute"),
        (seconds % 60, "second"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0).map(|(number, unit)| count(number, unit));
    Some(parts.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn delays_are_shown_in_the_largest_units() {
        let words = |seconds: f64| in_words(seconds).unwrap_or_default();
        assert_eq!(words(345_600.0), "4 days");
        assert_eq!(words(5400.0), "1 hour 30 minutes");
        assert_eq!(words(90_061.0), "1 day 1 hour 1 minute 1 second");
        assert_eq!(words(1.0), "1 second");
        for seconds in [0.0, -60.0, 0.5, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(words(seconds), "");
        }
    }
}

//! The observation of a run by `trace.js`: its options, and what it has seen.

use serde::Deserialize;

use super::derived::Compared;
use super::outcome::Trace;
use super::request::EvaluationRequest;
use super::samples::{Sample, SampleValue};
use crate::script::sandbox::{Reply, Setup, SetupFunction};
use crate::script::syntax::{Site, SiteKind};

/// The setup that observes a run.
pub(super) fn observing(request: &EvaluationRequest<'_>, sample: &Sample, mark: &str) -> Setup {
    let sites = request.syntax.sites.iter().map(|site| match &site.kind {
        SiteKind::Object(_) | SiteKind::Array(_) => serde_json::Value::from(0),
        SiteKind::Stringify => serde_json::Value::from(1),
        SiteKind::Result => serde_json::Value::from(2),
        SiteKind::Spread => serde_json::Value::from(3),
        SiteKind::ComputedTarget => serde_json::Value::from(4),
        SiteKind::Target(property) => serde_json::Value::from(property.name.as_str()),
    });
    let comparisons = request.syntax.comparisons();
    let operands = comparisons.operands.iter().map(|operand| {
        let kind = comparisons.all.get(operand.comparison);
        serde_json::json!({
            "comparison": operand.comparison,
            "single": kind.is_some_and(|it| !it.constants.is_empty()),
            "second": operand.is_second,
            "lookup": kind.is_some_and(|it| it.is_lookup),
        })
    });
    let sites: Vec<_> = sites.chain(operands).collect();
    let made_up = request.open_parameters().map(|(index, _)| match sample.values.get(index) {
        Some(SampleValue { text, is_made_up: true }) => text.as_str(),
        _ => "",
    });
    let made_up: Vec<&str> = made_up.collect();
    let argument = serde_json::json!({
        "mark": mark,
        "sites": sites,
        "copies": copies(&request.syntax.sites),
        "samples": made_up,
        "script": request.script,
    });
    Setup { function: SetupFunction::Trace, argument: argument.to_string() }
}

/// By site: of an object literal that copies objects, the sites of these and the keys after them; null of other sites.
fn copies(sites: &[Site]) -> Vec<Option<(Vec<usize>, Vec<&str>)>> {
    let mut copies = vec![None; sites.len()];
    let mut around: Vec<usize> = Vec::new();
    for (index, site) in sites.iter().enumerate() {
        let contains = |outer: &usize| sites.get(*outer).is_some_and(|outer| site.range.end <= outer.range.end);
        while around.pop_if(|outer| !contains(outer)).is_some() {}
        match &site.kind {
            SiteKind::Object(_) => around.push(index),
            SiteKind::Spread => {
                let Some(&literal) = around.last() else { continue };
                let Some(Site { kind: SiteKind::Object(properties), .. }) = sites.get(literal) else { continue };
                let later = properties.iter().filter(|property| property.key.start > site.range.end);
                let later = later.map(|property| property.name.as_str()).collect();
                if let Some(copied) = copies.get_mut(literal) {
                    let (spreads, keys) = copied.get_or_insert_with(|| (Vec::new(), Vec::new()));
                    spreads.push(index);
                    *keys = later;
                }
            }
            _ => {}
        }
    }
    copies
}

/// What a run has shown.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    /// The sites that it passes, and what they make.
    #[serde(flatten)]
    pub trace: Trace,
    pub compared: Vec<Compared>,
    /// Whether a lookup found nothing.
    pub has_missed: bool,
}

pub(super) fn observed(reply: &Reply) -> Option<Shown> {
    serde_json::from_str(reply.observed.as_deref()?).ok()
}

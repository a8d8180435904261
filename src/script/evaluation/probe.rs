//! Probes in the place of a script's parameters: they show whether it inspects them.

use crate::script::sandbox::Setup;

const PROBE: &str = include_str!("probe.js");

/// What a script may do with a probe, besides passing it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concatenation {
    /// Nothing else.
    Fails,
    /// Convert it to a string, which happens when it is joined with another string.
    Allowed,
}

/// Replaces variables by probes. A script that does anything else with one than it may fails with
/// `Error: opaque`.
pub fn probe<'n>(names: impl Iterator<Item = &'n str>, concatenation: Concatenation) -> Setup {
    let names: Vec<&str> = names.collect();
    let options = serde_json::json!({ "names": names, "concatenation": concatenation == Concatenation::Allowed });
    Setup { function: PROBE.to_owned(), argument: options.to_string() }
}

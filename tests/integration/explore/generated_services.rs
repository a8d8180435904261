//! Findings and runs agree on generated services, each with one slip.

use std::fmt::Write;

use super::agreement::disagreements;
use crate::support::cases;
use crate::support::folder::Folder;
use crate::support::services::write_service;

/// The slips after which they do not agree, and on what.
const KNOWN: [(&str, &str); 2] = [
    // Lint is silent about loops of which a field of the form decides whether they end (docs/concepts.md, Case status).
    ("only for some orders", "ends"),
    // This loop runs while the case is finished. In a run no time passes between the request and the first lookup, so
    // that it is not finished yet; lint does not count on that.
    ("other operand in Wait", "WF404"),
];

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn findings_and_runs_agree_on_generated_services() {
    let folder = Folder::with(&[]);
    let mut differences = String::new();
    for seed in 0..cases(60).cases {
        let name = format!("service{seed}");
        let slip = write_service(&folder, &name, seed.into());
        for (what, message) in disagreements(&folder, &name) {
            if !KNOWN.iter().any(|(known, about)| slip.starts_with(known) && what == *about) {
                let _ = writeln!(differences, "{name} ({slip}): {what}: {message}");
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

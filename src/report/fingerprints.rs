//! Fingerprints, by which services recognize a finding from run to run.

use std::sync::Arc;

use super::results::Report;
use crate::common::collections::HashMap;
use crate::lint::Omitted;
use crate::lint::identity::{Identity, NamedPlace};
use crate::text::diagnostic::Diagnostic;

/// The fingerprints of the findings in their order, then those of the omitted ones: the hash of the identity, and which
/// of the findings with this identity it is, from 1.
pub(super) fn fingerprints(report: &Report<'_>) -> Vec<String> {
    let of_findings = report.diagnostics().iter().map(|diagnostic| hash(report, diagnostic));
    let of_omitted = report.outcome.omitted.iter().map(|omitted| hash_of_omitted(report, omitted));
    let mut counts: HashMap<u64, usize> = HashMap::default();
    let numbered = of_findings.chain(of_omitted).map(|hash| {
        let number = counts.entry(hash).or_default();
        *number += 1;
        format!("{hash:016x}:{number}")
    });
    numbered.collect()
}

fn hash(report: &Report<'_>, diagnostic: &Diagnostic) -> u64 {
    // A finding in a configuration has no names around it.
    diagnostic.fingerprint.unwrap_or_else(|| {
        let (file, rule) = (report.file_name(diagnostic.location.file).into(), diagnostic.code.into());
        Identity { place: place(file), member: Box::default(), rule }.fingerprint()
    })
}

fn hash_of_omitted(report: &Report<'_>, omitted: &Omitted) -> u64 {
    let (file, rule) = (report.file_name(omitted.file).into(), omitted.code.into());
    // No key of a document contains a slash that is not escaped.
    Identity { place: place(file), member: "//omitted".into(), rule }.fingerprint()
}

/// Without names around it.
fn place(file: Arc<str>) -> Arc<NamedPlace> {
    NamedPlace { file, ..NamedPlace::default() }.into()
}

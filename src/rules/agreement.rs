//! Agreement of the runs of a script: what one run shows is a fault only if it does not depend on the sample values.
//!
//! Rules judge the case that each run builds. A finding is reported once, if some run shows it, and so does every other
//! run that passes what makes it in the script (`Origin`).

use std::collections::BTreeSet;

use super::finding::{Finding, RuleFindings};
use crate::common::collections::HashMap;
use crate::facts::{CaseText, Evidence, EvidenceAbout, Origin, ScriptRun};
use crate::text::source::Span;

/// What runs have to agree on: the rule, the place in the script, and the message.
#[derive(PartialEq, Eq, Hash)]
struct Claim {
    code: &'static str,
    script: usize,
    origin: Origin,
    place: Span,
    /// Empty if it does not matter.
    message: String,
}

/// Drops the findings on which runs do not agree.
pub(super) fn agree(rules: &mut [RuleFindings], texts: &[CaseText]) {
    let mut showing: HashMap<Claim, BTreeSet<usize>> = HashMap::default();
    for rule in rules.iter() {
        for (claim, evidence) in rule.findings.iter().filter_map(|finding| claim(finding, texts)) {
            showing.entry(claim).or_default().insert(evidence.text);
        }
    }
    if showing.is_empty() {
        return;
    }
    let mut by_script: HashMap<usize, Vec<&CaseText>> = HashMap::default();
    for text in texts {
        if let Some(run) = text.run() {
            by_script.entry(run.script.number).or_default().push(text);
        }
    }
    for RuleFindings { findings, .. } in rules {
        findings.retain(|finding| {
            let Some((claim, evidence)) = claim(finding, texts) else { return true };
            if finding.in_run.as_ref().is_some_and(|in_run| in_run.only_agrees) {
                return false;
            }
            // Of several findings only the first is kept.
            let shown = showing.get_mut(&claim).map(std::mem::take).filter(|runs| !runs.is_empty());
            let of_script = by_script.get(&claim.script).map_or(&[][..], Vec::as_slice);
            shown.is_some_and(|runs| claim.origin != Origin::Sample && is_agreed(&runs, evidence, of_script))
        });
    }
}

/// Whether every run of the script that passes the origin and the holder is among those that show the finding.
fn is_agreed(runs: &BTreeSet<usize>, evidence: Evidence, of_script: &[&CaseText]) -> bool {
    let passes = |run: &ScriptRun| run.passes(evidence.origin) && run.passes(evidence.holder);
    // A text that is not a case has no other findings.
    let others = of_script.iter().filter(|text| evidence.about == EvidenceAbout::Text || text.object().is_some());
    others.into_iter().all(|text| runs.contains(&text.number) || !text.run().is_some_and(passes))
}

/// The part of a message that runs have to agree on: a wrong value may be a number in one and null in another.
fn expected(message: &str) -> String {
    message.split(", found ").next().unwrap_or_default().to_owned()
}

/// `None` for a finding that does not rest on runs.
fn claim(finding: &Finding, texts: &[CaseText]) -> Option<(Claim, Evidence)> {
    let in_run = finding.in_run.as_ref()?;
    let evidence = in_run.evidence;
    let script = texts.get(evidence.text)?.run()?.script.number;
    let listed = &finding.diagnostic;
    let message = match (evidence.about, &in_run.claim) {
        (EvidenceAbout::Value, Some(claim)) => claim.clone(),
        (EvidenceAbout::Value, None) => expected(&listed.message),
        _ => String::new(),
    };
    Some((Claim { code: listed.code, script, origin: evidence.origin, place: listed.location.span, message }, evidence))
}

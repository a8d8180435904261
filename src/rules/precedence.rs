//! Which finding stays when several are about one fault.
//!
//! Each rule's metadata says which rules it yields to. A finding of it is silent when a finding of one of those
//! explains something that it is about. A silenced finding still silences others: when WF101 silences WF302, what
//! WF302 would have silenced has the same cause.

use std::collections::BTreeSet;

use super::cause::Cause;
use super::reporter::Finding;
use super::stamp::YieldsTo;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::{Diagnostic, FileId};
use crate::document::{Document, NodeId};

/// A rule that was silent about a fault, and the rule that reported it; by code.
pub type Silenced = (&'static str, &'static str);

/// The findings of all rules about one service.
#[derive(Debug, Default)]
pub struct Findings {
    findings: Vec<Finding>,
    /// Who was silent because of whom, each pair once.
    pub silenced: Vec<Silenced>,
}

impl Findings {
    /// The findings that no finding of a rule that they yield to explains.
    pub(super) fn resolve(findings: Vec<Finding>) -> Self {
        let mut explained: HashMap<&Cause, Vec<usize>> = HashMap::default();
        for (index, finding) in findings.iter().enumerate() {
            for cause in &finding.explains {
                explained.entry(cause).or_default().push(index);
            }
        }
        let winners_over = |index: usize, finding: &Finding| -> BTreeSet<&'static str> {
            let YieldsTo::Rules(winners) = finding.yields_to else { return BTreeSet::new() };
            if winners.is_empty() {
                return BTreeSet::new();
            }
            let same_fault = finding.about.iter().filter_map(|cause| explained.get(cause)).flatten();
            let others = same_fault.filter(|&&other| other != index).filter_map(|&other| findings.get(other));
            others.map(|other| other.diagnostic.code).filter(|code| winners.contains(code)).collect()
        };
        let winners: Vec<BTreeSet<&'static str>> =
            findings.iter().enumerate().map(|(index, finding)| winners_over(index, finding)).collect();
        let mut settled = Self::default();
        for (finding, winners) in findings.into_iter().zip(winners) {
            if winners.is_empty() {
                settled.findings.push(finding);
            } else {
                settled.silenced.extend(winners.into_iter().map(|winner| (finding.diagnostic.code, winner)));
            }
        }
        settled.silenced.sort_unstable();
        settled.silenced.dedup();
        settled
    }

    /// Keeps the findings that are to be reported.
    pub fn retain(&mut self, mut is_reported: impl FnMut(&Diagnostic) -> bool) {
        self.findings.retain(|finding| is_reported(&finding.diagnostic));
    }

    /// The diagnostics, without those of rules that yield to all others where another one reports. These judge
    /// by what is reported, so that a rule that was switched off does not silence them.
    pub fn into_diagnostics<'d>(self, document: impl Fn(FileId) -> Option<&'d Document>) -> Vec<Diagnostic> {
        let (last, mut kept): (Vec<Finding>, Vec<Finding>) =
            self.findings.into_iter().partition(|finding| finding.yields_to == YieldsTo::AllOthers);
        if !last.is_empty() {
            let mut reported = Reported::default();
            for finding in &kept {
                reported.add(finding, &document);
            }
            for finding in last {
                if !reported.concerns(&finding) {
                    reported.add(&finding, &document);
                    kept.push(finding);
                }
            }
        }
        kept.into_iter().map(|finding| finding.diagnostic).collect()
    }
}

/// What findings are about, for the rules that yield to all others.
#[derive(Default)]
struct Reported {
    explained: HashSet<Cause>,
    /// The places, and all that is around them up to the nearest activity.
    around: HashSet<(FileId, NodeId)>,
}

impl Reported {
    fn add<'d>(&mut self, finding: &Finding, document: impl Fn(FileId) -> Option<&'d Document>) {
        self.explained.extend(finding.explains.iter().cloned());
        let file = finding.diagnostic.location.file;
        let Some(document) = document(file) else { return };
        for node in std::iter::successors(finding.node, |&node| document.parent(node)) {
            // Whatever is around a known node is known as well.
            if !self.around.insert((file, node)) || is_activity(document, node) {
                break;
            }
        }
    }

    fn concerns(&self, finding: &Finding) -> bool {
        let file = finding.diagnostic.location.file;
        finding.area.iter().any(|&node| self.around.contains(&(file, node)))
            || finding.about.iter().any(|cause| self.explained.contains(cause))
    }
}

fn is_activity(document: &Document, node: NodeId) -> bool {
    document.parent(node).and_then(|list| document.key(list)) == Some("activities")
}

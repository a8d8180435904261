//! Precedence: one fault gives one finding (docs/concepts.md, Precedence).
//!
//! The metadata of a rule lists the rules that it yields to. Its finding is dropped if a finding of one of them
//! explains a cause that it is about. A dropped finding still silences others: if WF101 silences WF302, the findings
//! that WF302 would have silenced have the same cause. So the result does not depend on the order of the rules.

use std::collections::BTreeSet;

use super::cause::Cause;
use super::reporter::Finding;
use super::stamp::YieldsTo;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::{Diagnostic, FileId};
use crate::document::{Document, NodeId};

/// The codes of the rule that yields and of the rule that it yields to.
pub type Silenced = (&'static str, &'static str);

/// The findings of all rules about one service.
#[derive(Debug, Default)]
pub struct Findings {
    findings: Vec<Finding>,
    /// Sorted, without duplicates.
    pub silenced: Vec<Silenced>,
}

impl Findings {
    /// Drops the findings that yield to others. Rules that yield to all others are handled in `into_diagnostics`.
    pub(super) fn resolve(findings: Vec<Finding>) -> Self {
        let explained = Explained::by(&findings);
        let winners_over = |index: usize, finding: &Finding| -> BTreeSet<&'static str> {
            let YieldsTo::Rules(winners) = finding.yields_to else { return BTreeSet::new() };
            let explains =
                |code: &&'static str| finding.about.iter().any(|cause| explained.by_another(cause, code, index));
            winners.iter().copied().filter(explains).collect()
        };
        // All winners are computed before any finding is dropped, as a dropped finding still counts.
        let winners: Vec<BTreeSet<&'static str>> =
            findings.iter().enumerate().map(|(index, finding)| winners_over(index, finding)).collect();
        let mut resolved = Self::default();
        for (finding, winners) in findings.into_iter().zip(winners) {
            if winners.is_empty() {
                resolved.findings.push(finding);
            } else {
                resolved.silenced.extend(winners.into_iter().map(|winner| (finding.diagnostic.code, winner)));
            }
        }
        resolved.silenced.sort_unstable();
        resolved.silenced.dedup();
        resolved
    }

    pub fn retain(&mut self, mut is_reported: impl FnMut(&Diagnostic) -> bool) {
        self.findings.retain(|finding| is_reported(&finding.diagnostic));
    }

    /// The diagnostics, without those of rules that yield to all others if another rule reports something in their
    /// area. Only reported findings count here: a rule that is switched off silences none of them.
    pub fn into_diagnostics<'d>(self, document: impl Fn(FileId) -> Option<&'d Document>) -> Vec<Diagnostic> {
        let (yielding, mut kept): (Vec<Finding>, Vec<Finding>) =
            self.findings.into_iter().partition(|finding| finding.yields_to == YieldsTo::AllOthers);
        if !yielding.is_empty() {
            let mut reported = Reported::default();
            for finding in &kept {
                reported.add(finding, &document);
            }
            // These rules also yield to each other: the first one stays.
            for finding in yielding {
                if !reported.covers(&finding) {
                    reported.add(&finding, &document);
                    kept.push(finding);
                }
            }
        }
        kept.into_iter().map(|finding| finding.diagnostic).collect()
    }
}

/// Which rules explain which causes. An index, as comparing every pair of findings would be quadratic.
struct Explained<'f>(HashMap<(&'f Cause, &'static str), Explainer>);

/// The findings of one rule that explain one cause.
struct Explainer {
    first: usize,
    has_others: bool,
}

impl<'f> Explained<'f> {
    fn by(findings: &'f [Finding]) -> Self {
        let mut explained: HashMap<(&Cause, &'static str), Explainer> = HashMap::default();
        for (index, finding) in findings.iter().enumerate() {
            for cause in &finding.explains {
                explained
                    .entry((cause, finding.diagnostic.code))
                    .and_modify(|explainer| explainer.has_others |= explainer.first != index)
                    .or_insert(Explainer { first: index, has_others: false });
            }
        }
        Self(explained)
    }

    /// Whether a finding of a rule explains a cause, other than the one with this index: a rule may yield to itself,
    /// for example an outer loop to an inner one, but a finding never does.
    fn by_another(&self, cause: &'f Cause, code: &'static str, index: usize) -> bool {
        self.0.get(&(cause, code)).is_some_and(|explainer| explainer.has_others || explainer.first != index)
    }
}

/// The causes and areas of the findings that are reported.
#[derive(Default)]
struct Reported {
    explained: HashSet<Cause>,
    /// The nodes of the findings and their ancestors, up to the nearest activity.
    nodes: HashSet<(FileId, NodeId)>,
}

impl Reported {
    fn add<'d>(&mut self, finding: &Finding, document: impl Fn(FileId) -> Option<&'d Document>) {
        self.explained.extend(finding.explains.iter().cloned());
        let file = finding.diagnostic.location.file;
        let Some(document) = document(file) else { return };
        for node in std::iter::successors(finding.node, |&node| document.parent(node)) {
            // The ancestors of a known node are known as well.
            if !self.nodes.insert((file, node)) || is_activity(document, node) {
                break;
            }
        }
    }

    fn covers(&self, finding: &Finding) -> bool {
        let file = finding.diagnostic.location.file;
        finding.area.iter().any(|&node| self.nodes.contains(&(file, node)))
            || finding.about.iter().any(|cause| self.explained.contains(cause))
    }
}

fn is_activity(document: &Document, node: NodeId) -> bool {
    document.parent(node).and_then(|list| document.key(list)) == Some("activities")
}

//! Precedence: one fault gives one finding (docs/concepts.md, Precedence).
//!
//! The metadata of a rule lists the rules that it yields to. Its finding is dropped if a finding of one of them
//! explains a cause that it is about. A dropped finding still silences others: if WF101 silences WF302, the findings
//! that WF302 would have silenced have the same cause. So the result does not depend on the order of the rules.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::num::NonZeroU32;

use super::agreement;
use super::cause::CauseKey;
use super::finding::{Finding, RuleFindings};
use super::stamp::YieldsTo;
use crate::collections::{HashMap, HashSet, RandomState};
use crate::diagnostic::{Diagnostic, FileId};
use crate::document::{Document, NodeId};
use crate::facts::CaseText;

/// The codes of the rule that yields and of the rule that it yields to.
pub type Silenced = (&'static str, &'static str);

/// The findings of all rules about one service.
#[derive(Debug, Default)]
pub struct Findings {
    rules: Vec<RuleFindings>,
    /// The pairs that occurred.
    pub silenced: BTreeSet<Silenced>,
}

/// The findings that remain after precedence.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Behind pointers: a list of very many could not use the memory that the analysis leaves in pieces.
    pub diagnostics: Vec<Box<Diagnostic>>,
    /// The findings that are only counted.
    pub counted: Vec<RuleFindings>,
}

impl Findings {
    /// Drops the findings that yield to others. Rules that yield to all others are handled in `into_resolved`.
    pub(super) fn resolve(mut rules: Vec<RuleFindings>) -> Self {
        let mut silenced = BTreeSet::new();
        // Built before any finding is dropped, because dropped findings still explain causes.
        let explained = Explained::by(&rules);
        let mut index = 0..;
        for RuleFindings { stamp, findings } in &mut rules {
            findings.retain(|finding| {
                let index = index.next().unwrap_or_default();
                let YieldsTo::Rules(winners) = stamp.yields_to else { return true };
                let explains =
                    |code: &&&'static str| finding.about().any(|cause| explained.by_another(cause, code, index));
                let mut is_kept = true;
                for winner in winners.iter().filter(explains) {
                    is_kept = false;
                    silenced.insert((stamp.code, *winner));
                }
                is_kept
            });
        }
        Self { rules, silenced }
    }

    /// The findings of runs that are too many to compare: the codes of their rules, by script.
    pub(super) fn not_compared(&self, texts: &[CaseText]) -> BTreeMap<usize, BTreeSet<&'static str>> {
        agreement::not_compared(&self.rules, texts)
    }

    /// Adds findings that yield to none.
    pub(super) fn add(&mut self, findings: RuleFindings) {
        self.rules.push(findings);
    }

    /// Drops the findings that are not in all runs of a script that show them (`agreement`).
    pub(super) fn agreed(mut self, texts: &[CaseText]) -> Self {
        agreement::agree(&mut self.rules, texts);
        self
    }

    /// Keeps those of which a function of the rule's code and the file says so.
    pub fn retain(&mut self, mut is_reported: impl FnMut(&'static str, FileId) -> bool) {
        for RuleFindings { stamp, findings } in &mut self.rules {
            findings.retain(|finding| is_reported(stamp.code, finding.file));
        }
    }

    /// Whether some are listed, not only counted.
    pub fn are_listed(&self) -> bool {
        self.rules.iter().flat_map(|rule| &rule.findings).any(|finding| finding.diagnostic().is_some())
    }

    /// The findings, without those of rules that yield to all others if another rule reports something in their
    /// area. Only reported findings count here: a rule that is switched off silences none of them.
    pub fn into_resolved<'d>(self, document: impl Fn(FileId) -> Option<&'d Document>) -> Resolved {
        let mut rules = self.rules;
        yield_to_all_others(&mut rules, document);
        let listed = rules.iter().flat_map(|rule| &rule.findings).filter(|finding| finding.diagnostic().is_some());
        let mut diagnostics = Vec::with_capacity(listed.count());
        // In place, because there may be very many counted findings.
        for RuleFindings { findings, .. } in &mut rules {
            findings.retain_mut(|finding| {
                let diagnostic = finding.take_diagnostic();
                let is_counted = diagnostic.is_none();
                diagnostics.extend(diagnostic);
                is_counted
            });
        }
        rules.retain(|rule| !rule.findings.is_empty());
        Resolved { diagnostics, counted: rules }
    }
}

/// Drops the findings of rules that yield to all others. These rules also yield to each other: one with exceptions goes
/// first.
fn yield_to_all_others<'d>(rules: &mut [RuleFindings], document: impl Fn(FileId) -> Option<&'d Document>) {
    let exceptions = |rule: &RuleFindings| match rule.stamp.yields_to {
        YieldsTo::AllOthersExcept(codes) => Some(codes),
        YieldsTo::Rules(_) => None,
    };
    let (mut yielding, mut waiting): (Vec<&mut RuleFindings>, Vec<&mut RuleFindings>) =
        rules.iter_mut().filter(|rule| !rule.findings.is_empty()).partition(|rule| exceptions(rule).is_some());
    yielding.sort_by_key(|rule| Reverse(exceptions(rule).map(<[_]>::len)));
    let mut reported = Reported::default();
    for rule in yielding {
        let excepted = exceptions(rule).unwrap_or_default();
        waiting.retain(|other| {
            let waits = excepted.contains(&other.stamp.code);
            if !waits {
                other.findings.iter().for_each(|finding| reported.add(finding, &document));
            }
            waits
        });
        rule.findings.retain(|finding| {
            let stays = !reported.covers(finding);
            if stays {
                reported.add(finding, &document);
            }
            stays
        });
    }
}

/// Which rules explain which causes. An index, as comparing every pair of findings would be quadratic; by a hash of cause
/// and code, as there may be very many.
struct Explained(HashMap<u64, Explainer>);

/// The findings of one rule that explain one cause: the index of the only one.
type Explainer = Option<NonZeroU32>;

impl Explained {
    fn by(rules: &[RuleFindings]) -> Self {
        // Only rules to which one with findings may yield.
        let mut winners: HashSet<&str> = HashSet::default();
        for rule in rules.iter().filter(|rule| !rule.findings.is_empty()) {
            if let YieldsTo::Rules(codes) = rule.stamp.yields_to {
                winners.extend(codes);
            }
        }
        let is_winner = |rule: &&RuleFindings| winners.contains(rule.stamp.code);
        // Most explain their place alone.
        let number = rules.iter().filter(is_winner).map(|rule| rule.findings.len()).sum();
        let mut explained = Self(HashMap::with_capacity_and_hasher(number, RandomState::default()));
        let mut start = 0;
        for rule in rules {
            let findings = rule.findings.iter().filter(|_| is_winner(&rule)).enumerate();
            for (index, finding) in findings {
                let explainer = explainer(start + index);
                for cause in finding.explains() {
                    let key = explained.key(cause, rule.stamp.code);
                    let known = explained.0.entry(key).or_insert(explainer);
                    if *known != explainer {
                        *known = None;
                    }
                }
            }
            start += rule.findings.len();
        }
        explained
    }

    fn key(&self, cause: CauseKey, code: &str) -> u64 {
        self.0.hasher().hash_one((cause, code))
    }

    /// Whether a finding of a rule explains a cause, other than the one with this index: a rule may yield to itself,
    /// for example an outer loop to an inner one, but a finding never does.
    fn by_another(&self, cause: CauseKey, code: &str, index: usize) -> bool {
        self.0.get(&self.key(cause, code)).is_some_and(|known| known.is_none() || *known != explainer(index))
    }
}

/// `None`, which stands for several, past all findings that fit into memory.
fn explainer(index: usize) -> Explainer {
    u32::try_from(index + 1).ok().and_then(NonZeroU32::new)
}

/// The causes and areas of the findings that are reported.
#[derive(Default)]
struct Reported {
    /// Hashes of causes.
    explained: HashSet<u64>,
    /// The nodes of the findings and their ancestors, up to the nearest activity.
    nodes: HashSet<(FileId, NodeId)>,
}

impl Reported {
    fn key(&self, cause: CauseKey) -> u64 {
        self.explained.hasher().hash_one(cause)
    }

    fn add<'d>(&mut self, finding: &Finding, document: impl Fn(FileId) -> Option<&'d Document>) {
        for cause in finding.explains() {
            let key = self.key(cause);
            self.explained.insert(key);
        }
        let file = finding.file;
        let Some(document) = document(file) else { return };
        for node in std::iter::successors(finding.node(), |&node| document.parent(node)) {
            // The ancestors of a known node are known as well.
            if !self.nodes.insert((file, node)) || is_activity(document, node) {
                break;
            }
        }
    }

    fn covers(&self, finding: &Finding) -> bool {
        finding.area().iter().any(|&node| self.nodes.contains(&(finding.file, node)))
            || finding.about().any(|cause| self.explained.contains(&self.key(cause)))
    }
}

fn is_activity(document: &Document, node: NodeId) -> bool {
    document.parent(node).and_then(|list| document.key(list)) == Some("activities")
}

//! Precedence: one fault gives one finding (docs/how-it-thinks.md, Precedence).
//!
//! A finding is about its place, and about the causes that its rule names. Where rules of one line of [`PRECEDENCE`] report
//! the same place or cause, those on the left speak, and those on the right are silent.

use super::finding::{Cause, Finding, RuleFindings};
use super::rule::Group;
use crate::common::collections::{HashMap, HashSet};
use crate::document::{Document, NodeId};
use crate::model::enclosing_element;
use crate::text::diagnostic::FileId;

/// Rules that speak, and those that are silent about the same place or cause. A finding that is silent still silences
/// others, so the order of the lines does not matter.
pub const PRECEDENCE: &[(&[&str], &[&str])] = &[
    // Documents and names.
    (&["WF007"], &["WF004"]),
    (&["WF107", "WF108"], &["WF102", "WF114"]),
    (&["WF114"], &["WF113", "WF603"]),
    (&["WF601"], &["WF602", "WF605", "WF615"]),
    (&["WF909"], &["WF306", "WF307"]),
    (&["WF306"], &["WF101", "WF307"]),
    (&["WF101", "WF103"], &["WF307"]),
    (&["WF101"], &["WF807"]),
    // Parameters and other values.
    (&["WF201", "WF405", "WF414", "WF501"], &["WF105"]),
    (&["WF201"], &["WF211", "WF219"]),
    (&["WF207"], &["WF219"]),
    (&["WF204", "WF206"], &["WF201"]),
    (&["WF205"], &["WF212", "WF213", "WF214", "WF215", "WF216", "WF217", "WF220"]),
    (&["WF206", "WF209"], &["WF204", "WF210"]),
    (&["WF614"], &["WF115", "WF902"]),
    (&["WF702"], &["WF703", "WF706"]),
    (&["WF711"], &["WF702"]),
    (&["WF805"], &["WF806"]),
    // Outputs and variables.
    (&["WF301"], &["WF302", "WF304"]),
    (&["WF304"], &["WF302"]),
    (&["WF603", "WF605"], &["WF110", "WF302"]),
    (&["WF302"], &["WF615"]),
    (&["WF310"], &["WF308"]),
    (&["WF311"], &["WF305"]),
    // Conditions and loops.
    (&["WF112"], &["WF415"]),
    (&["WF415"], &["WF402"]),
    (&["WF406"], &["WF402", "WF403", "WF404"]),
    (&["WF407"], &["WF301", "WF302", "WF303", "WF403", "WF404", "WF417"]),
    (&["WF404"], &["WF403", "WF409"]),
    (&["WF403", "WF404", "WF407"], &["WF401", "WF402", "WF408"]),
    (&["WF410"], &["WF010"]),
];

/// Rules that are silent about an activity in which any other rule reports something, with the rules that do not count.
pub const LAST: [(&str, &[&str]); 2] = [("WF207", &["WF009", "WF208", "WF209", "WF219"]), ("WF009", &[])];

/// The rules whose findings silence those of a rule.
pub fn winners(code: &str) -> impl Iterator<Item = &'static str> {
    PRECEDENCE.iter().filter(move |(_, silent)| silent.contains(&code)).flat_map(|(winners, _)| winners.iter().copied())
}

/// Drops the findings that others silence.
pub(super) fn resolve(rules: &mut [RuleFindings]) {
    let mut causes: HashMap<&str, HashSet<&Cause>> = HashMap::default();
    for rule in rules.iter() {
        causes.insert(rule.rule.code, rule.findings.iter().flat_map(|finding| &finding.causes).collect());
    }
    let mut silent: Vec<Vec<bool>> = Vec::new();
    for rule in rules.iter() {
        let winners: Vec<&HashSet<&Cause>> = winners(rule.rule.code).filter_map(|winner| causes.get(winner)).collect();
        let is_silenced = |cause| winners.iter().any(|named| named.contains(cause));
        silent.push(rule.findings.iter().map(|finding| finding.causes.iter().any(is_silenced)).collect());
    }
    for (rule, silent) in rules.iter_mut().zip(silent) {
        let mut silent = silent.into_iter();
        rule.findings.retain(|_| !silent.next().unwrap_or_default());
    }
}

/// Drops the findings of the [`LAST`] rules beside others in their activity.
pub fn yield_to_all_others<'d>(rules: &mut [RuleFindings], document: impl Fn(FileId) -> Option<&'d Document>) {
    let element = |finding: &Finding| Some((finding.file, enclosing_element(document(finding.file)?, finding.node?)?));
    for (last, excepted) in LAST {
        if !rules.iter().any(|rule| rule.rule.code == last && !rule.findings.is_empty()) {
            continue;
        }
        // The user's own rules change nothing of what ours report.
        let is_ours = |rule: &RuleFindings| Group::of(rule.rule.code).is_some();
        let is_other =
            |rule: &&RuleFindings| is_ours(rule) && rule.rule.code != last && !excepted.contains(&rule.rule.code);
        let others = rules.iter().filter(is_other).flat_map(|rule| &rule.findings);
        let spoken: HashSet<(FileId, NodeId)> = others.filter_map(element).collect();
        for rule in rules.iter_mut().filter(|rule| rule.rule.code == last) {
            rule.findings.retain(|finding| element(finding).is_none_or(|own| !spoken.contains(&own)));
        }
    }
}

//! One round: which of the available fixes can be applied together.

use std::collections::BTreeSet;

use super::edits::{self, Replacement};
use crate::common::collections::{HashMap, HashSet};
use crate::config::may_be_own;
use crate::lint::identity::Identity;
use crate::lint::{Checked, Identities, Linter};
use crate::project::{Contents, File, Overrides, Service};
use crate::text::diagnostic::{Applicability, Diagnostic, FileId, Location, Severity};
use crate::text::source::Span;

/// Maximum number of lints of a service to try out fixes, over all rounds.
pub(super) const MAX_ATTEMPTS: usize = 64;

/// What became of fixes that were tried.
#[derive(Default)]
pub(super) struct Tried<'d> {
    /// Those that can be applied together.
    pub accepted: Vec<&'d Diagnostic>,
    /// Of the accepted ones, the codes of the findings that they reveal.
    pub revealing: Vec<(&'d Diagnostic, BTreeSet<&'static str>)>,
    /// Those that cannot be applied, and why.
    pub withheld: Vec<(&'d Diagnostic, String)>,
}

/// Tries fixes together.
struct Round<'r, 'd> {
    linter: &'r Linter<'r>,
    service: &'r Service,
    /// The contents before the round.
    overrides: &'r Overrides,
    checked: &'d Checked,
    /// The identities of all findings before the round.
    before: &'r Identities,
    attempts: &'r mut usize,
    accepted: Vec<&'r Candidate<'d>>,
    /// How many findings of each identity, by its hash, the accepted fixes reveal.
    revealed: HashMap<u64, usize>,
    tried: Tried<'d>,
}

/// A finding whose fix is tried, with its identity.
struct Candidate<'d> {
    finding: &'d Diagnostic,
    identity: Identity,
    /// Candidates of one unit have an edit in common, and are applied all or none.
    unit: usize,
}

/// The findings whose fixes, applied together, remove them and cause no new finding but those that were hidden.
///
/// Usually all of them do. So they are tried at once; a group that fails is split in two and its parts
/// are tried after each other, each together with everything accepted before it (delta debugging).
pub(super) fn accepted<'d>(
    linter: &Linter<'_>,
    service: &Service,
    overrides: &Overrides,
    checked: &'d Checked,
    attempts: &mut usize,
) -> Vec<&'d Diagnostic> {
    let fixed = checked.diagnostics.iter().map(Box::as_ref).filter(|finding| is_fixed(linter, finding));
    tried(linter, service, overrides, checked, edits::without_overlaps(fixed), attempts).accepted
}

/// As [`accepted`], of these findings, whose fixes do not overlap.
pub(super) fn tried<'d>(
    linter: &Linter<'_>,
    service: &Service,
    overrides: &Overrides,
    checked: &'d Checked,
    fixed: Vec<&'d Diagnostic>,
    attempts: &mut usize,
) -> Tried<'d> {
    if fixed.is_empty() || linter.is_canceled() {
        return Tried::default();
    }
    let known = checked.identities.as_deref();
    let linted = if known.is_none() { lint_before(linter, service, overrides, &checked.files, &fixed) } else { None };
    let Some(before) = known.or(linted.as_ref()) else { return Tried::default() };
    let candidate = |(finding, unit)| Some(Candidate { finding, identity: before.of_fixable(finding)?.clone(), unit });
    let units = units(&fixed);
    let candidates: Vec<Candidate<'_>> = fixed.into_iter().zip(units).filter_map(candidate).collect();
    let mut round = Round {
        linter,
        service,
        overrides,
        checked,
        before,
        attempts,
        accepted: Vec::new(),
        revealed: HashMap::default(),
        tried: Tried::default(),
    };
    round.accept_from(&candidates.iter().collect::<Vec<_>>());
    Tried { accepted: round.accepted.iter().map(|candidate| candidate.finding).collect(), ..round.tried }
}

/// A number for each finding, the same for those whose fixes have an edit in common.
fn units(findings: &[&Diagnostic]) -> Vec<usize> {
    let mut units: Vec<usize> = (0..findings.len()).collect();
    let root = |units: &[usize], mut unit: usize| {
        while let Some(&next) = units.get(unit).filter(|next| **next != unit) {
            unit = next;
        }
        unit
    };
    let mut first: HashMap<(FileId, Span), usize> = HashMap::default();
    for (index, finding) in findings.iter().enumerate() {
        for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
            let other = *first.entry((edit.file, edit.span)).or_insert(index);
            let (one, two) = (root(&units, index), root(&units, other));
            if let Some(unit) = units.get_mut(one.max(two)) {
                *unit = one.min(two);
            }
        }
    }
    (0..findings.len()).map(|index| root(&units, index)).collect()
}

/// The identities of all findings before the round, by another lint of the service.
fn lint_before(
    linter: &Linter<'_>,
    service: &Service,
    overrides: &Overrides,
    files: &[File],
    fixed: &[&Diagnostic],
) -> Option<Identities> {
    let mut hashes = Vec::new();
    let keep = |identity: Identity, _: &Diagnostic| hashes.push(identity.short_hash());
    let of_fixed = linter.identities(service, overrides, files, fixed, keep)?;
    Some(Identities::new(hashes, fixed, of_fixed))
}

/// Whether a finding has a fix that is to be applied.
fn is_fixed(linter: &Linter<'_>, finding: &Diagnostic) -> bool {
    let Some(fix) = &finding.fix else { return false };
    let is_allowed = fix.applicability == Applicability::Safe || linter.options().unsafe_fixes;
    is_allowed && is_possible(linter, finding)
}

/// Whether a finding has a fix, and only in files that are reported on.
pub(super) fn is_possible(linter: &Linter<'_>, finding: &Diagnostic) -> bool {
    let mut files = finding.edited_files().chain([finding.location.file]);
    finding.fix.as_ref().is_some_and(|fix| !fix.edits.is_empty())
        && files.all(|file| linter.project().is_reported(file))
}

/// A finding that fixes caused, or failed to remove.
struct New {
    identity: Identity,
    code: &'static str,
    severity: Severity,
    location: Location,
    /// Whether it is in a text that the fixes wrote.
    is_written: bool,
}

impl<'r, 'd> Round<'r, 'd> {
    /// Accepts the candidates of a group that work together with those accepted before.
    fn accept_from(&mut self, group: &[&'r Candidate<'d>]) {
        if group.is_empty() || *self.attempts == 0 || self.linter.is_canceled() {
            return;
        }
        *self.attempts -= 1;
        let together = [&self.accepted, group].concat();
        let new = self.new_findings(&together);
        if new.as_ref().is_some_and(Vec::is_empty) {
            self.accepted = together;
        } else if group.iter().zip(group.iter().skip(1)).any(|(one, next)| one.unit != next.unit) {
            let (first, second) = split(group, &new.unwrap_or_default());
            self.accept_from(&first);
            self.accept_from(&second);
        } else if let Some(reason) = why_withheld(group, new.as_deref()) {
            self.tried.withheld.extend(group.iter().map(|candidate| (candidate.finding, reason.clone())));
        } else {
            self.accepted = together;
            let new = new.unwrap_or_default();
            let codes: BTreeSet<&'static str> = new.iter().map(|found| found.code).collect();
            self.tried.revealing.extend(group.iter().map(|candidate| (candidate.finding, codes.clone())));
            for found in new {
                *self.revealed.entry(found.identity.short_hash()).or_default() += 1;
            }
        }
    }

    /// Findings that the fixes caused, or failed to remove, besides those that accepted ones reveal. `None` when a file
    /// with one of them is not a document afterwards.
    fn new_findings(&self, candidates: &[&Candidate<'_>]) -> Option<Vec<New>> {
        let findings: Vec<&Diagnostic> = candidates.iter().map(|candidate| candidate.finding).collect();
        let mut overrides = self.overrides.clone();
        let mut written = HashMap::default();
        for (file, edited) in edits::apply(&findings, &self.checked.sources) {
            overrides.insert(file, Contents::Text(edited.text));
            written.insert(file, edited.replacements);
        }
        let is_written = |location: &Location| {
            let (start, end) = (location.span.start as usize, location.span.end as usize);
            let replacements = written.get(&location.file).map_or(&[][..], Vec::as_slice);
            replacements.iter().any(|Replacement { after, .. }| start < after.end && after.start < end)
        };
        // Findings have no identity beyond their place in the structure, so they are compared by count:
        // of each identity there may be as many as before, less those that the fixes are for.
        let mut left = Left { before: self.before, counts: HashMap::default() };
        for candidate in candidates {
            left.take(candidate.identity.short_hash());
        }
        let (mut new, mut revealed) = (Vec::new(), self.revealed.clone());
        let compare = |identity: Identity, found: &Diagnostic| {
            let mut is_revealed =
                || revealed.get_mut(&identity.short_hash()).filter(|left| **left > 0).map(|left| *left -= 1).is_some();
            if !left.take(identity.short_hash()) && !is_revealed() {
                let (location, is_written) = (found.location.clone(), is_written(&found.location));
                new.push(New { identity, code: found.code, severity: found.severity, location, is_written });
            }
        };
        self.linter.identities(self.service, &overrides, &self.checked.files, &findings, compare)?;
        Some(new)
    }
}

/// Why candidates of one unit are not applied; `None` if they only reveal findings that their cause had hidden: of other
/// rules, outside the texts that they write, and no more errors than they remove. A fix of a user's rule reveals none: no
/// other rule yields to it.
fn why_withheld(unit: &[&Candidate<'_>], new: Option<&[New]>) -> Option<String> {
    let Some(new) = new else { return Some("would leave no document".to_owned()) };
    let is_own = |found: &&New| unit.iter().any(|own| own.identity.short_hash() == found.identity.short_hash());
    if new.iter().any(|found| is_own(&found)) {
        return Some("would not remove the finding".to_owned());
    }
    let is_error = |severity: Severity| usize::from(severity == Severity::Error);
    let removed: usize = unit.iter().map(|own| is_error(own.finding.severity)).sum();
    let added: usize = new.iter().map(|found| is_error(found.severity)).sum();
    let hides = |own: &Candidate<'_>, found: &New| own.finding.code != found.code && !may_be_own(own.finding.code);
    let is_hidden = |found: &&New| !found.is_written && unit.iter().all(|own| hides(own, found));
    let caused = new.iter().find(|found| !is_hidden(found));
    let caused = caused.or_else(|| new.iter().find(|found| added > removed && found.severity == Severity::Error))?;
    Some(format!("would add {} at {}", caused.code, pointer_or_root(&caused.location.pointer)))
}

fn pointer_or_root(pointer: &str) -> &str {
    if pointer.is_empty() { "the root" } else { pointer }
}

/// How many findings of each identity may be left after fixes.
struct Left<'r> {
    before: &'r Identities,
    /// Of the identities that were asked for, by their hash.
    counts: HashMap<u64, usize>,
}

impl Left<'_> {
    /// Takes one; returns whether there was one.
    fn take(&mut self, hash: u64) -> bool {
        let left = self.counts.entry(hash).or_insert_with(|| self.before.count(hash));
        let is_left = *left > 0;
        *left -= usize::from(is_left);
        is_left
    }
}

/// Splits a group in two: first the candidates away from the new findings, whose fixes are most
/// likely fine, then those near them. When that leaves one part empty, the group is halved.
fn split<'r, 'd>(group: &[&'r Candidate<'d>], new: &[New]) -> (Vec<&'r Candidate<'d>>, Vec<&'r Candidate<'d>>) {
    let places: HashSet<NamePath<'_>> = new.iter().map(|found| name_path(&found.identity)).collect();
    let enclosing: HashSet<NamePath<'_>> = new.iter().flat_map(|found| prefixes(&found.identity)).collect();
    // Near: around the place of a new finding, or inside it.
    let is_near = |candidate: &&Candidate<'_>| {
        let identity = &candidate.identity;
        enclosing.contains(&name_path(identity)) || prefixes(identity).any(|prefix| places.contains(&prefix))
    };
    let near: HashSet<usize> = group.iter().filter(|it| is_near(it)).map(|candidate| candidate.unit).collect();
    let (near, apart): (Vec<_>, Vec<_>) = group.iter().copied().partition(|candidate| near.contains(&candidate.unit));
    if near.is_empty() || apart.is_empty() {
        let units: BTreeSet<usize> = group.iter().map(|candidate| candidate.unit).collect();
        let first: BTreeSet<usize> = units.iter().copied().take(units.len() / 2).collect();
        return group.iter().copied().partition(|candidate| first.contains(&candidate.unit));
    }
    (apart, near)
}

/// A file, and the names around a place in it.
type NamePath<'i> = (&'i str, &'i [String]);

fn name_path(identity: &Identity) -> NamePath<'_> {
    (&identity.place.file, &identity.place.around)
}

/// The path of names around a place, and each of its beginnings.
fn prefixes(identity: &Identity) -> impl Iterator<Item = NamePath<'_>> {
    let around = &identity.place.around;
    (0..=around.len()).filter_map(|length| Some((&*identity.place.file, around.get(..length)?)))
}

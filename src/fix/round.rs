//! One round: which of the fixes on offer can be applied together.

use super::{edits, is_wanted};
use crate::collections::HashSet;
use crate::diagnostic::Diagnostic;
use crate::identity::{Counts, Identity};
use crate::lint::{Checked, Linter};
use crate::project::{Service, Texts};

struct Round<'r, 'd> {
    linter: &'r Linter<'r>,
    service: &'r Service,
    /// The texts as they are before the round.
    texts: &'r Texts,
    checked: &'d Checked,
    /// What all rules find before the round.
    before: Counts,
    attempts: &'r mut usize,
    accepted: Vec<&'r Candidate<'d>>,
}

/// A finding whose fix is tried, with its identity.
struct Candidate<'d> {
    finding: &'d Diagnostic,
    identity: Identity,
}

/// The findings whose fixes, applied together, cure them and make no new finding. Most of the time
/// all do, and are tried at once; if not, in smaller and smaller groups.
pub(super) fn accepted<'d>(
    linter: &Linter<'_>,
    service: &Service,
    texts: &Texts,
    checked: &'d Checked,
    attempts: &mut usize,
) -> Vec<&'d Diagnostic> {
    let wanted = checked.diagnostics.iter().filter(|finding| is_wanted(linter, finding));
    let wanted = edits::without_overlaps(wanted);
    if wanted.is_empty() {
        return Vec::new();
    }
    let Some((before, identities)) = linter.identities(service, texts, &wanted) else { return Vec::new() };
    let candidates: Vec<Candidate<'_>> =
        wanted.into_iter().zip(identities).map(|(finding, identity)| Candidate { finding, identity }).collect();
    let mut round = Round { linter, service, texts, checked, before, attempts, accepted: Vec::new() };
    round.settle(&candidates.iter().collect::<Vec<_>>());
    round.accepted.iter().map(|candidate| candidate.finding).collect()
}

impl<'r, 'd> Round<'r, 'd> {
    /// Accepts what of a group goes with what is accepted already.
    fn settle(&mut self, group: &[&'r Candidate<'d>]) {
        if group.is_empty() || *self.attempts == 0 {
            return;
        }
        *self.attempts -= 1;
        let together = [&self.accepted, group].concat();
        let new = self.new_findings(&together);
        if new.as_ref().is_some_and(Vec::is_empty) {
            self.accepted = together;
        } else if group.len() > 1 {
            let (first, second) = split(group, &new.unwrap_or_default());
            self.settle(&first);
            self.settle(&second);
        }
    }

    /// What is found with these fixes that was not before, or that they should have cured; nothing
    /// at all when a document is none any more.
    fn new_findings(&self, candidates: &[&Candidate<'_>]) -> Option<Vec<Identity>> {
        let findings: Vec<&Diagnostic> = candidates.iter().map(|candidate| candidate.finding).collect();
        let mut texts = self.texts.clone();
        texts.extend(edits::apply(&findings, &self.checked.sources).map(|(file, text)| (file, text.into())));
        let (after, _) = self.linter.identities(self.service, &texts, &findings)?;
        let mut cured = Counts::new();
        for candidate in candidates {
            *cured.entry(candidate.identity.clone()).or_default() += 1;
        }
        let is_new = |(identity, count): &(Identity, usize)| {
            let before = self.before.get(identity).copied().unwrap_or(0);
            *count > before.saturating_sub(cured.get(identity).copied().unwrap_or(0))
        };
        Some(after.into_iter().filter(is_new).map(|(identity, _)| identity).collect())
    }
}

/// Parts a group in two: those that are apart from the new findings, which are most likely sound,
/// from the others; or, when all are the same in this, by halves.
fn split<'r, 'd>(group: &[&'r Candidate<'d>], new: &[Identity]) -> (Vec<&'r Candidate<'d>>, Vec<&'r Candidate<'d>>) {
    let whole: HashSet<Names<'_>> = new.iter().map(names).collect();
    let outer: HashSet<Names<'_>> = new.iter().flat_map(prefixes).collect();
    let is_near = |candidate: &&Candidate<'_>| {
        let identity = &candidate.identity;
        outer.contains(&names(identity)) || prefixes(identity).any(|prefix| whole.contains(&prefix))
    };
    let (near, apart): (Vec<_>, Vec<_>) = group.iter().copied().partition(is_near);
    if near.is_empty() || apart.is_empty() {
        let (first, second) = group.split_at(group.len() / 2);
        return (first.to_vec(), second.to_vec());
    }
    (apart, near)
}

/// A file, and the names around a place in it.
type Names<'i> = (&'i str, &'i [String]);

fn names(identity: &Identity) -> Names<'_> {
    (&identity.file, &identity.around)
}

/// The names around a place, and those around each of these.
fn prefixes(identity: &Identity) -> impl Iterator<Item = Names<'_>> {
    let around = &identity.around;
    (0..=around.len()).filter_map(|length| Some((identity.file.as_str(), around.get(..length)?)))
}

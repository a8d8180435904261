//! Which fixes are offered: those that can be applied.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::{edits, round};
use crate::common::collections::{HashMap, HashSet};
use crate::lint::{Checked, Linter, Outcome};
use crate::project::{Contents, Overrides, Service};
use crate::text::diagnostic::{Applicability, Diagnostic, Fix, MAX_ALTERNATIVES};

/// Maximum number of bytes that are linted to try out the fixes of a service.
const MAX_TRIED_BYTES: usize = 32 << 20;
/// Minimum number of attempts, however large the service is.
const MIN_ATTEMPTS: usize = 4;

/// Lints, and keeps only the fixes that `--fix` would apply. To be called on a [`crate::lint::pool`].
pub fn lint(linter: &Linter<'_>) -> Outcome {
    let keep_applicable = |service: &Service, checked: &mut Checked| {
        keep_applicable(linter, service, &Overrides::new(), checked);
    };
    linter.finish(linter.check_all(keep_applicable))
}

/// Lints a service as [`lint`] does.
pub fn check(linter: &Linter<'_>, service: &Service, overrides: &Overrides) -> Checked {
    let mut checked = linter.check(service, overrides);
    keep_applicable(linter, service, overrides, &mut checked);
    checked
}

/// Why a repair is not offered that was not tried.
const NOT_TRIED: &str = "was not tried, as there are too many fixes";
const NOT_REPORTED: &str = "would change a file that is not linted";

/// Drops the repairs that cannot be applied, or that could not be tried within the limit of attempts. A service without
/// repairs costs nothing; one whose fixes all apply is linted once more, or twice if the findings before are not known,
/// and once more for each further alternative.
pub(super) fn keep_applicable(linter: &Linter<'_>, service: &Service, overrides: &Overrides, checked: &mut Checked) {
    let (candidates, mut verdicts) = candidates(linter, &checked.diagnostics);
    // Their texts are in memory already. The files that fixes change are documents.
    let documents = checked.files.iter().filter(|file| file.document().is_some()).map(|file| (file.id, &file.source));
    let changed = candidates.iter().flat_map(|candidate| candidate.finding.edited_files());
    let changed = changed.filter_map(|file| Some((file, checked.sources.get(&file)?)));
    let mut overrides = overrides.clone();
    for (file, source) in documents.chain(changed) {
        overrides.entry(file).or_insert_with(|| Contents::Text(Arc::clone(&source.text)));
    }
    let size: usize = checked.sources.values().map(|source| source.text.len()).sum();
    let mut attempts = attempts(size);
    let kinds = [Applicability::Safe, Applicability::Unsafe];
    for (repair, kind) in (0..=MAX_ALTERNATIVES).flat_map(|repair| kinds.map(|kind| (repair, kind))) {
        // Safe fixes are applied without the others, so they are tried so. Overlapping ones are tried one after the other,
        // each on the original text.
        let is_next = |it: &&Candidate<'_>| it.repair == repair && it.applicability() == Some(kind);
        let mut untried: Vec<&Candidate<'_>> = candidates.iter().filter(is_next).collect();
        while !untried.is_empty() && attempts > 0 && !linter.is_canceled() {
            let batch = edits::without_overlaps(untried.iter().map(|candidate| &*candidate.finding));
            if batch.is_empty() {
                break;
            }
            let tried = round::tried(linter, service, &overrides, checked, batch.clone(), &mut attempts);
            let key = |finding: &Diagnostic| std::ptr::from_ref(finding);
            let mut of: HashMap<_, Verdict> = tried.accepted.iter().map(|it| (key(it), Ok(BTreeSet::new()))).collect();
            of.extend(tried.revealing.into_iter().map(|(finding, codes)| (key(finding), Ok(codes))));
            of.extend(tried.withheld.into_iter().map(|(finding, reason)| (key(finding), Err(reason))));
            let batch: HashSet<_> = batch.into_iter().map(key).collect();
            for candidate in untried.extract_if(.., |candidate| batch.contains(&key(&candidate.finding))) {
                let verdict = of.remove(&key(&candidate.finding)).unwrap_or_else(|| Err(NOT_TRIED.to_owned()));
                verdicts.insert((candidate.index, repair), verdict);
            }
        }
    }
    (checked.identities, checked.files) = (None, Vec::new());
    for (index, finding) in checked.diagnostics.iter_mut().enumerate() {
        let mut verdict = |repair| verdicts.remove(&(index, repair)).unwrap_or_else(|| Err(NOT_TRIED.to_owned()));
        keep(finding, &mut verdict);
    }
    checked.summary.count_fixes(&checked.diagnostics);
}

/// The codes of the findings that a repair reveals, or why it is not offered.
type Verdict = Result<BTreeSet<&'static str>, String>;

/// A repair to be tried.
struct Candidate<'d> {
    /// The index of its finding.
    index: usize,
    /// 0 for the fix, and one more for each alternative.
    repair: usize,
    /// The finding, with this repair as its fix.
    finding: Cow<'d, Diagnostic>,
}

impl Candidate<'_> {
    fn applicability(&self) -> Option<Applicability> {
        self.finding.fix.as_ref().map(|fix| fix.applicability)
    }
}

/// The repairs to be tried, and the verdicts on those that cannot be.
fn candidates<'d>(
    linter: &Linter<'_>,
    findings: &'d [Box<Diagnostic>],
) -> (Vec<Candidate<'d>>, HashMap<(usize, usize), Verdict>) {
    let (mut candidates, mut verdicts) = (Vec::new(), HashMap::default());
    for (index, finding) in findings.iter().enumerate() {
        let fix = finding.fix.iter().map(|_| (0, Cow::Borrowed(&**finding)));
        let alternatives = (1..).zip(&finding.alternatives).map(|(repair, fix)| {
            (repair, Cow::Owned(Diagnostic { fix: Some(Box::new(fix.clone())), ..Diagnostic::clone(finding) }))
        });
        for (repair, finding) in fix.chain(alternatives) {
            if round::is_possible(linter, &finding) {
                candidates.push(Candidate { index, repair, finding });
            } else {
                verdicts.insert((index, repair), Err(NOT_REPORTED.to_owned()));
            }
        }
    }
    (candidates, verdicts)
}

/// Keeps the repairs of a finding that can be applied, and says what they reveal.
fn keep(finding: &mut Diagnostic, verdict: &mut dyn FnMut(usize) -> Verdict) {
    let judged = |mut fix: Fix, verdict: Verdict| {
        let codes: Vec<&str> = verdict?.into_iter().collect();
        if !codes.is_empty() {
            fix.title = format!("{}; reveals {}", fix.title, codes.join(", "));
        }
        Ok::<Fix, String>(fix)
    };
    if let Some(fix) = finding.fix.take() {
        let title = fix.title.clone();
        match judged(*fix, verdict(0)) {
            Ok(fix) => finding.fix = Some(Box::new(fix)),
            Err(reason) => {
                finding.fix_withheld = Some(reason.into());
                // The title of the fix becomes the help, if the rule has none.
                finding.help.get_or_insert(title.into());
            }
        }
    }
    let alternatives = (1..).zip(std::mem::take(&mut finding.alternatives));
    finding.alternatives = alternatives.filter_map(|(repair, fix)| judged(fix, verdict(repair)).ok()).collect();
}

/// How often a service of this size may be linted.
fn attempts(size: usize) -> usize {
    (MAX_TRIED_BYTES / size.max(1)).clamp(MIN_ATTEMPTS, round::MAX_ATTEMPTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_that_are_linted_again_have_a_limit() {
        assert_eq!(attempts(MAX_TRIED_BYTES / 8), 8);
        assert_eq!(attempts(MAX_TRIED_BYTES / 8 + 1), 7);
        assert_eq!((attempts(0), attempts(usize::MAX)), (round::MAX_ATTEMPTS, MIN_ATTEMPTS));
    }
}

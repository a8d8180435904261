//! Which fixes are offered: those that can be applied.

use std::sync::Arc;

use super::{edits, round};
use crate::common::collections::HashSet;
use crate::lint::{Checked, Linter, Outcome};
use crate::project::{Contents, Overrides, Service};
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::source::Span;

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

/// Drops the fixes that cannot be applied, or that could not be tried within the limit of attempts. A service without
/// fixes costs nothing; one whose fixes all apply is linted
/// once more, or twice if the findings before are not known.
pub(super) fn keep_applicable(linter: &Linter<'_>, service: &Service, overrides: &Overrides, checked: &mut Checked) {
    let mut untried: Vec<&Diagnostic> =
        checked.diagnostics.iter().map(Box::as_ref).filter(|finding| round::is_possible(linter, finding)).collect();
    // Their texts are in memory already. The files that fixes change are documents.
    let documents = checked.files.iter().filter(|file| file.document().is_some()).map(|file| (file.id, &file.source));
    let changed = untried.iter().flat_map(|finding| finding.edited_files());
    let changed = changed.filter_map(|file| Some((file, checked.sources.get(&file)?)));
    let mut overrides = overrides.clone();
    for (file, source) in documents.chain(changed) {
        overrides.entry(file).or_insert_with(|| Contents::Text(Arc::clone(&source.text)));
    }
    let size: usize = checked.sources.values().map(|source| source.text.len()).sum();
    let mut attempts = attempts(size);
    let mut applicable = HashSet::default();
    // Overlapping fixes are tried one after the other, each on the original text.
    while !untried.is_empty() && attempts > 0 && !linter.is_canceled() {
        let batch = edits::without_overlaps(untried.iter().copied());
        if batch.is_empty() {
            break;
        }
        let tried: HashSet<Key> = batch.iter().map(|finding| key(finding)).collect();
        untried.retain(|finding| !tried.contains(&key(finding)));
        let accepted = round::accepted_of(linter, service, &overrides, checked, batch, &mut attempts);
        applicable.extend(accepted.into_iter().map(key));
    }
    (checked.identities, checked.files) = (None, Vec::new());
    for finding in &mut checked.diagnostics {
        if !applicable.contains(&key(finding))
            && let Some(fix) = finding.fix.take()
        {
            // The title of the fix becomes the help, if the rule has none.
            finding.help.get_or_insert(fix.title.into());
        }
    }
    checked.summary.count_fixes(&checked.diagnostics);
}

/// How often a service of this size may be linted.
fn attempts(size: usize) -> usize {
    (MAX_TRIED_BYTES / size.max(1)).clamp(MIN_ATTEMPTS, round::MAX_ATTEMPTS)
}

/// Identifies a finding of one run.
type Key = (FileId, Span, &'static str, String);

fn key(finding: &Diagnostic) -> Key {
    (finding.location.file, finding.location.span, finding.code, finding.message.clone())
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

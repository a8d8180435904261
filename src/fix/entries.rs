//! Fixes of configurations and baselines: entries that match nothing are removed, after the fixes of all documents, because
//! all of them together say which ones these are.

use std::sync::Arc;

use super::change::Change;
use super::edits::{Replacement, edited};
use crate::lint::{Linter, Outcome};
use crate::text::diagnostic::{Applicability, Diagnostic, Edit, FileId};
use crate::text::source::{SourceFile, Span};

/// Applies the allowed fixes in these files, and passes each changed file to `keep`. Returns the changes, and why other
/// files could not be changed.
pub(super) fn remove(
    linter: &Linter<'_>,
    outcome: &mut Outcome,
    keep: impl Fn(&[&Change]) -> Result<(), String>,
) -> (Vec<Change>, Vec<String>) {
    let (mut changes, mut refused) = (Vec::new(), Vec::new());
    for (file, edits) in std::mem::take(&mut outcome.removals) {
        let is_allowed = |applicability| applicability == Applicability::Safe || linter.options().unsafe_fixes;
        let is_fixed = |finding: &Diagnostic| {
            finding.location.file == file && finding.fix.as_ref().is_some_and(|fix| is_allowed(fix.applicability))
        };
        let fixes = outcome.diagnostics.iter().filter(|finding| is_fixed(finding)).count();
        let Some(change) = change(outcome, file, &edits, fixes).filter(|_| fixes > 0) else { continue };
        match keep(&[&change]) {
            Err(reason) => refused.push(reason),
            Ok(()) => {
                outcome.drop_fixed(is_fixed);
                follow(outcome, &change);
                changes.push(change);
            }
        }
    }
    (changes, refused)
}

fn change(outcome: &Outcome, file: FileId, edits: &[Edit], fixes: usize) -> Option<Change> {
    let source = outcome.sources.get(&file)?;
    let edited = edited(&source.text, &edits.iter().collect::<Vec<_>>())?;
    let (path, name, before) = (source.path.clone(), source.name.clone(), Arc::clone(&source.text));
    Some(Change { file, path, name, before, after: edited.text, replacements: edited.replacements, fixes })
}

/// The other findings in the file are where their text is now.
fn follow(outcome: &mut Outcome, change: &Change) {
    let source = SourceFile::new(change.path.clone(), change.name.clone(), Arc::clone(&change.after));
    outcome.sources.insert(change.file, source);
    let findings = outcome.diagnostics.iter_mut().filter(|finding| finding.location.file == change.file);
    for span in findings.map(|finding| &mut finding.location.span) {
        *span = moved(*span, &change.replacements);
    }
}

fn moved(span: Span, replacements: &[Replacement]) -> Span {
    let range = span.range();
    let before = replacements.iter().take_while(|it| it.before.end <= range.start).last();
    let [start, end] = [range.start, range.end].map(|at| before.map_or(at, |it| at - it.before.end + it.after.end));
    Span::of_range(&(start..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_after_replacements_move() {
        let replacements = [Replacement { before: 2..6, after: 2..2 }, Replacement { before: 10..11, after: 6..9 }];
        let move_one = |start, end| moved(Span::new(start, end), &replacements);
        assert_eq!(
            [move_one(0, 2), move_one(6, 9), move_one(11, 12)],
            [Span::new(0, 2), Span::new(2, 5), Span::new(9, 10)]
        );
    }
}

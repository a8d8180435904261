//! One changed workflow: whether its scenarios or lint notice it.

use std::sync::Arc;

use super::errors::Errors;
use super::target::Target;
use crate::simulate::{Replacement, Sandboxes};
use crate::suggest::Suggester;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A scenario fails, or is refused.
    Noticed,
    /// No scenario notices it, but lint has one error more.
    NoticedByLint,
    Survived,
}

/// Runs the scenarios up to the first that fails, and lints only if all pass.
pub fn judge(target: &Target<'_>, text: &Arc<str>, errors: &Errors<'_>, sandboxes: &Sandboxes) -> Verdict {
    // The text of a document with a change is a document.
    let Some(document) = target.parse(text) else { return Verdict::NoticedByLint };
    let suggester = Suggester::default();
    let workflow = target.lower(&document, &suggester);
    let replacement = Replacement { document: &document, workflow: &workflow, suggester: &suggester };
    let passes = |scenario: &&_| sandboxes.lend(|sandbox| target.session.passes(scenario, &replacement, sandbox));
    if !target.scenarios.iter().all(passes) {
        Verdict::Noticed
    } else if errors.are_added_by(text) {
        Verdict::NoticedByLint
    } else {
        Verdict::Survived
    }
}

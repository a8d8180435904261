//! Scripts that let the signing cases that they build expire.

use super::case_text::CaseSource;
use super::service::AnalyzedService;
use crate::collections::HashSet;
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::graph::Analysis;
use crate::model::{Activity, Workflow, case_key};

impl AnalyzedService<'_> {
    /// Whether the case that a request takes from a script may expire.
    pub fn built_case_expires(&self, analysis: &Analysis<'_>, request: &Activity<'_>) -> bool {
        let expiring = self.expiring_scripts();
        !expiring.is_empty()
            && scripts_before(analysis.workflow, request).any(|script| expiring.contains(&(analysis.file, script)))
    }

    /// The strings that hold a script whose case has days until its expiry, in some run.
    fn expiring_scripts(&self) -> HashSet<(FileId, NodeId)> {
        let texts = self.case_texts().iter();
        let expiring = texts.filter_map(|text| match text.source {
            CaseSource::Script { node, .. } if text.object().is_some_and(expires) => Some((text.file, node)),
            _ => None,
        });
        expiring.collect()
    }
}

/// Whether a case has a positive number of days until its expiry (docs/platform.md, Signing case).
pub fn expires(case: &Document) -> bool {
    let days = case.member(case.root(), case_key::EXPIRE_AFTER_DAYS).and_then(|days| case.integer(days));
    days.is_some_and(|days| days > 0)
}

/// The scripts that may be the last one before an activity: back to one that always runs before it.
fn scripts_before<'w>(workflow: &'w Workflow<'_>, activity: &'w Activity<'_>) -> impl Iterator<Item = NodeId> + 'w {
    let around: HashSet<_> = workflow.ancestors(activity).map(|outer| outer.id).collect();
    let mut is_complete = false;
    let before = workflow.activities.iter().rev().filter(move |other| other.id < activity.id);
    before
        .filter_map(move |other| Some((other, other.code()?.script.known()?.0)))
        .take_while(move |(other, _)| {
            let is_wanted = !is_complete;
            is_complete |= other.parent.is_none_or(|parent| around.contains(&parent));
            is_wanted
        })
        .map(|(_, node)| node)
}

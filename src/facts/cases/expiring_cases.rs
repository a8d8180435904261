//! Scripts that let the signing cases that they build expire.

use crate::common::collections::{HashMap, HashSet};
use crate::document::{Document, NodeId};
use crate::facts::cases::case_text::CaseSource;
use crate::facts::service::AnalyzedService;
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, case_key};
use crate::text::diagnostic::FileId;

/// The scripts whose case expires in some run, and those that may run after them.
#[derive(Debug, Default)]
pub struct ExpiringScripts {
    /// Their activities by workflow, in the order of the document.
    expiring: HashMap<FileId, Vec<ActivityId>>,
    /// All Code activities, by workflow and parent.
    by_parent: HashMap<(FileId, Option<ActivityId>), Vec<ActivityId>>,
}

impl ExpiringScripts {
    pub fn of(service: &AnalyzedService<'_>) -> Self {
        let texts = service.case_texts().iter();
        let nodes: HashSet<(FileId, NodeId)> = texts
            .filter_map(|text| match text.source {
                CaseSource::Script { node, .. } if text.object().is_some_and(expires) => Some((text.file, node)),
                _ => None,
            })
            .collect();
        let mut scripts = Self::default();
        if nodes.is_empty() {
            return scripts;
        }
        for (analysis, activity) in service.activities() {
            let Some((node, _)) = activity.code().and_then(|code| code.script.known()) else { continue };
            if nodes.contains(&(analysis.file, node)) {
                scripts.expiring.entry(analysis.file).or_default().push(activity.id);
            }
            scripts.by_parent.entry((analysis.file, activity.parent)).or_default().push(activity.id);
        }
        scripts
    }

    /// Whether one of them may be the last script before an activity: no script that always runs before the activity is
    /// in between.
    pub fn is_expiring(&self, analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
        let expiring = self.expiring.get(&analysis.file).map_or(&[][..], Vec::as_slice);
        let before = expiring.partition_point(|&script| script < activity.id);
        let Some(&last) = before.checked_sub(1).and_then(|index| expiring.get(index)) else { return false };
        let parents = analysis.workflow.ancestors(activity).map(|outer| Some(outer.id)).chain([None]);
        let siblings = parents.filter_map(|parent| self.by_parent.get(&(analysis.file, parent)));
        let mut next = siblings.filter_map(|scripts| scripts.get(scripts.partition_point(|&script| script <= last)));
        !next.any(|&script| script < activity.id)
    }
}

/// Whether a case has a positive number of days until its expiry (docs/platform-methods.md, Signing case).
pub fn expires(case: &Document) -> bool {
    let days = case.member(case.root(), case_key::EXPIRE_AFTER_DAYS).and_then(|days| case.integer(days));
    days.is_some_and(|days| days > 0)
}

//! The findings at each activity.

use super::block::Mark;
use super::texts::Texts;
use crate::collections::HashMap;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::model::{ActivityId, Workflow};
use crate::source::Span;

/// The marks of findings, by activity.
#[derive(Debug, Default)]
pub struct Marks {
    by_activity: HashMap<ActivityId, Vec<Mark>>,
    /// Marks outside of all activities.
    elsewhere: Vec<Mark>,
}

impl Marks {
    /// The findings of the workflow's file; their messages are redacted already.
    pub fn new<'d>(
        workflow: &Workflow<'_>,
        findings: impl IntoIterator<Item = &'d Diagnostic>,
        texts: &Texts<'_>,
    ) -> Self {
        let mut marks = Self::default();
        for finding in findings {
            let message = texts.plain(&finding.message);
            let mark = Mark { code: finding.code, severity: finding.severity, message };
            match activity_around(workflow, texts.document, finding.location.span) {
                Some(id) => marks.by_activity.entry(id).or_default().push(mark),
                None => marks.elsewhere.push(mark),
            }
        }
        marks
    }

    pub(super) fn of(&self, id: ActivityId) -> Vec<Mark> {
        self.by_activity.get(&id).cloned().unwrap_or_default()
    }

    pub(super) fn elsewhere(&self) -> &[Mark] {
        &self.elsewhere
    }
}

/// The innermost activity that contains a place.
fn activity_around(workflow: &Workflow<'_>, document: &Document, place: Span) -> Option<ActivityId> {
    let activities = &workflow.activities;
    // Activities are in the order of the text: the last one that begins before the place is the innermost one around
    // it, or a descendant or earlier sibling of that one.
    let after = activities.partition_point(|activity| document.span(activity.node).start <= place.start);
    let nearest = activities.get(after.checked_sub(1)?)?;
    let contains =
        |id: &ActivityId| workflow.activity(*id).is_some_and(|activity| document.span(activity.node).end >= place.end);
    let outwards = workflow.ancestors(nearest).map(|activity| activity.id);
    std::iter::once(nearest.id).chain(outwards).find(contains)
}

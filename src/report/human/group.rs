//! Findings of a file that say the same, shown once with all of their places.

use crate::common::collections::IndexMap;
use crate::text::diagnostic::{Applicability, Diagnostic, FileId, Label, Severity};

/// A finding, and those that differ from it only in their place.
#[derive(Debug)]
pub(super) struct Group<'r> {
    pub first: &'r Diagnostic,
    pub others: Vec<&'r Diagnostic>,
}

/// All that is shown of a finding besides its place.
type Words<'r> =
    (FileId, &'r str, Severity, &'r str, Option<&'r str>, Option<(Applicability, &'r str)>, &'r [Label], &'r [Label]);

fn words(finding: &Diagnostic) -> Words<'_> {
    let fix = finding.fix.as_ref().map(|fix| (fix.applicability, fix.title.as_str()));
    let Diagnostic { code, severity, message, help, related, flow, .. } = finding;
    (finding.location.file, code, *severity, message, help.as_deref(), fix, related, flow)
}

/// Each group at the place of its first finding.
pub(super) fn groups(findings: &[Box<Diagnostic>]) -> Vec<Group<'_>> {
    let mut groups: IndexMap<Words<'_>, Group<'_>> = IndexMap::default();
    for finding in findings {
        groups
            .entry(words(finding))
            .and_modify(|group| group.others.push(finding))
            .or_insert(Group { first: finding, others: Vec::new() });
    }
    groups.into_values().collect()
}

impl Group<'_> {
    /// The activity of all of its findings, if it is one.
    pub fn activity(&self) -> Option<&str> {
        let activity = self.first.activity.as_deref();
        activity.filter(|_| self.others.iter().all(|other| other.activity == self.first.activity))
    }
}

//! Definite assignment of `Json`: which assignments may be the last one, and whether there is one on
//! every path.
//!
//! Two steps: find the assignments and the statements that they are in; then follow the paths through
//! the statements. What cannot be followed makes the answer [`Assigned::Unknown`].

use oxc_ast::ast::Program;

use super::assignment::{Assigned, Assignment, Json};
use super::assignments::{JsonAssignments, find};
use super::reaching::{Definitions, ReachingDefinitions, UNSET, bit};
use super::script::Script;
use super::tree::{JSON, Tree};

pub(super) fn analyze(tree: &Tree<'_, '_>, program: &Program<'_>, script: &Script) -> Json {
    let JsonAssignments { mut assignments, sites, has_more, is_interpolation_cut_off, is_complete, is_top_level } =
        find(tree);
    let json = Json { has_more_assignments: has_more, is_interpolation_cut_off, ..Json::default() };
    let is_complete = is_complete && !script.may_set(JSON) && !script.global_members.iter().any(|name| name == JSON);
    if !is_complete || !is_top_level {
        // Without an order of the assignments any of them may be the last one; only if it is the only
        // one, nothing can replace it.
        let is_only = assignments.len() == 1;
        let is_each_interpolated = assignments.iter().all(|assignment| assignment.is_interpolated_or_literal);
        for assignment in &mut assignments {
            assignment.reaches_end = is_only && is_complete;
            if !is_only && !is_each_interpolated {
                assignment.interpolated.clear();
            }
        }
        return Json { assignments, assigned: Assigned::Unknown, ..json };
    }
    if assignments.is_empty() {
        return json;
    }
    let mut paths = ReachingDefinitions::new(&sites);
    let end = paths.block(&program.body, UNSET) | paths.returned;
    if paths.is_incomplete {
        for assignment in &mut assignments {
            assignment.reaches_end = false;
        }
        return Json { assignments, assigned: Assigned::Unknown, ..json };
    }
    let unset_appends = paths.unset_appends.get();
    let unset_append = (0..assignments.len()).find(|index| unset_appends & bit(*index) != 0);
    let json = Json { unset_append, ..json };
    let is_correlated = paths.partial_assignments > 1;
    mark_reaching(&mut assignments, end, is_correlated);
    let assigned = match (end & UNSET != 0, end & !UNSET != 0) {
        // Each statement assigns it on some paths. Together they may do so on every path:
        // `if (a) Json = 1; if (!a) Json = 2`.
        (true, _) if is_correlated => Assigned::Unknown,
        (true, true) => Assigned::OnSomePaths,
        (true, false) => Assigned::Never,
        (false, true) => Assigned::OnEveryPath,
        // No path reaches the end.
        (false, false) => Assigned::Unknown,
    };
    Json { assignments, assigned, ..json }
}

/// Marks the assignments that may be the last one, given the state at the end.
fn mark_reaching(assignments: &mut [Assignment], end: Definitions, is_correlated: bool) {
    let may_be_string = assignments
        .iter()
        .enumerate()
        .any(|(index, assignment)| end & bit(index) != 0 && assignment.kind.not_string().is_none());
    for (index, assignment) in assignments.iter_mut().enumerate() {
        let is_last = end & bit(index) != 0;
        if !is_last {
            assignment.interpolated.clear();
        }
        // With correlated conditions the path on which this one is the last may not exist. That matters
        // only for a value that is not a string, which would be reported (WF805).
        let is_definite = !is_correlated || !may_be_string || assignment.kind.not_string().is_none();
        assignment.reaches_end = is_last && is_definite;
    }
}

//! Entries of `[per-file-ignores]` whose files are in several parts of a run.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::ignores::{IgnoreEntry, ignores_of};
use super::outcome::{Checked, Used};
use super::reach::Reach;
use super::setup::Setup;
use crate::diagnostic::FileId;
use crate::project::Service;

/// Lints services of other parts for the entries that this part judges, until each of their selectors has ignored a
/// finding; their findings are reported by those parts.
pub(super) fn use_ignores(
    setup: &Setup<'_>,
    check: impl Fn(&Service) -> Checked + Sync,
    used: &mut Used,
    unread: &mut BTreeSet<FileId>,
) {
    if setup.project.others.is_empty() {
        return;
    }
    let reach = Reach::new(setup, unread);
    for file in &setup.project.config_files {
        let entries = ignores_of(setup, file);
        let matches = reach.ignored_files(file, &entries);
        let is_open = |used: &Used, entry: &IgnoreEntry<'_>| {
            entry.selectors.iter().any(|selector| selector.is_enabled(setup) && !selector.is_used(used))
        };
        let mut left: Vec<&Service> = setup.project.others.iter().collect();
        let mut at_once = 1;
        loop {
            let judged = entries.iter().enumerate().filter(|(index, _)| matches.judges(*index));
            let open: Vec<usize> = judged.filter(|(_, entry)| is_open(used, entry)).map(|(index, _)| index).collect();
            left.retain(|service| matches.any_in(service, &open));
            let now: Vec<&Service> = left.drain(..left.len().min(at_once)).collect();
            if now.is_empty() {
                break;
            }
            let checked: Vec<_> = now.par_iter().map(|service| check(service)).collect();
            for part in checked {
                used.ignores.extend(part.used.ignores);
                unread.extend(part.unreadable.into_iter().map(|(id, _)| id));
            }
            at_once *= 2;
        }
    }
}

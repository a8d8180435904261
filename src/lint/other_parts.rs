//! Entries of `[per-file-ignores]` whose files are in several parts of a run.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::filter::SelectorIndex;
use super::outcome::{Checked, IgnoreIndex, Used};
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
    for (config, filter) in setup.filters.iter().enumerate() {
        let matches = reach.ignores(config);
        let entries: Vec<usize> = matches.judged().collect();
        let is_open = |used: &Used, entry: usize| {
            let selectors = (0..filter.selectors_of(entry)).map(|selector| SelectorIndex { entry, selector });
            let mut selectors = selectors.filter(|&selector| filter.enables_all_of(selector));
            selectors.any(|selector| !used.ignores.contains(&IgnoreIndex { config, selector }))
        };
        let services = setup.project.others.iter().filter(|service| service.config == config);
        let mut left: Vec<&Service> = services.collect();
        let mut at_once = 1;
        loop {
            let open: Vec<usize> = entries.iter().copied().filter(|&entry| is_open(used, entry)).collect();
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

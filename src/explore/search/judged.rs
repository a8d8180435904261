//! The verdicts of all laws on an end.

use super::people::{ignored, pending};
use super::walk::Walk;
use super::watch::Watch;
use crate::explore::laws::{Final, Verdict};
use crate::outcomes::OutcomeKind;

/// The indices of the broken laws, and of those whose `when` is met.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Judged {
    pub broken: Vec<usize>,
    pub met: Vec<usize>,
}

impl Judged {
    pub fn of(verdicts: &[Verdict]) -> Self {
        let laws = |keep: fn(&Verdict) -> bool| verdicts.iter().filter(|it| keep(it)).map(|it| it.law).collect();
        Self { broken: laws(|it| it.breach.is_some()), met: laws(|it| it.is_met) }
    }
}

/// The verdicts on a run that ends like this.
pub fn judge(watch: Watch<'_>, walk: &Walk<'_, '_>, outcome: OutcomeKind, failure: Option<&str>) -> Vec<Verdict> {
    if watch.monitors.is_empty() {
        return Vec::new();
    }
    let everybody_acted = ignored(walk).is_empty() && pending(walk).is_empty();
    let end = Final { outcome, values: &walk.run.values, failure, everybody_acted };
    watch.monitors.judge(&walk.monitors, &end)
}

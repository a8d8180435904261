//! The verdicts of all laws on an end, and the claims that it shows.

use super::people::{ignored, pending};
use super::search_run::SearchRun;
use super::watch::Watch;
use crate::explore::laws::{Final, Verdict};
use crate::outcomes::OutcomeKind;
use crate::simulate::Frame;

/// The indices of the broken laws, of those whose `when` is met, and of the claims that are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Verdicts {
    pub broken: Vec<usize>,
    pub met: Vec<usize>,
    pub claims: Vec<usize>,
}

impl Verdicts {
    pub fn of(verdicts: &[Verdict]) -> Self {
        let laws = |keep: fn(&Verdict) -> bool| verdicts.iter().filter(|it| keep(it)).map(|it| it.law).collect();
        Self { broken: laws(|it| it.breach.is_some()), met: laws(|it| it.is_met), claims: Vec::new() }
    }

    /// The verdicts on an order that stays in a state forever.
    pub fn of_state(watch: Watch<'_>, walk: &SearchRun<'_, '_>) -> Self {
        Self { claims: claims(watch, walk), ..Self::of(&judge(watch, walk, OutcomeKind::Stuck, None)) }
    }
}

/// The claims about the loop whose condition is evaluated next, with the values of the variables.
fn claims(watch: Watch<'_>, walk: &SearchRun<'_, '_>) -> Vec<usize> {
    let run = &walk.run;
    let Some(Frame::Loop(frame)) = run.frames.last() else { return Vec::new() };
    let has_value = |(slot, value): &(_, String)| run.values.get(*slot).is_some_and(|it| **it == **value);
    let claims = watch.claims.iter().enumerate();
    let shown = claims.filter(|(_, it)| it.activity == frame.activity.id && it.values.iter().all(has_value));
    shown.map(|(index, _)| index).collect()
}

/// The verdicts on a run that ends like this.
pub fn judge(watch: Watch<'_>, walk: &SearchRun<'_, '_>, outcome: OutcomeKind, failure: Option<&str>) -> Vec<Verdict> {
    if watch.monitors.is_empty() {
        return Vec::new();
    }
    let everybody_acted = ignored(walk).is_empty() && pending(walk).is_empty();
    let end = Final { outcome, values: &walk.run.values, failure, everybody_acted };
    watch.monitors.judge(&walk.monitors, &end)
}

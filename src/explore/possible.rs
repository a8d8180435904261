//! Collects what some run of a service does.

use super::explored::Possible;
use super::replay::Replayer;
use super::search::{Explorer, Observation};
use crate::simulate::{Covered, Plan};

pub fn possible(replayer: &Replayer<'_, '_>, plan: &Plan<'_>, explorer: &Explorer<'_, '_, '_>) -> Possible {
    let mut possible = Possible::default();
    for observation in explorer.observed.all.keys() {
        match observation {
            Observation::Takes(Covered::Activity(id)) => {
                let provider = plan.activity(*id).and_then(|activity| activity.provider());
                possible.calls.extend(provider.and_then(|provider| provider.method.value()).map(str::to_owned));
            }
            Observation::Decides(id, decision) => {
                possible.approvals.extend(replayer.place(*id).map(|place| (place, *decision)));
            }
            Observation::Mails(kind) => {
                possible.mails.insert(*kind);
            }
            _ => {}
        }
    }
    possible
}

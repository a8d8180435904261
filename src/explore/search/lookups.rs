//! Which entries of the made-up directory can still be looked up from a point on.

use std::sync::Arc;

use super::reads::own_writes;
use crate::catalog::{ParameterKind, Simulation};
use crate::collections::HashSet;
use crate::model::{Activity, ActivityId, Literal};
use crate::simulate::{Frame, Plan, Slot};

/// The identity of a lookup.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Identity {
    Text(Arc<str>),
    /// The value of a variable that does not change any more.
    Of(Slot),
    /// Unknown before the call.
    Any,
}

pub struct Lookups<'p> {
    plan: &'p Plan<'p>,
    /// By activity, with those of the children.
    all: Vec<HashSet<Identity>>,
}

impl<'p> Lookups<'p> {
    pub fn new(plan: &'p Plan<'p>) -> Self {
        let changing = Changing::of(plan);
        let activities = &plan.workflow.activities;
        let mut all: Vec<HashSet<Identity>> =
            activities.iter().map(|activity| identity(plan, activity, &changing).into_iter().collect()).collect();
        // A child comes after its parent.
        for activity in activities.iter().rev() {
            let mut sum: HashSet<Identity> = of(&all, activity.id).cloned().collect();
            for child in activity.children() {
                sum.extend(of(&all, *child).cloned());
            }
            if let Some(identities) = all.get_mut(activity.id.0 as usize) {
                *identities = sum;
            }
        }
        Self { plan, all }
    }

    /// The identities that can still be looked up.
    pub fn later(&self, frames: &[Frame<'_>]) -> HashSet<Identity> {
        let mut found = HashSet::default();
        for frame in frames {
            let ids: &[ActivityId] = match frame {
                Frame::Activities { ids, next } => ids.get(*next..).unwrap_or_default(),
                Frame::Loop(frame) => frame.activity.children(),
                Frame::Approval(frame) => frame.activity.children(),
                Frame::Events(frame) => frame.approval.children(),
                Frame::Wait(_) => &[],
            };
            for id in ids.iter().filter(|id| self.plan.activity(**id).is_some()) {
                found.extend(of(&self.all, *id).cloned());
            }
        }
        found
    }
}

fn of(all: &[HashSet<Identity>], id: ActivityId) -> impl Iterator<Item = &Identity> {
    all.get(id.0 as usize).into_iter().flatten()
}

/// The identity of the lookup of an activity, if it has one.
fn identity(plan: &Plan<'_>, activity: &Activity<'_>, changing: &Changing) -> Option<Identity> {
    let provider = activity.provider()?;
    let method = plan.config.catalog.method(provider.method.value()?)?;
    let is_lookup = matches!(method.simulation?, Simulation::GroupMembers | Simulation::Manager | Simulation::User);
    if !is_lookup {
        return None;
    }
    let parameter = method.parameters.iter().find(|parameter| parameter.kind == Some(ParameterKind::Identity));
    let binding = parameter.and_then(|parameter| provider.parameter(&parameter.name)?.value.get());
    let identity = binding.and_then(|binding| match (binding.target(), binding.literal()) {
        (Some((_, name)), _) => plan.names.slot(name).filter(|slot| !changing.has(plan, *slot)).map(Identity::Of),
        (None, Some((_, Literal::Text(text) | Literal::Number(text)))) => Some(Identity::Text(Arc::from(text))),
        _ => None,
    });
    Some(identity.unwrap_or(Identity::Any))
}

/// The variables that activities may write.
struct Changing {
    slots: HashSet<Slot>,
    /// The prefixes of outputs; `None` if one is known only in a run.
    prefixes: Option<Vec<String>>,
}

impl Changing {
    fn of(plan: &Plan<'_>) -> Self {
        let activities = &plan.workflow.activities;
        let slots = activities.iter().flat_map(|activity| own_writes(plan, activity)).collect();
        let providers = activities.iter().filter_map(|activity| activity.provider());
        let prefixes = providers.map(|provider| {
            let method = provider.method.value().and_then(|name| plan.config.catalog.method(name));
            let known = method.and_then(|it| it.parameters.iter().find(|it| it.kind == Some(ParameterKind::Prefix)));
            let name = known.map_or("Prefix", |parameter| parameter.name.as_str());
            match provider.parameter(name).and_then(|parameter| parameter.value.get()?.literal()) {
                Some((_, Literal::Text(prefix))) if !prefix.is_empty() => Some((*prefix).to_owned()),
                _ => None,
            }
        });
        Self { slots, prefixes: prefixes.collect() }
    }

    fn has(&self, plan: &Plan<'_>, slot: Slot) -> bool {
        let name = plan.names.name(slot);
        self.slots.contains(&slot)
            || self.prefixes.as_ref().is_none_or(|prefixes| prefixes.iter().any(|prefix| name.starts_with(prefix)))
    }
}

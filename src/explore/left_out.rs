//! What runs leave out: activities of unknown types, and Events of declared types (docs/assumptions.md, A35 and A46).

use crate::common::collections::{HashMap, HashSet};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, ActivityKind, Assumption, Workflow};

#[derive(Default)]
pub struct LeftOut<'a> {
    /// In the order of the workflow.
    effects: Vec<Effect<'a>>,
    /// The loops that may end although no run ends them, each with the assumption by which none does.
    pub ended_loops: HashMap<ActivityId, Assumption>,
}

/// What an activity may do that runs leave out.
struct Effect<'a> {
    activity: ActivityId,
    /// The variables that it may write; `None` for any, or if it may end the order.
    writes: Option<HashSet<&'a str>>,
}

impl<'a> LeftOut<'a> {
    pub fn of(analysis: &'a Analysis<'_>) -> Self {
        let mut all = Self { effects: effects(analysis), ended_loops: HashMap::default() };
        if !all.effects.is_empty() {
            let loops = analysis.workflow.loops().filter(|while_loop| {
                let mut read = names_read(analysis, while_loop);
                all.may_end(analysis.workflow, while_loop)
                    || read.any(|name| all.may_write(analysis.workflow, while_loop, name))
            });
            let has_unknown = analysis
                .workflow
                .activities
                .iter()
                .any(|activity| matches!(activity.kind, ActivityKind::Unknown { .. }));
            let assumption = if has_unknown { Assumption::UnknownTypes } else { Assumption::DeclaredTypes };
            all.ended_loops = loops.map(|while_loop| (while_loop.id, assumption)).collect();
        }
        all
    }

    /// Whether one of them may write a variable before an activity reads it.
    pub fn may_write(&self, workflow: &Workflow<'_>, reader: &Activity<'_>, name: &str) -> bool {
        let writes = |effect: &Effect<'_>| effect.writes.as_ref().is_none_or(|writes| writes.contains(name));
        self.before(workflow, reader).any(writes)
    }

    fn may_end(&self, workflow: &Workflow<'_>, activity: &Activity<'_>) -> bool {
        self.before(workflow, activity).any(|effect| effect.writes.is_none())
    }

    /// Those that may begin before an activity ends: all that precede its end, or that of a loop around it.
    fn before(&self, workflow: &Workflow<'_>, activity: &Activity<'_>) -> impl Iterator<Item = &Effect<'a>> {
        let around = workflow.ancestors(activity).filter(|outer| matches!(outer.kind, ActivityKind::While { .. }));
        let end = around.last().map_or(activity.end, |outermost| outermost.end);
        self.effects.iter().take_while(move |effect| effect.activity < end)
    }
}

fn effects<'a>(analysis: &'a Analysis<'_>) -> Vec<Effect<'a>> {
    let left_out = analysis.workflow.left_out();
    let all = analysis.workflow.activities.iter().zip(left_out).zip(&analysis.effects);
    let effects = all.filter_map(|((activity, is_left_out), effects)| {
        let is_unknown = matches!(activity.kind, ActivityKind::Unknown { .. });
        if !is_left_out && !is_unknown && !matches!(activity.kind, ActivityKind::Declared { .. }) {
            return None;
        }
        let is_open = is_unknown || effects.may_write.is_some() || matches!(activity.kind, ActivityKind::Terminate);
        let written = || effects.writes.own().iter().map(|write| analysis.names.name(write.variable)).collect();
        Some(Effect { activity: activity.id, writes: (!is_open).then(written) })
    });
    effects.filter(|effect| effect.writes.as_ref().is_none_or(|writes| !writes.is_empty())).collect()
}

/// The variables that a loop reads, in its condition and inside.
fn names_read<'c>(analysis: &'c Analysis<'_>, while_loop: &'c Activity<'_>) -> impl Iterator<Item = &'c str> {
    let activities = std::iter::once(while_loop).chain(analysis.workflow.inside(while_loop));
    let effects = activities.filter_map(|activity| analysis.effects(activity.id));
    effects.flat_map(|effects| effects.reads.iter().map(|read| analysis.names.name(read.variable)))
}

//! Who sees the values of variables: those who read a status or are asked to sign, also as a part of a text that an
//! Assign makes, if that text can be the one that they see.

use std::collections::BTreeSet;

use super::people::Request;
use super::subject::{Subject, quote};
use crate::common::collections::{HashMap, HashSet};
use crate::graph::{Analysis, PathQuery, QueryFacts, VarId, Writer};
use crate::model::{ActivityId, ActivityKind, Role};

/// Entries of states that following the texts may explore.
const BUDGET: usize = 1_000_000;

/// Variables with who sees their values.
pub fn readers<'a>(subject: &Subject<'_, 'a>) -> Vec<(&'a str, String)> {
    let made = Made::new(subject);
    let mut found = Vec::new();
    for (activity, variable, reader) in shown(subject) {
        let mut seen: HashSet<(ActivityId, &str)> = HashSet::default();
        let mut open = vec![(activity, variable)];
        while let Some((at, variable)) = open.pop() {
            if seen.insert((at, variable)) {
                found.push((variable, reader.clone()));
                open.extend(made.parts(at, variable));
            }
        }
    }
    found
}

/// The variables whose values activities show, and to whom.
fn shown<'a>(subject: &Subject<'_, 'a>) -> Vec<(ActivityId, &'a str, String)> {
    let mut shown = Vec::new();
    for activity in subject.activities() {
        let name = quote(&subject.name(activity));
        let request = Request::of(subject, activity);
        activity.bindings(|binding, role| {
            let Some((_, variable)) = binding.target() else { return };
            let reader = match role {
                Role::Status => format!("whoever ordered (the status of {name})"),
                Role::Parameter(parameter) if request.as_ref().is_some_and(|it| it.shows(parameter)) => {
                    format!("whoever signs (the request of {name})")
                }
                _ => return,
            };
            shown.push((activity.id, variable, reader));
        });
    }
    shown
}

/// The texts that Assigns make.
struct Made<'s, 'a> {
    analysis: &'s Analysis<'a>,
    /// The Assign, what it writes, and the variables in its text.
    texts: Vec<(ActivityId, &'a str, Vec<&'a str>)>,
    /// The texts that each activity can read; `None` if that is not known.
    reached: Option<BTreeSet<(ActivityId, u32)>>,
}

impl<'s, 'a> Made<'s, 'a> {
    fn new(subject: &Subject<'s, 'a>) -> Self {
        let analysis = subject.analysis;
        let texts: Vec<_> = subject
            .activities()
            .iter()
            .filter_map(|activity| {
                let ActivityKind::Assign(assign) = &activity.kind else { return None };
                let (_, written) = assign.result.get()?.target()?;
                let parts = analysis.scope.placeholders_of(assign).map(|from| from.name).collect();
                Some((activity.id, written, parts))
            })
            .collect();
        let variables = texts.iter().map(|(_, written, _)| analysis.names.id(written)).collect();
        let mut query = Reaching::new(analysis, variables, &texts);
        let is_complete = analysis.follow(&mut query, &mut { BUDGET });
        Self { analysis, texts, reached: is_complete.then_some(query.found) }
    }

    /// The variables, and where they are read, whose values are a part of the text that an activity reads.
    fn parts(&self, at: ActivityId, variable: &str) -> Vec<(ActivityId, &'a str)> {
        let reached = self.reached.as_ref().filter(|_| self.analysis.names.id(variable).is_some());
        let can_be = |text: u32| reached.is_none_or(|reached| reached.contains(&(at, text)));
        let texts = (0..).zip(&self.texts).filter(|(number, (_, written, _))| *written == variable && can_be(*number));
        texts.flat_map(|(_, (assign, _, parts))| parts.iter().map(move |part| (*assign, *part))).collect()
    }
}

/// Which texts reach which activities that read their variable: the facts are the numbers of the texts.
struct Reaching<'q, 'p> {
    analysis: &'q Analysis<'p>,
    /// What each text is written to.
    variables: Vec<Option<VarId>>,
    by_assign: HashMap<ActivityId, u32>,
    found: BTreeSet<(ActivityId, u32)>,
}

impl<'q, 'p> Reaching<'q, 'p> {
    fn new(analysis: &'q Analysis<'p>, variables: Vec<Option<VarId>>, texts: &[(ActivityId, &str, Vec<&str>)]) -> Self {
        let by_assign = texts.iter().map(|(assign, ..)| *assign).zip(0..).collect();
        Self { analysis, variables, by_assign, found: BTreeSet::new() }
    }

    fn variable(&self, text: u32) -> Option<VarId> {
        self.variables.get(text as usize).copied().flatten()
    }
}

impl PathQuery for Reaching<'_, '_> {
    fn run(&mut self, activity: ActivityId, failed: bool, facts: &mut QueryFacts) {
        let Some(effects) = self.analysis.effects(activity) else { return };
        let read = |text: &u32| {
            self.variable(*text).is_some_and(|variable| effects.reads.iter().any(|read| read.variable == variable))
        };
        let found: Vec<u32> = facts.ids().filter(read).collect();
        self.found.extend(found.into_iter().map(|text| (activity, text)));
        // Approvers may leave a field as it is, and an activity of a declared type the variable.
        let is_certain = |by: Writer| !failed && !matches!(by, Writer::Form | Writer::Declared);
        for write in effects.writes.own().iter().filter(|write| !write.guessed && is_certain(write.by)) {
            facts.retain(|text| self.variable(text) != Some(write.variable));
        }
        if let Some(text) = self.by_assign.get(&activity) {
            facts.set(*text, 0);
        }
    }

    fn concerns(&self, activity: ActivityId) -> bool {
        let is_text = |variable: VarId| self.variables.contains(&Some(variable));
        self.analysis.effects(activity).is_some_and(|effects| {
            let mut reads = effects.reads.iter().map(|read| read.variable);
            reads.any(is_text) || effects.writes.own().iter().any(|write| is_text(write.variable))
        })
    }

    fn is_done(&self) -> bool {
        false
    }
}

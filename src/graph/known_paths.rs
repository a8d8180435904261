//! Explorations of an earlier version of a service, which hold for a workflow whose program has not changed.
//!
//! A program is compared as bytes of all that the interpreter sees, so equal programs have equal paths. Of calls, it sees
//! only which of them and of their inputs are equal.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use super::calls::CallEqualities;
use super::effects::VarId;
use super::interpreter::Interpreter;
use super::known_answers::KnownAnswers;
use super::paths::{LoopOutcome, Paths};
use super::program::{MIN_HELD, Program};
use super::state::AbstractState;
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::model::ActivityId;

/// How many explorations of a workflow are kept: a change is often undone, and a fix often undoes one.
const MAX_KEPT: usize = 2;

/// The last explorations of the workflows of a service, the last used one first; all are of one project.
#[derive(Debug, Default)]
pub struct KnownPaths(Mutex<HashMap<FileId, Vec<Explored>>>);

/// What was explored of a program.
#[derive(Debug, Clone)]
pub struct Explored {
    program: Arc<[u8]>,
    pub paths: Arc<Paths>,
    /// `None` if it has no loop.
    pub loops: Option<Arc<KnownLoops>>,
    /// `None` if it is not remembered.
    pub answers: Option<Arc<KnownAnswers>>,
}

/// The explorations that a lint may use.
#[derive(Debug, Clone, Copy)]
pub struct ReusablePaths<'k> {
    pub known: &'k KnownPaths,
    /// Whether documents are linted that only may become the next version: the next one is more like the last.
    pub is_trial: bool,
}

impl ReusablePaths<'_> {
    /// Explores a program, unless that was done before.
    pub fn explore(self, file: FileId, program: Program<'_, '_>, start: &AbstractState) -> Explored {
        let bytes = bytes(&program, start);
        if let Some(known) = self.known.get(file, &bytes) {
            return known;
        }
        let mut explored = Explored::new(program, start);
        if explored.paths.are_of_all_limits() && !self.is_trial {
            explored = Explored { program: bytes.into(), answers: Some(Arc::default()), ..explored };
            self.known.add(file, explored.clone());
        }
        explored
    }
}

impl KnownPaths {
    fn get(&self, file: FileId, program: &[u8]) -> Option<Explored> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.get_mut(&file)?;
        let index = known.iter().position(|known| *known.program == *program)?;
        known.get_mut(..=index)?.rotate_right(1);
        known.first().cloned()
    }

    fn add(&self, file: FileId, explored: Explored) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.entry(file).or_default();
        known.truncate(MAX_KEPT - 1);
        known.insert(0, explored);
    }
}

impl Explored {
    /// Explores a program that is not remembered.
    pub fn new(program: Program<'_, '_>, start: &AbstractState) -> Self {
        let loops = program.structure.has_loops().then(Arc::default);
        let mut paths = Interpreter::new(program).run(start.for_exploration());
        if paths.has_to_be_explained() {
            paths.explain(Interpreter::new(program).explaining().run(start.for_exploration()));
        }
        Self { program: Arc::default(), paths: Arc::new(paths), loops, answers: None }
    }
}

impl Paths {
    /// Whether an exploration gives the same for a document of any size, which limits it.
    pub(super) const fn are_of_all_limits(&self) -> bool {
        !self.is_incomplete && self.held <= MIN_HELD
    }
}

/// What loops of a program do while lookups return some statuses.
#[derive(Debug, Default)]
pub struct KnownLoops(Mutex<HashMap<(ActivityId, Statuses), LoopOutcome>>);

/// By case status variable.
type Statuses = Vec<(VarId, String)>;

impl KnownLoops {
    pub fn get(&self, id: ActivityId, statuses: &[(VarId, &str)]) -> Option<LoopOutcome> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(id, Self::key(statuses))).cloned()
    }

    pub fn insert(&self, id: ActivityId, statuses: &[(VarId, &str)], outcome: LoopOutcome) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert((id, Self::key(statuses)), outcome);
    }

    fn key(statuses: &[(VarId, &str)]) -> Statuses {
        statuses.iter().map(|&(variable, status)| (variable, status.to_owned())).collect()
    }
}

/// Collects what is hashed: equal bytes come from equal values.
#[derive(Default)]
pub(super) struct Bytes(Vec<u8>);

impl Bytes {
    pub fn of(value: &impl Hash) -> Vec<u8> {
        let mut bytes = Self::default();
        value.hash(&mut bytes);
        bytes.0
    }
}

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    // Most are numbers, whose size the compiler knows.

    fn write_u8(&mut self, number: u8) {
        self.0.push(number);
    }

    fn write_u32(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_ne_bytes());
    }

    fn write_u64(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_ne_bytes());
    }

    fn write_usize(&mut self, number: usize) {
        self.0.extend_from_slice(&number.to_ne_bytes());
    }

    fn write_isize(&mut self, number: isize) {
        self.0.extend_from_slice(&number.to_ne_bytes());
    }

    fn finish(&self) -> u64 {
        0
    }
}

/// All that an exploration depends on but its limit, see [`Paths::are_of_all_limits`].
fn bytes(program: &Program<'_, '_>, start: &AbstractState) -> Vec<u8> {
    let Program {
        structure,
        control,
        effects,
        names,
        slots,
        // These follow from the others.
        liveness: _,
        passing: _,
        unions: _,
        max_held: _,
        colliding,
        changing_inputs,
        calls,
        choices,
    } = program;
    let mut bytes = Bytes::default();
    (structure, control, effects, slots).hash(&mut bytes);
    for id in names.ids() {
        names.name(id).hash(&mut bytes);
    }
    for set in [colliding, changing_inputs] {
        let mut variables: Vec<&VarId> = set.iter().collect();
        variables.sort_unstable();
        variables.hash(&mut bytes);
    }
    CallEqualities(calls).hash(&mut bytes);
    let mut choices: Vec<_> = choices.iter().collect();
    choices.sort_unstable();
    choices.hash(&mut bytes);
    for variable in start.variables() {
        (variable.assigned, variable.output, start.value_of(variable)).hash(&mut bytes);
    }
    bytes.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::program::tests::with_program;

    /// Explores a workflow without variables, of a document that allows so many entries of states.
    fn explore(known: &KnownPaths, activities: &str, max_held: usize) -> Arc<Paths> {
        with_program(activities, max_held, |program, start| {
            ReusablePaths { known, is_trial: false }.explore(FileId(0), program, &start).paths
        })
    }

    #[test]
    fn a_program_is_explored_again_when_it_changes() {
        let known = KnownPaths::default();
        let activity = |name: &str, type_name: &str| format!(r#"{{ "name": "{name}", "type": "{type_name}" }}"#);
        let first = explore(&known, &activity("A", "Status"), usize::MAX);
        let renamed = explore(&known, &activity("Other", "Status"), usize::MAX);
        assert!(Arc::ptr_eq(&first, &renamed), "no path depends on the name");
        let ended = explore(&known, &activity("A", "Terminate"), usize::MAX);
        assert!(!Arc::ptr_eq(&first, &ended));
        let back = explore(&known, &activity("A", "Status"), usize::MAX);
        assert!(Arc::ptr_eq(&first, &back), "the one before the last is kept, too");
    }

    #[test]
    fn the_last_two_used_explorations_are_kept() {
        let known = KnownPaths::default();
        let explore =
            |number: usize| explore(&known, &[r#"{ "type": "Status" }"#].repeat(number).join(","), usize::MAX);
        let [first, second] = [explore(1), explore(2)];
        assert!(Arc::ptr_eq(&first, &explore(1)));
        explore(3);
        assert!(Arc::ptr_eq(&first, &explore(1)));
        assert!(!Arc::ptr_eq(&second, &explore(2)));
    }

    #[test]
    fn an_exploration_that_was_limited_is_not_kept() {
        let known = KnownPaths::default();
        let activity = r#"{ "name": "A", "type": "Status" }"#;
        assert!(explore(&known, activity, 0).is_incomplete);
        assert!(!explore(&known, activity, usize::MAX).is_incomplete);
    }
}

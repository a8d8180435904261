//! Scenarios that are planned at once.

use rayon::ThreadPool;
use rayon::prelude::*;

use super::load::LoadedScenario;
use super::plan::{Documents, Plan, Prepared};
use super::session::{Session, variables};
use crate::collections::{HashMap, HashSet};

/// Scenarios that are planned at once. A finished run borrows its plan, so all plans of a batch are dropped together.
const MAX_SCENARIOS: usize = 128;

/// The activities and variables that are prepared at once, or those of all documents if they have more.
const MIN_PREPARED: usize = 20_000;

/// The indices of a workflow and a form.
type Pair = (usize, Option<usize>);

impl<'p> Session<'p> {
    /// The scenarios that can run, in order, as many at a time as can be planned at once.
    pub(super) fn batches(&'p self) -> Vec<Vec<&'p LoadedScenario>> {
        let max = self.size().max(MIN_PREPARED);
        let mut batches: Vec<Vec<&LoadedScenario>> = Vec::new();
        let (mut pairs, mut sum): (HashSet<Pair>, _) = (HashSet::default(), 0);
        for scenario in self.scenarios() {
            let size = || self.documents(scenario).map_or(0, |documents| size(&documents));
            let more = if pairs.contains(&pair(scenario)) { 0 } else { size() };
            match batches.last_mut() {
                Some(last) if last.len() < MAX_SCENARIOS && sum + more <= max => {
                    last.push(scenario);
                    sum += more;
                }
                _ => {
                    batches.push(vec![scenario]);
                    pairs.clear();
                    sum = size();
                }
            }
            pairs.insert(pair(scenario));
        }
        batches
    }

    /// The plans of a batch. Those of the same documents share what is prepared.
    pub(super) fn plans(&'p self, batch: &[&'p LoadedScenario], pool: &ThreadPool) -> Vec<Plan<'p>> {
        let mut firsts: HashMap<Pair, Documents<'p>> = HashMap::default();
        for scenario in batch {
            if let Some(documents) = self.documents(scenario) {
                firsts.entry(pair(scenario)).or_insert(documents);
            }
        }
        let prepare = |(pair, documents): (Pair, Documents<'p>)| (pair, documents.prepare());
        let prepared: HashMap<Pair, Prepared<'p>> = pool.install(|| firsts.into_par_iter().map(prepare).collect());
        let plan = |scenario: &&'p LoadedScenario| {
            Some(self.documents(scenario)?.plan(scenario, prepared.get(&pair(scenario))?.clone()))
        };
        batch.iter().filter_map(plan).collect()
    }
}

const fn pair(scenario: &LoadedScenario) -> Pair {
    (scenario.workflow, scenario.form)
}

fn size(documents: &Documents<'_>) -> usize {
    let Documents { workflow, form, .. } = documents;
    let of_form = form.map_or(0, |form| variables(&form.form.variables));
    workflow.activities.len() + variables(&workflow.variables) + of_form
}

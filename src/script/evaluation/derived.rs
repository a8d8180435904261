//! Derives sets of values that change the outcome of a comparison.
//!
//! Input-to-state correspondence (REDQUEEN, Aschermann et al., NDSS 2019): what a comparison sees in a run is mostly a
//! part of a value that the script got, or a simple function of it. So that part is replaced by what the comparison
//! asks for. The other values stay as they were, so that the run comes to the comparison again.

use std::cmp::Ordering;

use serde::Deserialize;

use super::correspondence::{Target, number, replacements};
use super::request::{EvaluationRequest, ScriptInput};
use super::samples::{Sample, SampleValue};
use crate::collections::{HashMap, HashSet};
use crate::script::syntax::ComparisonKind;

/// The number of a comparison, and its operands in a run; the second one is left out where it is a constant.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Compared(usize, String, String);

/// At most this many sets are derived for a script.
const MAX_DERIVED: usize = 32;

/// Sets for one outcome of a comparison. Another part of the value may be the one that is compared.
const MAX_SETS_PER_GOAL: usize = 4;

/// A wanted outcome of a comparison: its number, the constant that is the other operand, and whether the operands
/// compare as it asks for.
type Goal<'r> = (usize, &'r str, bool);

pub(super) struct Derivation<'r> {
    request: &'r EvaluationRequest<'r>,
    /// The outcomes that some run has shown.
    reached: HashSet<Goal<'r>>,
    /// The number of sets made for each outcome.
    tried: HashMap<Goal<'r>, usize>,
    /// The sets so far.
    known: HashSet<Vec<String>>,
    /// The number of derived sets.
    made: usize,
}

impl<'r> Derivation<'r> {
    pub fn new(request: &'r EvaluationRequest<'r>) -> Self {
        Self { request, reached: HashSet::default(), tried: HashMap::default(), known: HashSet::default(), made: 0 }
    }

    fn kind(&self, comparison: usize) -> Option<&'r ComparisonKind> {
        self.request.syntax.comparisons().all.get(comparison)
    }

    /// Notes what a run has shown.
    pub fn note(&mut self, sample: &Sample, compared: &[Compared]) {
        self.known.insert(texts(sample));
        for Compared(comparison, left, right) in compared {
            let Some(kind) = self.kind(*comparison) else { continue };
            if kind.constants.is_empty() {
                self.reached.insert((*comparison, "", order(left, right) == kind.asks_for));
            }
            for constant in &kind.constants {
                self.reached.insert((*comparison, constant, order(left, constant) == kind.asks_for));
            }
        }
    }

    /// The sets that a run suggests.
    pub fn sets(&mut self, sample: &Sample, compared: &[Compared]) -> Vec<Sample> {
        let mut found = Vec::new();
        for Compared(comparison, left, right) in compared {
            let Some(kind) = self.kind(*comparison) else { continue };
            // A guess may have got into what seems to be a table of constants.
            if kind.is_lookup && sample.is_guess {
                continue;
            }
            // That two operands differ needs no search.
            let orders: &[Ordering] =
                if kind.asks_for.is_eq() { &[Ordering::Equal] } else { &[kind.asks_for, Ordering::Equal] };
            for &order in orders {
                let is_met = order == kind.asks_for;
                if kind.constants.is_empty() {
                    let goal = (*comparison, "", is_met);
                    self.add(goal, sample, left, &Target { other: right, order }, &mut found);
                    self.add(goal, sample, right, &Target { other: left, order: order.reverse() }, &mut found);
                }
                for constant in &kind.constants {
                    let goal = (*comparison, constant.as_str(), is_met);
                    self.add(goal, sample, left, &Target { other: constant, order }, &mut found);
                }
            }
        }
        found
    }

    fn add(&mut self, goal: Goal<'r>, sample: &Sample, seen: &str, target: &Target<'_>, found: &mut Vec<Sample>) {
        if self.reached.contains(&goal) {
            return;
        }
        for replaced in replacements(&self.open(sample), seen, target) {
            let tried = self.tried.entry(goal).or_default();
            if *tried == MAX_SETS_PER_GOAL || self.made == MAX_DERIVED {
                return;
            }
            *tried += 1;
            let derived = self.replace(sample, replaced);
            if self.known.insert(texts(&derived)) {
                self.made += 1;
                found.push(derived);
            }
        }
    }

    /// The values that an order brings, with the indices of their parameters.
    fn open<'s>(&self, sample: &'s Sample) -> Vec<(usize, &'s str)> {
        let open = self.request.open_parameters();
        open.filter_map(|(index, _)| Some((index, sample.values.get(index)?.text.as_str()))).collect()
    }

    fn replace(&self, sample: &Sample, replaced: Vec<(usize, String)>) -> Sample {
        let mut derived = sample.clone();
        for (index, text) in replaced {
            let is_json = self.request.parameters.get(index).is_some_and(|it| it.input == ScriptInput::OpenJson);
            let is_made_up = is_json || !text.is_empty() && !self.request.script.contains(&text);
            if let Some(value) = derived.values.get_mut(index) {
                *value = SampleValue { text, is_made_up: is_made_up || derived.is_guess };
            }
        }
        derived
    }
}

fn texts(sample: &Sample) -> Vec<String> {
    sample.values.iter().map(|value| value.text.clone()).collect()
}

/// How two operands compare: as numbers if both are.
fn order(left: &str, right: &str) -> Ordering {
    let as_numbers = number(left).zip(number(right)).and_then(|(left, right)| left.partial_cmp(&right));
    as_numbers.unwrap_or_else(|| left.cmp(right))
}

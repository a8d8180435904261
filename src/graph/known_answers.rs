//! Answers to queries about the feasible paths of a program, for other versions of a service with the same program.

use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::collections::HashMap;

/// Bytes of the questions whose answers are kept. When there are more, all are dropped: most are of earlier versions.
const MAX_BYTES: usize = 2 << 20;

#[derive(Debug, Default)]
pub struct KnownAnswers(Mutex<Answers>);

#[derive(Debug, Default)]
struct Answers {
    /// By their type, and by all that is asked.
    known: HashMap<(TypeId, Vec<u8>), Known>,
    bytes: usize,
}

#[derive(Debug, Clone)]
struct Known {
    answer: Arc<dyn Any + Send + Sync>,
    /// What finding it out took of a budget.
    cost: usize,
}

impl KnownAnswers {
    /// The answer to a query. Known or not, it costs the same.
    ///
    /// `question` contains all that the answer depends on but the program; `ask` also returns whether the answer holds for
    /// a document of any size.
    pub fn answer<A: Clone + Send + Sync + 'static>(
        &self,
        question: Vec<u8>,
        budget: &mut usize,
        ask: impl FnOnce(&mut usize) -> (A, bool),
    ) -> A {
        let key = (TypeId::of::<A>(), question);
        let known = self.lock().known.get(&key).cloned();
        // With a budget that it uses up, the answer may be another.
        if let Some(known) = known.filter(|known| known.cost < *budget)
            && let Some(answer) = known.answer.downcast_ref::<A>()
        {
            *budget -= known.cost;
            return answer.clone();
        }
        let before = *budget;
        let (answer, is_of_all_limits) = ask(budget);
        if is_of_all_limits {
            let known = Known { answer: Arc::new(answer.clone()), cost: before - *budget };
            self.lock().insert(key, known);
        }
        answer
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answers {
    fn insert(&mut self, key: (TypeId, Vec<u8>), known: Known) {
        if self.bytes + key.1.len() > MAX_BYTES {
            *self = Self::default();
        }
        self.bytes += key.1.len();
        self.known.insert(key, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks with a budget of which the answer takes three; what is left of it.
    fn ask(known: &KnownAnswers, question: &[u8], budget: usize, answer: u8) -> (u8, usize) {
        let mut left = budget;
        let found = known.answer(question.to_vec(), &mut left, |budget| {
            *budget = budget.saturating_sub(3);
            (answer, true)
        });
        (found, left)
    }

    #[test]
    fn a_question_is_asked_once_and_always_costs_the_same() {
        let known = KnownAnswers::default();
        assert_eq!(ask(&known, b"a", 10, 1), (1, 7));
        assert_eq!(ask(&known, b"a", 10, 2), (1, 7));
        assert_eq!(ask(&known, b"b", 10, 2), (2, 7));
        assert_eq!(ask(&known, b"a", 3, 3), (3, 0), "the budget may not suffice");
    }

    #[test]
    fn an_answer_that_depends_on_limits_is_not_kept() {
        let known = KnownAnswers::default();
        for expected in [1, 2] {
            assert_eq!(known.answer(Vec::new(), &mut 10, |_| (expected, false)), expected);
        }
    }

    #[test]
    fn memory_is_limited() {
        let known = KnownAnswers::default();
        for question in 0..9_u8 {
            ask(&known, &vec![question; MAX_BYTES / 4], 10, 1);
        }
        let answers = known.lock();
        assert_eq!((answers.known.len(), answers.bytes), (1, MAX_BYTES / 4));
    }
}

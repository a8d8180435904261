//! How long the parts of a run take (`--timing`).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A step of the whole run, by the clock.
    Phase,
    /// The time of all threads together, as for the following parts.
    Service,
    Rule,
    Script,
}

impl Part {
    pub const ALL: [Self; 4] = [Self::Phase, Self::Service, Self::Rule, Self::Script];
}

/// Collects times from all threads.
#[derive(Debug, Default)]
pub struct Timing(Mutex<BTreeMap<(Part, String), Duration>>);

impl Timing {
    /// Measures a part, if times are wanted at all.
    pub fn measure<T>(timing: Option<&Self>, part: Part, name: impl FnOnce() -> String, run: impl FnOnce() -> T) -> T {
        let Some(timing) = timing else { return run() };
        let start = Instant::now();
        let done = run();
        timing.add(part, name(), start.elapsed());
        done
    }

    fn add(&self, part: Part, name: String, time: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry((part, name)).or_default() += time;
    }

    /// The slowest ones of a kind, with their times; and how many more there are.
    pub fn slowest(&self, wanted: Part, most: usize) -> (Vec<(String, Duration)>, usize) {
        let times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_kind = times.iter().filter(|((part, _), _)| *part == wanted);
        let mut of_kind: Vec<_> = of_kind.map(|((_, name), time)| (name.clone(), *time)).collect();
        of_kind.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        let more = of_kind.len().saturating_sub(most);
        of_kind.truncate(most);
        (of_kind, more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowest_parts_come_first() {
        let timing = Timing::default();
        for (name, milliseconds) in [("a", 1), ("b", 5), ("c", 3), ("a", 3)] {
            timing.add(Part::Rule, name.to_owned(), Duration::from_millis(milliseconds));
        }
        let (slowest, more) = timing.slowest(Part::Rule, 2);
        let slowest: Vec<_> = slowest.iter().map(|(name, time)| (name.as_str(), time.as_millis())).collect();
        assert_eq!((slowest, more), (vec![("b", 5), ("a", 4)], 1));
        assert_eq!(timing.slowest(Part::Script, 2), (Vec::new(), 0));
        assert_eq!(Timing::measure(None, Part::Rule, || "x".to_owned(), || 7), 7);
    }
}

//! Finds similar iterations of loops in a row, of which the timeline shows only the first ones.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::ops::Range;

use jiff::SignedDuration;

use super::rounds::{Repetitions, is_loop};
use super::run_text::RunText;
use crate::collections::HashMap;
use crate::model::ActivityId;
use crate::simulate::{Event, TraceEntry};

/// So many rounds in a row are all shown.
pub(super) const MAX_SHOWN: u64 = 100;
/// The number of iterations that are shown of a longer row.
const FIRST: u64 = 3;

/// Rounds that are left out.
pub(super) struct AlikeRounds {
    pub entries: Range<usize>,
    pub activity: ActivityId,
    pub number: u64,
    pub time: SignedDuration,
}

/// The rounds of a loop up to now.
struct Streak {
    /// Of the round that has begun.
    start: usize,
    /// Of the one before.
    last: Option<usize>,
    /// The number of similar iterations in a row before the current one.
    number: u64,
    /// The start of the omitted iterations.
    left_out: usize,
}

/// The rounds to leave out, in the order of the trace; none lies inside another.
pub(super) fn alike_rounds(text: &RunText<'_>, repetitions: &Repetitions<'_>) -> Vec<AlikeRounds> {
    let entries = &text.run.ended.record.entries;
    if entries.len() as u64 <= MAX_SHOWN {
        return Vec::new();
    }
    let mut finder = Finder { text, entries, shown: shown(text, entries), found: Vec::new() };
    let mut streaks: HashMap<ActivityId, Streak> = HashMap::default();
    for (index, entry) in entries.iter().enumerate() {
        let (Event::Evaluated { holds, .. }, Some(id)) = (&entry.event, entry.activity) else { continue };
        if !is_loop(text.run.plan, id) {
            continue;
        }
        let mut streak = streaks.remove(&id);
        if let Some(streak) = &mut streak {
            finder.end_round(id, streak, index);
        }
        let begun = Streak { start: index, last: None, number: 0, left_out: index };
        if *holds {
            streaks.insert(id, streak.unwrap_or(begun));
        } else if let Some(streak) = streak {
            finder.end(id, &streak);
        }
    }
    // A loop inside another one ends first.
    let mut open: Vec<(ActivityId, Streak)> = streaks.into_iter().collect();
    open.sort_by_key(|(_, streak)| std::cmp::Reverse(streak.left_out));
    for (id, streak) in &open {
        finder.end(*id, streak);
    }
    let mut found = finder.found;
    found.sort_by_key(|rounds| rounds.entries.start);
    let is_counted = |at: usize| repetitions.rounds.iter().any(|round| round.entries.contains(&at));
    found.retain(|rounds| !is_counted(rounds.entries.start));
    found
}

/// The shown texts of entries, as numbers.
fn shown(text: &RunText<'_>, entries: &[TraceEntry<'_>]) -> Vec<u64> {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let shown = |entry: &TraceEntry<'_>| hasher.hash_one((entry.activity, text.event(entry)));
    entries.iter().map(shown).collect()
}

struct Finder<'f, 'r> {
    text: &'f RunText<'r>,
    entries: &'f [TraceEntry<'r>],
    shown: Vec<u64>,
    found: Vec<AlikeRounds>,
}

impl Finder<'_, '_> {
    /// The round that has begun ends where the next one begins.
    fn end_round(&mut self, id: ActivityId, streak: &mut Streak, end: usize) {
        let is_alike = streak.last.is_some_and(|last| self.are_alike(last, streak.start, end));
        if is_alike {
            streak.number += 1;
        } else {
            self.end(id, streak);
            streak.number = 1;
        }
        if streak.number == FIRST {
            streak.left_out = end;
        }
        streak.last = Some(streak.start);
        streak.start = end;
    }

    /// Ends the rounds that are alike.
    fn end(&mut self, activity: ActivityId, streak: &Streak) {
        if streak.number <= MAX_SHOWN {
            return;
        }
        let entries = streak.left_out..streak.start;
        self.found.retain(|inner| !entries.contains(&inner.entries.start));
        let time = self.time(entries.start, entries.end);
        self.found.push(AlikeRounds { entries, activity, number: streak.number - FIRST, time });
    }

    /// Whether two consecutive iterations show the same.
    fn are_alike(&self, first: usize, second: usize, end: usize) -> bool {
        let shown = |range: Range<usize>| self.shown.get(range);
        let times = |start: usize, end: usize| {
            let entries = self.entries.get(start..end).unwrap_or_default();
            let begin = entries.first().map(|entry| entry.at);
            entries.iter().map(move |entry| begin.map(|begin| entry.at.since(begin)))
        };
        shown(first..second) == shown(second..end)
            && times(first, second).eq(times(second, end))
            && self.time(first, second) == self.time(second, end)
    }

    fn time(&self, start: usize, end: usize) -> SignedDuration {
        let at = |index: usize| self.entries.get(index).map(|entry| entry.at);
        let last = || self.text.run.ended.record.entries.last().map(|entry| entry.at);
        let (Some(start), Some(end)) = (at(start), at(end).or_else(last)) else { return SignedDuration::ZERO };
        end.since(start)
    }
}

//! Skips iterations of a loop that change nothing: they are only counted, up to the next event.

use super::head::{Counts, LoopHead, Numbers, Progress};
use super::state::{MAX_TEXT, Run};
use crate::simulate::clock::Instant;
use crate::simulate::trace::{Repeat, times};
use crate::simulate::variables::Mark;

/// The number of consecutive iterations with the same initial state after which further ones are skipped. The first one
/// may look different in the timeline, because it follows the activities before the loop.
const EQUAL_ROUNDS: u32 = 2;

impl Run<'_, '_> {
    /// Called right before the condition of the innermost loop is evaluated.
    pub fn skip_unchanged_rounds(&mut self) {
        if self.search.is_some() {
            return;
        }
        let head = self.loops.last_mut().and_then(|inner| inner.head.take());
        let (numbers, progress) = (self.numbers(), self.progress());
        let Some(mut head) = head else {
            let values = self.mark_values();
            let head = LoopHead { values, numbers, progress, equal_rounds: 0, counts: None };
            if let Some(inner) = self.loops.last_mut() {
                inner.head = Some(Box::new(head));
            }
            return;
        };
        let is_equal = head.numbers == numbers && self.values.are_as_at(head.values);
        head.equal_rounds = if is_equal { head.equal_rounds.saturating_add(1) } else { 0 };
        (head.values, head.numbers) = (self.mark_values(), numbers);
        let before = std::mem::replace(&mut head.progress, progress);
        let mut rounds = 0;
        if let Some(counts) = head.counts.take().filter(|_| head.equal_rounds >= EQUAL_ROUNDS) {
            rounds = self.unchanged_rounds(&before, &head.progress, &counts);
            if rounds > 0 {
                self.skip(&before, &head.progress, &counts, rounds);
                head.progress = self.progress();
            }
        }
        head.counts = (head.equal_rounds + 1 >= EQUAL_ROUNDS).then(|| self.counts());
        if let Some(inner) = self.loops.last_mut() {
            inner.rounds = inner.rounds.saturating_add(rounds);
            inner.head = Some(head);
        }
    }

    fn mark_values(&mut self) -> Mark {
        if self.loops.len() == 1 {
            // No other loop compares with values from before.
            self.values.forget_replaced();
        }
        self.values.mark()
    }

    fn numbers(&self) -> Numbers {
        [
            self.record.statuses.len() as u64,
            self.record.mails.len() as u64,
            self.record.approvals.len() as u64,
            u64::from(self.record.assumptions.len()),
            self.waiting.len() as u64,
            self.unset.len() as u64,
            self.used.len() as u64,
            self.generated,
            self.planned,
            self.happened,
        ]
    }

    fn progress(&self) -> Progress {
        let entries = self.record.entries_len();
        Progress { now: self.clock.now(), steps: self.steps, text: self.text, entries }
    }

    fn counts(&self) -> Counts {
        Counts { calls: self.calls.clone(), times_begun: self.record.times_begun.clone() }
    }

    /// The number of equal iterations that follow: up to the next timer, fault or limit.
    fn unchanged_rounds(&self, before: &Progress, now: &Progress, counts: &Counts) -> u64 {
        // A repeat inside of another could not be shown.
        if self.record.repeats.last().is_some_and(|repeat| repeat.entries.end > before.entries) {
            return 0;
        }
        let limits = &self.plan.scenario.limits;
        let period = now.now.since(before.now).as_millis();
        // A timer must not be due in a round that is skipped; the end of the virtual time may be.
        let next = self.clock.next_at().map(|at| at.since(now.now).as_millis() - 1);
        let end = Instant::START.after(limits.virtual_time).since(now.now).as_millis();
        let time = next.map_or(end, |next| next.min(end)).max(0);
        let by_time = time.checked_div(period).map_or(u64::MAX, |rounds| u64::try_from(rounds).unwrap_or(u64::MAX));
        let by_steps = limits.steps.saturating_sub(now.steps) / (now.steps - before.steps).max(1);
        let text = MAX_TEXT.saturating_sub(now.text).checked_div(now.text - before.text);
        let by_text = text.map_or(u64::MAX, |rounds| rounds as u64);
        let methods = self.plan.program.methods().iter().zip(self.calls.iter().zip(&counts.calls));
        let by_faults = methods.filter_map(|(method, (count, before))| {
            let of_round = count - before;
            let call = self.plan.index.next_failing(method, *count).filter(|_| of_round > 0)?;
            (call - 1 - count).checked_div(of_round)
        });
        by_faults.fold(by_time.min(by_steps).min(by_text), u64::min)
    }

    /// Counts rounds that are like the last one.
    fn skip(&mut self, before: &Progress, now: &Progress, counts: &Counts, rounds: u64) {
        let period = now.now.since(before.now);
        self.record.repeats.push(Repeat { entries: before.entries..now.entries, times: rounds, period });
        self.clock.advance_to(now.now.after(times(period, rounds)));
        self.steps += (now.steps - before.steps).saturating_mul(rounds);
        let rounds_of_text = usize::try_from(rounds).unwrap_or(usize::MAX);
        self.text = self.text.saturating_add((now.text - before.text).saturating_mul(rounds_of_text));
        let calls = self.calls.iter_mut().zip(&counts.calls);
        let times_begun = self.record.times_begun.iter_mut().zip(&counts.times_begun);
        for (count, before) in calls.chain(times_begun) {
            *count = count.saturating_add((*count - before).saturating_mul(rounds));
        }
    }
}

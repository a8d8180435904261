//! Rounds of a loop that change nothing are not played again: they are counted, up to the next event.

use super::head::{HeadState, LoopHead, Progress};
use super::state::{MAX_TEXT, Run};
use crate::simulate::clock::Instant;
use crate::simulate::trace::{Repeat, times};

/// So many rounds in a row have begun in the same state when the next ones are skipped. In the timeline the first of
/// them may differ from the others, since the activities before the loop are not those in it.
const EQUAL_ROUNDS: u32 = 2;

impl<'p> Run<'p, '_> {
    /// Called right before the condition of the innermost loop is evaluated.
    pub fn skip_unchanged_rounds(&mut self) {
        if self.search.is_some() {
            return;
        }
        let (state, progress) = (self.head_state(), self.progress());
        let Some(inner) = self.loops.last_mut() else { return };
        let Some(mut head) = inner.head.take() else {
            inner.head = Some(Box::new(LoopHead { state, progress, equal_rounds: 0 }));
            return;
        };
        head.equal_rounds = if head.state == state { head.equal_rounds.saturating_add(1) } else { 0 };
        head.state = state;
        let before = std::mem::replace(&mut head.progress, progress);
        let rounds = if head.equal_rounds < EQUAL_ROUNDS { 0 } else { self.unchanged_rounds(&before, &head.progress) };
        if rounds > 0 {
            self.skip(&before, &head.progress, rounds);
            head.progress = self.progress();
        }
        if let Some(inner) = self.loops.last_mut() {
            inner.rounds = inner.rounds.saturating_add(rounds);
            inner.head = Some(head);
        }
    }

    fn head_state(&self) -> HeadState {
        let numbers = [
            self.record.statuses.len(),
            self.record.mails.len(),
            self.record.approvals.len(),
            self.record.assumptions.len(),
            self.waiting.len(),
            self.unset.len(),
            self.used.len(),
        ];
        let numbers = numbers.into_iter().map(|number| number as u64);
        let numbers = numbers.chain([self.generated, self.planned, self.happened]).collect();
        HeadState { values: self.values.clone(), numbers }
    }

    fn progress(&self) -> Progress<'p> {
        Progress {
            now: self.clock.now(),
            steps: self.steps,
            text: self.text,
            entries: self.record.entries.len(),
            calls: self.calls.clone(),
            times_begun: self.record.times_begun.clone(),
        }
    }

    /// How many rounds after the last one are the same: up to the next timer, fault or limit.
    fn unchanged_rounds(&self, before: &Progress<'p>, now: &Progress<'p>) -> u64 {
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
        let by_faults = self.plan.scenario.faults.iter().filter_map(|fault| {
            let (method, call) = (fault.method.value.as_str(), fault.call?);
            let count = *now.calls.get(method)?;
            let of_round = count - before.calls.get(method).copied().unwrap_or_default();
            (call > count).then(|| (call - 1 - count).checked_div(of_round).unwrap_or(u64::MAX))
        });
        by_faults.fold(by_time.min(by_steps).min(by_text), u64::min)
    }

    /// Counts rounds that are like the last one.
    fn skip(&mut self, before: &Progress<'p>, now: &Progress<'p>, rounds: u64) {
        let period = now.now.since(before.now);
        self.record.repeats.push(Repeat { entries: before.entries..now.entries, times: rounds, period });
        self.clock.advance_to(now.now.after(times(period, rounds)));
        self.steps += (now.steps - before.steps).saturating_mul(rounds);
        let rounds_of_text = usize::try_from(rounds).unwrap_or(usize::MAX);
        self.text = self.text.saturating_add((now.text - before.text).saturating_mul(rounds_of_text));
        for (method, count) in &mut self.calls {
            let of_round = *count - before.calls.get(method).copied().unwrap_or_default();
            *count += of_round.saturating_mul(rounds);
        }
        for (times, before) in self.record.times_begun.iter_mut().zip(&before.times_begun) {
            *times = times.saturating_add((*times - before).saturating_mul(rounds));
        }
    }
}

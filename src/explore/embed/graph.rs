//! The graph of the states that a search has recorded.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use serde_json::Value;

use super::words::{self, ChoiceWords};
use crate::common::collections::{HashMap, IndexSet};
use crate::explore::ends::End;
use crate::explore::explored::ExploredEnd;
use crate::explore::inputs::Inputs;
use crate::explore::order::Order;
use crate::explore::scenario::{masked_base, part};
use crate::explore::search::{Explorer, RecordedMove, RecordedState, Recorder, SearchDecision};
use crate::explore::state_graph::{GraphCycle, GraphEnd, GraphMove, GraphState, StateGraph};
use crate::redaction::Masker;
use crate::simulate::{
    Event, EventWords, MAX_EVENT_VALUE, Plan, Record, RunEvent, RunEventKind, events, milliseconds, rounds,
    status_value, times,
};
use crate::text::{truncate, without_backticks};

/// States in all cycles together.
const MAX_IN_CYCLES: usize = 100_000;

/// Makes the graph of what a search has recorded.
pub struct Embedder<'b, 'e, 'p, 's> {
    pub order: &'b Order<'b>,
    pub inputs: &'b Inputs,
    pub plan: &'p Plan<'p>,
    pub masker: &'b Masker,
    /// The indices of the ends of the service.
    pub ends: &'b BTreeMap<&'b End, usize>,
    pub recorder: &'b Recorder<'p>,
    pub explorer: &'b Explorer<'e, 'p, 's>,
}

/// The parts of a graph that are still growing.
struct Building {
    events: IndexSet<RunEvent>,
    complete: bool,
}

impl Embedder<'_, '_, '_, '_> {
    /// The graph; `None` when no states are kept.
    pub fn graph(&self, ends: &[&ExploredEnd]) -> Option<StateGraph> {
        let start = self.recorder.start.as_ref().filter(|_| self.recorder.keeps_states())?;
        let is_whole = self.explorer.cut().is_none()
            && !self.recorder.sets.is_cut
            && self.recorder.states.len() == self.explorer.states();
        let mut building = Building { events: IndexSet::default(), complete: is_whole };
        let start = self.start(start, &mut building);
        let still = self.still();
        let states = self.recorder.states.iter();
        let states = states.map(|state| self.state(state, &still, &mut building)).collect();
        let cycles = self.cycles(&mut building);
        let ends = ends.iter().enumerate().map(|(index, end)| GraphEnd {
            outcome: end.ending,
            run: format!("end-{}", index + 1),
            status: end.status.as_deref().map(|status| status_value(&self.masker.apply(status))),
        });
        let Building { events, complete } = building;
        Some(StateGraph {
            events: events.into_iter().collect(),
            states,
            start,
            ends: ends.collect(),
            cycles,
            complete,
            scenario: masked_base(self.order, self.inputs, self.masker),
        })
    }

    /// From the submission: what a field is filled with that is still to be chosen is not said.
    fn start(&self, start: &RecordedMove<'_>, building: &mut Building) -> GraphMove {
        let open = self.inputs.fields.iter().filter(|field| field.alternatives.len() > 1);
        let open: BTreeSet<_> = open.filter_map(|field| self.plan.names.slot(&field.variable)).collect();
        let mut record = (*start.record).clone();
        record.entries.retain(|entry| !matches!(&entry.event, Event::Filled(slot, _) if open.contains(slot)));
        let events = self.events(start, &self.words(&record), building);
        GraphMove { events, ..self.arrival(start, building) }
    }

    /// The states that nothing leaves, with the end that they are.
    fn still(&self) -> HashMap<usize, usize> {
        let still = self.recorder.sets.all.iter().filter(|set| set.is_still);
        still.filter_map(|set| Some((*set.members.first()?, *self.ends.get(&set.end)?))).collect()
    }

    fn state(&self, state: &RecordedState<'_>, still: &HashMap<usize, usize>, building: &mut Building) -> GraphState {
        building.complete &= state.point.is_some() && !self.explorer.is_unexplored(state.node);
        let mut moves: Vec<GraphMove> = state.moves.iter().map(|it| self.made(it, building)).collect();
        let words = ChoiceWords { order: self.order, inputs: self.inputs, plan: self.plan, masker: self.masker };
        let mut choices = words.alternatives(state);
        if let Some(end) = still.get(&state.node) {
            moves.push(GraphMove { end: Some(*end), ..GraphMove::default() });
            choices.push("nobody acts".to_owned());
        }
        let has_choice = moves.len() > 1;
        let question = state.point.as_ref().filter(|_| has_choice).map(|point| words.question(point));
        if has_choice {
            for (next, choice) in moves.iter_mut().zip(choices) {
                next.choice = Some(choice);
            }
        }
        GraphState { question, activity: state.activity, moves }
    }

    fn made(&self, made: &RecordedMove<'_>, building: &mut Building) -> GraphMove {
        let mut listed = self.events(made, &self.words(&made.record), building);
        if let Some(choice) = &made.choice
            && let SearchDecision::Field { field, alternative } = choice.decision
            && let Some(event) = self.filled(field, alternative)
        {
            listed.insert(0, (0, building.events.insert_full(event).0));
        }
        let scenario = made.choice.as_ref().filter(|_| made.jump.is_none());
        let scenario = scenario.and_then(|choice| part(self.order, self.inputs, choice, self.masker));
        GraphMove { events: listed, scenario: scenario.map(Value::Object), ..self.arrival(made, building) }
    }

    /// Where a move leads to.
    fn arrival(&self, made: &RecordedMove<'_>, building: &mut Building) -> GraphMove {
        let to = made.to.and_then(|node| self.recorder.numbers.get(&node).copied());
        let end = made.to.and_then(|node| self.ends.get(self.explorer.end_at(node)?).copied());
        building.complete &= to.is_some() || end.is_some();
        GraphMove { to, end, elapsed: milliseconds(made.elapsed), ..GraphMove::default() }
    }

    fn words<'r>(&'r self, record: &'r Record<'r>) -> EventWords<'r> {
        let (plan, masker, max_value_len) = (self.plan, self.masker, MAX_EVENT_VALUE);
        EventWords { plan, record, masker, max_value_len, is_for_page: false }
    }

    fn events(&self, made: &RecordedMove<'_>, words: &EventWords<'_>, building: &mut Building) -> Vec<(i64, usize)> {
        let began = milliseconds(made.began.since_start());
        let mut listed: Vec<(i64, usize)> = Vec::new();
        let mut add = |at: i64, event: RunEvent| {
            let (index, _) = building.events.insert_full(RunEvent { at: 0, ..event });
            listed.push((at, index));
        };
        // A person who signs does so meanwhile, whatever activity is waiting.
        let signs = made.choice.as_ref().is_some_and(|it| matches!(it.decision, SearchDecision::Signs { .. }));
        for event in events(words) {
            let activity = event.activity.filter(|_| !signs);
            add((event.at - began).max(0), RunEvent { activity, ..event });
        }
        if let Some(jump) = made.jump.as_ref().filter(|jump| jump.rounds > 0) {
            let round_end = made.elapsed.as_millis();
            let activity = made.to.and_then(|node| self.explorer.place_of(node));
            let name = activity.and_then(|id| self.plan.activity(id)?.name.value());
            let name = name.map(|name| without_backticks(&self.masker.apply(name)).into_owned());
            let text = rounds(name.as_deref(), jump.rounds, times(jump.period, jump.rounds));
            let event = RunEvent::new(SignedDuration::ZERO, activity, RunEventKind::Repeated, text);
            add(i64::try_from(round_end).unwrap_or(i64::MAX), event);
        }
        listed
    }

    /// The choice of a value for a field.
    fn filled(&self, field: usize, alternative: usize) -> Option<RunEvent> {
        let input = self.inputs.fields.get(field)?;
        let text = words::text_of(&input.alternatives.get(alternative)?.value);
        let value = words::masked_value(self.plan, self.masker, &input.variable, text);
        let name = self.masker.apply(&input.variable);
        let shown = if value.is_empty() { "(empty)" } else { value.as_str() };
        let (named, shown) = (without_backticks(&name), without_backticks(shown));
        let text = format!("`{named}` = {}", truncate(&shown, MAX_EVENT_VALUE));
        let event = RunEvent::new(SignedDuration::ZERO, None, RunEventKind::Filled, text);
        Some(RunEvent { variable: Some(name.into_owned()), value: Some(status_value(&value)), ..event })
    }

    /// The sets of states in which an order can stay forever.
    fn cycles(&self, building: &mut Building) -> Vec<GraphCycle> {
        let mut all = BTreeSet::new();
        let mut length = 0;
        for set in self.recorder.sets.all.iter().filter(|set| !set.is_still) {
            let Some(end) = self.ends.get(&set.end).copied() else { continue };
            // A cycle of states that are all kept needs only those.
            let states = set.members.iter().filter_map(|node| self.recorder.numbers.get(node).copied());
            let states: BTreeSet<usize> = states.collect();
            if states.is_empty() {
                continue;
            }
            length += states.len();
            if length > MAX_IN_CYCLES {
                building.complete = false;
                break;
            }
            all.insert(GraphCycle { end, states: states.into_iter().collect() });
        }
        all.into_iter().collect()
    }
}

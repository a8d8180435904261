//! The oracle of a search: what it has decided for the next step, and the decision points, where a run cannot continue
//! without a decision.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::choice::{FieldChoices, PossibleResult};
use super::future_reads::own_reads;
use crate::common::collections::HashMap;
use crate::model::{Activity, ActivityId, Literal};
use crate::simulate::{
    ApprovalAnswer, ApprovalStep, CallError, CallResult, CallSite, Due, Frame, Lookup, LookupOfCall, Oracle, Output,
    Outputs, Plan, Run, ScenarioOracle, Slot, Stop,
};
use crate::synth::PropertyUses;

/// The alternative of a call that is made to fail, and its error.
const FAILS: usize = 1;
pub const SIMULATED_FAILURE: &str = "simulated failure";
/// The error of a lookup whose filter nothing can match.
const NOTHING_FOUND: &str = "no entry can match the filter";

/// The possible results of a call, the usual first.
pub type PossibleResults = Rc<[Rc<PossibleResult>]>;

#[derive(Clone, Default)]
pub struct SearchOracle {
    /// Taken in this order.
    pub decided: Vec<usize>,
    /// How many of them the step has taken.
    pub taken: usize,
    /// What has to be decided before the step can be made.
    pub open: Option<Question>,
    /// The possible results of the call of each activity whose method is not simulated.
    pub results: Rc<HashMap<ActivityId, PossibleResults>>,
    /// Variables whose field is not chosen yet, and that nothing has written since; sorted.
    pub open_fields: Vec<Slot>,
    /// How the results of lookups are used; `None` when a directory is given, which answers them.
    pub lookups: Option<Rc<PropertyUses>>,
}

/// Something that a search decides.
#[derive(Debug, Clone)]
pub enum Question {
    /// Whether a call succeeds (0) or fails (1).
    Call(ActivityId),
    /// Which of its possible results a call has.
    Result(ActivityId, PossibleResults),
}

impl Question {
    /// The activity whose call asks.
    pub const fn activity(&self) -> ActivityId {
        match self {
            Self::Call(activity) | Self::Result(activity, _) => *activity,
        }
    }

    /// Whether the call has no result but an error.
    pub fn only_fails(&self) -> bool {
        matches!(self, Self::Result(_, results) if results.iter().all(|result| result.outputs.is_err()))
    }
}

impl SearchOracle {
    /// Whether the field of a variable is not chosen yet.
    pub fn is_open(&self, variable: Slot) -> bool {
        self.open_fields.binary_search(&variable).is_ok()
    }

    /// Notes that the field of a variable is chosen, or that the variable is written.
    pub fn close(&mut self, variable: Slot) {
        if let Ok(at) = self.open_fields.binary_search(&variable) {
            self.open_fields.remove(at);
        }
    }

    /// Takes the question of a step that could not be made.
    pub fn take_question(&mut self) -> Option<Question> {
        self.taken = 0;
        self.open.take()
    }

    /// Forgets the decisions after a step, also those that it did not need, because its call failed before.
    pub fn forget_decisions(&mut self) {
        self.decided.clear();
        self.taken = 0;
    }

    fn decide(&mut self, question: Question) -> Result<usize, Stop> {
        if let Some(decision) = self.decided.get(self.taken) {
            self.taken += 1;
            return Ok(*decision);
        }
        self.open = Some(question);
        Err(Stop::Undecided)
    }
}

impl Oracle for SearchOracle {
    fn knows(&self, _: &Plan<'_>, _: &CallSite<'_>) -> bool {
        true
    }

    fn fault(&mut self, _: &mut Run<'_, '_>, site: &CallSite<'_>) -> Result<Option<String>, Stop> {
        let decision = self.decide(Question::Call(site.activity.id))?;
        Ok((decision == FAILS).then(|| SIMULATED_FAILURE.to_owned()))
    }

    fn value<'p>(
        &mut self,
        run: &mut Run<'p, '_>,
        site: &CallSite<'p>,
        lookup: LookupOfCall<'_>,
    ) -> Result<Option<CallResult<'p>>, Stop> {
        let results = match (self.results.get(&site.activity.id), &self.lookups) {
            (Some(results), _) => Rc::clone(results),
            (None, Some(uses)) => match lookup() {
                Some(Ok(lookup)) => found(uses, &lookup, run.plan, site),
                Some(Err(error)) => Rc::from([Rc::new(PossibleResult { answer: None, outputs: Err(error.message) })]),
                None => return Ok(None),
            },
            (None, None) => return Ok(None),
        };
        let chosen = self.decide(Question::Result(site.activity.id, Rc::clone(&results)))?;
        Ok(results.get(chosen).map(|result| match &result.outputs {
            Ok(outputs) => {
                let outputs = outputs.iter();
                let output = |(name, value): &(String, _)| Output::requested(name.clone(), Arc::clone(value));
                Ok(Outputs(outputs.map(output).collect()))
            }
            Err(error) => Err(CallError::new(error)),
        }))
    }

    fn approval(
        &mut self,
        run: &mut Run<'_, '_>,
        activity: &Activity<'_>,
        assignees: &[Arc<str>],
        own: usize,
    ) -> VecDeque<ApprovalAnswer> {
        // The scenario of a search has no answers: they are moves of their own.
        ScenarioOracle.approval(run, activity, assignees, own)
    }
}

/// The possible results of a lookup. Properties that no variable keeps are left out.
fn found(uses: &PropertyUses, lookup: &Lookup<'_>, plan: &Plan<'_>, site: &CallSite<'_>) -> PossibleResults {
    let prefix = static_prefix(site.activity);
    let catalog = &plan.config.catalog;
    let variable = |prefix, property| catalog.output_variable(catalog.method(site.method), prefix, property);
    let is_kept = |property| prefix.is_none_or(|prefix| plan.names.slot(&variable(prefix, property)).is_some());
    let answers = uses.answers(lookup).into_iter().map(|(answer, values)| {
        let outputs = lookup.properties.iter().zip(values).filter(|(property, _)| is_kept(property.as_str()));
        let outputs = outputs.map(|(property, value)| (property.clone(), Arc::from(value)));
        Rc::new(PossibleResult { answer: Some(answer), outputs: Ok(outputs.collect()) })
    });
    let answers: PossibleResults = answers.collect();
    if answers.is_empty() {
        return Rc::from([Rc::new(PossibleResult { answer: None, outputs: Err(NOTHING_FOUND.to_owned()) })]);
    }
    answers
}

/// The prefix of the outputs of a call, unless it is known only in a run.
pub fn static_prefix<'p>(activity: &Activity<'p>) -> Option<&'p str> {
    let parameters = activity.provider().into_iter().flat_map(|provider| provider.parameters());
    let mut prefixes = parameters.filter(|parameter| parameter.name.value() == Some("Prefix"));
    match prefixes.find_map(|parameter| parameter.value.get()?.literal().map(|(_, literal)| literal))? {
        Literal::Text(text) => Some(text),
        _ => None,
    }
}

/// Why a run does not continue without a decision.
#[derive(Debug, Clone)]
pub enum Point {
    /// The condition of a loop is evaluated next, which closes cycles.
    LoopHead,
    /// Time passes up to there, or forever.
    Time(Option<Due>),
    /// A variable is read that a field gives one of several values; the number of the field.
    Field(usize),
    Question(Question),
}

impl Point {
    /// Distinguishes the kinds of points at one position.
    pub const fn kind(&self) -> u8 {
        match self {
            Self::LoopHead => 0,
            Self::Time(_) => 1,
            Self::Field(_) => 2,
            Self::Question(Question::Call(_)) => 3,
            Self::Question(Question::Result(..)) => 4,
        }
    }
}

/// The point at which a run is, if it is at one.
pub fn point(run: &Run<'_, '_>, oracle: &SearchOracle, fields: &FieldChoices) -> Option<Point> {
    let (top, below) = match run.frames.as_slice() {
        [.., below, top] => (top, Some(below)),
        [top] => (top, None),
        [] => return None,
    };
    match top {
        Frame::Wait(due) => {
            // An Approval that has taken an answer or its timeout continues by itself.
            let is_decided = matches!(below, Some(Frame::Approval(frame)) if frame.next != ApprovalStep::Wait);
            (!is_decided).then_some(Point::Time(Some(*due)))
        }
        Frame::Approval(frame) if frame.next == ApprovalStep::Wait && frame.answers.is_empty() => {
            Some(Point::Time(frame.timeout))
        }
        Frame::Loop(frame) if !frame.has_waited => {
            open_field(run, oracle, fields, frame.activity.id).or(Some(Point::LoopHead))
        }
        Frame::Activities { ids, next } => open_field(run, oracle, fields, *ids.get(*next)?),
        _ => None,
    }
}

/// A field without a chosen value that an activity reads.
fn open_field(run: &Run<'_, '_>, oracle: &SearchOracle, fields: &FieldChoices, id: ActivityId) -> Option<Point> {
    if oracle.open_fields.is_empty() {
        return None;
    }
    let activity = run.plan.activity(id)?;
    let read = own_reads(run.plan, activity);
    let slot = read.into_iter().find(|slot| oracle.is_open(*slot))?;
    fields.of(slot).map(|(field, _)| Point::Field(field))
}

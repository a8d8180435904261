//! The possible next moves at a point: choices of people, providers and time.

use std::iter::repeat_n;
use std::rc::Rc;
use std::sync::Arc;

use jiff::SignedDuration;

use super::choice::{ApprovalRun, Choice, FieldChoices, SearchDecision};
use super::jump::next_deadline;
use super::oracle::Point;
use super::oracle::{PossibleResults, Question};
use super::search_run::SearchRun;
use crate::config::Choices;
use crate::model::ActivityId;
use crate::simulate::{ApprovalAnswer, Due, Frame, Instant, Priority, Run, SigningAction, Waiting, act, continue_run};
use crate::synth::LookupAnswer;

/// Something that can happen next.
pub struct Move<'p, 's> {
    pub walk: Box<SearchRun<'p, 's>>,
    pub choice: Option<Rc<Choice>>,
    /// Whether it is not the usual alternative.
    pub deviates: bool,
    /// Whether a call is made to fail, which is no way out of a cycle.
    pub is_fault: bool,
    /// Whether the run continues although it is at a point.
    pub is_decided: bool,
}

impl<'p, 's> Move<'p, 's> {
    const fn usual(walk: Box<SearchRun<'p, 's>>) -> Self {
        Self { walk, choice: None, deviates: false, is_fault: false, is_decided: false }
    }

    fn chosen(
        walk: Box<SearchRun<'p, 's>>,
        activity: Option<ActivityId>,
        at: Instant,
        decision: SearchDecision,
    ) -> Self {
        Self { choice: Some(Rc::new(Choice { activity, at, decision })), ..Self::usual(walk) }
    }
}

/// Limits the moves: the assumptions, and what later activities can observe.
pub struct Scope<'e> {
    pub fields: &'e FieldChoices,
    pub assume: Choices,
    /// The cases whose status can still be looked up.
    pub cases: &'e [usize],
}

/// The number of people who can act.
pub fn number_of_people(walk: &SearchRun<'_, '_>) -> usize {
    let approvers = walk.run.frames.iter().map(|frame| match frame {
        Frame::Approval(frame) => walk.run.waiting.get(frame.index).map_or(0, Waiting::len),
        _ => 0,
    });
    approvers.sum::<usize>() + walk.run.cases.pending().len()
}

/// The possible next moves at a point, the usual one first.
pub fn moves<'p, 's>(walk: Box<SearchRun<'p, 's>>, point: &Point, scope: &Scope<'_>) -> Vec<Move<'p, 's>> {
    match point {
        Point::LoopHead => vec![Move { is_decided: true, ..Move::usual(walk) }],
        Point::Field(field) => of_field(walk, *field, scope.fields),
        Point::Question(Question::Call(activity)) => of_call(walk, *activity, scope.assume),
        Point::Question(Question::Result(activity, results)) => of_result(walk, *activity, results, scope.assume),
        Point::Time(due) => of_time(walk, *due, scope),
    }
}

fn of_field<'p, 's>(walk: Box<SearchRun<'p, 's>>, field: usize, fields: &FieldChoices) -> Vec<Move<'p, 's>> {
    let Some(alternatives) = fields.fields.get(field) else { return Vec::new() };
    let Some(slot) = alternatives.variable else { return Vec::new() };
    let walks = repeat_n(walk, alternatives.values.len());
    let moves = alternatives.values.iter().zip(&alternatives.nothing).zip(walks).enumerate();
    moves
        .map(|(index, ((value, is_nothing), mut walk))| {
            if index > 0 {
                walk.run.values.set(&walk.run.plan.names, slot, Arc::clone(value));
                walk.is_plain &= !is_nothing;
            }
            walk.oracle.close(slot);
            let act = SearchDecision::Field { field, alternative: index };
            Move { deviates: index > 0, ..Move::chosen(walk, None, Instant::START, act) }
        })
        .collect()
}

/// The walk after a decision.
fn decide<'p, 's>(mut walk: Box<SearchRun<'p, 's>>, decision: usize) -> Box<SearchRun<'p, 's>> {
    walk.oracle.decided.push(decision);
    walk
}

fn of_call<'p, 's>(walk: Box<SearchRun<'p, 's>>, activity: ActivityId, assume: Choices) -> Vec<Move<'p, 's>> {
    if !assume.failures {
        return vec![Move::usual(decide(walk, 0))];
    }
    let succeeds = Move::usual(decide(walk.clone(), 0));
    let act = SearchDecision::Fails { call: next_call(&walk.run, activity) };
    let at = walk.run.clock.now();
    let mut failing = decide(walk, 1);
    failing.is_plain = false;
    vec![succeeds, Move { deviates: true, is_fault: true, ..Move::chosen(failing, Some(activity), at, act) }]
}

/// The number that the next call of the activity's method has.
fn next_call(run: &Run<'_, '_>, activity: ActivityId) -> u64 {
    let method = run.plan.activity(activity).and_then(|activity| activity.provider()?.method.value());
    method.map_or(0, |method| run.calls_of(method)) + 1
}

fn of_result<'p, 's>(
    walk: Box<SearchRun<'p, 's>>,
    activity: ActivityId,
    results: &PossibleResults,
    assume: Choices,
) -> Vec<Move<'p, 's>> {
    let call = next_call(&walk.run, activity);
    let results = results.iter().zip(repeat_n(walk, results.len())).enumerate();
    results
        .filter(|(_, (result, _))| assume.empty_lookups || result.answer != Some(LookupAnswer::Empty))
        .map(|(number, (result, walk))| {
            let at = walk.run.clock.now();
            let mut walk = decide(walk, number);
            walk.is_plain &= result.answer != Some(LookupAnswer::Empty);
            let act = SearchDecision::Returns { call, number, result: Rc::clone(result) };
            Move { deviates: number > 0, ..Move::chosen(walk, Some(activity), at, act) }
        })
        .collect()
}

/// Somebody acts, or time passes up to the next timer or deadline.
fn of_time<'p, 's>(mut walk: Box<SearchRun<'p, 's>>, due: Option<Due>, scope: &Scope<'_>) -> Vec<Move<'p, 's>> {
    let now = walk.run.clock.now();
    // Reminders and expiries of this instant come before what people do later. No time passes, so no limit is exceeded.
    let end = Due { at: now, priority: Priority::Waiting, order: 0 };
    let _ = walk.run.wait_until(due.map_or(end, |due| due.min(end)));
    let run = &walk.run;
    let next = [run.clock.next_at(), due.map(|due| due.at)].into_iter().flatten().min();
    let second = now.after(SignedDuration::from_secs(1));
    let at = next.map_or(second, |next| next.min(second));
    let mut moves = Vec::new();
    // Everybody could already act in the same state before iterations were skipped.
    if at > now && walk.jumped.is_none() {
        add_signing(&walk, at, scope.cases, &mut moves);
        for depth in 0..run.frames.len() {
            add_answers(&walk, depth, at, &mut moves);
        }
    }
    let has_someone = !moves.is_empty();
    if has_someone && !scope.assume.never_acts {
        return moves;
    }
    if pass(&mut walk, due, scope.cases) {
        moves.push(Move { deviates: has_someone, ..Move::usual(walk) });
    }
    moves
}

fn add_signing<'p, 's>(walk: &SearchRun<'p, 's>, at: Instant, cases: &[usize], moves: &mut Vec<Move<'p, 's>>) {
    let pending = walk.run.cases.pending();
    for (index, party) in pending.iter().enumerate().filter(|(_, party)| cases.contains(&party.case)) {
        let is_same = |other: &&crate::simulate::PendingParty| {
            other.case == party.case && other.mail.eq_ignore_ascii_case(&party.mail)
        };
        if pending.iter().take(index).any(|other| is_same(&other)) {
            // The first party with this address acts for all of them.
            continue;
        }
        for action in [SigningAction::Sign, SigningAction::Reject] {
            let mut walk = Box::new(walk.clone());
            walk.run.clock.advance_to(at);
            for same in pending.iter().filter(is_same) {
                act(&mut walk.run, same.case, same.party, action);
            }
            let activity = walk.run.cases.requested_by(party.case);
            let (mail, asked) = (Arc::clone(&party.mail), party.asked);
            let act = SearchDecision::Signs { mail, asked, case: party.case, action };
            moves.push(Move { deviates: action == SigningAction::Reject, ..Move::chosen(walk, activity, at, act) });
        }
    }
}

fn add_answers<'p, 's>(walk: &SearchRun<'p, 's>, depth: usize, at: Instant, moves: &mut Vec<Move<'p, 's>>) {
    let Some(Frame::Approval(frame)) = walk.run.frames.get(depth) else { return };
    let waiting = walk.run.waiting.get(frame.index).into_iter().flat_map(Waiting::iter);
    let own = walk.run.approval_runs.get(&frame.activity.id).map_or(0, |runs| runs.saturating_sub(1));
    for who in waiting.filter(|who| frame.answers.iter().all(|answer| answer.who != **who)) {
        for approves in [true, false] {
            let mut walk = Box::new(walk.clone());
            walk.run.clock.advance_to(at);
            if let Some(Frame::Approval(frame)) = walk.run.frames.get_mut(depth) {
                let due = Due { at, priority: Priority::Person, order: 0 };
                frame.answers.push_back(ApprovalAnswer { due, who: Arc::clone(who), approves });
            }
            let approval = ApprovalRun { of_all: frame.index + walk.skipped_approvals, own };
            let act = SearchDecision::Answers { who: Arc::clone(who), asked: frame.asked, approval, approves };
            moves.push(Move { deviates: !approves, ..Move::chosen(walk, Some(frame.activity.id), at, act) });
        }
    }
}

/// Lets time pass up to the next deadline, or to `due`; false when nothing is ever due.
fn pass(walk: &mut SearchRun<'_, '_>, due: Option<Due>, cases: &[usize]) -> bool {
    let run = &mut walk.run;
    let deadline = next_deadline(run, cases);
    let mut has_passed = false;
    // Reminders, and cases that no later activity looks up, change nothing observable.
    while run.pass(due) {
        has_passed = true;
        if next_deadline(run, cases) != deadline {
            return true;
        }
    }
    if due.is_none() {
        return has_passed;
    }
    match run.frames.last() {
        Some(Frame::Wait(_)) => _ = run.pop(),
        // It handles its timeout itself, which cannot stop the run.
        Some(Frame::Approval(_)) => _ = continue_run(run, &mut walk.oracle),
        _ => {}
    }
    true
}

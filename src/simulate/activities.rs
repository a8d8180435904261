//! The step loop, and what an activity of each type does. Those with more to say have a file of their own: Approvals and
//! Providers.

use std::sync::Arc;

use jiff::SignedDuration;

use super::clock::{Due, Priority, as_seconds};
use super::oracle::Oracle;
use super::program::{Action, Assign, Condition, Declared, Delay, Part, Readable, Step, Target, While};
use super::run::{Frame, Loop, LoopFrame, Run};
use super::scripts::ScriptError;
use super::strings::{Text, describe, quote, quote_value, translation};
use super::trace::{Event, UnsetRead};
use super::trace::{Failure, Stop};
use super::{approvals, providers};
use crate::config::ActivityShape;
use crate::document::NodeId;
use crate::model::Assumption;
use crate::model::{Activity, ActivityId, ActivityKind, Binding, Code, Locales, Member, SCRIPT_RESULT};
use crate::script::syntax::offset;
use crate::script::{Answer, Job, JsonVariable, ScriptFailure};
use crate::text::diagnostic::Location;
use crate::text::{article, character_length, count};

/// Runs the workflow from its first activity.
pub fn run_workflow(run: &mut Run<'_, '_>, oracle: &mut dyn Oracle) -> Result<(), Stop> {
    begin(run);
    while continue_run(run, oracle)? {}
    Ok(())
}

/// Begins with the first activity.
pub fn begin(run: &mut Run<'_, '_>) {
    let workflow = run.plan.workflow;
    run.push_activities(workflow.roots.get().map_or(&[], Vec::as_slice));
}

/// Does the next thing. Returns whether there was one.
pub fn continue_run(run: &mut Run<'_, '_>, oracle: &mut dyn Oracle) -> Result<bool, Stop> {
    if let Some(id) = run.next_activity() {
        return run.plan.program.step(id).map_or(Ok(()), |step| run_step(run, oracle, step)).map(|()| true);
    }
    let Some(frame) = run.pop() else { return Ok(false) };
    advance(run, frame)?;
    Ok(true)
}

/// Does the next thing of a frame, which pushes itself again if there is more to do.
fn advance<'p>(run: &mut Run<'p, '_>, frame: Frame<'p>) -> Result<(), Stop> {
    match frame {
        // All of them have run.
        Frame::Activities { .. } => Ok(()),
        Frame::Loop(frame) => advance_loop(run, frame),
        Frame::Approval(frame) => approvals::advance(run, *frame),
        Frame::Events(frame) => approvals::fire_next(run, frame),
        Frame::Wait(due) => run.wait_until(due),
    }
}

/// Runs an activity, or begins one that has children or waits: its frame is pushed.
fn run_step<'p>(run: &mut Run<'p, '_>, oracle: &mut dyn Oracle, step: &'p Step<'p>) -> Result<(), Stop> {
    let activity = step.activity;
    if let Action::Event = step.action {
        return Ok(());
    }
    run.begin(activity)?;
    warn_of_literal_placeholders(run, &step.literal)?;
    match &step.action {
        Action::Call(call) => providers::run(run, oracle, activity, call),
        Action::Approval(approval) => approvals::begin(run, oracle, activity, approval),
        Action::Assign(assign) => run_assign(run, activity, assign),
        Action::Status { status, translations } => publish_status(run, activity, status, translations),
        Action::Code(code) => run_code(run, activity, code),
        Action::Sequence => run.push_children(activity),
        Action::While(action) => {
            run.enter_loop(activity);
            run.push(Frame::Loop(LoopFrame { activity, action, has_waited: false }));
            Ok(())
        }
        Action::If(condition) => {
            if holds(run, activity, condition, false)? {
                run.push_children(activity)?;
            }
            Ok(())
        }
        Action::Terminate => {
            run.note(Event::Terminated);
            Err(Stop::Terminated)
        }
        Action::Declared(declared) => run_declared(run, activity, declared),
        Action::Skipped(type_name) => {
            run.assume(Assumption::UnknownTypes);
            run.note(Event::Skipped(type_name));
            Ok(())
        }
        Action::Event => Ok(()),
        Action::Unknown => Err(not_simulated(run, activity)),
    }
}

fn warn_of_literal_placeholders(run: &mut Run<'_, '_>, names: &[&str]) -> Result<(), Stop> {
    for name in names {
        run.assume(Assumption::OnlyBodies);
        run.warn(format!("literal placeholder {}, which only an Assign substitutes", quote(&format!("{{{name}}}"))));
        run.check_events()?;
    }
    Ok(())
}

/// Waits as long as the activity takes, then runs the children of a container, but not Events.
fn run_declared<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, declared: &Declared<'p>) -> Result<(), Stop> {
    run.assume(Assumption::DeclaredTypes);
    let wait = read_delay(run, activity, declared.delay, declared.key)?;
    if let ActivityShape::Container = declared.shape {
        run.push_children(activity)?;
    }
    wait_for(run, wait);
    Ok(())
}

fn wait_for(run: &mut Run<'_, '_>, wait: SignedDuration) {
    if wait.is_positive() {
        let at = run.clock.now().after(wait);
        // After everything else of that instant.
        run.push(Frame::Wait(Due { at, priority: Priority::Waiting, order: u64::MAX }));
    }
}

fn not_simulated(run: &Run<'_, '_>, activity: &Activity<'_>) -> Stop {
    let name = run.plan.name(activity);
    let message = match activity.type_name.value() {
        Some(type_name) => format!(
            "unknown activity type {} of {name}: declare it under `[types]` in wflint.toml to skip the activity",
            quote(type_name)
        ),
        None => format!("missing key `type` in {name}"),
    };
    run.fail(activity.node, message)
}

fn run_assign<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, assign: &'p Assign<'p>) -> Result<(), Stop> {
    let body = assign.body.as_ref().map_err(|key| run.unreadable(activity, key))?;
    let text = substitute(run, &body.parts)?;
    match assign.result.map_err(|key| run.unreadable(activity, key))? {
        Target::Variable(slot) => run.set(slot, text),
        Target::Undefined(name) => run.note(Event::Lost(name.into())),
        Target::Nothing => run.warn("no variable in `result`, the value is lost"),
    }
    Ok(())
}

/// Replaces each placeholder once, from left to right. Placeholders in inserted values stay.
fn substitute<'p>(run: &mut Run<'p, '_>, parts: &'p [Part<'p>]) -> Result<Arc<str>, Stop> {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(part) => {
                run.spend(part.len())?;
                text.push_str(part);
            }
            Part::Variable { slot, name, node, range } => match run.values.get(*slot).cloned() {
                Some(value) => {
                    run.spend(value.len())?;
                    if parts.len() == 1 {
                        return Ok(value);
                    }
                    text.push_str(&value);
                }
                None => {
                    let part = Some(range.clone());
                    run.note_unset(UnsetRead { activity: run.current(), node: *node, part, variable: name });
                }
            },
            Part::Undefined { name, text: placeholder } => {
                run.warn(format!("undefined variable {}, placeholder left unchanged", quote(name)));
                // There may be any number in one text.
                run.check_events()?;
                run.spend(placeholder.len())?;
                text.push_str(placeholder);
            }
        }
    }
    Ok(text.into())
}

/// Publishes the bound variable, else the literal, else the translation.
fn publish_status<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    status: &'p Member<Box<Binding<'p>>>,
    translations: &'p Member<Locales<'p>>,
) -> Result<(), Stop> {
    let is_bound = status.unboxed().is_some_and(Binding::is_bound);
    let own = run.read_member(activity, "status", status)?;
    let has_translations = translations.get().is_some_and(|texts| !texts.is_empty());
    let text = match own {
        Some(text) if is_bound || !text.as_str().is_empty() || !has_translations => text,
        None if is_bound => Text::Document(""),
        _ => match translations {
            Member::Unknown(_) => return Err(run.unreadable(activity, "statusTranslations")),
            Member::Known(_, texts) => Text::Document(translation(texts, &run.plan.scenario.culture)),
            Member::Absent => Text::Document(""),
        },
    };
    run.publish(text)
}

/// Evaluates the condition of an If or a While and adds it to the trace.
fn holds<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    condition: &Readable<Condition<'p>>,
    is_of_loop: bool,
) -> Result<bool, Stop> {
    let condition = readable(run, activity, condition)?;
    let left = run.read_as(activity, "left", condition.left, is_of_loop)?;
    let right = run.read_as(activity, "right", condition.right, is_of_loop)?;
    Ok(evaluate(run, condition, left, right))
}

fn readable<'c, 'p>(
    run: &mut Run<'p, '_>,
    activity: &Activity<'p>,
    condition: &'c Readable<Condition<'p>>,
) -> Result<&'c Condition<'p>, Stop> {
    let condition = condition.as_ref().map_err(|key| run.unreadable(activity, key))?;
    run.assume(Assumption::Comparison);
    Ok(condition)
}

fn evaluate<'p>(
    run: &mut Run<'p, '_>,
    condition: &Condition<'p>,
    left: Option<Text<'p>>,
    right: Option<Text<'p>>,
) -> bool {
    let (left, right) = (left.unwrap_or(Text::Document("")), right.unwrap_or(Text::Document("")));
    let holds = condition.holds(left.as_str(), right.as_str());
    let sides = run.record.sides.len();
    run.record.sides.push([left, right]);
    run.note(Event::Evaluated { sides, holds });
    holds
}

/// Evaluates the condition and waits, or runs the children after the wait.
fn advance_loop<'p>(run: &mut Run<'p, '_>, frame: LoopFrame<'p>) -> Result<(), Stop> {
    let LoopFrame { activity, action, has_waited } = frame;
    run.push(Frame::Loop(LoopFrame { has_waited: !has_waited, ..frame }));
    if has_waited {
        return run.push_children(activity);
    }
    run.end_round();
    // Every evaluation of the condition is a step, so that a loop without children and delay meets the limit too.
    run.step()?;
    run.resume(activity);
    if !holds(run, activity, &action.condition, true)? {
        run.pop();
        run.leave_loop();
        return Ok(());
    }
    run.next_round();
    let wait = read_delay(run, activity, action.delay, "iterationDelaySeconds")?;
    wait_for(run, wait);
    Ok(())
}

/// The time to wait, which a key of the activity holds.
fn read_delay<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    delay: Delay<'p>,
    key: &str,
) -> Result<SignedDuration, Stop> {
    let (source, node) = match delay {
        Delay::Fixed(delay) => return Ok(delay),
        Delay::Of(source, node) => (source, node),
    };
    let Some(value) = run.read_as(activity, key, source, true)? else {
        return Ok(SignedDuration::ZERO);
    };
    Delay::of_text(value.as_str()).ok_or_else(|| {
        let message = format!(
            "expected a number of seconds, 0 or more, in {} of {}, found {}",
            quote(key),
            run.plan.name(activity),
            quote_value(value.as_str().trim())
        );
        run.fail(node.unwrap_or(activity.node), message)
    })
}

fn run_code<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, code: &'p Code<'p>) -> Result<(), Stop> {
    let Member::Known(node, script) = code.script else { return Err(run.unreadable(activity, "script")) };
    let variables = script_variables(run, activity, code)?;
    run.generated += 1;
    let job = Job {
        script: script.to_owned(),
        variables,
        hosts: run.plan.config.catalog.script_globals.clone(),
        trace: None,
        now_ms: run.clock.now().epoch_milliseconds(run.plan.scenario.start),
        seed: run.generated,
        seconds: as_seconds(run.plan.scenario.limits.script_time),
        max_polls: None,
    };
    let name = run.plan.name(activity);
    let message = match run.scripts.run(job) {
        Ok(Answer::Done { json: JsonVariable::Text(text), by_job }) => {
            if by_job {
                run.assume(Assumption::PromiseJobs);
            }
            run.note(Event::Ran);
            let text = run.built(text)?;
            run.write(SCRIPT_RESULT, text);
            return Ok(());
        }
        Ok(Answer::Done { json: JsonVariable::Unset, .. }) => {
            run.assume(Assumption::ScriptResult);
            format!("script of {name} does not set `{SCRIPT_RESULT}` ({})", Assumption::ScriptResult)
        }
        Ok(Answer::Done { json: JsonVariable::Other(kind), .. }) => {
            let found = if kind == "null" { kind } else { format!("{} {kind}", article(&kind)) };
            run.assume(Assumption::ScriptResult);
            format!(
                "expected a string in `{SCRIPT_RESULT}` after the script of {name}, found {found}: use \
                 `JSON.stringify` ({})",
                Assumption::ScriptResult
            )
        }
        Ok(Answer::Failed(failure)) => return Err(script_failed(run, node, script, &name, &failure)),
        Err(ScriptError::Budget(exceeded)) => return Err(run.stuck(&exceeded)),
        Err(ScriptError::Sandbox(error)) => format!("script of {name} cannot run: {error}"),
    };
    Err(run.fail(node, message))
}

fn script_variables<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    code: &'p Code<'p>,
) -> Result<Vec<(String, String)>, Stop> {
    if code.parameters.is_unknown() {
        return Err(run.unreadable(activity, "parameters"));
    }
    let mut variables = Vec::new();
    for parameter in code.parameters.get().into_iter().flatten() {
        let Some(name) = parameter.name.value() else { return Err(run.unreadable(activity, "parameters")) };
        let value = run.read_member(activity, "parameters", &parameter.value)?;
        variables.push((name.to_owned(), value.map_or_else(String::new, |value| value.as_str().to_owned())));
    }
    Ok(variables)
}

/// A failure of the script, located at its line and column inside the JSON string.
fn script_failed(run: &Run<'_, '_>, node: NodeId, script: &str, name: &str, failure: &ScriptFailure) -> Stop {
    let position = match (failure.line, failure.column) {
        (Some(line), Some(column)) => format!(" at line {line}, column {column}"),
        (Some(line), None) => format!(" at line {line}"),
        _ => String::new(),
    };
    let message = format!("script of {name} failed{position}: {}", failure.message);
    let location = failure.line.and_then(|line| {
        let at = offset(script, line, failure.column.unwrap_or(1))?;
        let span = run.plan.document.span_inside(node, at..at + character_length(script, at));
        Some(Location { span, ..run.plan.at(node) })
    });
    Stop::Failed(Failure { message, location: Some(location.unwrap_or_else(|| run.plan.at(node))) })
}

impl<'p> Run<'p, '_> {
    pub fn enter_loop(&mut self, activity: &Activity<'p>) {
        self.loops.push(Loop { activity: activity.id, rounds: 0, round: None, base: None });
    }

    /// Ends the round of the innermost loop that is under way, right before its condition is evaluated.
    pub fn end_round(&mut self) {
        let Some(inner) = self.loops.last_mut().filter(|_| !self.record.is_segment) else { return };
        let now = self.clock.now();
        if let Some(last) = inner.round {
            let period = now.since(last.at);
            let is_folded =
                inner.base.is_some_and(|(base, of_base)| of_base == period && self.record.fold(&base, &last, period));
            if !is_folded {
                inner.base = Some((last, period));
            }
        }
        inner.round = Some(self.record.begin_round(now));
    }

    /// Counts a round of the innermost loop.
    pub fn next_round(&mut self) {
        if let Some(inner) = self.loops.last_mut() {
            inner.rounds += 1;
        }
    }

    pub fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// A run that exceeded a limit. The message names the innermost loop that goes on and the loops
    /// around it; without one, the current activity.
    pub fn stuck(&self, limit: &str) -> Stop {
        // A loop whose condition is false is about to end, and one without an iteration has hardly begun.
        let goes_on = |inner: &Loop| inner.rounds > 0 && self.holds_now(inner.activity);
        if let Some(at) = self.loops.iter().rposition(goes_on)
            && let Some(inner) = self.loops.get(at)
            && let Some(activity) = self.plan.activity(inner.activity)
            && let Some(expression) = activity.expression()
        {
            let condition = describe(expression, |name| self.value_of(name).map(|value| &**value));
            let message = format!(
                "{limit}: loop {} still runs after {}, its condition is true: {condition}{}",
                self.plan.name(activity),
                count(inner.rounds, "round"),
                self.inside(self.loops.iter().take(at))
            );
            return Stop::Stuck(Failure { message, location: Some(self.plan.at(activity.node)) });
        }
        self.stuck_at(limit)
    }

    /// A run that exceeded a limit; the message names the current activity, such as an approval that
    /// waits, and the loops around it.
    pub fn stuck_at(&self, limit: &str) -> Stop {
        let activity = self.current.and_then(|id| self.plan.activity(id));
        let message = match activity {
            Some(activity) if matches!(activity.kind, ActivityKind::Approval(_)) => {
                format!("{limit}: approval {} still waits{}", self.plan.name(activity), self.loops_around())
            }
            Some(activity) => format!("{limit}, at {}{}", self.plan.name(activity), self.loops_around()),
            None => limit.to_owned(),
        };
        Stop::Stuck(Failure { message, location: activity.map(|activity| self.plan.at(activity.node)) })
    }

    /// Whether the condition of a loop holds.
    fn holds_now(&self, activity: ActivityId) -> bool {
        let Some(Action::While(While { condition: Ok(condition), .. })) =
            self.plan.program.step(activity).map(|step| &step.action)
        else {
            return false;
        };
        let [left, right] = [condition.left, condition.right].map(|side| self.resolve(side));
        condition.holds(left.as_ref().map_or("", Text::as_str), right.as_ref().map_or("", Text::as_str))
    }

    /// The loops around the current activity, as the end of a message.
    pub fn loops_around(&self) -> String {
        // A loop is not around itself.
        self.inside(self.loops.iter().filter(|around| Some(around.activity) != self.current))
    }

    /// Loops as the end of a message, from the innermost.
    fn inside<'l>(&self, loops: impl DoubleEndedIterator<Item = &'l Loop>) -> String {
        let activities = loops.rev().filter_map(|around| self.plan.activity(around.activity));
        activities.map(|activity| format!(", inside loop {}", self.plan.name(activity))).collect()
    }
}

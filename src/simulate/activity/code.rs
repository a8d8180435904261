//! Code: a script runs in the sandbox, and the string in its `Json` is written to the variable `Json`.

use crate::diagnostic::Location;
use crate::document::NodeId;
use crate::model::{Activity, Code, Member, SCRIPT_RESULT};
use crate::script::syntax::offset;
use crate::script::{Answer, Job, JsonVariable, ScriptFailure};
use crate::simulate::clock::as_seconds;
use crate::simulate::run::{Run, ScriptError};
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::Event;
use crate::text::{article, character_length};

pub(super) fn run<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, code: &'p Code<'p>) -> Result<(), Stop> {
    let Member::Known(node, script) = code.script else { return Err(run.unreadable(activity, "script")) };
    let variables = parameters(run, activity, code)?;
    run.generated += 1;
    let job = Job {
        script: script.to_owned(),
        variables,
        hosts: run.plan.config.catalog.script_globals.clone(),
        setup: None,
        now_ms: run.clock.now().epoch_milliseconds(run.plan.scenario.start),
        seed: run.generated,
        seconds: as_seconds(run.plan.scenario.limits.script_time),
        max_polls: None,
    };
    let name = run.plan.name(activity);
    let answer = match &run.search {
        Some(search) => run.scripts.run_once(&search.scripts, &mut run.sandbox.borrow_mut(), job),
        None => run.scripts.run(&mut run.sandbox.borrow_mut(), job),
    };
    let message = match answer {
        Ok(Answer::Done { json: JsonVariable::Text(text) }) => {
            run.note(Event::Ran);
            let text = run.built(text)?;
            run.write(SCRIPT_RESULT, text);
            return Ok(());
        }
        Ok(Answer::Done { json: JsonVariable::Unset }) => {
            format!("script of {name} does not set `{SCRIPT_RESULT}`")
        }
        Ok(Answer::Done { json: JsonVariable::Other(kind) }) => {
            let found = if kind == "null" { kind } else { format!("{} {kind}", article(&kind)) };
            format!(
                "expected a string in `{SCRIPT_RESULT}` after the script of {name}, found {found}: use `JSON.stringify`"
            )
        }
        Ok(Answer::Failed(failure)) => return Err(failed(run, node, script, &name, &failure)),
        Err(ScriptError::Budget(exceeded)) => return Err(run.stuck(&exceeded)),
        Err(ScriptError::Sandbox(error)) => format!("script of {name} cannot run: {error}"),
    };
    Err(run.fail(node, message))
}

fn parameters<'p>(
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
fn failed(run: &Run<'_, '_>, node: NodeId, script: &str, name: &str, failure: &ScriptFailure) -> Stop {
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

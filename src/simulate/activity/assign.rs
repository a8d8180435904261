//! Assign: a string with placeholders is written to a variable.

use crate::document::NodeId;
use crate::graph::placeholders;
use crate::model::{Activity, Assign, Binding};
use crate::simulate::quote;
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;

pub(super) fn run<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, assign: &'p Assign<'p>) -> Result<(), Stop> {
    if assign.body.is_unknown() {
        return Err(run.unreadable(activity, "body"));
    }
    let text = match assign.body.known() {
        Some((node, body)) => substitute(run, node, body)?,
        None => String::new(),
    };
    if assign.result.is_unknown() {
        return Err(run.unreadable(activity, "result"));
    }
    match assign.result.get().and_then(Binding::target) {
        Some((_, target)) => run.write(target, text.into()),
        None => run.warn("no variable in `result`, the value is lost"),
    }
    Ok(())
}

/// Replaces each placeholder once, from left to right. Placeholders in inserted values stay.
fn substitute<'p>(run: &mut Run<'p, '_>, node: NodeId, body: &'p str) -> Result<String, Stop> {
    let mut text = String::new();
    let mut rest = 0;
    for placeholder in placeholders(body) {
        let before = body.get(rest..placeholder.range.start).unwrap_or_default();
        run.spend(before.len())?;
        text.push_str(before);
        rest = placeholder.range.end;
        match run.read(node, placeholder.range.clone(), placeholder.name) {
            Some(Some(value)) => {
                run.spend(value.len())?;
                text.push_str(&value);
            }
            Some(None) => {}
            None => {
                run.warn(format!("undefined variable {}, placeholder left unchanged", quote(placeholder.name)));
                text.push_str(body.get(placeholder.range).unwrap_or_default());
            }
        }
    }
    let after = body.get(rest..).unwrap_or_default();
    run.spend(after.len())?;
    text.push_str(after);
    Ok(text)
}

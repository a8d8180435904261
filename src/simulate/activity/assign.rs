//! Assign: a string with placeholders is written to a variable.

use std::sync::Arc;

use crate::model::Activity;
use crate::simulate::program::{Assign, Part, Target};
use crate::simulate::quote;
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;
use crate::simulate::trace::{Event, UnsetRead};

pub(super) fn run<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, assign: &'p Assign<'p>) -> Result<(), Stop> {
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

//! `--timing`: what took how long, to standard error.

use std::time::Duration;

use super::world::{Failure, World, print_note};
use crate::timing::{Part, Timing};

/// Indents continuation lines to the column of the names.
const INDENT: &str = "            ";
/// Rules, scripts and services that are listed.
const MAX_LISTED: usize = 10;

pub(super) fn print(timing: Option<&Timing>, world: &mut World<'_>) -> Result<(), Failure> {
    let Some(timing) = timing else { return Ok(()) };
    for part in Part::ALL {
        let (slowest, more) = timing.slowest(part, MAX_LISTED);
        if slowest.is_empty() {
            continue;
        }
        print_note(world, &format!("{}:", heading(part)), "  ")?;
        for (name, time) in &slowest {
            print_note(world, &format!("{:>10}  {name}", milliseconds(*time)), INDENT)?;
        }
        if more > 0 {
            print_note(world, &format!("{INDENT}… {more} more"), INDENT)?;
        }
    }
    Ok(())
}

const fn heading(part: Part) -> &'static str {
    match part {
        Part::Phase => "Time of phases",
        Part::Service => "Slowest services",
        // Facts are computed by the first rule that needs them, which makes it look slow.
        Part::Rule => "Slowest rules, with the facts that they compute first",
        Part::Script => "Slowest scripts",
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

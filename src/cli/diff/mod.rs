//! `wflint diff`: what a change means.

mod place;
mod revision;
mod sides;

use std::io::{BufWriter, Write};

use super::options::{DiffFormat, DiffOptions};
use super::show;
use super::world::{Exit, Failure, World, print_error};
use crate::diff::{Comparison, Exploration, compare};
use crate::lint::pool;
use crate::report::DiffReport;
use place::Place;

pub(super) fn run(options: &DiffOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    if options.stat && options.format == DiffFormat::Json {
        return Err(Failure::Message("`--stat` is not for `--format json`, which has a summary".to_owned()));
    }
    let pool = pool(options.jobs.map(usize::from)).map_err(Failure::Message)?;
    let old = Place::of(&options.old, &world.current).map_err(Failure::Message)?;
    let new = match &options.new {
        Some(new) => Place::of(new, &world.current),
        None => old.in_working_tree(&world.current),
    };
    let sides = sides::Sides { old, new: new.map_err(Failure::Message)?, options, world };
    let (old, new, mode) = sides.read().map_err(Failure::Message)?;
    let boundary = sides.boundary();
    let exploration = Exploration { program: &world.program, boundary: &boundary };
    let exploration = Some(exploration).filter(|_| !options.no_explore);
    let diff = compare(&Comparison { old: &old, new: &new, mode, exploration, pool: &pool });
    // The report needs no documents.
    drop((old, new));
    if !diff.has_documents && diff.unreadable.is_empty() {
        return Err(Failure::Message("nothing to compare: no workflow, form or signing case found".to_owned()));
    }
    let style = show::style(&options.run_options(), world.stdout_shows, world);
    let report = DiffReport { diff: &diff, is_short: options.stat, style };
    let mut out = BufWriter::new(&mut *world.stdout);
    match options.format {
        DiffFormat::Human => report.write_human(&mut out)?,
        DiffFormat::Markdown => report.write_markdown(&mut out)?,
        DiffFormat::Json => report.write_json(&mut out)?,
    }
    out.flush()?;
    drop(out);
    diff.unreadable.iter().for_each(|reason| print_error(world, reason));
    Ok(match (diff.unreadable.is_empty(), diff.services.is_empty()) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Clean,
        (true, false) => Exit::Findings,
    })
}

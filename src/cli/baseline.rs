//! `--baseline` and `--write-baseline`.

use super::options::LintOptions;
use super::world::{Failure, World};
use crate::identity::Counts;
use crate::lint::{Baseline, BaselineMode};
use crate::project::clean_path;
use crate::read::{ReadError, read_regular};
use crate::write::write_whole;

pub(super) fn mode(options: &LintOptions, world: &World<'_>) -> Result<BaselineMode, Failure> {
    let Some(path) = &options.baseline else { return Ok(BaselineMode::None) };
    let (path, name) = clean_path(path, &world.current);
    let failure = |reason: String| Failure::Message(format!("{name}: {reason}"));
    let text = match read_regular(&path) {
        Ok(text) => Some(text),
        Err(ReadError::Missing) if options.write_baseline => None,
        Err(error) => return Err(Failure::Message(format!("cannot read {name}: {error}"))),
    };
    // The file that is replaced must be a baseline too: another file may have been named by mistake.
    let baseline = match text {
        Some(text) => Baseline::parse(path, &text).map_err(failure)?,
        None => Baseline::empty(path),
    };
    Ok(if options.write_baseline { BaselineMode::Replace(baseline) } else { BaselineMode::Apply(baseline) })
}

/// Writes a baseline in place of the old one.
pub(super) fn write(old: &Baseline, counts: &Counts) -> Result<(), Failure> {
    let text = Baseline::text_of(counts);
    let done = write_whole(&old.path, text.as_bytes());
    done.map_err(|error| Failure::Message(format!("cannot write {}: {error}", old.path.display())))
}

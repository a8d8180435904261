//! `--baseline` and `--write-baseline`.

use super::options::LintOptions;
use super::{Failure, World};
use crate::identity::Counts;
use crate::lint::{Baseline, Known};
use crate::project::clean_path;
use crate::write::write_whole;

/// The findings that are not reported because they are known.
pub(super) fn known(options: &LintOptions, world: &World<'_>) -> Result<Known, Failure> {
    let Some(given) = &options.baseline else { return Ok(Known::Nothing) };
    let (path, name) = clean_path(given, &world.current);
    let refused = |reason: String| Failure::Message(format!("{name}: {reason}"));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if options.write_baseline && error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(refused(error.to_string())),
    };
    // What is to be replaced must be a baseline too: another file may have been named by mistake.
    let baseline = match text {
        Some(text) => Baseline::parse(path, &text).map_err(refused)?,
        None => Baseline::empty(path),
    };
    Ok(if options.write_baseline { Known::Everything(baseline) } else { Known::Listed(baseline) })
}

/// Writes a baseline in place of the old one.
pub(super) fn write(old: &Baseline, known: &Counts) -> Result<(), Failure> {
    let text = Baseline::text_of(known);
    let done = write_whole(&old.path, text.as_bytes());
    done.map_err(|error| Failure::Message(format!("{}: {error}", old.path.display())))
}

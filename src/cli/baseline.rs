//! `--baseline`, `baseline` in configurations, and `--write-baseline`.

use super::options::LintOptions;
use super::world::{Failure, World};
use crate::config::Config;
use crate::lint::{Baseline, Baselines, Outcome};
use crate::project::{Request, clean_path, relative_name};
use crate::read::{ReadError, read_regular};
use crate::text::count;
use crate::write::write_whole;

/// Reads the baseline of the command line, else those of the configurations.
///
/// # Errors
/// The first one that cannot be read. A file that is to be written may be missing, but one that exists must be a
/// baseline: another file may have been named by mistake.
pub(super) fn load(options: &LintOptions, configs: &[Config], request: &Request) -> Result<Baselines, String> {
    let mut baselines =
        Baselines { are_written: options.write_baseline, are_strict: options.strict_baseline, ..Baselines::default() };
    for config in configs {
        let path = options.baseline.as_ref().or(config.baseline.as_ref());
        let index = path.map(|path| -> Result<usize, String> {
            let (path, name) = clean_path(path, &request.current);
            if let Some(index) = baselines.all.iter().position(|known: &Baseline| known.path == path) {
                return Ok(index);
            }
            let read = match options.baseline {
                Some(_) => read_regular(&path),
                None if options.write_baseline => {
                    request.boundary.check_target(&path, &config.baseline_folder).and_then(|()| read_regular(&path))
                }
                None => request.boundary.check(&path, &config.baseline_folder).and_then(|()| read_regular(&path)),
            };
            let baseline = match read {
                Ok(text) => Baseline::parse(path, &text).map_err(|reason| format!("{name}: {reason}")),
                Err(ReadError::Missing) if options.write_baseline => Ok(Baseline::new(path)),
                Err(error) => Err(format!("cannot read {name}: {error}")),
            };
            baselines.all.push(baseline?);
            Ok(baselines.all.len() - 1)
        });
        baselines.of_config.push(index.transpose()?);
    }
    if options.write_baseline && baselines.all.is_empty() {
        return Err("`--write-baseline` requires `--baseline FILE`, or `baseline` in `wflint.toml`".to_owned());
    }
    Ok(baselines)
}

/// Writes the baselines in place of the old ones, and says what they list.
pub(super) fn write(
    options: &LintOptions,
    baselines: &Baselines,
    outcome: &Outcome,
    world: &mut World<'_>,
) -> Result<(), Failure> {
    for (old, counts) in baselines.all.iter().zip(&outcome.baselines) {
        let name = relative_name(&old.path, &world.current);
        let done = write_whole(&old.path, Baseline::text_of(counts).as_bytes());
        done.map_err(|error| Failure::Message(format!("cannot write {name}: {error}")))?;
        if !options.run.quiet {
            let total: usize = counts.values().sum();
            let removed = match old.total().saturating_sub(total) {
                0 => String::new(),
                removed => format!(", {removed} removed"),
            };
            let findings = count(total, "finding");
            writeln!(world.stderr, "Wrote {findings} to {}{removed}.", crate::report::visible(&name))?;
        }
    }
    Ok(())
}

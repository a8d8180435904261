//! `--baseline`, `baseline` in configurations, and `--write-baseline`.

use super::options::LintOptions;
use super::world::{Failure, World};
use crate::config::Config;
use crate::lint::{Baseline, Baselines, Outcome};
use crate::project::{Request, relative_name};
use crate::text::count;
use crate::write::write_whole;

/// Reads the baseline of the command line, else those of the configurations.
///
/// # Errors
/// As [`Baselines::load`].
pub(super) fn load(options: &LintOptions, configs: &[Config], request: &Request) -> Result<Baselines, String> {
    let empty =
        Baselines { are_written: options.write_baseline, are_strict: options.strict_baseline, ..Baselines::default() };
    let baselines = empty.load(options.baseline.as_deref(), configs, request)?;
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

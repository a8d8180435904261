//! `--baseline`, `baseline` in configurations, and `--write-baseline`.

use super::options::LintOptions;
use super::world::World;
use crate::config::Config;
use crate::identity::Counts;
use crate::lint::{Baseline, Baselines};
use crate::project::{Request, relative_name};
use crate::text::count;
use crate::write::Batch;

/// Reads the baseline of the command line, otherwise those of the configurations.
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

/// Adds the baselines, with these entries, to the files to be written. Returns the lines to print about them.
pub(super) fn add(
    options: &LintOptions,
    baselines: &Baselines,
    entries: Vec<Counts>,
    batch: &mut Batch,
    world: &World<'_>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (old, counts) in baselines.all.iter().zip(entries) {
        let name = relative_name(&old.path, &world.current);
        if !options.run.quiet {
            let total: usize = counts.values().sum();
            let removed = match old.total().saturating_sub(total) {
                0 => String::new(),
                removed => format!(", {removed} removed"),
            };
            let findings = count(total, "finding");
            lines.push(format!("Wrote {findings} to {name}{removed}."));
        }
        batch.replace_by(old.path.clone(), name, move |out| Baseline::write(&counts, out));
    }
    lines
}

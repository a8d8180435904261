//! Checks the files that a run writes: it must not read them, nor write one twice.

use std::path::{Path, PathBuf};

use super::options::{CoverageOptions, RunOptions};
use crate::config::FILE_NAME;
use crate::lint::Baselines;
use crate::project::{clean_path, relative_name};
use crate::read::FileKey;
use crate::simulate::is_scenario;
use crate::write::can_write;

/// The files that a run writes and reads by its options.
#[derive(Debug)]
pub(super) struct Targets {
    outputs: Vec<Target>,
    /// The files of `--coverage-output`.
    coverage: Vec<Target>,
    /// The configuration that `--add-suppressions` may create.
    new_config: Option<Target>,
    baselines: Vec<Target>,
    writes_baselines: bool,
}

#[derive(Debug)]
struct Target {
    path: PathBuf,
    name: String,
}

impl Target {
    /// Fails if a scenario is there: not every run reads those of its folders, but none may overwrite one.
    fn check_scenario(&self, option: &str, key: &FileKey) -> Result<(), String> {
        if [&*self.path, key.path()].into_iter().any(is_scenario) && self.path.exists() {
            return Err(format!("`{option}` would overwrite {}, a scenario; choose another file", self.name));
        }
        Ok(())
    }
}

impl Targets {
    pub fn new(options: &RunOptions, baselines: &Baselines, current: &Path) -> Self {
        let outputs = options.output.iter().map(|output| {
            let (path, name) = clean_path(&output.path, current);
            Target { path, name }
        });
        let outputs = outputs.collect();
        let target = |path: &PathBuf| Target { path: path.clone(), name: relative_name(path, current) };
        let paths = baselines.all.iter().map(|baseline| &baseline.path);
        Self {
            outputs,
            coverage: Vec::new(),
            new_config: None,
            baselines: paths.map(target).collect(),
            writes_baselines: baselines.are_written,
        }
    }

    /// The run writes the files of `--coverage-output`, too.
    pub fn with_coverage(self, options: &CoverageOptions, current: &Path) -> Self {
        let coverage = options.coverage_output.iter().map(|output| {
            let (path, name) = clean_path(&output.path, current);
            Target { path, name }
        });
        Self { coverage: coverage.collect(), ..self }
    }

    /// The run may write a configuration in this folder.
    pub fn with_new_config(self, folder: &Path) -> Self {
        let path = folder.join(FILE_NAME);
        Self { new_config: Some(Target { name: relative_name(&path, folder), path }), ..self }
    }

    /// Fails when a file would be written that the run reads, also by another name, or one twice; or when a
    /// baseline cannot be written.
    pub fn check(&self, reads: impl Fn(&FileKey) -> bool) -> Result<(), String> {
        let refuse = |option: &str, target: &Target| {
            let name = &target.name;
            Err(format!("`{option}` would overwrite {name}, which this run reads; choose another file"))
        };
        for output in &self.outputs {
            let key = FileKey::of(&output.path);
            let is_baseline = self.baselines.iter().any(|baseline| key == FileKey::of(&baseline.path));
            if is_baseline && self.writes_baselines {
                return Err(format!("`--output` and `--write-baseline` write to the same file, {}", output.name));
            }
            if let Some(config) = self.new_config.as_ref().filter(|config| key == FileKey::of(&config.path)) {
                return Err(format!("`--output` and `--add-suppressions` write to the same file, {}", config.name));
            }
            if is_baseline || reads(&key) {
                return refuse("--output", output);
            }
            output.check_scenario("--output", &key)?;
        }
        for output in &self.coverage {
            let key = FileKey::of(&output.path);
            if reads(&key) {
                return refuse("--coverage-output", output);
            }
            output.check_scenario("--coverage-output", &key)?;
        }
        if let Some(config) = &self.new_config {
            let key = FileKey::of(&config.path);
            if let Some(baseline) = self.baselines.iter().find(|baseline| key == FileKey::of(&baseline.path)) {
                return refuse("--add-suppressions", baseline);
            }
        }
        for baseline in self.baselines.iter().filter(|_| self.writes_baselines) {
            if reads(&FileKey::of(&baseline.path)) {
                return refuse("--write-baseline", baseline);
            }
            can_write(&baseline.path).map_err(|error| format!("cannot write {}: {error}", baseline.name))?;
        }
        Ok(())
    }
}

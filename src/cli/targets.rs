//! Checks the files that a run writes: it must not read them, nor write one twice.

use std::path::{Path, PathBuf};

use super::options::{CoverageOptions, RunOptions};
use crate::config::FILE_NAME;
use crate::files::read::FileKey;
use crate::files::write::can_write;
use crate::lint::Baselines;
use crate::project::clean_path;
use crate::simulate::is_scenario;

/// The files that a run writes and reads by its options.
#[derive(Debug)]
pub(super) struct Targets {
    /// The files of reports and coverage, with their options.
    outputs: Vec<(&'static str, Target)>,
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
    fn new(path: &Path, current: &Path) -> Self {
        let (path, name) = clean_path(path, current);
        Self { path, name }
    }

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
        let outputs = options.output.iter().map(|output| ("--output", Target::new(&output.path, current)));
        let paths = baselines.all.iter().map(|baseline| &baseline.path);
        Self {
            outputs: outputs.collect(),
            new_config: None,
            baselines: paths.map(|path| Target::new(path, current)).collect(),
            writes_baselines: baselines.are_written,
        }
    }

    /// The run writes the files of `--coverage-output`, too.
    pub fn with_coverage(mut self, options: &CoverageOptions, current: &Path) -> Self {
        let coverage = options.coverage_output.iter();
        self.outputs.extend(coverage.map(|output| ("--coverage-output", Target::new(&output.path, current))));
        self
    }

    /// The run may write a configuration in this folder.
    pub fn with_new_config(self, folder: &Path) -> Self {
        Self { new_config: Some(Target::new(Path::new(FILE_NAME), folder)), ..self }
    }

    /// Fails when a file would be written that the run reads, also by another name, or one twice; or when a
    /// baseline cannot be written.
    pub fn check(&self, reads: impl Fn(&FileKey) -> bool) -> Result<(), String> {
        let refuse = |option: &str, target: &Target| {
            let name = &target.name;
            Err(format!("`{option}` would overwrite {name}, which this run reads; choose another file"))
        };
        for (option, output) in &self.outputs {
            let key = FileKey::of(&output.path);
            let is_baseline = self.baselines.iter().any(|baseline| key == FileKey::of(&baseline.path));
            if is_baseline && self.writes_baselines {
                return Err(format!("`{option}` and `--write-baseline` write to the same file, {}", output.name));
            }
            if let Some(config) = self.new_config.as_ref().filter(|config| key == FileKey::of(&config.path)) {
                return Err(format!("`{option}` and `--add-suppressions` write to the same file, {}", config.name));
            }
            if is_baseline || reads(&key) {
                return refuse(option, output);
            }
            output.check_scenario(option, &key)?;
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

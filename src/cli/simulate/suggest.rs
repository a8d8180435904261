//! `--suggest`: scenarios for what is not covered, which exploring finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::options::{CoverageOptions, RunOptions};
use crate::cli::progress::Progress;
use crate::cli::request::{boundary, config_source};
use crate::cli::scenario_files::{ScenarioTarget, incomplete, write_scenarios};
use crate::cli::targets::Targets;
use crate::cli::world::{Failure, World, print_error, print_note};
use crate::explore::{self, Covers, ExploredProject, explore_project};
use crate::files::paths::clean_path;
use crate::files::read::FileKey;
use crate::init::{ExploredScenario, ScenarioChoice, explored_scenarios};
use crate::lint::pool;
use crate::project::{self, Overrides, Project};
use crate::report::{Format, visible, wrap_guarded};
use crate::simulate::{Coverage, Covered};
use crate::text::diagnostic::FileId;
use crate::text::source::SourceFile;
use crate::text::wrap;

/// Maximum number of names that a line lists.
const MAX_NAMES: usize = 10;

/// What no scenario takes, by the path of the workflow.
type Missing = BTreeMap<PathBuf, BTreeSet<Covered>>;

/// A request for suggestions.
pub(super) struct Suggest<'s> {
    pub paths: &'s [PathBuf],
    pub options: &'s RunOptions,
    pub coverage: &'s CoverageOptions,
    /// Of the simulation.
    pub sources: &'s BTreeMap<FileId, SourceFile>,
}

impl Suggest<'_> {
    /// Lists scenarios for what is missing, and writes them with `--write`. Returns whether everything that is missing
    /// could be explored.
    ///
    /// # Errors
    /// A configuration that cannot be used, or a file that cannot be written.
    pub fn run(&self, all: &[Coverage<'_>], world: &mut World<'_>) -> Result<bool, Failure> {
        if !self.coverage.suggest {
            return Ok(true);
        }
        let missing: Missing = all.iter().filter_map(|workflow| self.missing(workflow)).collect();
        if all.is_empty() {
            return Ok(true);
        }
        if missing.is_empty() {
            self.show("Everything is covered.", &[], world)?;
            return Ok(true);
        }
        let found = self.explore(&missing, world)?;
        let (folder, _) = clean_path(self.coverage.write.as_deref().unwrap_or(&world.current), &world.current);
        let common = self.common_folder(all, world);
        let choice = ScenarioChoice {
            folder: &folder,
            current: &world.current,
            common: common.as_deref(),
            covers: true,
            keeps_files: self.coverage.write.is_some(),
            breaks_laws: false,
        };
        let scenarios = explored_scenarios(&found.explored, &found.sources, choice);
        let text: String = all.iter().map(|workflow| self.of_workflow(workflow, &found, &scenarios)).collect();
        self.show(&text, &scenarios, world)?;
        let mut problems = found.unreadable.clone();
        problems.extend(incomplete(&found.explored, &found.sources, ""));
        for problem in &problems {
            print_error(world, problem);
        }
        if let Some(folder) = self.coverage.write.as_deref().filter(|_| !scenarios.is_empty()) {
            let outputs = self.options.output.iter().map(|output| &output.path);
            let outputs = outputs.chain(self.coverage.coverage_output.iter().map(|output| &output.path));
            let reports = outputs.map(|path| FileKey::of(&world.current.join(path))).collect();
            let target = ScenarioTarget { folder, reports, allow_outside: self.options.settings.allow_outside };
            let line = write_scenarios(&scenarios, &found.sources, &target, world)?;
            if !self.options.quiet {
                print_note(world, &line, "")?;
            }
        }
        Ok(problems.is_empty())
    }

    /// Fails when a file would be written that exploring the workflows reads, before anything is done.
    pub fn check(&self, all: &[Coverage<'_>], targets: &Targets, world: &World<'_>) -> Result<(), Failure> {
        if !self.coverage.suggest || all.is_empty() {
            return Ok(());
        }
        let sources = all.iter().filter_map(|workflow| self.sources.get(&workflow.file));
        let project = self.project(sources.map(|source| source.path.clone()).collect(), world)?;
        targets.check(|file| project.reads(file)).map_err(Failure::Message)
    }

    /// The services of workflows.
    fn project(&self, workflows: Vec<PathBuf>, world: &World<'_>) -> Result<Project, Failure> {
        let request = project::Request {
            current: world.current.clone(),
            paths: workflows,
            config: config_source(self.options, world),
            boundary: boundary(self.paths, self.options, world),
            ..project::Request::default()
        };
        project::find(&request).map_err(|error| Failure::Message(error.0))
    }

    /// The folder that holds those of all workflows.
    fn common_folder(&self, all: &[Coverage<'_>], world: &World<'_>) -> Option<PathBuf> {
        let sources = all.iter().filter_map(|workflow| self.sources.get(&workflow.file));
        let folders =
            sources.filter_map(|source| Some(clean_path(&source.path, &world.current).0.parent()?.to_path_buf()));
        folders.reduce(|common, folder| {
            common.ancestors().find(|common| folder.starts_with(common)).map(Path::to_path_buf).unwrap_or_default()
        })
    }

    fn missing(&self, workflow: &Coverage<'_>) -> Option<(PathBuf, BTreeSet<Covered>)> {
        let missing: BTreeSet<Covered> = workflow.missing().collect();
        let source = self.sources.get(&workflow.file)?;
        (!missing.is_empty()).then(|| (source.path.clone(), missing))
    }

    /// Explores the workflows of which something is missing.
    fn explore(&self, missing: &Missing, world: &World<'_>) -> Result<ExploredProject, Failure> {
        let project = self.project(missing.keys().cloned().collect(), world)?;
        let progress = Progress::new(world.stderr_is_terminal && !self.options.quiet, "states");
        let request = explore::Request {
            project: &project,
            program: &world.program,
            boundary: &boundary(self.paths, self.options, world),
            max_states: None,
            covers: Covers::Missing(missing),
            proves: false,
            embeds: None,
            overrides: &Overrides::new(),
            progress: &|states| progress.add(states),
        };
        let pool = pool(self.options.jobs.map(usize::from)).map_err(Failure::Message)?;
        let found = explore_project(&request, &[], world.today, &pool);
        progress.clear();
        found.map_err(Failure::Message)
    }

    /// The scenarios for a workflow, and what nothing reaches; nothing for one that is covered, or could not be explored.
    fn of_workflow(&self, workflow: &Coverage<'_>, found: &ExploredProject, scenarios: &[ExploredScenario]) -> String {
        let Some((path, missing)) = self.missing(workflow) else { return String::new() };
        let is_this = |file: FileId| found.sources.get(&file).is_some_and(|source| source.path == path);
        let Some(service) = found.explored.services.iter().find(|service| is_this(service.workflow)) else {
            return String::new();
        };
        let name = self.sources.get(&workflow.file).map_or("", |source| source.name.as_str());
        let (mut text, mut rest) = (String::new(), missing.clone());
        let scenarios = scenarios.iter().filter(|scenario| is_this(scenario.workflow));
        let scenarios: Vec<&ExploredScenario> = scenarios.collect();
        for scenario in &scenarios {
            let covers = names(workflow, &scenario.reaches);
            let _ = writeln!(text, "  {}: {covers}", visible(&scenario.file));
            rest.retain(|covered| !scenario.reaches.contains(covered));
        }
        let more = missing.len() - rest.len();
        let scenarios = match scenarios.len() {
            0 => String::new(),
            1 => format!("1 scenario covers {more} of "),
            number => format!("{number} scenarios cover {more} of "),
        };
        let mut text = format!("{}: {scenarios}{} missing\n{text}", visible(name), missing.len());
        if !rest.is_empty() {
            let what = if service.is_complete() { "no order reaches" } else { "not found so far" };
            let _ = writeln!(text, "  {what}: {}", names(workflow, &rest));
        }
        text
    }

    /// Shows the list: on standard output beside a report for people, otherwise on standard error.
    fn show(&self, text: &str, scenarios: &[ExploredScenario], world: &mut World<'_>) -> Result<(), Failure> {
        let is_for_people = self.options.format == Format::Human || self.options.output_file().is_some();
        let width = if is_for_people { world.widths.stdout } else { world.widths.stderr.unwrap_or(usize::MAX) };
        let mut shown: String = text.lines().map(|line| wrap_guarded(line, width, "    ") + "\n").collect();
        if !scenarios.is_empty() && self.coverage.write.is_none() && !self.options.quiet {
            shown += &wrap("Add `--write DIR` to write these scenarios.", width, "");
            shown.push('\n');
        }
        let stream = if is_for_people { &mut *world.stdout } else { &mut *world.stderr };
        Ok(stream.write_all(shown.as_bytes())?)
    }
}

/// The first names of what a scenario covers, or of what nothing reaches.
fn names(workflow: &Coverage<'_>, parts: &BTreeSet<Covered>) -> String {
    let name = |covered: &Covered| {
        let activity = workflow.activity(covered.activity());
        let name = activity.map(|activity| activity.display_name()).unwrap_or_default();
        match covered {
            Covered::Activity(_) => name,
            Covered::Branch(_, branch) => format!("{name} ({})", branch.word()),
        }
    };
    let first: Vec<String> = parts.iter().take(MAX_NAMES).map(name).collect();
    let more = parts.len() - first.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    visible(&(first.join(", ") + &more)).into_owned()
}

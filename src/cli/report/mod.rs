//! `wflint report`: one HTML page about services, for people who do not read JSON.

mod scenarios;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use rayon::ThreadPool;

use super::diff::{self, DiffFormat, DiffOptions};
use super::options::headings::{MISCELLANEOUS, OUTPUT};
use super::options::{Color, OutputFile, RunOptions, SettingsOptions};
use super::progress::Progress;
use super::request::{boundary, config_source, paths_from};
use super::show;
use super::targets::Targets;
use super::world::{Exit, Failure, World, print_error, print_line};
use crate::config::Config;
use crate::explore::{Covers, ExploredProject, Request as ExploreRequest, explore_project};
use crate::files::inside::NamesInside;
use crate::files::paths::clean_path;
use crate::files::read::FileKey;
use crate::lint::{self, Baselines, Outcome, pool};
#[cfg(not(target_family = "wasm"))]
use crate::lsp::PlaysOrder;
use crate::page::{Collected, Compared, Inputs, Page, ScenarioCollector, ScenarioRuns, collect, html};
use crate::project::{self, Overrides, Project, Request};
use crate::script::Evaluator;
use crate::simulate::{Loaded, Session};
use crate::text::count;
use crate::text::suggest::Suggester;
use scenarios::{Scenarios, ShownScenarios, load, names_inside};

/// States of a service that are embedded.
const EMBEDDED: u32 = 2000;
const NOTHING: &str = "nothing to report: no workflow found";

#[derive(Debug, Args)]
pub(super) struct ReportOptions {
    /// Workflows, or folders that contain them [default: .]
    pub paths: Vec<PathBuf>,
    /// Write the page to this file, which ends in `.html`
    #[arg(long, help_heading = OUTPUT, value_name = "FILE", value_parser = html_file())]
    pub output: PathBuf,
    /// Heading of the page [default: the name of the folder]
    #[arg(long, help_heading = OUTPUT, value_name = "TEXT")]
    pub title: Option<String>,
    /// Show what changed since this git revision; with `...` after it, since its merge base with `HEAD`
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Leave out what needs exploring: how orders can end, and laws
    #[arg(long)]
    pub no_explore: bool,
    /// Do not run scripts, and leave out what needs them
    #[arg(long)]
    pub no_scripts: bool,
    /// Embed at most N explored states of each service, for "Try it"
    #[arg(long, value_name = "N", default_value_t = EMBEDDED)]
    pub embed_states: u32,
    /// Print nothing but errors
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Control when colored output is used
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// Accepts names of HTML files.
fn html_file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|value: OsString| {
        let path = PathBuf::from(value);
        let is_html = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html"));
        if is_html { Ok(path) } else { Err("expected a file that ends in `.html`") }
    })
}

impl ReportOptions {
    /// Those that other commands have as well.
    fn run_options(&self) -> RunOptions {
        let output = Some(self.output.clone()).filter(|path| !path.as_os_str().is_empty());
        RunOptions {
            output: output.into_iter().map(|path| OutputFile { format: None, path }).collect(),
            quiet: self.quiet,
            color: self.color,
            settings: self.settings.clone(),
            jobs: self.jobs,
            ..RunOptions::default()
        }
    }

    fn paths(&self) -> Vec<PathBuf> {
        if self.paths.is_empty() { vec![PathBuf::from(".")] } else { self.paths.clone() }
    }
}

pub(super) fn run(options: &ReportOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    show::check_output(&options.run_options(), world)?;
    let page = write(options, &scenario_paths(&options.paths(), world), None, world)?;
    if !options.quiet {
        print_line(world, &summary(&page), "")?;
    }
    Ok(Exit::Clean)
}

/// Writes the page about workflows, with the scenarios of some paths, which have run, for `--coverage-output`.
pub(super) fn write_coverage(
    workflows: Vec<PathBuf>,
    (scenarios, ran): (&[PathBuf], ScenarioRuns),
    run: &RunOptions,
    output: &Path,
    world: &mut World<'_>,
) -> Result<(), Failure> {
    let options = ReportOptions {
        paths: workflows,
        output: output.to_path_buf(),
        title: None,
        since: None,
        no_explore: false,
        no_scripts: false,
        embed_states: EMBEDDED,
        quiet: run.quiet,
        color: run.color,
        settings: run.settings.clone(),
        jobs: run.jobs,
    };
    write(&options, scenarios, Some(ran), world).map(drop)
}

fn write(
    options: &ReportOptions,
    scenarios: &[PathBuf],
    ran: Option<ScenarioRuns>,
    world: &mut World<'_>,
) -> Result<Page, Failure> {
    let run_options = options.run_options();
    let Loading { request, project, names, loaded } = Loading::new(options, scenarios, world)?;
    let baselines = Baselines::default().load(None, &project.configs, &request).map_err(Failure::Message)?;
    let targets = Targets::new(&run_options, &baselines, &world.current);
    let is_read = |file: &FileKey| project.reads(file) || loaded.as_ref().is_some_and(|loaded| loaded.reads(file));
    targets.check(is_read).map_err(Failure::Message)?;
    let pool = pool(options.jobs.map(usize::from)).map_err(Failure::Message)?;
    let reporter = Reporter { options, request: &request, project: &project, names, pool: &pool, targets };
    let Collected { page, data } = reporter.collect(Some(baselines), Scenarios { loaded, ran }, world)?;
    if page.services.is_empty() {
        return Err(Failure::Message(NOTHING.to_owned()));
    }
    let html = html(&page, &data.json());
    show::write_file(&options.output, html.as_bytes(), world)?;
    Ok(page)
}

/// Prints what can be played of a workflow: the data of its page, without findings and "Try it".
#[cfg(not(target_family = "wasm"))]
pub(super) fn print_plays(order: &PlaysOrder, world: &mut World<'_>) -> Result<Exit, Failure> {
    let PlaysOrder { workflow, scenarios, config, isolated, allow_outside } = order.clone();
    // Who has asked needs a processor, too.
    let jobs = std::thread::available_parallelism().map_or(1, |processors| processors.get().div_ceil(2));
    let options = ReportOptions {
        paths: vec![workflow.clone()],
        output: PathBuf::new(),
        title: None,
        since: None,
        no_explore: false,
        no_scripts: false,
        embed_states: 0,
        quiet: true,
        color: Color::Never,
        settings: SettingsOptions { config, isolated, allow_outside },
        jobs: u16::try_from(jobs).ok(),
    };
    let scenarios = if scenarios.is_empty() { scenario_paths(&options.paths, world) } else { scenarios };
    let Loading { request, project, names, loaded } = Loading::new(&options, &scenarios, world)?;
    let targets = Targets::new(&options.run_options(), &Baselines::default(), &world.current);
    let pool = pool(options.jobs.map(usize::from)).map_err(Failure::Message)?;
    let reporter = Reporter { options: &options, request: &request, project: &project, names, pool: &pool, targets };
    let Collected { mut data, .. } = reporter.collect(None, Scenarios { loaded, ran: None }, world)?;
    data.services.iter_mut().for_each(|service| service.graph = None);
    world.stdout.write_all(data.json().as_bytes())?;
    Ok(Exit::Clean)
}

/// What a page is about, before it is looked at.
struct Loading {
    request: Request,
    project: Project,
    names: NamesInside,
    /// The scenarios; `None` if no script may run.
    loaded: Option<Loaded>,
}

impl Loading {
    fn new(options: &ReportOptions, scenarios: &[PathBuf], world: &World<'_>) -> Result<Self, Failure> {
        let run_options = options.run_options();
        let names_from = names_from(&options.paths(), world);
        let request = Request {
            current: names_from.clone(),
            paths: paths_from(&options.paths, Some(&names_from), world),
            config: config_source(&run_options, world),
            boundary: boundary(&options.paths, &run_options, world),
            unsaved: world.unsaved.clone(),
            ..Request::default()
        };
        let mut project = project::find(&request).map_err(|error| Failure::Message(error.0))?;
        let scenarios = paths_from(scenarios, Some(&names_from), world);
        let loaded = (!options.no_scripts).then(|| load(&request, scenarios)).transpose()?;
        let names = names_inside(&names_from, &project, loaded.as_ref());
        project.name_inside(&names);
        Ok(Self { request, project, names, loaded })
    }
}

/// The folder that names of files are relative to: the nearest around all paths, wherever the command is run.
fn names_from(paths: &[PathBuf], world: &World<'_>) -> PathBuf {
    let folders = paths.iter().map(|path| {
        let path = clean_path(path, &world.current).0;
        if path.is_dir() { path } else { path.parent().map_or(path.clone(), Path::to_path_buf) }
    });
    let shared = |first: PathBuf, next: PathBuf| {
        first.ancestors().find(|around| next.starts_with(around)).map_or_else(PathBuf::new, Path::to_path_buf)
    };
    folders.reduce(shared).unwrap_or_else(|| world.current.clone())
}

/// The numbers of the page, in one line.
fn summary(page: &Page) -> String {
    let services = &page.services;
    let findings = services.iter().map(|it| it.findings.len()).sum::<usize>() + page.other_findings.len();
    let ends = services.iter().map(|it| it.orders.ends.len()).sum::<usize>();
    let scenarios = services.iter().flat_map(|it| &it.scenarios.scenarios);
    let failed = scenarios.clone().filter(|scenario| !scenario.passed).count();
    let failed = if failed == 0 { String::new() } else { format!(" ({failed} failed)") };
    format!(
        "{}, {}, {}, {}{failed}.",
        count(services.len(), "service"),
        count(findings, "finding"),
        count(ends, "end"),
        count(scenarios.count(), "scenario")
    )
}

struct Reporter<'r> {
    options: &'r ReportOptions,
    request: &'r Request,
    project: &'r Project,
    names: NamesInside,
    pool: &'r ThreadPool,
    targets: Targets,
}

impl Reporter<'_> {
    /// Without baselines, nothing is linted.
    fn collect(
        &self,
        baselines: Option<Baselines>,
        scenarios: Scenarios,
        world: &mut World<'_>,
    ) -> Result<Collected, Failure> {
        let mut notes = Vec::new();
        let lint = baselines.map(|baselines| self.lint(baselines, world)).transpose();
        let mut lint = lint.map_err(Failure::Message)?.unwrap_or_default();
        for source in lint.sources.values_mut() {
            source.name = self.names.of(&source.name).to_owned();
        }
        notes.extend(lint.unreadable.iter().chain(&lint.notes).cloned());
        let left_out = self.left_out();
        let explored = self.explore(left_out, world).map_err(Failure::Message)?;
        if let Some(explored) = &explored {
            notes.extend(explored.unreadable.iter().chain(&explored.errors).cloned());
            notes.extend(explored.explored.warnings.iter().map(|warning| warning.message.clone()));
        }
        let scenarios = match scenarios.loaded {
            Some(loaded) => self.simulate(&loaded, scenarios.ran, &mut notes, world)?,
            None => {
                notes.push("scenarios were not run (`--no-scripts`)".to_owned());
                ScenarioRuns::left_out()
            }
        };
        let compared = self.compare(&mut notes, world)?;
        let folder = format!(" {}/", self.request.current.display());
        notes = notes.iter().map(|note| self.names.message(&note.replace(&folder, " "))).collect();
        notes.sort();
        notes.dedup();
        let warnings = notes.iter().filter(|_| !self.options.quiet);
        warnings.for_each(|note| print_error(world, &format!("warning: {note}")));
        let evaluator = (!self.options.no_scripts).then(|| Evaluator::new(world.program.clone()));
        let inputs = Inputs {
            title: self.title(world),
            project: self.project,
            lint: &lint,
            explored: explored.as_ref(),
            left_out,
            scenarios: &scenarios,
            compared: compared.as_deref(),
            evaluator: evaluator.as_ref(),
            notes,
        };
        Ok(self.pool.install(|| collect(&inputs)))
    }

    fn left_out(&self) -> Option<&'static str> {
        match (self.options.no_explore, self.options.no_scripts) {
            (true, _) => Some("not explored (`--no-explore`)"),
            (false, true) => Some("not explored, because that runs scripts (`--no-scripts`)"),
            (false, false) => None,
        }
    }

    fn title(&self, world: &World<'_>) -> String {
        let folder = match self.options.paths.as_slice() {
            [path] => {
                let path = clean_path(path, &world.current).0;
                if path.is_dir() { path } else { path.parent().map_or_else(|| path.clone(), Path::to_path_buf) }
            }
            _ => world.current.clone(),
        };
        let name = || folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let title = self.options.title.clone().filter(|title| !title.trim().is_empty());
        title.or_else(name).unwrap_or_else(|| "Services".to_owned())
    }

    fn lint(&self, baselines: Baselines, world: &World<'_>) -> Result<Outcome, String> {
        let options = lint::Options {
            today: Some(world.today),
            program: (!self.options.no_scripts).then(|| world.program.clone()),
            baselines,
            ..lint::Options::default()
        };
        self.pool.install(|| lint::lint(self.project, &options))
    }

    fn explore(&self, left_out: Option<&str>, world: &World<'_>) -> Result<Option<ExploredProject>, String> {
        if left_out.is_some() {
            return Ok(None);
        }
        let progress = Progress::new(world.stderr_is_terminal && !self.options.quiet, "states");
        let request = ExploreRequest {
            project: self.project,
            program: &world.program,
            boundary: &self.request.boundary,
            max_states: None,
            proves: false,
            overrides: &Overrides::new(),
            covers: Covers::Nothing,
            embeds: Some(self.options.embed_states.try_into().unwrap_or(usize::MAX)),
            progress: &|states| progress.add(states),
        };
        let explored = explore_project(&request, &[], world.today, self.pool);
        progress.clear();
        let explored = explored?;
        self.targets.check(|file| explored.reads(file))?;
        Ok(Some(explored))
    }

    /// The scenarios, unless they have run already.
    fn simulate(
        &self,
        loaded: &Loaded,
        ran: Option<ScenarioRuns>,
        notes: &mut Vec<String>,
        world: &World<'_>,
    ) -> Result<ScenarioRuns, Failure> {
        let (suggester, fallback) = (Suggester::default(), Config::default());
        let session = Session::new(loaded, &suggester, &fallback);
        let shown = ShownScenarios::new(loaded, &session, &self.names);
        notes.extend(shown.notes);
        let mut runs = match ran {
            Some(runs) => runs,
            None => {
                let mut collector = ScenarioCollector::new(&loaded.sources);
                let ran: io::Result<_> = session.run(self.pool, &world.program, &mut collector).map(drop);
                ran?;
                collector.runs
            }
        };
        (runs.not_run, runs.names) = (shown.not_run, shown.names);
        Ok(runs)
    }

    /// What `wflint diff REV` says of each path.
    fn compare(&self, notes: &mut Vec<String>, world: &World<'_>) -> Result<Option<Vec<Compared>>, Failure> {
        let Some(revision) = &self.options.since else { return Ok(None) };
        let mut all = Vec::new();
        for path in self.options.paths() {
            let (path, name) = clean_path(&path, &world.current);
            let place = if name.is_empty() { ".".to_owned() } else { name };
            let options = DiffOptions {
                old: format!("{revision}:./{place}").into(),
                new: None,
                no_explore: self.left_out().is_some(),
                format: DiffFormat::Human,
                stat: false,
                color: Color::Never,
                relative_to: Some(self.request.current.clone()),
                settings: self.options.settings.clone(),
                jobs: self.options.jobs,
            };
            let diff = diff::compare_places(&options, self.pool, world)?;
            notes.extend(diff.unreadable);
            all.push(Compared { path, since: revision.clone(), services: diff.services });
        }
        Ok(Some(all))
    }
}

/// The folders of named workflows, so that the scenarios there are found.
fn scenario_paths(paths: &[PathBuf], world: &World<'_>) -> Vec<PathBuf> {
    let folder = |path: &PathBuf| {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if world.current.join(path).is_dir() {
            path.clone()
        } else {
            parent.map_or_else(|| ".".into(), Path::to_path_buf)
        }
    };
    paths.iter().map(folder).collect()
}

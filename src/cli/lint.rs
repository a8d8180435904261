//! `wflint [PATHS]`: lint.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::ThreadPool;

use super::lint_options::LintOptions;
use super::targets::Targets;
use super::watch::{Watched, watch};
use super::watch_cache::WatchCache;
use super::world::{Exit, Failure, World, print_error, print_note};
use super::{files, fixes, known, request, settings, show, verbose};
use crate::common::timing::{Part, Timing};
use crate::config::{Config, FailOn, may_be_own};
use crate::files::lookups::Lookups;
use crate::fix::{self, Change, Fixed};
use crate::lint::{self, Baselines, Choice, Linter, Options, Outcome, Summary};
use crate::project::{self, Project, Request, clean_path};
use crate::report::Format;
use crate::simulate::is_scenario;
use crate::text::count;
use crate::text::diagnostic::Severity;

pub(super) fn run(options: &LintOptions, choices: Vec<Choice>, world: &mut World<'_>) -> Result<Exit, Failure> {
    if let Some(path) = &options.show_settings {
        return settings::run(options, path.as_ref(), &choices, world);
    }
    if options.show_files {
        // Which rules of the user's own there are is not known yet.
        let is_known = |choice: &&Choice| match choice {
            Choice::Select(selector) | Choice::Ignore(selector) => !may_be_own(selector),
        };
        let known: Vec<Choice> = choices.iter().filter(is_known).cloned().collect();
        lint::check_selection(&Config::default(), &known, &[]).map_err(Failure::Message)?;
        return files::run(options, world);
    }
    if !options.run.watch {
        return lint_documents(options, choices, None, world);
    }
    let mut cache = WatchCache::default();
    watch(
        Watched {
            paths: &options.paths,
            options: &options.run,
            outputs: Vec::new(),
            files: &|world, lookups| read_files(options, lookups, world).unwrap_or_default(),
            run: &mut |world| lint_documents(options, choices.clone(), Some(&mut cache), world),
        },
        world,
    )
}

/// The files that a lint reads, wherever they are.
pub(super) fn read_files(options: &LintOptions, lookups: &Lookups, world: &mut World<'_>) -> Option<Vec<PathBuf>> {
    let mut request = request::request(options, world).ok()?;
    request.unsaved = request.unsaved.remembering(lookups);
    if options.since.is_some() {
        project::look_up_revisions(&request, lookups);
    }
    let project = project::find(&request).ok()?;
    let configs = project.configs.iter().flat_map(|config| config.files.iter().chain(&config.baseline));
    let baseline = options.baseline.iter().map(|path| clean_path(path, &world.current).0);
    let documents = project.files().map(|(path, _)| path.to_path_buf());
    Some(documents.chain(configs.cloned()).chain(baseline).collect())
}

/// A lint of the command line.
#[derive(Clone, Copy)]
struct LintRun<'r> {
    options: &'r LintOptions,
    request: &'r Request,
    /// The current folder.
    current: &'r Path,
    /// The threads that lint and draw.
    pool: &'r ThreadPool,
}

fn lint_documents(
    options: &LintOptions,
    choices: Vec<Choice>,
    cache: Option<&mut WatchCache>,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    refuse_scenarios(options, world)?;
    if options.write_baseline && !options.spots.is_empty() {
        return Err(Failure::Message("`--write-baseline` takes whole files, not lines of them".to_owned()));
    }
    show::check_output(&options.run, world)?;
    let request = request::request(options, world)?;
    verbose::before(options, &choices, &request, world)?;
    let mut lint_options = options_of_lint(options, choices, &request, world);
    let pool = lint::pool(lint_options.jobs).map_err(Failure::Message)?;
    let current = world.current.clone();
    let run = LintRun { options, request: &request, current: &current, pool: &pool };
    let mut done = lint(run, options.fix || options.diff, &mut lint_options, cache)?;
    let mut added = Vec::new();
    if let Some(reason) = &options.add_suppressions {
        let changes = std::mem::take(&mut done.1.changes);
        added = suppress(reason, run, &mut lint_options, &mut done, &changes)?;
        done.1.changes = changes;
    }
    let (project, fixed) = done;
    let is_complete = print_problems(&fixed, world) && !fixed.outcome.has_failed_rules;
    verbose::after(options, &fixed.outcome, world)?;
    verbose::print_timing(lint_options.timing.as_deref(), world)?;
    let mut added = added.iter().filter(|_| !options.run.quiet);
    added.try_for_each(|line| print_note(world, line, ""))?;
    // A shard may be empty, but not all of them.
    let is_fine_without = || options.skip_unrelated || project.leaves_out_named || project.other_parts_have_documents();
    if fixed.outcome.summary.files == 0 && !is_fine_without() {
        if !fixed.outcome.diagnostics.is_empty() {
            show::write_reports(&options.run, &fixed.outcome, world)?;
            show::show(options, &fixed.outcome, &pool, false, world)?;
        }
        if is_complete {
            report_nothing_linted(&fixed.outcome, world);
        }
        return Ok(Exit::Failure);
    }
    let exit = deliver(run, &project, &lint_options.baselines, fixed, world)?;
    Ok(if is_complete { exit } else { Exit::Failure })
}

/// Prints what could not be read or written, and notes. Returns whether everything was read and written.
fn print_problems(fixed: &Fixed, world: &mut World<'_>) -> bool {
    let failed = fixed.outcome.unreadable.iter().chain(&fixed.refused);
    let is_complete = failed.clone().next().is_none();
    failed.chain(&fixed.outcome.notes).for_each(|reason| print_error(world, reason));
    is_complete
}

/// Writes the baselines and the reports.
fn deliver(
    run: LintRun<'_>,
    project: &Project,
    baselines: &Baselines,
    mut fixed: Fixed,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    let LintRun { options, request, pool, .. } = run;
    let fails = fails(project, baselines, &fixed.outcome, options.fail_on());
    let has_unread = options.diff && fixes::report_unlinted(&fixed.outcome, world);
    if let Some(show) = options.show {
        fixed.outcome.hide_below(show);
    }
    let diff = options.diff.then(|| fixes::diff_text(options, project, &fixed, world)).transpose()?;
    match &diff {
        None => show::write_reports(&options.run, &fixed.outcome, world)?,
        Some(diff) => {
            show::write_further_reports(&options.run, &fixed.outcome, world)?;
            if let Some(path) = options.run.output_file() {
                show::write_file(path, diff.as_bytes(), world)?;
            }
        }
    }
    let written = known::write_baselines(options, baselines, &fixed.outcome.baselines, world)?;
    written.iter().try_for_each(|line| print_note(world, line, ""))?;
    if let Some(diff) = &diff {
        let shown = fixes::show_diff(options, &fixed, diff, world)?;
        return Ok(if has_unread && fails { Exit::Findings } else { shown });
    }
    let prints_fixed = options.fix && !request.buffers.is_empty();
    if prints_fixed {
        fixes::print_fixed(request, &fixed, world)?;
    }
    show::show(options, &fixed.outcome, pool, prints_fixed, world)?;
    Ok(if fails { Exit::Findings } else { Exit::Clean })
}

fn options_of_lint(options: &LintOptions, choices: Vec<Choice>, request: &Request, world: &World<'_>) -> Options {
    Options {
        choices,
        jobs: options.run.jobs.map(usize::from),
        // Lines of files are not about what they cause elsewhere.
        only_reported: !request.buffers.is_empty()
            || !options.spots.is_empty() && options.spots.len() == options.paths.len(),
        spots: options.spots.clone(),
        today: Some(world.today),
        unsafe_fixes: options.unsafe_fixes,
        fingerprints: options.run.formats().any(Format::has_fingerprints),
        program: (!options.no_scripts).then(|| world.program.clone()),
        timing: options.timing.then(Arc::default),
        ..Options::default()
    }
}

/// Lints, and applies fixes when asked to: to files in place, otherwise in memory.
fn lint(
    run: LintRun<'_>,
    applies_fixes: bool,
    lint_options: &mut Options,
    cache: Option<&mut WatchCache>,
) -> Result<(Arc<Project>, Fixed), Failure> {
    run.pool.install(|| lint_here(run, applies_fixes, lint_options, cache)).map_err(Failure::Message)
}

/// As [`lint`], on the current pool.
fn lint_here(
    LintRun { options, request, current, .. }: LintRun<'_>,
    applies_fixes: bool,
    lint_options: &mut Options,
    cache: Option<&mut WatchCache>,
) -> Result<(Arc<Project>, Fixed), String> {
    let timing = lint_options.timing.clone();
    let find = || match &options.since {
        None => project::find(request).map(|project| (project, None)).map_err(|error| error.0),
        Some(revision) => project::find_since(request, revision).map(|(project, old)| (project, Some(old))),
    };
    let (project, old) = Timing::measure(timing.as_deref(), Part::Phase, || "find files".to_owned(), find)?;
    let project = Arc::new(project);
    lint_options.baselines = known::load_baselines(options, &project.configs, request, current)?;
    let mut targets = Targets::new(&options.run, &lint_options.baselines, current);
    if options.add_suppressions.is_some() {
        targets = targets.with_new_config(current);
    }
    targets.check(|file| project.reads(file))?;
    let linter = match &old {
        None => Linter::new(&project, lint_options)?,
        Some(old) => lint::linter_since(&project, old, lint_options)?,
    };
    let linter = match cache {
        None => linter,
        Some(cache) => cache.with(linter, &project),
    };
    let run = || {
        if applies_fixes {
            let is_written = !options.diff && request.buffers.is_empty();
            fix::fix(&linter, |changes: &[&Change]| if is_written { fix::write(changes) } else { Ok(()) })
        } else {
            Fixed { outcome: fix::lint(&linter), ..Fixed::default() }
        }
    };
    let fixed = Timing::measure(timing.as_deref(), Part::Phase, || "read, check and try fixes".to_owned(), run);
    linter.check_rules(&fixed.outcome)?;
    drop(linter);
    Ok((project, fixed))
}

/// Adds suppressions for the listed findings, after these changes, and lints again until none is left: a report may omit
/// some of very many findings. Returns the lines to print about them.
fn suppress(
    reason: &str,
    run: LintRun<'_>,
    lint_options: &mut Options,
    done: &mut (Arc<Project>, Fixed),
    changes: &[Change],
) -> Result<Vec<String>, Failure> {
    let Summary { fixed, fixed_files, .. } = done.1.outcome.summary;
    if changes.iter().any(|change| done.0.config_files.iter().any(|file| file.path == change.path)) {
        *done = lint(run, false, lint_options, None)?;
    }
    let least = run.options.show.unwrap_or(Severity::Info);
    let (mut seen, mut lines) = (BTreeSet::new(), Vec::new());
    loop {
        let (project, Fixed { outcome, .. }) = &*done;
        let listed = outcome.diagnostics.iter().map(Box::as_ref).filter(|finding| finding.severity >= least);
        let added = known::suppress(reason, project, &outcome.sources, listed, &mut seen, run.current)?;
        if added.is_empty() {
            break;
        }
        lines.extend(added);
        *done = lint(run, false, lint_options, None)?;
    }
    (done.1.outcome.summary.fixed, done.1.outcome.summary.fixed_files) = (fixed, fixed_files);
    Ok(lines)
}

/// Fails if a path is a scenario, unless `--skip-unrelated` skips it.
fn refuse_scenarios(options: &LintOptions, world: &World<'_>) -> Result<(), Failure> {
    let is_scenario = |path: &&PathBuf| is_scenario(path) && world.current.join(path).is_file();
    let in_files = options.paths.iter().chain(&options.stdin_filename).find(is_scenario);
    match in_files.filter(|_| !options.skip_unrelated) {
        Some(path) => {
            let path = path.display();
            let message = format!("{path} is a scenario, not a document; run it with `wflint --simulate {path}`");
            Err(Failure::Message(message))
        }
        None => Ok(()),
    }
}

fn report_nothing_linted(outcome: &Outcome, world: &mut World<'_>) {
    let skipped = match outcome.summary.skipped {
        0 => String::new(),
        skipped => format!(" ({} checked)", count(skipped, "JSON file")),
    };
    print_error(world, &format!("nothing to lint: no workflow, form or signing case found{skipped}"));
}

/// Whether any finding is severe enough, by `--fail-on` or the configuration of its service.
fn fails(project: &Project, baselines: &Baselines, outcome: &Outcome, option: Option<FailOn>) -> bool {
    let mut by_file = BTreeMap::new();
    for service in &project.services {
        let config = project.configs.get(service.config).and_then(|config| config.fail_on);
        by_file.extend(service.files.iter().map(|&file| (file, config.unwrap_or_default())));
    }
    // Problems of a configuration are judged by its own setting, those of a baseline by the first configuration that
    // has it.
    let of_baselines = (0..baselines.all.len()).filter_map(|index| project.configs.get(baselines.config_of(index)));
    let of_files = project.config_files.iter().filter_map(|file| project.configs.get(file.first_config()));
    for (index, config) in of_files.chain(of_baselines).enumerate() {
        by_file.insert(project.id_of_other(index), config.fail_on.unwrap_or_default());
    }
    let listed = outcome.diagnostics.iter().map(|diagnostic| (diagnostic.location.file, diagnostic.severity));
    listed.chain(outcome.omitted.iter().map(|omitted| (omitted.file, omitted.severity))).any(|(file, severity)| {
        let by_config = by_file.get(&file).copied().unwrap_or_default();
        option.unwrap_or(by_config).fails(severity)
    })
}

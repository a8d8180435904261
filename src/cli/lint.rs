//! `wflint [PATHS]`: lint.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::options::LintOptions;
use super::world::{Exit, Failure, World, print_error};
use super::{baseline, fixes, request, show};
use crate::config::FailOn;
use crate::fix::{self, Change, Fixed};
use crate::lint::{self, BaselineMode, Choice, Linter, Options, Outcome};
use crate::project::{self, Project, Request};
use crate::simulate::is_scenario;
use crate::text::count;

pub(super) fn run(options: &LintOptions, choices: Vec<Choice>, world: &mut World<'_>) -> Result<Exit, Failure> {
    refuse_scenarios(options, world)?;
    show::check_output(&options.run, world)?;
    let request = request::request(options, world)?;
    let lint_options = Options {
        choices,
        jobs: options.run.jobs.map(usize::from),
        only_reported: !request.buffers.is_empty(),
        baseline: baseline::mode(options, world)?,
        today: Some(world.today),
        unsafe_fixes: options.unsafe_fixes,
        program: (!options.no_scripts).then(|| world.program.clone()),
    };
    let done = lint::on_pool(lint_options.jobs, || lint(options, &request, &lint_options)).and_then(|done| done);
    let (project, fixed) = done.map_err(Failure::Message)?;

    let unreadable = fixed.outcome.unreadable.iter().chain(&fixed.refused);
    let is_complete = unreadable.clone().count() == 0;
    unreadable.chain(&fixed.outcome.notes).for_each(|reason| print_error(world, reason));
    if fixed.outcome.summary.files == 0 && !options.skip_unrelated {
        if !fixed.outcome.diagnostics.is_empty() {
            show::show(options, &fixed.outcome, world)?;
        }
        if is_complete {
            report_nothing_linted(&fixed.outcome, world);
        }
        return Ok(Exit::Failure);
    }
    if let BaselineMode::Replace(baseline) = &lint_options.baseline {
        baseline::write(baseline, &fixed.outcome.baseline)?;
    }
    let exit = if options.diff {
        fixes::show_diff(options, &fixed, world)?
    } else {
        if options.fix && !request.buffers.is_empty() {
            fixes::print_fixed(&request, &fixed, world)?;
            show::show_on_stderr(options, &fixed.outcome, world)?;
        } else {
            show::show(options, &fixed.outcome, world)?;
        }
        let fail_on = options.fail_on.map(FailOn::from);
        if fails(&project, &fixed.outcome, fail_on) { Exit::Findings } else { Exit::Clean }
    };
    Ok(if is_complete { exit } else { Exit::Failure })
}

/// Lints, and applies fixes when asked to: to files in place, otherwise in memory.
fn lint(options: &LintOptions, request: &Request, lint_options: &Options) -> Result<(Project, Fixed), String> {
    let project = project::find(request).map_err(|error| error.0)?;
    let linter = Linter::new(&project, lint_options)?;
    let fixed = if options.fix || options.diff {
        let is_written = !options.diff && request.buffers.is_empty();
        fix::fix(&linter, |changes: &[&Change]| if is_written { fix::write(changes) } else { Ok(()) })
    } else {
        Fixed { outcome: fix::lint(&linter), ..Fixed::default() }
    };
    Ok((project, fixed))
}

/// Fails when a scenario was named. Hooks, which pass every changed JSON file, skip it.
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
fn fails(project: &Project, outcome: &Outcome, option: Option<FailOn>) -> bool {
    let mut by_file = BTreeMap::new();
    for service in &project.services {
        let config = project.configs.get(service.config).and_then(|config| config.fail_on);
        by_file.extend(service.files.iter().map(|&file| (file, config.unwrap_or_default())));
    }
    // Problems of a configuration are judged by itself, those of the baseline by the first one.
    for (index, config) in project.configs.iter().chain(project.configs.first()).enumerate() {
        by_file.insert(project.id_of_other(index), config.fail_on.unwrap_or_default());
    }
    outcome.diagnostics.iter().any(|diagnostic| {
        let by_config = by_file.get(&diagnostic.location.file).copied().unwrap_or_default();
        option.unwrap_or(by_config).fails(diagnostic.severity)
    })
}

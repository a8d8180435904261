//! `wflint [PATHS]`: lint.

use std::collections::BTreeMap;

use super::options::LintOptions;
use super::{Exit, Failure, World, baseline, complain, fixes, request, show};
use crate::config::FailOn;
use crate::fix::{self, Change, Fixed};
use crate::lint::{self, Choice, Known, Linter, Options, Outcome};
use crate::project::{self, Project, Request};
use crate::text::count;

pub(super) fn run(options: &LintOptions, choices: Vec<Choice>, world: &mut World<'_>) -> Result<Exit, Failure> {
    show::check_output(options, world)?;
    let request = request::request(options, world)?;
    let lint_options = Options {
        choices,
        jobs: options.jobs.map(usize::from),
        only_reported: !request.texts.is_empty(),
        known: baseline::known(options, world)?,
        today: Some(world.today),
        unsafe_fixes: options.unsafe_fixes,
        program: (!options.no_scripts).then(|| world.program.clone()),
    };
    let done = lint::on_pool(lint_options.jobs, || lint(options, &request, &lint_options)).and_then(|done| done);
    let (project, fixed) = done.map_err(Failure::Message)?;

    let unreadable = fixed.outcome.unreadable.iter().chain(&fixed.refused);
    let is_complete = unreadable.clone().count() == 0;
    unreadable.chain(&fixed.outcome.notes).for_each(|reason| complain(world, reason));
    if fixed.outcome.summary.files == 0 && !options.skip_unrelated {
        if is_complete {
            complain_of_nothing(&fixed.outcome, world);
        }
        return Ok(Exit::Failure);
    }
    if let Known::Everything(baseline) = &lint_options.known {
        baseline::write(baseline, &fixed.outcome.known)?;
    }
    let exit = if options.diff {
        fixes::show_diff(options, &fixed, world)?
    } else {
        if options.fix && !request.texts.is_empty() {
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

/// Lints, and fixes if that is asked for: files in place, standard input and a diff in memory.
fn lint(options: &LintOptions, request: &Request, lint_options: &Options) -> Result<(Project, Fixed), String> {
    let project = project::find(request).map_err(|error| error.0)?;
    let fixed = if options.fix || options.diff {
        let linter = Linter::new(&project, lint_options)?;
        let is_written = !options.diff && request.texts.is_empty();
        fix::fix(&linter, |change: &Change| if is_written { fix::write(change) } else { Ok(()) })
    } else {
        Fixed { outcome: lint::lint(&project, lint_options)?, ..Fixed::default() }
    };
    Ok((project, fixed))
}

fn complain_of_nothing(outcome: &Outcome, world: &mut World<'_>) {
    let skipped = match outcome.summary.skipped {
        0 => String::new(),
        skipped => format!(" ({} looked at)", count(skipped, "JSON file")),
    };
    complain(world, &format!("found nothing to lint: no workflow, form or signing case{skipped}"));
}

/// Whether a finding is severe enough: by the option, else by the configuration of its service.
fn fails(project: &Project, outcome: &Outcome, option: Option<FailOn>) -> bool {
    let mut by_file = BTreeMap::new();
    for service in &project.services {
        let config = project.configs.get(service.config).and_then(|config| config.fail_on);
        by_file.extend(service.files.iter().map(|&file| (file, config.unwrap_or_default())));
    }
    // What is wrong with a configuration is judged by itself, with a baseline by the first.
    for (number, config) in project.configs.iter().chain(project.configs.first()).enumerate() {
        by_file.insert(project.id_of_other(number), config.fail_on.unwrap_or_default());
    }
    outcome.diagnostics.iter().any(|diagnostic| {
        let by_config = by_file.get(&diagnostic.location.file).copied().unwrap_or_default();
        option.unwrap_or(by_config).fails(diagnostic.severity)
    })
}

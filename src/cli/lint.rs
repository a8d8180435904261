//! `wflint [PATHS]`: lint.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::options::{Color, LintOptions};
use super::{Exit, Failure, World, complain};
use crate::config::FailOn;
use crate::lint::{self, Choice, Options, Outcome};
use crate::project::{self, ConfigSource, Project, Request, Text};
use crate::report::{Format, Report, Style, count};

/// Bytes of standard input beyond the greatest limit of a document are not read.
const MOST_INPUT: u64 = (1024 << 20) + 1;

pub(super) fn run(options: &LintOptions, choices: Vec<Choice>, world: &mut World<'_>) -> Result<Exit, Failure> {
    let request = request(options, world)?;
    let jobs = options.jobs.map(usize::from);
    let program = (!options.no_scripts).then(|| world.program.clone());
    let lint_options = Options { choices, jobs, only_reported: !request.texts.is_empty(), program };
    let (project, outcome) = lint::on_pool(jobs, || {
        let project = project::find(&request).map_err(|error| error.0)?;
        let outcome = lint::lint(&project, &lint_options)?;
        Ok::<_, String>((project, outcome))
    })
    .and_then(|done| done)
    .map_err(Failure::Message)?;

    for reason in outcome.unreadable.iter().chain(&outcome.notes) {
        complain(world, reason);
    }
    if outcome.summary.files == 0 && !options.skip_unrelated {
        if outcome.unreadable.is_empty() {
            let skipped = match outcome.summary.skipped {
                0 => String::new(),
                skipped => format!(" ({} looked at)", count(skipped, "JSON file")),
            };
            complain(world, &format!("found nothing to lint: no workflow, form or signing case{skipped}"));
        }
        return Ok(Exit::Failure);
    }
    show(options, &outcome, world)?;
    if !outcome.unreadable.is_empty() {
        return Ok(Exit::Failure);
    }
    let fail_on = options.fail_on.map(FailOn::from);
    Ok(if fails(&project, &outcome, fail_on) { Exit::Findings } else { Exit::Clean })
}

fn request(options: &LintOptions, world: &mut World<'_>) -> Result<Request, Failure> {
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let from_stdin = options.paths.iter().any(is_stdin);
    if from_stdin && options.paths.len() > 1 {
        return Err(Failure::Message("`-` stands alone: no other path can be given with it".to_owned()));
    }
    if options.stdin_filename.is_some() && !from_stdin {
        return Err(Failure::Message("`--stdin-filename` goes with the path `-`".to_owned()));
    }
    let texts = if from_stdin {
        let mut bytes = Vec::new();
        let read = (&mut *world.stdin).take(MOST_INPUT).read_to_end(&mut bytes);
        read.map_err(|error| Failure::Message(format!("standard input cannot be read: {error}")))?;
        vec![Text { path: options.stdin_filename.clone(), bytes: bytes.into() }]
    } else {
        Vec::new()
    };
    let paths = match options.paths.as_slice() {
        [] => vec![PathBuf::from(".")],
        paths => paths.to_vec(),
    };
    let config = if options.isolated { ConfigSource::Isolated } else { ConfigSource::Nearest };
    Ok(Request {
        current: world.current.clone(),
        paths,
        texts,
        in_memory: false,
        skip_unrelated: options.skip_unrelated,
        config,
    })
}

/// Whether a finding is severe enough: by the option, else by the configuration of its service.
fn fails(project: &Project, outcome: &Outcome, option: Option<FailOn>) -> bool {
    let mut by_file = BTreeMap::new();
    for service in &project.services {
        let config = project.configs.get(service.config).and_then(|config| config.fail_on);
        by_file.extend(service.files.iter().map(|&file| (file, config.unwrap_or_default())));
    }
    outcome.diagnostics.iter().any(|diagnostic| {
        let by_config = by_file.get(&diagnostic.location.file).copied().unwrap_or_default();
        option.unwrap_or(by_config).fails(diagnostic.severity)
    })
}

fn show(options: &LintOptions, outcome: &Outcome, world: &mut World<'_>) -> Result<(), Failure> {
    let to_file = options.output.is_some();
    let color = color(options, world.stdout_has_color && !to_file);
    let width = if to_file { None } else { world.width };
    let report = Report { outcome, style: Style { color, width, quiet: options.quiet } };
    let is_for_people = matches!(options.format, Format::Human | Format::Concise);
    let statistics = options.statistics.then(|| statistics(outcome));
    if let Some(path) = &options.output {
        let mut bytes = Vec::new();
        report.write(options.format, &mut bytes)?;
        write_whole(&world.current.join(path), &bytes)
            .map_err(|error| Failure::Message(format!("{}: {error}", path.display())))?;
        if let Some(statistics) = &statistics {
            world.stdout.write_all(statistics.as_bytes())?;
        }
        if !options.quiet {
            writeln!(world.stdout, "{}", report.summary_line())?;
        }
        return Ok(());
    }
    let mut out = std::io::BufWriter::new(&mut *world.stdout);
    match &statistics {
        Some(statistics) if is_for_people => out.write_all(statistics.as_bytes())?,
        _ => report.write(options.format, &mut out)?,
    }
    out.flush()?;
    drop(out);
    if let Some(statistics) = statistics.filter(|_| !is_for_people) {
        world.stderr.write_all(statistics.as_bytes())?;
    }
    Ok(())
}

/// Whether to use colours, on a terminal or not.
pub(super) const fn color(options: &LintOptions, is_terminal: bool) -> bool {
    match options.color {
        Color::Auto => is_terminal,
        Color::Always => true,
        Color::Never => false,
    }
}

/// One line a rule that was found: how often, code, name; the most frequent first.
fn statistics(outcome: &Outcome) -> String {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for diagnostic in &outcome.diagnostics {
        *counts.entry((diagnostic.code, diagnostic.name)).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(rule, count)| (std::cmp::Reverse(count), rule));
    counts.into_iter().map(|((code, name), count)| format!("{count:>6}  {code}  {name}\n")).collect()
}

/// Writes a file so that it is there whole or not at all. What is no ordinary file, such as a
/// pipe, is written to as it is.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let is_special = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if is_special {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    set_permissions(&file, &path)?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// A new file gets the permissions that the one it replaces had, or usual ones.
#[cfg(unix)]
fn set_permissions(file: &tempfile::NamedTempFile, path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let usual = std::fs::Permissions::from_mode(0o644);
    let permissions = std::fs::metadata(path).map_or(usual, |metadata| metadata.permissions());
    file.as_file().set_permissions(permissions)
}

#[cfg(not(unix))]
fn set_permissions(_: &tempfile::NamedTempFile, _: &Path) -> std::io::Result<()> {
    Ok(())
}

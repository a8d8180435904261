//! `wflint fmt`: documents in one stable form.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::diffs::{self, ShownDiff};
use super::options::headings::{FILE_SELECTION, MISCELLANEOUS, OUTPUT};
use super::request::{MAX_INPUT_BYTES, config_named, refuse_cut, with_input};
use super::world::{Exit, Failure, World, print_error, print_note, print_path};
use crate::config::Config;
use crate::files::boundary::Boundary;
use crate::files::read::read_up_to;
use crate::fix::{Change, between, write};
use crate::format::{NewIds, Renumbered, format_file, formattable, has_new_ids, renumber};
use crate::project::{
    self, Buffer, ConfigSource, File, Overrides, Project, Request, Service, ServiceFiles, lost_document,
};
use crate::schema::DocumentKind;
use crate::text::count;

#[derive(Debug, Args)]
pub(super) struct FmtOptions {
    /// Files and folders, or `-` to print standard input in its stable form; `- FILE` prints a file
    /// [default: .]
    pub paths: Vec<PathBuf>,
    /// List the files that would change, without writing them
    #[arg(long, conflicts_with = "diff", help_heading = OUTPUT)]
    pub check: bool,
    /// Print the changes as a diff, without writing them
    #[arg(long, help_heading = OUTPUT)]
    pub diff: bool,
    /// Renumber the variables of each service, from 1 in the order of their declaration, in all of its files
    #[arg(long)]
    pub renumber_ids: bool,
    /// Skip named files that are not documents or not valid JSON, for hooks
    #[arg(long, help_heading = FILE_SELECTION)]
    pub skip_unrelated: bool,
    /// Leave out named files and folders that `exclude` matches, for hooks; print such standard input unchanged
    #[arg(long, help_heading = FILE_SELECTION)]
    pub force_exclude: bool,
    /// Print files and errors, but no summary
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Name of the file that is read from standard input, to find its configuration
    #[arg(long, help_heading = FILE_SELECTION, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// Path to the `wflint.toml` to use for all files
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Ignore all configuration files
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub isolated: bool,
}

pub(super) fn run(options: &FmtOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let request = request(options, world)?;
    let project = project::find(&request).map_err(|error| Failure::Message(error.0))?;
    let mut result = Formatted { errors: project.unreadable.clone(), ..Formatted::default() };
    for service in &project.services {
        format_service(&project, service, options, &mut result);
    }
    result.changes.sort_by_cached_key(|changes| changes.first().map(|change| change.name.clone()));
    match request.buffers.first() {
        Some(input) if !(options.check || options.diff) => {
            print_formatted(input, &result, shown_file(options).is_some(), world)
        }
        _ => {
            let is_named = options.paths.iter().any(|path| !world.current.join(path).is_dir());
            let is_fine_without = is_named || project.leaves_out_named;
            if result.documents == 0 && result.errors.is_empty() && !is_fine_without {
                return Err(Failure::Message("nothing to format: no workflow, form or signing case found".to_owned()));
            }
            apply(options, &project, result, world)
        }
    }
}

/// The result of formatting.
#[derive(Default)]
struct Formatted {
    documents: usize,
    /// Those of each element belong together: none is written if one of them cannot be.
    changes: Vec<Vec<Change>>,
    /// Why files were left unchanged.
    errors: Vec<String>,
}

fn request(options: &FmtOptions, world: &mut World<'_>) -> Result<Request, Failure> {
    let message = |text: &str| Failure::Message(text.to_owned());
    let has_input = has_input(options);
    let mut config = config_named(options.config.as_deref(), options.isolated, world);
    let buffers = match shown_file(options) {
        Some(_) if options.check || options.diff || options.stdin_filename.is_some() => {
            return Err(message("`- FILE` prints the file; it cannot be combined with other options"));
        }
        Some(file) => {
            // Git compares a file with a copy elsewhere, and both need the same configuration.
            if config == ConfigSource::Nearest {
                config = Config::find(&world.current).map_or(ConfigSource::Isolated, ConfigSource::File);
            }
            let bytes = read_up_to(&world.current.join(file), MAX_INPUT_BYTES);
            let bytes = bytes.map_err(|error| Failure::Message(format!("cannot read {}: {error}", file.display())))?;
            let is_cut = bytes.len() as u64 > MAX_INPUT_BYTES;
            vec![Buffer { is_cut, ..Buffer::new(Some(file.to_path_buf()), bytes) }]
        }
        None if has_input && options.paths.len() > 1 => {
            return Err(message("`-` can be combined with one file, which is printed, but not with other paths"));
        }
        None if !has_input && options.stdin_filename.is_some() => {
            return Err(message("`--stdin-filename` requires the path `-`"));
        }
        None => Vec::new(),
    };
    if has_input && options.renumber_ids {
        return Err(message("`--renumber-ids` changes a whole service; name its folder instead of `-`"));
    }
    let request = Request {
        current: world.current.clone(),
        paths: if options.paths.is_empty() { vec![PathBuf::from(".")] } else { options.paths.clone() },
        in_memory: has_input,
        buffers,
        skip_unrelated: options.skip_unrelated,
        force_exclude: options.force_exclude,
        config,
        boundary: Boundary::below(vec![world.current.clone()]),
        ..Request::default()
    };
    if has_input && request.buffers.is_empty() {
        return with_input(request, options.stdin_filename.clone(), world);
    }
    Ok(request)
}

/// Whether standard input is formatted, or a file printed as it would be: JSON that is no document stays as it is.
fn has_input(options: &FmtOptions) -> bool {
    options.paths.iter().any(|path| path.as_os_str() == "-")
}

/// Why a file that holds no document cannot be formatted. Other JSON of a folder is skipped.
fn not_formatted(file: &File) -> Option<String> {
    lost_document(file).map(|reason| format!("cannot format {}: {reason}", file.source.name))
}

/// The file of `wflint fmt - FILE`, which is how git calls a `textconv`: it appends the file.
fn shown_file(options: &FmtOptions) -> Option<&Path> {
    match options.paths.as_slice() {
        [dash, file] if dash.as_os_str() == "-" && file.as_os_str() != "-" => Some(file),
        _ => None,
    }
}

fn format_service(project: &Project, service: &Service, options: &FmtOptions, result: &mut Formatted) {
    let Some(config) = project.configs.get(service.config) else { return };
    let read = project.read(service, &Overrides::new());
    if options.renumber_ids {
        match renumber_service(project, &read, config) {
            Ok(formatted) => result.add_together(formatted),
            Err(reason) => result.errors.push(not_renumbered(&reason)),
        }
        return;
    }
    result.errors.extend(read.unreadable.into_iter().map(|(_, reason)| reason));
    for file in read.files.iter().filter(|file| file.reported) {
        match format_file(file, config, &NewIds::default()) {
            Ok(Some(after)) => result.add_together(vec![change(project, file, after)]),
            Ok(None) => result.errors.extend(not_formatted(file).filter(|_| !has_input(options))),
            Err(reason) => result.errors.push(reason),
        }
    }
}

/// Formats the documents of a service with new ids, which agree only if all of them change. Of the files that are not
/// named, only those in which an id changes are formatted. `None` for a document that stays as it is.
fn renumber_service(project: &Project, read: &ServiceFiles, config: &Config) -> Result<Vec<Option<Change>>, String> {
    if let Some((_, reason)) = read.unreadable.first() {
        return Err(reason.clone());
    }
    // Before ids are compared: a broken document may declare those that others seem to lack.
    for file in &read.files {
        formattable(file, config)?;
        not_formatted(file).map_or(Ok(()), Err)?;
    }
    let ids = renumber(&documents(&read.files))?;
    let none = NewIds::default();
    let mut formatted = Vec::new();
    for file in &read.files {
        let ids = ids.get(&file.id).unwrap_or(&none);
        let is_wanted = file.reported || file.document().is_some_and(|(_, document)| has_new_ids(document, ids));
        if is_wanted && let Some(after) = format_file(file, config, ids)? {
            formatted.push(change(project, file, after));
        }
    }
    Ok(formatted)
}

fn not_renumbered(reason: &str) -> String {
    format!("cannot renumber ids: {reason}")
}

/// Workflows first.
fn documents(files: &[File]) -> Vec<Renumbered<'_>> {
    let mut documents: Vec<_> = files.iter().filter_map(|file| Some((file, file.document()?))).collect();
    documents.sort_by_key(|(_, (kind, _))| *kind != DocumentKind::Workflow);
    documents.into_iter().map(|(file, (_, document))| (file.id, file.source.name.as_str(), document)).collect()
}

/// The change of a file; `None` if it has this text already.
fn change(project: &Project, file: &File, after: String) -> Option<Change> {
    let before = Arc::clone(&file.source.text);
    let (name, path) = project.name_and_path(file.id).filter(|_| *before != *after)?;
    let (name, path) = (name.to_owned(), path.to_path_buf());
    Some(Change { file: file.id, path, name, before, after: after.into(), replacements: Vec::new(), fixes: 0 })
}

impl Formatted {
    /// Adds documents, whose changes belong together.
    fn add_together(&mut self, documents: Vec<Option<Change>>) {
        self.documents += documents.len();
        let changes: Vec<Change> = documents.into_iter().flatten().collect();
        if !changes.is_empty() {
            self.changes.push(changes);
        }
    }
}

/// Prints standard input or a file in its stable form, for editors and git; other JSON unchanged.
///
/// A git filter must fail if it cannot format, so that git keeps the content. A `textconv` prints the file unchanged
/// instead, because a failure would end `git diff` and `git log -p`.
fn print_formatted(input: &Buffer, result: &Formatted, is_shown: bool, world: &mut World<'_>) -> Result<Exit, Failure> {
    if let Some(error) = result.errors.first().filter(|_| !is_shown) {
        return Err(Failure::Message(error.clone()));
    }
    refuse_cut(input)?;
    if let Some(error) = result.errors.first() {
        print_error(world, error);
    }
    let text = result.changes.iter().flatten().next().map_or(&*input.bytes, |change| change.after.as_bytes());
    match std::str::from_utf8(text).ok().filter(|_| is_shown && result.documents > 0) {
        // Of two versions, one may be from a working tree with other line ends.
        Some(text) => world.stdout.write_all(text.replace("\r\n", "\n").as_bytes())?,
        None => world.stdout.write_all(text)?,
    }
    world.stdout.flush()?;
    Ok(Exit::Clean)
}

/// Writes the changed files, or shows what would change.
fn apply(
    options: &FmtOptions,
    project: &Project,
    mut result: Formatted,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    let is_dry = options.check || options.diff;
    let mut changed = 0;
    for together in &result.changes {
        if !is_dry && let Err(reason) = write(&together.iter().collect::<Vec<_>>()) {
            result.errors.push(if options.renumber_ids { not_renumbered(&reason) } else { reason });
            continue;
        }
        if options.diff {
            show_diffs(project, together, world)?;
        } else {
            let verb = if options.check { "Would format" } else { "Formatted" };
            for change in together {
                print_path(world, &format!("{verb} {}", change.name))?;
            }
        }
        changed += together.len();
    }
    result.errors.iter().for_each(|error| print_error(world, error));
    if !options.quiet {
        let verb = if is_dry { "would be formatted" } else { "formatted" };
        let unchanged = result.documents - result.changes.iter().map(Vec::len).sum::<usize>();
        print_note(world, &format!("{} {verb}, {unchanged} unchanged.", count(changed, "file")), "")?;
    }
    Ok(match (result.errors.is_empty(), is_dry && changed > 0) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Findings,
        (true, false) => Exit::Clean,
    })
}

fn show_diffs(project: &Project, changes: &[Change], world: &mut World<'_>) -> Result<(), Failure> {
    let by_lines = |change: &Change| Change { replacements: between(&change.before, &change.after), ..change.clone() };
    let changes: Vec<Change> = changes.iter().map(by_lines).collect();
    for ShownDiff { note, text } in diffs::shown(project, &changes).map_err(Failure::Message)? {
        let note = note.map_or_else(String::new, |note| note + "\n");
        world.stdout.write_all((note + &text).as_bytes())?;
    }
    Ok(())
}

//! The scenarios of a page, and how it names files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cli::world::Failure;
use crate::files::inside::{NamesInside, names_outside};
use crate::files::paths::relative_name;
use crate::page::{NotRun, ScenarioRuns};
use crate::project::{Project, Request, is_scenario};
use crate::simulate::{self, Loaded, Session};
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::source::SourceFile;

/// What is known of the scenarios before a page is collected.
pub(super) struct Scenarios {
    /// `None` if no script may run.
    pub loaded: Option<Loaded>,
    /// If they have run already.
    pub ran: Option<ScenarioRuns>,
}

/// Loads the scenarios of some paths, with the documents that they name.
pub(super) fn load(request: &Request, paths: Vec<PathBuf>) -> Result<Loaded, Failure> {
    let Request { current, config, boundary, unsaved, .. } = request.clone();
    let request = simulate::Request { current, paths, config, boundary, unsaved };
    simulate::load(&request).map_err(|error| Failure::Message(error.0))
}

/// How the page names files: all that it may speak of.
pub(super) fn names_inside(folder: &Path, project: &Project, loaded: Option<&Loaded>) -> NamesInside {
    let configs = project.configs.iter().chain(loaded.into_iter().flat_map(|loaded| &loaded.configs));
    let paths = configs.flat_map(|config| &config.files).chain(loaded.into_iter().flat_map(|loaded| &loaded.files));
    let mut names: Vec<String> = paths.map(|path| relative_name(path, folder)).collect();
    names.extend(project.names().map(str::to_owned));
    let messages = project.unreadable.iter().chain(loaded.into_iter().flat_map(|loaded| &loaded.unreadable));
    let problems = loaded.into_iter().flat_map(|loaded| &loaded.problems).map(|problem| &problem.message);
    names.extend(messages.chain(problems).flat_map(|message| names_outside(message)));
    NamesInside::new(folder, names)
}

/// What the page says of scenarios besides their runs.
pub(super) struct ShownScenarios {
    /// What could not be read, and the problems of scenarios.
    pub notes: Vec<String>,
    pub not_run: Vec<NotRun>,
    /// The names of the files, by path.
    pub names: BTreeMap<PathBuf, String>,
}

impl ShownScenarios {
    pub fn new(loaded: &Loaded, session: &Session<'_>, names: &NamesInside) -> Self {
        let mut sources = loaded.sources.clone();
        for source in sources.values_mut() {
            source.name = names.of(&source.name).to_owned();
        }
        let mut problems: Vec<Diagnostic> = loaded.problems.iter().chain(session.problems()).cloned().collect();
        simulate::redact_errors(loaded, &mut sources, problems.iter_mut());
        let mut notes = loaded.unreadable.clone();
        for problem in &problems {
            let Some(source) = sources.get(&problem.location.file) else { continue };
            let start = source.position(problem.location.span.start);
            notes.push(format!("{}:{}: {}", source.name, start.line, problem.message));
        }
        let not_run = not_run(loaded, session, &sources, &problems, names);
        let names = sources.into_values().map(|source| (source.path, source.name)).collect();
        Self { notes, not_run, names }
    }
}

/// The scenarios that could not be run, and why.
fn not_run(
    loaded: &Loaded,
    session: &Session<'_>,
    sources: &BTreeMap<FileId, SourceFile>,
    problems: &[Diagnostic],
    names: &NamesInside,
) -> Vec<NotRun> {
    let ran: Vec<FileId> = session.scenarios().iter().map(|scenario| scenario.file).collect();
    let scenarios = sources.iter().filter(|(_, source)| is_scenario(&source.path));
    let in_words = |problem: &Diagnostic| {
        let source = sources.get(&problem.location.file)?;
        let (line, message) = (source.position(problem.location.span.start).line, names.message(&problem.message));
        Some(if is_scenario(&source.path) {
            format!("line {line}: {message}")
        } else {
            format!("{}:{line}: {message}", source.name)
        })
    };
    let broken = scenarios.filter(|(id, _)| !ran.contains(id)).map(|(id, source)| {
        let own: Vec<&Diagnostic> = problems.iter().filter(|problem| problem.location.file == *id).collect();
        // Without a problem of its own, a directory that it names has one.
        let is_of_directory = |problem: &&Diagnostic| {
            own.is_empty() && sources.get(&problem.location.file).is_some_and(|source| !is_scenario(&source.path))
        };
        let of_directory: Vec<&Diagnostic> = problems.iter().filter(is_of_directory).collect();
        NotRun {
            path: source.path.clone(),
            name: source.name.clone(),
            workflow: loaded.workflow_of(source).map(Path::to_path_buf),
            reasons: own.into_iter().chain(of_directory).filter_map(in_words).collect(),
        }
    });
    let unread = loaded.unread.iter().map(|(path, reason)| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        NotRun { path: path.clone(), name, workflow: None, reasons: vec![format!("cannot read it: {reason}")] }
    });
    broken.chain(unread).collect()
}

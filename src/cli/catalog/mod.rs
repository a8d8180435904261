//! `wflint catalog`: catalogs of the methods of plug-ins, from the workflows that call them (`infer`) and from PowerShell
//! modules (`import`). `deliver` prints or writes them.

mod deliver;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::help;
use super::options::RunOptions;
use super::request::boundary;
use super::world::{Exit, Failure, World, print_error, print_note};
use crate::catalog::NewCatalog;
use crate::common::collections::{HashSet, IndexMap};
use crate::files::paths::clean_path;
use crate::files::read::{ReadError, read_up_to};
use crate::infer::{Inferred, infer};
use crate::lint::{Choice, Options, on_pool};
use crate::powershell::{self, Imported, Module};
use crate::project::{self, Request};
use crate::text::source::SourceFile;
pub(super) use deliver::CatalogOutput;
use deliver::deliver;

/// Bytes of a module.
const MAX_BYTES: u64 = 4 << 20;
/// How the names of files with data sources of forms begin (docs/platform-methods.md, Data sources).
const DATA_SOURCES: [&str; 3] = ["dropdown.", "table.", "webservice."];

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Infer methods from the workflows that call them
    #[command(after_long_help = help::INFER)]
    Infer(InferOptions),
    /// Import the functions of PowerShell modules as methods
    #[command(after_long_help = help::IMPORT)]
    Import(ImportOptions),
}

#[derive(Debug, Args)]
pub(crate) struct InferOptions {
    /// Workflows, or folders that contain them [default: .]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub output: CatalogOutput,
}

#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// PowerShell modules (`*.psm1`, `*.ps1`)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The `package` of the modules' activities [default: any]
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
    #[command(flatten)]
    pub output: CatalogOutput,
}

pub(super) fn run(command: &CatalogCommand, world: &mut World<'_>) -> Result<Exit, Failure> {
    match command {
        CatalogCommand::Infer(options) => run_infer(options, world),
        CatalogCommand::Import(options) => run_import(options, world),
    }
}

fn run_infer(options: &InferOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let paths = if options.paths.is_empty() { vec![PathBuf::from(".")] } else { options.paths.clone() };
    let request = Request {
        current: world.current.clone(),
        boundary: boundary(&paths, &RunOptions::default(), world),
        paths,
        skip_unrelated: true,
        ..Request::default()
    };
    // What is inferred must cause no finding, of any rule.
    let choices = vec![Choice::Select("ALL".to_owned())];
    let rules =
        Options { choices, program: Some(world.program.clone()), today: Some(world.today), ..Options::default() };
    let inferred = on_pool(None, || {
        let mut project = project::find(&request).map_err(|error| error.0)?;
        infer(&mut project, &rules)
    });
    let Inferred { catalogs, notes, unreadable, workflows } =
        inferred.and_then(|inferred| inferred).map_err(Failure::Message)?;
    if workflows == 0 && unreadable.is_empty() {
        return Err(Failure::Message("nothing to infer from: no workflow found".to_owned()));
    }
    for reason in &unreadable {
        print_error(world, reason);
    }
    for note in &notes {
        print_note(world, note, "  ")?;
    }
    if !catalogs.is_empty() {
        deliver(&catalogs, &options.output, world)?;
    } else if unreadable.is_empty() {
        print_note(world, "Every method that is called is in a catalog.", "")?;
    }
    Ok(if unreadable.is_empty() { Exit::Clean } else { Exit::Failure })
}

fn run_import(options: &ImportOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let files = files(&options.files, world)?;
    // With the names of their methods in lower case.
    let mut catalogs: IndexMap<&str, (NewCatalog, HashSet<String>)> = IndexMap::default();
    let mut imported = Vec::new();
    for file in &files {
        let manifest = file.manifest.as_ref();
        imported.push(powershell::import(&Module { source: &file.source, manifest }));
    }
    let mut has_error = false;
    for (file, Imported { methods, notes }) in files.iter().zip(imported) {
        for note in notes {
            let kind = if note.is_error { "error" } else { "note" };
            print_note(world, &format!("{}: {kind}: {}", note.place, note.message), "  ")?;
            has_error |= note.is_error;
        }
        if methods.is_empty() {
            print_note(world, &format!("{}: note: no function to import", file.source.name), "  ")?;
            continue;
        }
        let (catalog, known) = catalogs.entry(&file.module).or_insert_with(|| {
            let catalog = NewCatalog { package: options.package.clone(), ..NewCatalog::of_module(&file.module) };
            (catalog, HashSet::default())
        });
        // Of two files of one module, the first counts.
        catalog.methods.extend(methods.into_iter().filter(|method| known.insert(method.name.to_lowercase())));
    }
    let catalogs: Vec<NewCatalog> = catalogs.into_values().map(|(catalog, _)| catalog).collect();
    deliver(&catalogs, &options.output, world)?;
    Ok(if has_error { Exit::Findings } else { Exit::Clean })
}

/// A module that was read.
struct ModuleFile {
    /// The stem of the file's name.
    module: String,
    source: SourceFile,
    manifest: Option<SourceFile>,
}

/// The modules among the files of the command line.
fn files(paths: &[PathBuf], world: &mut World<'_>) -> Result<Vec<ModuleFile>, Failure> {
    for path in paths {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if extension != "psm1" && extension != "ps1" {
            let message = format!("expected a PowerShell module (`.psm1`, `.ps1`), found {}", path.display());
            return Err(Failure::Message(message));
        }
    }
    let mut files: Vec<ModuleFile> = Vec::new();
    let mut names = HashSet::default();
    for path in paths {
        let (path, name) = clean_path(path, &world.current);
        if !names.insert(name.clone()) {
            continue;
        }
        let Some(module) = path.file_stem().and_then(|stem| stem.to_str()) else {
            return Err(Failure::Message(format!("cannot read {name}: its name is not UTF-8")));
        };
        let source = read(&path, &name)?;
        let source = source.ok_or_else(|| Failure::Message(format!("cannot read {name}: no such file")))?;
        let lower = module.to_lowercase();
        if DATA_SOURCES.iter().any(|start| lower.starts_with(start)) {
            print_note(world, &format!("{name}: note: skipped, it holds data sources of forms"), "  ")?;
            continue;
        }
        let (beside, beside_name) = clean_path(&path.with_extension("psd1"), &world.current);
        let manifest = read(&beside, &beside_name)?;
        files.push(ModuleFile { module: module.to_owned(), source, manifest });
    }
    Ok(files)
}

/// `None` if the file does not exist.
fn read(path: &Path, name: &str) -> Result<Option<SourceFile>, Failure> {
    let failed = |reason: &dyn std::fmt::Display| Err(Failure::Message(format!("cannot read {name}: {reason}")));
    let bytes = match read_up_to(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::Missing) => return Ok(None),
        Err(error) => return failed(&error),
    };
    if bytes.len() as u64 > MAX_BYTES {
        return failed(&format!("larger than the limit of {} MiB", MAX_BYTES >> 20));
    }
    match powershell::decode(&bytes) {
        Ok(text) => Ok(Some(SourceFile::new(path.into(), name.to_owned(), text.into()))),
        Err(error) => failed(&error),
    }
}

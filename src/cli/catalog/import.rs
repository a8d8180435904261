//! `wflint catalog import`: the methods of PowerShell modules.

use std::path::{Path, PathBuf};

use super::deliver::deliver;
use crate::catalog::NewCatalog;
use crate::cli::options::ImportOptions;
use crate::cli::world::{Exit, Failure, World, print_note};
use crate::collections::{HashSet, IndexMap};
use crate::paths::clean_path;
use crate::powershell::{self, Imported, Module};
use crate::read::{ReadError, read_up_to};
use crate::source::SourceFile;

/// Bytes of a module.
const MAX_BYTES: u64 = 4 << 20;
/// How the names of files with data sources of forms begin (docs/platform.md, Data sources).
const DATA_SOURCES: [&str; 3] = ["dropdown.", "table.", "webservice."];

pub(super) fn run(options: &ImportOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
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

//! The files of PowerShell modules: their encodings, the names of their modules, and what lies beside them.

use std::path::{Path, PathBuf};

use crate::cli::world::{Failure, World, print_error, print_note};
use crate::common::collections::HashSet;
use crate::files::paths::clean_path;
use crate::files::read::{ReadError, read_up_to};
use crate::powershell;
use crate::text::source::SourceFile;
use crate::text::{quote, quoted_list};

/// Bytes of a module.
const MAX_BYTES: u64 = 4 << 20;
/// How the names of files with data sources of forms begin (docs/platform-methods.md, Data sources).
const DATA_SOURCES: [&str; 3] = ["dropdown.", "table.", "webservice."];

/// A file that was read.
pub(super) struct ModuleFile {
    pub module: String,
    pub source: SourceFile,
    pub manifest: Option<SourceFile>,
    /// The `.psm1` beside a `.ps1`.
    pub loader: Option<SourceFile>,
}

/// The modules among the files of the command line, and whether there are others that cannot be read.
///
/// # Errors
/// Bad arguments: files of another type, and `.ps1` files of which the module is not known.
pub(super) fn files(
    paths: &[PathBuf],
    module: Option<&str>,
    world: &mut World<'_>,
) -> Result<(Vec<ModuleFile>, bool), Failure> {
    for path in paths {
        if !has_extension(path, "psm1") && !has_extension(path, "ps1") {
            let message = format!("expected a PowerShell module (`.psm1`, `.ps1`), found {}", path.display());
            return Err(Failure::Message(message));
        }
    }
    if module.is_some() && !paths.iter().any(|path| has_extension(path, "ps1")) {
        let message = "`--module` names the module of `.ps1` files; that of a `.psm1` is its file name";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut files: Vec<ModuleFile> = Vec::new();
    let (mut names, mut has_unread) = (HashSet::default(), false);
    for path in paths {
        let (path, name) = clean_path(path, &world.current);
        if !names.insert(name.clone()) {
            continue;
        }
        if has_data_sources(&path) {
            print_note(world, &format!("{name}: note: skipped, it holds data sources of forms"), "  ")?;
            continue;
        }
        let beside = loader(&path, &name, module)?;
        match file(&path, &name, beside.as_deref(), module, world)? {
            Ok(file) => files.push(file),
            Err(reason) => {
                print_error(world, &reason);
                has_unread = true;
            }
        }
    }
    Ok((files, has_unread))
}

/// The file, or why it cannot be read.
fn file(
    path: &Path,
    name: &str,
    beside: Option<&Path>,
    module: Option<&str>,
    world: &mut World<'_>,
) -> Result<Result<ModuleFile, String>, Failure> {
    let named = module.filter(|_| has_extension(path, "ps1"));
    let stem = beside.unwrap_or(path).file_stem().and_then(|stem| stem.to_str());
    let Some(module) = named.or(stem) else { return Ok(Err(format!("cannot read {name}: its name is not UTF-8"))) };
    let manifest_path = path.with_file_name(format!("{module}.psd1"));
    let (manifest_path, manifest_name) = clean_path(&manifest_path, &world.current);
    let read = || {
        let source = read(path, name)?.ok_or_else(|| format!("cannot read {name}: no such file"))?;
        let loader = beside.map(|path| read_beside(path, &world.current)).transpose()?.flatten();
        Ok((source, read(&manifest_path, &manifest_name)?, loader))
    };
    let ((source, note), manifest, loader) = match read() {
        Ok(files) => files,
        Err(reason) => return Ok(Err(reason)),
    };
    if let Some(note) = note {
        print_note(world, &format!("{name}: note: {note}"), "  ")?;
    }
    let (manifest, loader) = (manifest.map(|(file, _)| file), loader.map(|(file, _)| file));
    Ok(Ok(ModuleFile { module: module.to_owned(), source, manifest, loader }))
}

fn read_beside(path: &Path, current: &Path) -> Result<Option<(SourceFile, Option<String>)>, String> {
    let (path, name) = clean_path(path, current);
    read(&path, &name)
}

/// The `.psm1` that loads a `.ps1`: the only one beside it, or that of the named module.
fn loader(path: &Path, name: &str, module: Option<&str>) -> Result<Option<PathBuf>, Failure> {
    if !has_extension(path, "ps1") {
        return Ok(None);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let is_loader = |path: &PathBuf| has_extension(path, "psm1") && !has_data_sources(path);
    let mut loaders: Vec<PathBuf> = entries.filter(is_loader).collect();
    if let Some(module) = module {
        return Ok(loaders.into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == module)));
    }
    loaders.sort();
    if loaders.len() > 1 {
        let names = loaders.iter().map(|path| path.file_name().unwrap_or_default().to_string_lossy());
        let names = quoted_list(&names.collect::<Vec<_>>(), "and");
        let message = format!("the module of {} is not known, {names} are beside it; use `--module NAME`", quote(name));
        return Err(Failure::Message(message));
    }
    Ok(loaders.pop())
}

fn has_data_sources(path: &Path) -> bool {
    let lower = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    DATA_SOURCES.iter().any(|start| lower.starts_with(start))
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// The text of a file, with a note about its encoding; `None` if the file does not exist.
fn read(path: &Path, name: &str) -> Result<Option<(SourceFile, Option<String>)>, String> {
    let failed = |reason: &dyn std::fmt::Display| Err(format!("cannot read {name}: {reason}"));
    let bytes = match read_up_to(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::Missing) => return Ok(None),
        Err(error) => return failed(&error),
    };
    if bytes.len() as u64 > MAX_BYTES {
        return failed(&format!("larger than the limit of {} MiB", MAX_BYTES >> 20));
    }
    match powershell::decode(&bytes) {
        Ok((text, note)) => Ok(Some((SourceFile::new(path.into(), name.to_owned(), text.into()), note))),
        Err(error) => failed(&error),
    }
}

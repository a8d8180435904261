//! Prints a catalog, or writes several to a folder.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::catalog::{NewCatalog, file_name};
use crate::cli::options::headings::OUTPUT;
use crate::cli::world::{Failure, World, print_note, print_path, unwritable};
use crate::common::collections::HashMap;
use crate::files::paths::{clean_path, relative_name};
use crate::files::read::{ReadError, read_regular};
use crate::files::toml_file;
use crate::files::write::{can_write, replace};
use crate::report::{is_visible_at, visible};
use crate::text::{count, quote, quoted_list};

#[derive(Debug, Args)]
pub(crate) struct CatalogOutput {
    /// Write a catalog for each module to this folder, or add what is missing to the catalogs in it
    #[arg(long, help_heading = OUTPUT, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Whether this is one of several steps, of which the files that they write tell enough.
    #[arg(skip)]
    pub is_step: bool,
}

/// A catalog file and its new content.
struct Planned {
    path: PathBuf,
    name: String,
    text: String,
    is_new: bool,
    is_changed: bool,
}

/// Prints one catalog, or writes one for each module to `--output`, where existing ones get what they lack. Lists the
/// files written.
///
/// # Errors
/// Several catalogs without `--output`, two with one file name, and a file that is not a catalog or cannot be
/// written.
pub(super) fn deliver(catalogs: &[NewCatalog], output: &CatalogOutput, world: &mut World<'_>) -> Result<(), Failure> {
    let Some(folder) = &output.output else { return print(catalogs, world) };
    let (folder, shown) = clean_path(folder, &world.current);
    let planned = plan(catalogs, &folder, &world.current).map_err(Failure::Message)?;
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&shown, &format!("{error}; nothing was written")))?;
    for file in planned.iter().filter(|file| file.is_changed) {
        can_write(&file.path).map_err(|error| unwritable(&file.name, &format!("{error}; nothing was written")))?;
    }
    let mut written = 0;
    for Planned { path, name, text, is_new, .. } in planned.iter().filter(|file| file.is_changed) {
        replace(path, text.as_bytes()).map_err(|error| unwritable(name, &error))?;
        let done = if output.is_step && !is_new { "Extended" } else { "Wrote" };
        print_path(world, &format!("{done} {name}"))?;
        written += 1;
    }
    if output.is_step {
        return Ok(());
    }
    let (written, unchanged) = (count(written, "catalog"), planned.len() - written);
    print_note(world, &format!("{written} written, {unchanged} unchanged."), "")
}

/// The TOML literal, with escapes, of a string that would be harmful if it were printed; `None` for any other.
fn harmless(text: &str) -> Option<String> {
    (visible(text) != text).then(|| toml_file::quoted(text, |at, character| !is_visible_at(text, at, character)))
}

fn print(catalogs: &[NewCatalog], world: &mut World<'_>) -> Result<(), Failure> {
    if catalogs.len() > 1 {
        let names: Vec<&str> = catalogs.iter().map(module).collect();
        let names = quoted_list(&names, "and");
        return Err(Failure::Message(format!(
            "{} modules: {names}; use `--output DIR` to write a catalog for each",
            catalogs.len()
        )));
    }
    for catalog in catalogs {
        let text = catalog.to_toml(harmless).map_err(|error| Failure::Message(error.0))?;
        world.stdout.write_all(text.as_bytes())?;
    }
    Ok(world.stdout.flush()?)
}

/// What a message calls a catalog.
fn module(catalog: &NewCatalog) -> &str {
    catalog.module.as_deref().unwrap_or(&catalog.plugin)
}

fn plan(catalogs: &[NewCatalog], folder: &Path, current: &Path) -> Result<Vec<Planned>, String> {
    let mut planned = Vec::new();
    // Names that differ only in case are one file on some systems.
    let mut by_file: HashMap<String, &NewCatalog> = HashMap::default();
    for catalog in catalogs {
        let file = file_name(&catalog.plugin);
        if let Some(other) = by_file.insert(file.to_lowercase(), catalog) {
            let (one, two) = (quote(module(other)), quote(module(catalog)));
            return Err(format!("the catalogs of {one} and {two} are both named `{file}`; write them one at a time"));
        }
        let path = folder.join(&file);
        let name = relative_name(&path, current);
        let (text, is_new, is_changed) = match read_regular(&path) {
            Ok(before) => {
                let after = catalog.extend(&name, &before).map_err(|error| {
                    format!("cannot add to {name}, which is not a catalog: {}; nothing was written", error.0)
                })?;
                let is_changed = after != before;
                (after, false, is_changed)
            }
            Err(ReadError::Missing) => (catalog.to_toml(harmless).map_err(|error| error.0)?, true, true),
            Err(error) => return Err(format!("cannot read {name}: {error}; nothing was written")),
        };
        planned.push(Planned { path, name, text, is_new, is_changed });
    }
    Ok(planned)
}

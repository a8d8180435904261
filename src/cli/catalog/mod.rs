//! `wflint catalog`: catalogs of the methods of plug-ins, from the workflows that call them (`infer`) and from PowerShell
//! modules (`import`), whose files `modules` reads, or to fill in (`new`). `deliver` prints or writes them.

mod deliver;
mod modules;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::help;
use super::options::RunOptions;
use super::options::headings::OUTPUT;
use super::request::boundary;
use super::world::{Exit, Failure, World, print_error, print_note, print_path, unwritable};
use crate::catalog::{Catalog, NewCatalog, file_name, plugin_name, template};
use crate::common::collections::{HashMap, HashSet, IndexMap};
use crate::files::paths::clean_path;
use crate::files::read::read_regular;
use crate::files::write::replace;
use crate::infer::{Inferred, infer};
use crate::lint::{Choice, Options, on_pool};
use crate::powershell::{self, Enums, Imported, Module};
use crate::project::{self, Request};
pub(super) use deliver::CatalogOutput;
use deliver::deliver;
use modules::files;

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Infer methods from the workflows that call them
    #[command(after_long_help = help::INFER)]
    Infer(InferOptions),
    /// Import the functions of PowerShell modules as methods
    #[command(after_long_help = help::IMPORT)]
    Import(ImportOptions),
    /// Print a catalog to fill in, for a plug-in that cannot be imported
    #[command(after_long_help = help::NEW)]
    New(NewOptions),
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
    /// The module of `.ps1` files [default: the `.psm1` beside them, otherwise the file's name]
    #[arg(long, value_name = "NAME")]
    pub module: Option<String>,
    #[command(flatten)]
    pub output: CatalogOutput,
}

#[derive(Debug, Args)]
pub(crate) struct NewOptions {
    /// The plug-in, or the `module` of its activities
    pub name: String,
    /// Write the catalog to this folder
    #[arg(long, help_heading = OUTPUT, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

pub(super) fn run(command: &CatalogCommand, world: &mut World<'_>) -> Result<Exit, Failure> {
    match command {
        CatalogCommand::Infer(options) => run_infer(options, world),
        CatalogCommand::Import(options) => run_import(options, world),
        CatalogCommand::New(options) => run_new(options, world),
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
    let written = options.output.output.as_deref().map_or_else(Catalog::default, |folder| written(folder, world));
    let inferred = on_pool(None, || {
        let mut project = project::find(&request).map_err(|error| error.0)?;
        infer(&mut project, &rules, &written)
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
    } else if unreadable.is_empty() && !options.output.is_step {
        print_note(world, "Every method that is called is in a catalog.", "")?;
    }
    Ok(if unreadable.is_empty() { Exit::Clean } else { Exit::Failure })
}

/// The methods of the catalogs in a folder that a command wrote, which are added to.
fn written(folder: &Path, world: &World<'_>) -> Catalog {
    let (folder, _) = clean_path(folder, &world.current);
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    paths.sort();
    let mut catalog = Catalog::default();
    for path in paths {
        let text = read_regular(&path).unwrap_or_default();
        // An invalid one is refused when it is written to.
        _ = catalog.add_written(&path.display().to_string(), &text);
    }
    catalog
}

fn run_import(options: &ImportOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let (files, has_unread) = files(&options.files, options.module.as_deref(), world)?;
    // With the names of their methods in lower case.
    let mut catalogs: IndexMap<&str, (NewCatalog, HashSet<String>)> = IndexMap::default();
    let mut enums: HashMap<&str, Enums> = HashMap::default();
    for file in &files {
        enums.entry(&file.module).or_default().extend(&powershell::enums(&file.source));
    }
    let mut imported = Vec::new();
    for file in &files {
        let (manifest, loader) = (file.manifest.as_ref(), file.loader.as_ref());
        let of_module = enums.entry(&file.module).or_default();
        imported.push(powershell::import(&Module { source: &file.source, manifest, loader, enums: of_module }));
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
    if !has_unread || !catalogs.is_empty() {
        deliver(&catalogs, &options.output, world)?;
    }
    Ok(match (has_unread, has_error) {
        (true, _) => Exit::Failure,
        (false, true) => Exit::Findings,
        (false, false) => Exit::Clean,
    })
}

fn run_new(options: &NewOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    if options.name.trim().is_empty() {
        return Err(Failure::Message("expected the name of a plug-in, found an empty string".to_owned()));
    }
    let text = template(&options.name);
    let Some(folder) = &options.output else {
        world.stdout.write_all(text.as_bytes())?;
        return Ok(Exit::Clean);
    };
    let (path, name) = clean_path(&folder.join(file_name(plugin_name(&options.name))), &world.current);
    if path.exists() {
        world.stdout.write_all(text.as_bytes())?;
        return Err(Failure::Message(format!("{name} exists; it was left as it is, and the catalog was printed")));
    }
    let created = std::fs::create_dir_all(path.parent().unwrap_or(&path));
    created.map_err(|error| unwritable(&name, &error))?;
    replace(&path, text.as_bytes()).map_err(|error| unwritable(&name, &error))?;
    print_path(world, &format!("Wrote {name}"))?;
    Ok(Exit::Clean)
}

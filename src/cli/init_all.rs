//! `wflint init --all`: every step that is not done yet, with a line about each.

use std::path::{Path, PathBuf};

use super::catalog::{self, CatalogCommand, CatalogOutput, ImportOptions, InferOptions};
use super::init::{Ci, NewFile, found, of_config, of_recipe, repository_root, scenario, write};
use super::world::{Exit, Failure, World, print_error, print_line, print_path, unwritable};
use crate::config::FILE_NAME;
use crate::files::read::{is_present, read_regular};
use crate::files::write::replace;
use crate::init::{Recipe, StarterConfig, starter_config};
use crate::lint::on_pool;
use crate::project::relative_name;
use crate::simulate::is_scenario;

/// The folder of new catalogs.
const CATALOGS: &str = "catalogs";

const MISSING: &str = "It does not name all that is here, so lint reports it as unknown. Add to it, `catalogs` above the \
                       first line in brackets, each to what it has:";

pub(super) fn run(ci: &[Ci], world: &mut World<'_>) -> Result<Exit, Failure> {
    let output = || CatalogOutput { output: Some(PathBuf::from(CATALOGS)), is_step: true };
    let mut exit = Exit::Clean;
    let path = world.current.join(FILE_NAME);
    let is_kept = is_present(&path) && !is_untouched(&path, world)?;
    let modules = found(world, is_module).map_err(Failure::Message)?;
    let has_modules = !modules.is_empty();
    if has_modules {
        let import = ImportOptions { files: modules, package: None, module: None, output: output() };
        exit = exit.max(catalog::run(&CatalogCommand::Import(import), world)?);
    }
    let mut config = starter(world)?;
    // The configuration names what was imported, so that only the other methods are inferred.
    let is_first = has_modules && !is_kept;
    if is_first {
        add_config(&config, is_kept, world)?;
    }
    if config.calls_unknown_methods && starter(world)?.calls_unknown_methods {
        let infer = InferOptions { paths: Vec::new(), output: output() };
        exit = exit.max(catalog::run(&CatalogCommand::Infer(infer), world)?);
    }
    if !is_first {
        config = starter(world)?;
        add_config(&config, is_kept, world)?;
    }
    for workflow in &config.workflows {
        add_scenario(workflow, world)?;
    }
    let has_scenarios = !found(world, is_scenario).map_err(Failure::Message)?.is_empty();
    let mut recipes: Vec<Recipe> = ci.iter().map(|ci| ci.recipe()).collect();
    if recipes.is_empty() {
        recipes.push(own_ci(repository_root(&world.current)));
    }
    recipes.push(Recipe::PreCommit);
    for recipe in recipes {
        add(of_recipe(recipe, has_scenarios, &world.current), world)?;
    }
    Ok(exit)
}

fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("psm1"))
}

fn starter(world: &World<'_>) -> Result<StarterConfig, Failure> {
    let current = &world.current;
    on_pool(None, || starter_config(current)).and_then(|config| config).map_err(Failure::Message)
}

/// Whether a configuration is as `wflint init` writes it here: nothing is set, and nothing was changed.
fn is_untouched(path: &Path, world: &World<'_>) -> Result<bool, Failure> {
    let written = starter(world)?.text;
    Ok(read_regular(path).is_ok_and(|text| text == written))
}

/// Writes the configuration, or says what one that is kept does not name.
fn add_config(config: &StarterConfig, is_kept: bool, world: &mut World<'_>) -> Result<(), Failure> {
    let file = of_config(config, config.with_settings.clone(), &world.current);
    if !is_kept && is_present(&file.path) {
        if config.missing.is_empty() {
            return add(file, world);
        }
        replace(&file.path, config.with_settings.as_bytes()).map_err(|error| unwritable(&file.name, &error))?;
        return print_path(world, &format!("Replaced {}, in which nothing was set", file.name));
    }
    add(file, world)?;
    if is_kept && !config.missing.is_empty() {
        print_line(world, MISSING, "  ")?;
        writeln!(world.stdout, "\n{}", config.missing)?;
    }
    Ok(())
}

/// Writes a file, unless it exists.
fn add(file: NewFile, world: &mut World<'_>) -> Result<(), Failure> {
    if is_present(&file.path) { print_path(world, &format!("Kept {}", file.name)) } else { write(&[file], world) }
}

/// Writes a scenario for a workflow, unless there are some beside it.
fn add_scenario(workflow: &Path, world: &mut World<'_>) -> Result<(), Failure> {
    let folder = workflow.parent().unwrap_or(workflow);
    let mut beside = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    if let Some(known) = beside.find(|path| is_scenario(path)) {
        return print_path(world, &format!("Kept {}", relative_name(&known, &world.current)));
    }
    match scenario(workflow, world) {
        Ok(file) => write(&[file], world),
        Err(reason) => {
            print_error(world, &reason);
            Ok(())
        }
    }
}

/// The CI of the server that a repository is on, as far as its files tell.
fn own_ci(root: &Path) -> Recipe {
    let is_on_gitlab = read_regular(&root.join(".git/config")).is_ok_and(|config| config.contains("gitlab"));
    if is_on_gitlab || is_present(&root.join(Recipe::GitLab.path())) { Recipe::GitLab } else { Recipe::GitHub }
}

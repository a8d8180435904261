//! `wflint init`: starter files.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::world::{Exit, Failure, World, print_error, print_path, unwritable};
use crate::config::FILE_NAME;
use crate::files::boundary::Boundary;
use crate::files::read::is_present;
use crate::files::write::{can_write, create};
use crate::init::{Recipe, ScenarioRequest, StarterConfig, scenario_path, starter_config, starter_scenario};
use crate::lint::on_pool;
use crate::project::{self, clean_path, relative_name};
use crate::report::visible;
use crate::simulate::is_scenario;
use crate::text::list;

#[derive(Debug, Args)]
pub(super) struct InitOptions {
    /// Write a scenario beside this workflow, in which every field is filled and everybody who is asked agrees
    #[arg(long, value_name = "WORKFLOW")]
    pub scenario: Vec<PathBuf>,
    /// Write the configuration that runs wflint in this CI
    #[arg(long, value_enum)]
    pub ci: Vec<Ci>,
    /// Write `.pre-commit-config.yaml`
    #[arg(long)]
    pub pre_commit: bool,
    /// Take every step that is not done yet
    ///
    /// Catalogs from the PowerShell modules and the calls in this folder, a `wflint.toml` with them and with the unknown types, a scenario for each workflow, CI and hooks. Existing files are kept, but a `wflint.toml` in which nothing is set is replaced.
    #[arg(long, conflicts_with_all = ["scenario", "pre_commit"])]
    pub all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Ci {
    /// `.github/workflows/wflint.yml`
    #[value(name = "github")]
    GitHub,
    /// `.gitlab-ci.yml`
    #[value(name = "gitlab")]
    GitLab,
}

/// A file to write.
pub(super) struct NewFile {
    pub path: PathBuf,
    pub name: String,
    text: String,
    /// What to say about it besides its name.
    remark: String,
    /// A note to print about it.
    note: Option<String>,
    /// Whether it is beside a workflow that the user named.
    is_beside: bool,
}

pub(super) fn run(options: &InitOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let files = files(options, world).map_err(Failure::Message)?;
    refuse_existing(&files, world)?;
    write(&files, world)?;
    Ok(Exit::Clean)
}

/// Writes files, all or none, and says so.
pub(super) fn write(files: &[NewFile], world: &mut World<'_>) -> Result<(), Failure> {
    for file in files {
        let folder = file.path.parent().unwrap_or(&file.path);
        let boundary = Boundary::below(vec![world.current.clone(), folder.to_path_buf()]);
        let naming = if file.is_beside { folder } else { &world.current };
        boundary.check_target(&file.path, naming).map_err(|error| unwritable(&file.name, &error))?;
        // The folders around it are created, unless they cannot be.
        let existing = folder.ancestors().find(|folder| is_present(folder)).unwrap_or(folder);
        let probe = existing.join(file.path.file_name().unwrap_or_default());
        can_write(&probe).map_err(|error| unwritable(&file.name, &error))?;
    }
    for file in files {
        create(&file.path, file.text.as_bytes()).map_err(|error| unwritable(&file.name, &error))?;
    }
    for file in files {
        print_path(world, &format!("Created {}{}", file.name, file.remark))?;
    }
    for note in files.iter().filter_map(|file| file.note.as_ref()) {
        print_error(world, note);
    }
    Ok(())
}

/// The files that the options ask for; without options, the configuration.
fn files(options: &InitOptions, world: &World<'_>) -> Result<Vec<NewFile>, String> {
    let mut files: Vec<NewFile> = Vec::new();
    for workflow in &options.scenario {
        let file = scenario(workflow, world)?;
        match files.iter().find(|known| known.path == file.path) {
            Some(_) if options.scenario.iter().filter(|other| *other == workflow).count() > 1 => {}
            Some(known) => return Err(format!("two of the workflows have the scenario {}; name one", known.name)),
            None => files.push(file),
        }
    }
    let mut recipes: Vec<Recipe> = options.ci.iter().map(|ci| ci.recipe()).collect();
    recipes.extend(options.pre_commit.then_some(Recipe::PreCommit));
    recipes.sort_unstable();
    recipes.dedup();
    if !recipes.is_empty() {
        let has_scenarios = !options.scenario.is_empty() || !found(world, is_scenario)?.is_empty();
        files.extend(recipes.into_iter().map(|recipe| of_recipe(recipe, has_scenarios, &world.current)));
    }
    if files.is_empty() {
        let current = &world.current;
        let config = on_pool(None, || starter_config(current)).and_then(|config| config)?;
        files.push(of_config(&config, config.text.clone(), current));
    }
    Ok(files)
}

impl Ci {
    pub const fn recipe(self) -> Recipe {
        match self {
            Self::GitHub => Recipe::GitHub,
            Self::GitLab => Recipe::GitLab,
        }
    }
}

/// The file of a recipe, in the root of the repository, for the current folder.
pub(super) fn of_recipe(recipe: Recipe, has_scenarios: bool, current: &Path) -> NewFile {
    let root = repository_root(current);
    let path = root.join(recipe.path());
    let name = relative_name(&path, current);
    let folder = match relative_name(current, root) {
        folder if folder.is_empty() => ".".to_owned(),
        folder => folder,
    };
    NewFile {
        path,
        name,
        text: recipe.text(has_scenarios, &folder),
        remark: String::new(),
        note: None,
        is_beside: false,
    }
}

/// The root of the repository around a folder, or the folder.
pub(super) fn repository_root(current: &Path) -> &Path {
    current.ancestors().find(|folder| is_present(&folder.join(".git"))).unwrap_or(current)
}

pub(super) fn of_config(config: &StarterConfig, text: String, current: &Path) -> NewFile {
    let (path, name) = clean_path(Path::new(FILE_NAME), current);
    let remark = config.extends.as_ref().map_or_else(String::new, |extended| format!(", which extends {extended}"));
    NewFile { path, name, text, remark, note: None, is_beside: false }
}

pub(super) fn scenario(workflow: &Path, world: &World<'_>) -> Result<NewFile, String> {
    if workflow.as_os_str() == "-" {
        return Err("`--scenario` takes the path of a workflow, not standard input".to_owned());
    }
    let (workflow, workflow_name) = clean_path(workflow, &world.current);
    if workflow.is_dir() {
        let workflow_name = if workflow_name == "." { "the current folder" } else { &workflow_name };
        return Err(format!("cannot write a scenario for {workflow_name}: expected a workflow, found a folder"));
    }
    let path = scenario_path(&workflow)?;
    let name = relative_name(&path, &world.current);
    let (current, program) = (&world.current, &world.program);
    let request = ScenarioRequest { workflow: &workflow, current, program, today: world.today };
    let made = on_pool(Some(1), || starter_scenario(&request)).and_then(|made| made)?;
    let note = (!made.passes).then(|| format!("{name} does not pass yet; its comments say what to fill in"));
    Ok(NewFile { path, name, text: made.text, remark: String::new(), note, is_beside: true })
}

/// The files at or below the current folder that are wanted.
pub(super) fn found(world: &World<'_>, wanted: fn(&Path) -> bool) -> Result<Vec<PathBuf>, String> {
    let request = project::Request {
        current: world.current.clone(),
        paths: vec![PathBuf::from(".")],
        boundary: Boundary::below(vec![world.current.clone()]),
        ..project::Request::default()
    };
    let (found, _) = project::find_files(&request, wanted).map_err(|error| error.0)?;
    Ok(found.into_iter().map(|file| file.path).collect())
}

/// Shows all files when one of them exists.
fn refuse_existing(files: &[NewFile], world: &mut World<'_>) -> Result<(), Failure> {
    let existing: Vec<&str> =
        files.iter().filter(|file| is_present(&file.path)).map(|file| file.name.as_str()).collect();
    if existing.is_empty() {
        return Ok(());
    }
    for file in files {
        writeln!(world.stdout, "# {}:\n{}", visible(&file.name), file.text)?;
    }
    world.stdout.flush()?;
    let (names, verb) = (list(&existing, "and"), if existing.len() == 1 { "exists" } else { "exist" });
    Err(Failure::Message(format!("{names} {verb}; nothing was written, standard output shows what would have been")))
}

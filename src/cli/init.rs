//! `wflint init`: starter files.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::world::{Exit, Failure, World, print_error, print_path, unwritable};
use crate::config::FILE_NAME;
use crate::files::boundary::Boundary;
use crate::files::read::is_present;
use crate::files::write::{can_write, create};
use crate::init::{Recipe, ScenarioRequest, scenario_path, starter_config, starter_scenario};
use crate::lint::on_pool;
use crate::project::{self, clean_path};
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
struct NewFile {
    path: PathBuf,
    name: String,
    text: String,
    /// A note to print about it.
    note: Option<String>,
    /// Whether it is beside a workflow that the user named.
    is_beside: bool,
}

pub(super) fn run(options: &InitOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let files = files(options, world).map_err(Failure::Message)?;
    refuse_existing(&files, world)?;
    for file in &files {
        let folder = file.path.parent().unwrap_or(&file.path);
        let boundary = Boundary::below(vec![world.current.clone(), folder.to_path_buf()]);
        let naming = if file.is_beside { folder } else { &world.current };
        boundary.check_target(&file.path, naming).map_err(|error| unwritable(&file.name, &error))?;
        // The folders around it are created, unless they cannot be.
        let existing = folder.ancestors().find(|folder| is_present(folder)).unwrap_or(folder);
        let probe = existing.join(file.path.file_name().unwrap_or_default());
        can_write(&probe).map_err(|error| unwritable(&file.name, &error))?;
    }
    for file in &files {
        create(&file.path, file.text.as_bytes()).map_err(|error| unwritable(&file.name, &error))?;
    }
    for file in &files {
        print_path(world, &format!("Created {}", file.name))?;
    }
    for note in files.iter().filter_map(|file| file.note.as_ref()) {
        print_error(world, note);
    }
    Ok(Exit::Clean)
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
    let recipe = |ci: &Ci| match ci {
        Ci::GitHub => Recipe::GitHub,
        Ci::GitLab => Recipe::GitLab,
    };
    let mut recipes: Vec<Recipe> = options.ci.iter().map(recipe).collect();
    recipes.extend(options.pre_commit.then_some(Recipe::PreCommit));
    recipes.sort_unstable();
    recipes.dedup();
    if !recipes.is_empty() {
        let has_scenarios = !options.scenario.is_empty() || has_scenarios(world)?;
        files.extend(recipes.into_iter().map(|recipe| {
            let (path, name) = clean_path(Path::new(recipe.path()), &world.current);
            NewFile { path, name, text: recipe.text(has_scenarios), note: None, is_beside: false }
        }));
    }
    if files.is_empty() {
        let (path, name) = clean_path(Path::new(FILE_NAME), &world.current);
        let current = &world.current;
        let text = on_pool(None, || starter_config(current)).and_then(|text| text)?;
        files.push(NewFile { path, name, text, note: None, is_beside: false });
    }
    Ok(files)
}

fn scenario(workflow: &Path, world: &World<'_>) -> Result<NewFile, String> {
    if workflow.as_os_str() == "-" {
        return Err("`--scenario` takes the path of a workflow, not standard input".to_owned());
    }
    let (workflow, workflow_name) = clean_path(workflow, &world.current);
    if workflow.is_dir() {
        let workflow_name = if workflow_name == "." { "the current folder" } else { &workflow_name };
        return Err(format!("cannot write a scenario for {workflow_name}: expected a workflow, found a folder"));
    }
    let path = scenario_path(&workflow)?;
    let name = project::relative_name(&path, &world.current);
    let (current, program) = (&world.current, &world.program);
    let request = ScenarioRequest { workflow: &workflow, current, program, today: world.today };
    let made = on_pool(Some(1), || starter_scenario(&request)).and_then(|made| made)?;
    let note = (!made.passes).then(|| format!("{name} does not pass yet; its comments say what to fill in"));
    Ok(NewFile { path, name, text: made.text, note, is_beside: true })
}

/// Whether there is a scenario at or below the current folder.
fn has_scenarios(world: &World<'_>) -> Result<bool, String> {
    let request = project::Request {
        current: world.current.clone(),
        paths: vec![PathBuf::from(".")],
        boundary: Boundary::below(vec![world.current.clone()]),
        ..project::Request::default()
    };
    let (found, _) = project::find_files(&request, is_scenario).map_err(|error| error.0)?;
    Ok(!found.is_empty())
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

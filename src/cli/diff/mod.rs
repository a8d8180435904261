//! `wflint diff`: what a change means. Both sides are read with the configuration of the new one.

mod place;

use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rayon::ThreadPool;

use super::options::headings::{MISCELLANEOUS, OUTPUT};
use super::options::{Color, RunOptions, SettingsOptions};
use super::request::{config_source, names_from};
use super::show;
use super::world::{Exit, Failure, World, print_error};
use crate::common::collections::HashMap;
use crate::config::Config;
use crate::diff::{Comparison, Diff, Exploration, Mode, Side, compare};
use crate::files::boundary::Boundary;
use crate::files::paths::relative_name;
use crate::files::read::read_up_to;
use crate::git::{Blobs, ObjectId};
use crate::lint::pool;
use crate::project::{ConfigSource, GivenFile, IgnoreRules, Request, is_walked, json_files};
use crate::report::DiffReport;
use place::Place;

#[derive(Debug, Args)]
pub(crate) struct DiffOptions {
    /// The old version: a folder, a document, a git revision, or `REV:PATH`
    pub old: OsString,
    /// The new version [default: the path of OLD in the working tree]
    pub new: Option<OsString>,
    /// Only compare documents, without exploring what orders can do
    #[arg(long)]
    pub no_explore: bool,
    /// Output format
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = DiffFormat::Human)]
    pub format: DiffFormat,
    /// Print one line for each service
    #[arg(long, help_heading = OUTPUT)]
    pub stat: bool,
    /// Control when colored output is used
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Folder that paths in the report are relative to [default: the current folder]
    #[arg(long, hide_short_help = true, help_heading = OUTPUT, value_name = "DIR")]
    pub relative_to: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For the terminal
    Human,
    /// A heading and lists for each service, for a comment in a pull request
    Markdown,
    /// One JSON object; `wflint schema diff` prints its schema
    Json,
}

impl DiffOptions {
    /// Those that other commands have as well.
    pub fn run_options(&self) -> RunOptions {
        RunOptions { color: self.color, settings: self.settings.clone(), jobs: self.jobs, ..RunOptions::default() }
    }
}

pub(super) fn run(options: &DiffOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    if options.stat && options.format == DiffFormat::Json {
        return Err(Failure::Message("`--stat` is not for `--format json`, which has a summary".to_owned()));
    }
    let pool = pool(options.jobs.map(usize::from)).map_err(Failure::Message)?;
    let diff = compare_places(options, &pool, world)?;
    if !diff.has_documents && diff.unreadable.is_empty() {
        return Err(Failure::Message("nothing to compare: no workflow, form or signing case found".to_owned()));
    }
    let style = show::style(&options.run_options(), world.stdout_shows, world);
    let report = DiffReport { diff: &diff, is_short: options.stat, style };
    let mut out = BufWriter::new(&mut *world.stdout);
    match options.format {
        DiffFormat::Human => report.write_human(&mut out)?,
        DiffFormat::Markdown => report.write_markdown(&mut out)?,
        DiffFormat::Json => report.write_json(&mut out)?,
    }
    out.flush()?;
    drop(out);
    diff.unreadable.iter().for_each(|reason| print_error(world, reason));
    Ok(match (diff.unreadable.is_empty(), diff.services.is_empty()) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Clean,
        (true, false) => Exit::Findings,
    })
}

/// Reads both versions, and compares them.
///
/// # Errors
/// A place that does not exist, or cannot be read.
pub(super) fn compare_places(options: &DiffOptions, pool: &ThreadPool, world: &World<'_>) -> Result<Diff, Failure> {
    let old = Place::of(&options.old, &world.current).map_err(Failure::Message)?;
    let new = match &options.new {
        Some(new) => Place::of(new, &world.current),
        None => old.in_working_tree(),
    };
    let names = names_from(options.relative_to.as_deref(), world)?;
    let sides = Sides { old, new: new.map_err(Failure::Message)?, options, world, names };
    let (old, new, mode) = sides.read().map_err(Failure::Message)?;
    let boundary = sides.boundary();
    let exploration = Exploration { program: &world.program, boundary: &boundary };
    let exploration = Some(exploration).filter(|_| !options.no_explore);
    // The report needs no documents.
    Ok(compare(&Comparison { old: &old, new: &new, mode, exploration, pool }))
}

struct Sides<'s, 'w> {
    pub old: Place,
    pub new: Place,
    pub options: &'s DiffOptions,
    pub world: &'s World<'w>,
    /// The folder that names in reports are relative to.
    pub names: PathBuf,
}

/// Where the bytes of a file are.
enum Bytes {
    Disk(PathBuf),
    Git(ObjectId),
}

/// The files of a side.
#[derive(Default)]
struct Files {
    given: Vec<GivenFile>,
    /// By path of the side.
    bytes: HashMap<PathBuf, Bytes>,
    unreadable: Vec<String>,
    blobs: Option<Blobs>,
}

impl Sides<'_, '_> {
    /// Both sides.
    ///
    /// # Errors
    /// A folder is compared with a document, the configuration is invalid, or git fails.
    pub fn read(&self) -> Result<(Side, Side, Mode), String> {
        let mode = match (self.old.is_folder(), self.new.is_folder()) {
            (true, true) => Mode::Folders,
            (false, false) => Mode::Documents,
            _ => return Err("cannot compare a folder with a document; name two folders or two documents".to_owned()),
        };
        let place = self.new_path();
        let folder = if mode == Mode::Folders { place.as_path() } else { place.parent().unwrap_or(&place) };
        let request = self.request();
        let side = |of: &Place| {
            let files =
                if mode == Mode::Folders { self.folder(of, &place)? } else { Self::document(of, &place, &self.names)? };
            let mut side = Side::new(&request, folder, files.given.clone(), |file, limit| files.read(file, limit))
                .map_err(|error| error.0)?;
            side.project.unreadable.extend(files.unreadable);
            Ok::<Side, String>(side)
        };
        Ok((side(&self.old)?, side(&self.new)?, mode))
    }

    /// Where the new side is in the working tree, or would be.
    fn new_path(&self) -> PathBuf {
        match if self.new.is_nothing() { &self.old } else { &self.new } {
            Place::Path { path, .. } => path.clone(),
            Place::Revision(place) => place.working_path(),
        }
    }

    fn request(&self) -> Request {
        let current = &self.world.current;
        let run_options = self.options.run_options();
        let mut config = config_source(&run_options, self.world);
        if let (Place::Revision(place), ConfigSource::Nearest) = (&self.new, &config)
            && !place.is_current
        {
            config = Config::find(current).map_or(ConfigSource::Isolated, ConfigSource::File);
        }
        Request { current: self.names.clone(), config, boundary: self.boundary(), ..Request::default() }
    }

    /// The folders from which a configuration may name files: the current one and the new side.
    pub fn boundary(&self) -> Boundary {
        let new = self.new_path();
        let folder = if self.new.is_folder() { new } else { new.parent().map_or(new.clone(), Path::to_path_buf) };
        let folders = vec![self.world.current.clone(), folder];
        if self.options.settings.allow_outside { Boundary::lifted() } else { Boundary::below(folders) }
    }

    /// The files of a folder, at the paths that they have below the new one.
    fn folder(&self, of: &Place, new: &Path) -> Result<Files, String> {
        let mut files = Files::default();
        let has_git = [&self.old, &self.new].into_iter().any(|place| matches!(place, Place::Revision(_)));
        match of {
            Place::Path { path: folder, .. } => {
                let (paths, unreadable) = json_files(folder);
                files.unreadable = unreadable;
                // Git does not follow submodules either.
                let is_own = |path: &PathBuf| !has_git || !is_in_repository(path, folder);
                for path in paths.into_iter().filter(is_own) {
                    let name = relative_name(&path, &self.names);
                    let place = new.join(path.strip_prefix(folder).unwrap_or(&path));
                    files.add(place, name, false, Bytes::Disk(path));
                }
            }
            Place::Revision(revision) => {
                let mut ignored = IgnoreRules::default();
                for (path, id) in &revision.files {
                    let place = new.join(revision.below(path));
                    if is_walked(&place, new) && !ignored.ignores(&place, new) {
                        files.add(place, revision.name(path), false, Bytes::Git(id.clone()));
                    }
                }
                files.blobs = Some(revision.blobs()?);
            }
        }
        Ok(files)
    }

    /// A document, at the path of the new one.
    fn document(of: &Place, new: &Path, current: &Path) -> Result<Files, String> {
        let mut files = Files::default();
        match of {
            Place::Path { .. } if of.is_nothing() => {}
            Place::Path { path, .. } => {
                files.add(new.to_path_buf(), relative_name(path, current), true, Bytes::Disk(path.clone()));
            }
            Place::Revision(revision) => {
                for (path, id) in &revision.files {
                    files.add(new.to_path_buf(), revision.name(path), true, Bytes::Git(id.clone()));
                }
                files.blobs = Some(revision.blobs()?);
            }
        }
        Ok(files)
    }
}

impl Files {
    fn add(&mut self, path: PathBuf, name: String, named: bool, bytes: Bytes) {
        self.bytes.insert(path.clone(), bytes);
        self.given.push(GivenFile { path, name, named });
    }

    fn read(&self, file: &GivenFile, limit: u64) -> Result<Option<Vec<u8>>, String> {
        match (self.bytes.get(&file.path), &self.blobs) {
            (Some(Bytes::Disk(path)), _) => read_up_to(path, limit).map(Some).map_err(|error| error.to_string()),
            (Some(Bytes::Git(id)), Some(blobs)) => blobs.read(id, limit).map(Some),
            _ => Ok(None),
        }
    }
}

/// Whether a file is in another repository below a folder, such as a submodule.
fn is_in_repository(file: &Path, folder: &Path) -> bool {
    let around = file.ancestors().skip(1).take_while(|around| *around != folder);
    around.into_iter().any(|around| around.join(".git").exists())
}

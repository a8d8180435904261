//! Finding files: named ones, and those of walked folders.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::configs::Configs;
use super::file::{Candidate, Contents};
use super::request::{Buffer, Request};
use super::walk::{Entry, Walked, walk};
use crate::files::paths::{clean, relative_name};
use crate::files::read::{self, Unsaved, is_present};
use crate::files::toml_file::TomlError;

/// Name of standard input without a file name.
pub(super) const STDIN_NAME: &str = "<stdin>";

#[derive(Debug, Default)]
pub(super) struct Discovered {
    /// By absolute path, so that each file comes once.
    pub candidates: BTreeMap<PathBuf, Candidate>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// The folders that were walked.
    pub walked: Vec<PathBuf>,
    /// The files that a walk leaves out, and named ones with `--force-exclude`, with the pattern of `exclude` that matches
    /// them.
    pub excluded: BTreeMap<PathBuf, String>,
    /// The links to folders and wanted files that a walk leaves out.
    pub links: BTreeSet<PathBuf>,
    /// The scenarios of walked folders, wanted or not.
    pub scenarios: Vec<PathBuf>,
    /// Whether named files or folders were left out.
    pub leaves_out_named: bool,
}

impl Discovered {
    /// Adds the candidates of a walk, except those that are there already.
    fn add(&mut self, walked: Vec<(PathBuf, Candidate)>) {
        if self.candidates.is_empty() {
            // In their order, so that a long path is not compared with many others.
            self.candidates = walked.into_iter().collect();
            return;
        }
        for (path, candidate) in walked {
            self.candidates.entry(path).or_insert(candidate);
        }
    }

    /// Adds a named file, or those of a folder.
    fn add_path(
        &mut self,
        path: &Path,
        request: &Request,
        configs: &mut Configs,
        wanted: FileFilter<'_>,
    ) -> Result<(), TomlError> {
        let absolute = clean(&request.current.join(path));
        match std::fs::metadata(&absolute) {
            Err(error) if !request.unsaved.contains(&absolute) => {
                self.unreadable.push(format!("cannot read {}: {}", path.display(), read::reason(&error)));
            }
            _ if self.leaves_out(request, configs, &absolute)? => {}
            Ok(metadata) if metadata.is_dir() => {
                let search = Search { folder: &absolute, max_depth: None, current: &request.current, wanted };
                search.run(configs, self)?;
                search.add_unsaved(&request.unsaved, configs, self)?;
                // All that is in it may be excluded by patterns that do not name the folder itself.
                self.leaves_out_named |= request.force_exclude && !self.excluded.is_empty();
                self.walked.push(absolute);
            }
            _ => {
                let config = configs.of_folder(absolute.parent().unwrap_or(&absolute))?;
                let name = relative_name(&absolute, &request.current);
                let (path, contents) = (absolute.clone(), unsaved_contents(&request.unsaved, &absolute));
                let candidate = Candidate { path, name, config, named: true, meant: None, reported: true, contents };
                self.candidates.insert(absolute, candidate);
            }
        }
        Ok(())
    }

    /// Whether a named file or folder is left out, which only `--force-exclude` does.
    fn leaves_out(&mut self, request: &Request, configs: &mut Configs, path: &Path) -> Result<bool, TomlError> {
        let pattern = if request.force_exclude { configs.exclusion(path)? } else { None };
        let Some(pattern) = pattern else { return Ok(false) };
        self.excluded.insert(path.to_path_buf(), pattern);
        self.leaves_out_named = true;
        Ok(true)
    }
}

/// Which files of a walked folder are wanted.
pub(super) type FileFilter<'w> = &'w (dyn Fn(&Path) -> bool + Sync);

/// Whether a file may hold a document: its name ends in `.json`.
pub fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Whether a file is a scenario, in any case of its extensions.
pub fn is_scenario(path: &Path) -> bool {
    let is_named_so = path
        .file_stem()
        .is_some_and(|stem| Path::new(stem).extension().is_some_and(|end| end.eq_ignore_ascii_case("scenario")));
    let is_one = |end: &OsStr| ["json", "yaml", "yml", "toml"].iter().any(|known| end.eq_ignore_ascii_case(known));
    is_named_so && path.extension().is_some_and(is_one)
}

/// Finds the files of a request.
pub(super) fn discover(
    request: &Request,
    configs: &mut Configs,
    wanted: FileFilter<'_>,
) -> Result<Discovered, TomlError> {
    let mut found = Discovered::default();
    if !request.buffers.is_empty() {
        for buffer in &request.buffers {
            let path = buffer.path.as_ref().map(|path| clean(&request.current.join(path)));
            if let Some(path) = path
                && found.leaves_out(request, configs, &path)?
            {
                continue;
            }
            let candidate = buffer_candidate(buffer, &request.current, configs)?;
            found.candidates.insert(candidate.path.clone(), candidate);
        }
        return Ok(found);
    }
    for path in &request.paths {
        // Invalid configurations of all paths are reported together.
        let _ = found.add_path(path, request, configs, wanted);
    }
    configs.check()?;
    Ok(found)
}

fn unsaved_contents(unsaved: &Unsaved, path: &Path) -> Option<Contents> {
    unsaved.text(path).cloned().map(Contents::Text)
}

fn buffer_candidate(buffer: &Buffer, current: &Path, configs: &mut Configs) -> Result<Candidate, TomlError> {
    let path = buffer.path.as_ref().map(|path| clean(&current.join(path)));
    let config = buffer_config(path.as_deref(), current, configs)?;
    let name = path.as_deref().map_or_else(|| STDIN_NAME.to_owned(), |path| relative_name(path, current));
    let path = path.unwrap_or_else(|| PathBuf::from(STDIN_NAME));
    Ok(Candidate {
        path,
        name,
        config,
        named: true,
        meant: None,
        reported: true,
        contents: Some(Contents::Bytes(Arc::clone(&buffer.bytes))),
    })
}

/// The index of the configuration of a buffer that replaces a file, or none.
fn buffer_config(path: Option<&Path>, current: &Path, configs: &mut Configs) -> Result<usize, TomlError> {
    configs.of_folder(path.and_then(Path::parent).unwrap_or(current))
}

/// The size limit of the documents in the buffers of a request, by the configurations that apply to them. `None` if one is
/// left out.
pub fn buffer_limit(request: &Request) -> Result<Option<u64>, TomlError> {
    let mut configs = Configs::of(request);
    let mut limit = 0;
    for buffer in &request.buffers {
        let path = buffer.path.as_ref().map(|path| clean(&request.current.join(path)));
        if let Some(path) = &path
            && Discovered::default().leaves_out(request, &mut configs, path)?
        {
            return Ok(None);
        }
        let config = buffer_config(path.as_deref(), &request.current, &mut configs)?;
        limit = limit.max(configs.get(config).map_or(0, |config| config.max_file_bytes));
    }
    Ok(Some(limit))
}

/// The search of a folder, as git sees it.
pub(super) struct Search<'w> {
    pub folder: &'w Path,
    /// 1 for the files of the folder itself.
    pub max_depth: Option<usize>,
    pub current: &'w Path,
    pub wanted: FileFilter<'w>,
}

impl Search<'_> {
    /// Adds the wanted files. One that was named is kept, even if the walk would exclude it.
    pub fn run(&self, configs: &mut Configs, found: &mut Discovered) -> Result<(), TomlError> {
        let is_wanted = |path: &Path, file_type: FileType| {
            if file_type.is_symlink() {
                (self.wanted)(path) || path.is_dir()
            } else {
                file_type.is_file() && ((self.wanted)(path) || is_scenario(path))
            }
        };
        let Walked { entries, unreadable } = match walk(self.folder, self.max_depth, &is_wanted) {
            Ok(walked) => walked,
            Err(reason) => {
                found.unreadable.push(reason);
                return Ok(());
            }
        };
        found.unreadable.extend(unreadable);
        let mut walked = Vec::new();
        for Entry { path, file_type } in entries {
            if file_type.is_symlink() {
                found.links.insert(path);
                continue;
            }
            if let Ok(Some(pattern)) = configs.exclusion(&path) {
                found.excluded.insert(path, pattern);
                continue;
            }
            if is_scenario(&path) {
                found.scenarios.push(path.clone());
            }
            if !(self.wanted)(&path) {
                continue;
            }
            // All invalid configurations are reported together.
            let Ok(config) = configs.of_folder(path.parent().unwrap_or(self.folder)) else { continue };
            let name = relative_name(&path, self.current);
            walked.push((path.clone(), Candidate::found(path, name, config, None)));
        }
        found.add(walked);
        configs.check()
    }

    /// Adds the wanted files that are not on the disk yet.
    pub fn add_unsaved(
        &self,
        unsaved: &Unsaved,
        configs: &mut Configs,
        found: &mut Discovered,
    ) -> Result<(), TomlError> {
        for path in unsaved.paths().filter(|path| (self.wanted)(path)) {
            let is_here = path.strip_prefix(self.folder).is_ok_and(|inside| {
                self.max_depth.is_none_or(|depth| inside.components().count() <= depth)
                    && !inside.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
            });
            if !is_here || found.candidates.contains_key(path) || is_present(path) {
                continue;
            }
            if configs.exclusion(path)?.is_none() {
                let config = configs.of_folder(path.parent().unwrap_or(self.folder))?;
                let (name, contents) = (relative_name(path, self.current), unsaved_contents(unsaved, path));
                let path = path.to_path_buf();
                found.candidates.insert(path.clone(), Candidate::found(path, name, config, contents));
            }
        }
        Ok(())
    }
}

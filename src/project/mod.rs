//! The files of a run, and the services that they belong to.
//!
//! `discover` finds files by a `walk`, `configs` their configurations, and `services` the service of each. `load` reads
//! a `file`, `kinds` distinguishes documents from other JSON, and `expected` knows those that are meant as documents. `model` lowers the documents of a service, `declarations` are the
//! variables that they share. `since` finds the files of a git revision; `files` and `given` are for runs without
//! services, and without the files of the disk.

mod configs;
mod declarations;
mod discover;
mod encoding;
mod expected;
mod file;
mod files;
mod given;
mod ignore_files;
mod kinds;
mod load;
mod model;
mod request;
mod services;
mod since;
mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::files::lookups::Lookups;
use crate::files::toml_file::TomlError;
use crate::git::Repository;
use configs::{Configs, config_files};
use discover::Discovered;
use file::Candidate;
use since::{OldSearch, Revision};

pub use crate::files::paths::{clean_path, relative_name};
pub use configs::{ConfigFile, ConfigFileUse};
pub use declarations::{Declarations, Declared, ServiceDeclarations};
pub use discover::{buffer_limit, is_json, is_scenario};
pub use encoding::Encoding;
pub use expected::{is_named_as_document, lost_document};
pub use file::{Content, Contents, File};
pub use files::{FoundFile, ListedFile, Listing, OpenedFiles, Purpose, WantedFile, config_of, find_files, list, open};
pub use given::{GivenFile, ServicePlace, is_walked, json_files, of_files};
pub use ignore_files::{IgnoreRules, exclude_file_of};
pub use kinds::{Resemblance, document_kind, resemblance};
pub use model::{FormDocument, ServiceModel, WorkflowDocument};
pub use request::{Buffer, ConfigSource, Request, Shard};
pub use services::{Overrides, Project, Service, ServiceFiles};
pub use since::OldProject;

/// Finds the files of a request, and the other documents of their services.
pub fn find(request: &Request) -> Result<Project, TomlError> {
    let mut configs = Configs::of(request);
    let (candidates, found) = candidates(request, &mut configs)?;
    let services = services::group(&candidates, &configs);
    let replaced_configs = configs.take_replaced();
    Ok(Project { replaced_configs, ..project(request, candidates, found, services, configs.into_all()) })
}

/// As [`find`], with the services of a git revision.
pub fn find_since(request: &Request, revision: &str) -> Result<(Project, OldProject), String> {
    let mut configs = Configs::of(request);
    let (candidates, found) = candidates(request, &mut configs).map_err(|error| error.0)?;
    // The revision may add configurations of folders outside of this run.
    let present = configs.all().to_vec();
    let (old, candidates) = {
        let reported = candidates.iter().filter(|candidate| candidate.reported && candidate.path.is_absolute());
        let paths: Vec<&Path> = reported.map(|candidate| candidate.path.as_path()).collect();
        let folder = repository_folder(request);
        let read = Revision::of(&folder, revision, &request.current, &paths);
        let revision = read.map_err(|error| format!("`--since {revision}`: {error}"))?;
        let current = &request.current;
        (OldSearch { revision, candidates: &candidates, configs: &mut configs, current }.find()?, candidates)
    };
    let services = services::group(&candidates, &configs);
    Ok((project(request, candidates, found, services, present), old))
}

/// Remembers the files that say which commit a revision of [`find_since`] is.
pub fn look_up_revisions(request: &Request, lookups: &Lookups) {
    let repository = Repository::of(&repository_folder(request));
    let Ok((files, folder)) = repository.and_then(|repository| repository.references()) else { return };
    for file in &files {
        lookups.add_file(file);
    }
    lookups.add_pattern(&folder, "**");
}

/// The folder whose repository has the revision: that of the first path.
fn repository_folder(request: &Request) -> PathBuf {
    let buffer = request.buffers.first().map(|buffer| buffer.path.as_deref());
    let path = buffer.unwrap_or_else(|| request.paths.first().map(PathBuf::as_path));
    let path = path.map_or_else(|| request.current.clone(), |path| clean_path(path, &request.current).0);
    if path.is_dir() { path } else { path.parent().map_or(path.clone(), Path::to_path_buf) }
}

fn candidates(request: &Request, configs: &mut Configs) -> Result<(Vec<Candidate>, Discovered), TomlError> {
    let mut found = discover::discover(request, configs, &discover::is_json)?;
    if !request.in_memory {
        services::add_companions(&mut found, request, configs)?;
    }
    expected::mark(&mut found, configs);
    let mut candidates: Vec<Candidate> = std::mem::take(&mut found.candidates).into_values().collect();
    candidates.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((candidates, found))
}

fn project(
    request: &Request,
    candidates: Vec<Candidate>,
    found: Discovered,
    services: Vec<Service>,
    configs: Vec<Config>,
) -> Project {
    let (services, others) = match request.shard {
        Some(shard) => shard.split(services, |service| service.files.len()),
        None => (services, Vec::new()),
    };
    Project {
        services,
        others,
        shard: request.shard,
        candidates,
        config_files: config_files(&configs),
        replaced_configs: BTreeMap::new(),
        configs,
        unreadable: found.unreadable,
        current: request.current.clone(),
        has_nearest_configs: request.config == ConfigSource::Nearest,
        walked: found.walked,
        skip_unrelated: request.skip_unrelated,
        leaves_out_named: found.leaves_out_named,
    }
}

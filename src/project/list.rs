//! Determines the kind and service of each file of a request, without linting it.

use std::path::Path;

use super::configs::Configs;
use super::discover::{discover, is_json};
use super::file::{Candidate, Content};
use super::load::load;
use super::request::Request;
use super::service::service_name;
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::document::{SyntaxError, SyntaxErrorKind};
use crate::paths::relative_name;
use crate::schema::DocumentKind;
use crate::toml_file::TomlError;

/// The files of a request, sorted by name.
#[derive(Debug)]
pub struct Listing {
    pub files: Vec<ListedFile>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// The configurations that hold for the files.
    pub configs: Vec<Config>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// As reports show it.
    pub name: String,
    pub purpose: Purpose,
}

/// The kind of a file, or why it is skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    Document {
        kind: DocumentKind,
        /// Display name of its service.
        service: String,
    },
    Scenario,
    /// With the reason.
    Skipped(String),
}

/// Lists named files, and the JSON files and scenarios of walked folders, with excluded ones and links. The other
/// documents of a named file's service are not listed.
///
/// # Errors
/// An invalid configuration.
pub fn list(request: &Request, is_scenario: &(dyn Fn(&Path) -> bool + Sync)) -> Result<Listing, TomlError> {
    let mut configs = Configs::of(request);
    let mut found = discover(request, &mut configs, &|path| is_json(path) || is_scenario(path))?;
    found.excluded.retain(|path, _| !found.candidates.contains_key(path));
    let mut listing = Listing { files: Vec::new(), unreadable: found.unreadable, configs: Vec::new() };
    for (path, pattern) in &found.excluded {
        let name = relative_name(path, &request.current);
        let purpose = Purpose::Skipped(format!("excluded by `{pattern}` in `exclude`"));
        listing.files.push(ListedFile { name, purpose });
    }
    for path in found.links.iter().filter(|path| !found.candidates.contains_key(*path)) {
        let name = relative_name(path, &request.current);
        listing.files.push(ListedFile { name, purpose: Purpose::Skipped("a link, which is not followed".to_owned()) });
    }
    for candidate in found.candidates.into_values() {
        let Some(config) = configs.get(candidate.config) else { continue };
        let purpose = if is_scenario(&candidate.path) && !is_json(&candidate.path) {
            Purpose::Scenario
        } else {
            match taken_for(&candidate, config, request.skip_unrelated) {
                Ok(Ok(kind)) => {
                    Purpose::Document { kind, service: service_name(&candidate, &request.current, &configs) }
                }
                Ok(Err(_)) if is_scenario(&candidate.path) => Purpose::Scenario,
                Ok(Err(reason)) => Purpose::Skipped(reason),
                Err(reason) => {
                    listing.unreadable.push(reason);
                    Purpose::Skipped("cannot be read".to_owned())
                }
            }
        };
        listing.files.push(ListedFile { name: candidate.name, purpose });
    }
    listing.files.sort_by(|a, b| a.name.cmp(&b.name));
    listing.configs = configs.into_all();
    Ok(listing)
}

/// The kind of document in a file, or why it is skipped.
///
/// # Errors
/// Why it cannot be read.
fn taken_for(
    candidate: &Candidate,
    config: &Config,
    skip_unrelated: bool,
) -> Result<Result<DocumentKind, String>, String> {
    const UNRELATED: &str = "neither a workflow, a form nor a signing case";
    let Some(file) = load(FileId(0), candidate, config, skip_unrelated)? else {
        return Ok(Err(UNRELATED.to_owned()));
    };
    Ok(match file.content {
        Content::Document(kind, _) => Ok(kind),
        Content::Unrelated(_) => Err(UNRELATED.to_owned()),
        Content::Resembling(..) => Err(format!("{UNRELATED}, but similar to one (WF003)")),
        Content::Invalid(error) if error.kind == SyntaxErrorKind::TooDeep => {
            Err(format!("nested deeper than {} levels (WF002)", config.max_depth))
        }
        Content::Invalid(SyntaxError { kind: SyntaxErrorKind::TooMany(what), .. }) => {
            Err(format!("too many {what} (WF002)"))
        }
        Content::Invalid(_) => Err("invalid JSON (WF001)".to_owned()),
        Content::OtherEncoding(encoding) => {
            Err(format!("invalid encoding: expected UTF-8, found {} (WF001)", encoding.name()))
        }
        Content::NotUtf8(_) => Err("invalid UTF-8 (WF001)".to_owned()),
        Content::TooLarge(limit) => Err(format!("larger than {} MiB (WF002)", limit >> 20)),
    })
}

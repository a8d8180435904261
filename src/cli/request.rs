//! The request to find files, from the arguments and standard input.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lint_options::LintOptions;
use super::options::{RunOptions, SettingsOptions};
use super::world::{Failure, World};
use crate::files::boundary::Boundary;
use crate::files::paths::{canonicalize, clean};
use crate::files::read::reason;
use crate::project::{self, Buffer, ConfigSource, Request, clean_path};

/// The highest possible limit of a document, in bytes.
pub(super) const MAX_INPUT_BYTES: u64 = 1024 << 20;

pub(super) fn config_source(options: &RunOptions, world: &World<'_>) -> ConfigSource {
    let SettingsOptions { config, isolated, .. } = &options.settings;
    config_named(config.as_deref(), *isolated, world)
}

/// The configuration that `--config` and `--isolated` ask for.
pub(super) fn config_named(config: Option<&Path>, isolated: bool, world: &World<'_>) -> ConfigSource {
    match config {
        _ if isolated => ConfigSource::Isolated,
        Some(path) => ConfigSource::File(clean_path(path, &world.current).0),
        None => ConfigSource::Nearest,
    }
}

/// Limits named files to the current folder and those of the command line. Of a given file, its folder counts.
pub(super) fn boundary(paths: &[PathBuf], options: &RunOptions, world: &World<'_>) -> Boundary {
    if options.settings.allow_outside {
        return Boundary::lifted();
    }
    let given = paths.iter().chain(&options.settings.config).map(|path| {
        let path = clean_path(path, &world.current).0;
        if path.is_dir() { path } else { path.parent().map_or(path.clone(), Path::to_path_buf) }
    });
    Boundary::below(given.chain([world.current.clone()]).collect())
}

/// The folder that names in reports are relative to: that of `--relative-to`, or the current one.
pub(super) fn names_from(relative_to: Option<&Path>, world: &World<'_>) -> Result<PathBuf, Failure> {
    let Some(folder) = relative_to else { return Ok(world.current.clone()) };
    let (path, _) = clean_path(folder, &world.current);
    // As it was given: the path without `..` may name another folder.
    let given = folder.display();
    match canonicalize(&path).map(|real| clean(&real)) {
        Ok(_) if !path.is_dir() => Err(Failure::Message(format!("`--relative-to {given}` is not a folder"))),
        // The current folder has its real path.
        Ok(real) => Ok(if world.current.starts_with(&path) { path } else { real }),
        Err(error) => Err(Failure::Message(format!("cannot read `--relative-to {given}`: {}", reason(&error)))),
    }
}

/// The files and folders of a request, the current folder without any; absolute if names are relative to another folder.
pub(super) fn paths_from(paths: &[PathBuf], relative_to: Option<&Path>, world: &World<'_>) -> Vec<PathBuf> {
    let paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths.to_vec() };
    match relative_to {
        Some(_) => paths.iter().map(|path| world.current.join(path)).collect(),
        None => paths,
    }
}

pub(super) fn request(options: &LintOptions, world: &mut World<'_>) -> Result<Request, Failure> {
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let from_stdin = options.paths.iter().any(is_stdin);
    if from_stdin && options.paths.len() > 1 {
        return Err(Failure::Message("`-` cannot be combined with other paths".to_owned()));
    }
    if options.stdin_filename.is_some() && !from_stdin {
        return Err(Failure::Message("`--stdin-filename` requires the path `-`".to_owned()));
    }
    if options.shard.is_some() && from_stdin {
        return Err(Failure::Message("`--shard` splits files and folders, not standard input".to_owned()));
    }
    let relative_to = options.run.relative_to.as_deref();
    let request = Request {
        current: names_from(relative_to, world)?,
        paths: paths_from(&options.paths, relative_to, world),
        in_memory: false,
        shard: options.shard,
        skip_unrelated: options.skip_unrelated,
        force_exclude: options.force_exclude,
        config: config_source(&options.run, world),
        boundary: boundary(&options.paths, &options.run, world),
        ..Request::default()
    };
    let stdin_name = options.stdin_filename.as_ref().map(|name| clean_path(name, &world.current).0);
    if from_stdin { with_input(request, stdin_name, world) } else { Ok(request) }
}

/// Adds the document in standard input to a request, or of one over the size limit the beginning.
pub(super) fn with_input(
    mut request: Request,
    path: Option<PathBuf>,
    world: &mut World<'_>,
) -> Result<Request, Failure> {
    // The configuration may name the file, which need not exist.
    request.buffers = vec![Buffer::new(path, [])];
    let limit = match project::buffer_limit(&request) {
        // Only a document is reported as too large, and its first key may be anywhere.
        Ok(limit) => limit.filter(|_| !request.skip_unrelated).unwrap_or(MAX_INPUT_BYTES),
        Err(error) => return Err(Failure::Message(error.0)),
    };
    let mut bytes = Vec::new();
    // One more byte says that there are more.
    let read = (&mut *world.stdin).take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Message(format!("cannot read standard input: {error}")))?;
    let is_cut = bytes.len() as u64 > limit;
    let bytes: Arc<[u8]> = bytes.into();
    request.buffers.iter_mut().for_each(|buffer| (buffer.bytes, buffer.is_cut) = (Arc::clone(&bytes), is_cut));
    Ok(request)
}

/// Fails for a buffer that cannot be printed as it is, since more follows.
pub(super) fn refuse_cut(buffer: &Buffer) -> Result<(), Failure> {
    if buffer.is_cut {
        let limit = (buffer.bytes.len() - 1) >> 20;
        return Err(Failure::Message(format!("input exceeds the limit of {limit} MiB")));
    }
    Ok(())
}

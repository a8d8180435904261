//! The request to find files, from the arguments and standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::options::{LintOptions, RunOptions};
use super::world::{Failure, World};
use crate::boundary::Boundary;
use crate::project::{Buffer, ConfigSource, Request, clean_path};

/// One byte more than the highest possible limit of a document; the rest is not read.
pub(super) const MAX_INPUT_BYTES: u64 = (1024 << 20) + 1;

pub(super) fn config_source(options: &RunOptions, world: &World<'_>) -> ConfigSource {
    match &options.settings.config {
        _ if options.settings.isolated => ConfigSource::Isolated,
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
    let buffers = if from_stdin {
        let mut bytes = Vec::new();
        let read = (&mut *world.stdin).take(MAX_INPUT_BYTES).read_to_end(&mut bytes);
        read.map_err(|error| Failure::Message(format!("cannot read standard input: {error}")))?;
        vec![Buffer { path: options.stdin_filename.clone(), bytes: bytes.into() }]
    } else {
        Vec::new()
    };
    let paths = match options.paths.as_slice() {
        [] => vec![PathBuf::from(".")],
        paths => paths.to_vec(),
    };
    Ok(Request {
        current: world.current.clone(),
        paths,
        buffers,
        in_memory: false,
        shard: options.shard,
        skip_unrelated: options.skip_unrelated,
        config: config_source(&options.run, world),
        boundary: boundary(&options.paths, &options.run, world),
        ..Request::default()
    })
}

//! What to look at, by the arguments and standard input.

use std::io::Read;
use std::path::PathBuf;

use super::options::LintOptions;
use super::{Failure, World};
use crate::project::{ConfigSource, Request, Text, clean_path};

/// Bytes of standard input beyond the greatest limit of a document are not read.
pub(super) const MOST_INPUT: u64 = (1024 << 20) + 1;

/// Where the configuration comes from.
pub(super) fn config_source(options: &LintOptions, world: &World<'_>) -> ConfigSource {
    match &options.config {
        _ if options.isolated => ConfigSource::Isolated,
        Some(path) => ConfigSource::File(clean_path(path, &world.current).0),
        None => ConfigSource::Nearest,
    }
}

/// What the arguments ask for.
pub(super) fn request(options: &LintOptions, world: &mut World<'_>) -> Result<Request, Failure> {
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let from_stdin = options.paths.iter().any(is_stdin);
    if from_stdin && options.paths.len() > 1 {
        return Err(Failure::Message("`-` stands alone: no other path can be given with it".to_owned()));
    }
    if options.stdin_filename.is_some() && !from_stdin {
        return Err(Failure::Message("`--stdin-filename` goes with the path `-`".to_owned()));
    }
    let texts = if from_stdin {
        let mut bytes = Vec::new();
        let read = (&mut *world.stdin).take(MOST_INPUT).read_to_end(&mut bytes);
        read.map_err(|error| Failure::Message(format!("standard input cannot be read: {error}")))?;
        vec![Text { path: options.stdin_filename.clone(), bytes: bytes.into() }]
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
        texts,
        in_memory: false,
        skip_unrelated: options.skip_unrelated,
        config: config_source(options, world),
    })
}

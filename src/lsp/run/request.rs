//! The request that the process of a run reads from standard input.

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::read::Unsaved;

/// The argument that makes this program a run for an editor. It starts with dashes, so that it is never the name of a file
/// to lint.
pub const RUN_ARGUMENT: &str = "--editor-run";

/// A command line, and unsaved texts that replace files.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunRequest {
    /// The current folder, absolute.
    pub folder: PathBuf,
    /// Without the name of the program.
    pub arguments: Vec<String>,
    texts: Vec<(PathBuf, String)>,
}

impl RunRequest {
    /// Texts of files whose paths are not Unicode are left out: the client cannot name them either.
    pub fn new(folder: &Path, arguments: &[String], unsaved: &Unsaved) -> Self {
        let texts = unsaved.paths().filter(|path| path.to_str().is_some());
        let texts = texts.filter_map(|path| Some((path.to_path_buf(), unsaved.text(path)?.to_string())));
        Self { folder: folder.to_path_buf(), arguments: arguments.to_vec(), texts: texts.collect() }
    }

    pub fn unsaved(&self) -> Unsaved {
        Unsaved::texts(self.texts.iter().map(|(path, text)| (path.clone(), text.as_str().into())))
    }

    /// Writes it as a line.
    ///
    /// # Errors
    /// When the reader is gone.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        to.write_all(&line)?;
        to.flush()
    }

    /// Reads the line; what follows is left.
    ///
    /// # Errors
    /// When it is not a request.
    pub fn read(from: impl Read) -> io::Result<Self> {
        let mut line = Vec::new();
        // A buffer that is dropped: nothing follows but the end.
        io::BufReader::new(from).read_until(b'\n', &mut line)?;
        Ok(serde_json::from_slice(&line)?)
    }
}

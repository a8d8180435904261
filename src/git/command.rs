//! Runs git without the programs that a repository may configure.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long git may take for one answer.
pub(super) const MAX_SECONDS: u64 = 60;
/// Bytes of one answer.
const MAX_ANSWER: u64 = 256 << 20;
/// Bytes of an error that are kept.
const MAX_ERROR: u64 = 4 << 10;

/// Settings that a repository may have and that run programs, or take part of its content for a repository.
const SETTINGS: [&str; 8] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.sshCommand=false",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
];

/// Environment variables of another repository, such as those of a hook that runs wflint.
const REMOVED: [&str; 10] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE",
];

/// Why a command gave no answer.
#[derive(Debug)]
pub(super) enum GitError {
    /// git could not be run.
    NotRun(String),
    /// It failed, with the first line of its error.
    Failed(String),
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRun(reason) => f.write_str(reason),
            Self::Failed(reason) => write!(f, "git failed: {}", reason.trim_start_matches("fatal: ")),
        }
    }
}

/// git in a folder.
pub(super) struct Git {
    folder: PathBuf,
}

impl Git {
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    /// Starts a command with pipes.
    pub fn spawn(&self, args: &[&str]) -> Result<Child, GitError> {
        let mut command = Command::new("git");
        command
            .current_dir(&self.folder)
            .arg("--no-pager")
            .args(SETTINGS.iter().flat_map(|setting| ["-c", setting]))
            .args(args);
        for name in REMOVED {
            command.env_remove(name);
        }
        command
            .env("LC_ALL", "C")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            // Objects that a partial clone lacks are not fetched.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().map_err(|error| {
            let reason =
                if error.kind() == io::ErrorKind::NotFound { "not found".to_owned() } else { error.to_string() };
            GitError::NotRun(format!("cannot run git: {reason}"))
        })
    }

    /// What a command prints.
    pub fn run(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        self.run_with(args, Vec::new())
    }

    /// What a command prints that reads this input.
    pub fn run_with(&self, args: &[&str], input: Vec<u8>) -> Result<Vec<u8>, GitError> {
        let mut child = self.spawn(args)?;
        let stdin = child.stdin.take();
        // git may end without reading everything.
        thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let (answer, error) = (read_all(child.stdout.take(), MAX_ANSWER), read_all(child.stderr.take(), MAX_ERROR));
        let limit = Duration::from_secs(MAX_SECONDS);
        let received = answer.recv_timeout(limit).and_then(|answer| Ok((answer, error.recv_timeout(limit)?)));
        let Ok((answer, error)) = received else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(GitError::NotRun(format!("git did not end within {MAX_SECONDS} seconds")));
        };
        let status = child.wait().map_err(|error| GitError::NotRun(format!("cannot run git: {error}")))?;
        if answer.len() as u64 > MAX_ANSWER {
            return Err(GitError::NotRun(format!("the answer of git is larger than {} MiB", MAX_ANSWER >> 20)));
        }
        if status.success() {
            return Ok(answer);
        }
        Err(GitError::Failed(String::from_utf8_lossy(&error).lines().next().unwrap_or_default().to_owned()))
    }
}

/// Reads all of a stream, and keeps one byte over the limit, in a thread.
fn read_all(stream: Option<impl Read + Send + 'static>, limit: u64) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = (&mut stream).take(limit + 1).read_to_end(&mut bytes);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        let _ = sender.send(bytes);
    });
    receiver
}

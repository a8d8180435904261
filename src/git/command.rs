//! Runs git without the programs that a repository may configure, and reads blobs by one `git cat-file --batch`.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long git may take for one answer.
const MAX_SECONDS: u64 = 60;
/// Bytes of one answer.
const MAX_ANSWER: u64 = 256 << 20;
/// Bytes of an error that are kept.
const MAX_ERROR: u64 = 4 << 10;

/// Maximum length of the line before a blob.
const MAX_LINE: u64 = 256;

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

/// The hash of an object, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    pub fn parse(text: &str) -> Option<Self> {
        let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Reads the blobs of a repository.
#[derive(Debug)]
pub struct Blobs {
    process: Mutex<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    requests: Sender<(ObjectId, u64)>,
    answers: Receiver<io::Result<Vec<u8>>>,
    /// Whether git was killed because it did not answer in time.
    is_over: bool,
}

impl Blobs {
    pub(super) fn start(git: &Git) -> Result<Self, String> {
        let mut child = git.spawn(&["cat-file", "--batch"]).map_err(|error| error.to_string())?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("cannot run git: no pipes".to_owned());
        };
        // Its messages are not used, but must not fill the pipe.
        let stderr = child.stderr.take();
        thread::spawn(move || stderr.map(|mut stderr| io::copy(&mut stderr, &mut io::sink())));
        let (requests, incoming) = mpsc::channel::<(ObjectId, u64)>();
        let (outgoing, answers) = mpsc::channel();
        thread::spawn(move || {
            let (mut stdin, mut stdout) = (stdin, BufReader::new(stdout));
            for (id, limit) in incoming {
                if outgoing.send(read_blob(&mut stdin, &mut stdout, &id, limit)).is_err() {
                    break;
                }
            }
        });
        Ok(Self { process: Mutex::new(Process { child, requests, answers, is_over: false }) })
    }

    /// The content of a blob, up to one byte over the limit.
    pub fn read(&self, id: &ObjectId, limit: u64) -> Result<Vec<u8>, String> {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = process.requests.send((id.clone(), limit)).is_ok();
        let answer = process.answers.recv_timeout(Duration::from_secs(MAX_SECONDS));
        match answer {
            Ok(answer) if asked && !process.is_over => {
                answer.map_err(|error| format!("cannot read it from git: {error}"))
            }
            _ => {
                process.is_over = true;
                let _ = process.child.kill();
                Err("cannot read it from git: no answer".to_owned())
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks for a blob, and reads the answer: `HASH TYPE SIZE`, the content, and a line end.
fn read_blob(
    stdin: &mut ChildStdin,
    stdout: &mut BufReader<ChildStdout>,
    id: &ObjectId,
    limit: u64,
) -> io::Result<Vec<u8>> {
    writeln!(stdin, "{}", id.as_str())?;
    stdin.flush()?;
    let mut line = Vec::new();
    stdout.take(MAX_LINE).read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line);
    let mut words = line.split_whitespace();
    let size = match (words.next(), words.next(), words.next()) {
        (Some(_), Some("blob"), Some(size)) => size.parse::<u64>().ok(),
        _ => None,
    };
    let Some(size) = size else { return Err(io::Error::other("the object is missing")) };
    let mut bytes = Vec::new();
    let kept = size.min(limit + 1);
    stdout.take(kept).read_to_end(&mut bytes)?;
    io::copy(&mut stdout.take(size - kept + 1), &mut io::sink())?;
    if bytes.len() as u64 == kept { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

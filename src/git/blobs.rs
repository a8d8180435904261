//! Reading blobs by one `git cat-file --batch`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::command::{Git, MAX_SECONDS};
use super::object::ObjectId;
use crate::read::{ReadError, read_up_to};

/// The first line of a Git LFS pointer file.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
/// Maximum size of a pointer file in bytes.
const MAX_POINTER: usize = 1024;
/// Maximum length of the line before a blob.
const MAX_LINE: u64 = 256;

/// Reads the blobs of a repository.
#[derive(Debug)]
pub struct Blobs {
    process: Mutex<Process>,
    /// The folder of git, with that of Git LFS.
    folder: PathBuf,
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
    pub(super) fn start(git: &Git, folder: PathBuf) -> Result<Self, String> {
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
        Ok(Self { process: Mutex::new(Process { child, requests, answers, is_over: false }), folder })
    }

    /// The content of a blob, up to one byte over the limit; of a pointer of Git LFS the file that it stands for.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(&self, id: &ObjectId, limit: u64) -> Result<Vec<u8>, String> {
        let bytes = self.read_blob(id, limit)?;
        let Some(name) = pointed(&bytes) else { return Ok(bytes) };
        let path = lfs_path(&self.folder, name);
        read_up_to(&path, limit).map_err(|error| match error {
            ReadError::Missing => "it is stored with Git LFS, and not in this clone; run `git lfs fetch`".to_owned(),
            other => other.to_string(),
        })
    }

    fn read_blob(&self, id: &ObjectId, limit: u64) -> Result<Vec<u8>, String> {
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

/// The name of the file that a pointer of Git LFS stands for: a SHA-256 in hexadecimal digits.
fn pointed(bytes: &[u8]) -> Option<&str> {
    let rest = bytes.strip_prefix(POINTER).filter(|rest| rest.len() <= MAX_POINTER)?;
    let text = std::str::from_utf8(rest).ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("oid sha256:"))?;
    (name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(name)
}

fn lfs_path(folder: &Path, name: &str) -> PathBuf {
    let part = |range| name.get(range).unwrap_or_default();
    folder.join("lfs/objects").join(part(0..2)).join(part(2..4)).join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_git_lfs_are_recognized() {
        let hash = "a".repeat(64);
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{hash}\nsize 5\n");
        assert_eq!(pointed(pointer.as_bytes()), Some(hash.as_str()));
        assert_eq!(pointed(pointer.replace("sha256:a", "sha256:/").as_bytes()), None);
        assert_eq!(pointed(b"{}"), None);
        assert!(lfs_path(Path::new("g"), &hash).ends_with(format!("lfs/objects/aa/aa/{hash}")));
    }
}

//! Runs of the command line on a case, in this process or in one of its own.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use wflint::cli::{self, Exit};
use wflint::script::sandbox::WORKER_ARGUMENT;

use super::{Case, Shape, shapes};

/// The first argument of a process that runs one case.
const MEASURED: &str = "--measured";

/// The arguments of a benchmark.
pub enum Arguments {
    /// This process runs scripts for another one.
    Worker,
    /// Those of the run that this process is for.
    Measured(Vec<String>),
    /// The shapes that are asked for, by a part of their names, or by `=` and the name; all without one.
    Shapes(Vec<Shape>),
}

impl Arguments {
    pub fn read() -> Self {
        let mut arguments = std::env::args().skip(1).peekable();
        if arguments.peek().is_some_and(|first| first == WORKER_ARGUMENT) {
            return Self::Worker;
        }
        if arguments.next_if(|first| first == MEASURED).is_some() {
            return Self::Measured(arguments.collect());
        }
        let words: Vec<String> = arguments.filter(|word| !word.starts_with('-')).collect();
        let is_meant = |name: &str, word: &str| word.strip_prefix('=').map_or(name.contains(word), |word| word == name);
        let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| is_meant(name, word));
        Self::Shapes(shapes().filter(|(name, _)| is_wanted(name)).collect())
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ran {
    Whole,
    /// A document or a script exceeds a limit, or the run failed: it measures little.
    Refused,
}

/// Runs a command line in this process.
pub fn run(arguments: &[impl AsRef<str>]) -> (Ran, Exit) {
    let arguments = arguments.iter().map(|argument| OsString::from(argument.as_ref()));
    let mut output = Output::default();
    let exit = cli::run_to(&mut output, [OsString::from("wflint")].into_iter().chain(arguments).collect());
    (if output.names_a_limit || exit == Exit::Failure { Ran::Refused } else { Ran::Whole }, exit)
}

/// A process of this benchmark that runs a case in a folder, below the program and the options of another one, such as a
/// profiler.
pub fn process(case: &Case, folder: &Path, jobs: usize, around: &[&str]) -> Command {
    let benchmark = std::env::current_exe().unwrap();
    let mut words = around.iter().map(OsString::from).chain([benchmark.into_os_string()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).arg(MEASURED).args(case.arguments(jobs)).current_dir(folder);
    command
}

/// Standard output, of which only this is kept.
#[derive(Default)]
struct Output {
    /// Whether it says that a document or a script exceeds a limit.
    names_a_limit: bool,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let names = |words: &[u8]| memchr::memmem::find(bytes, words).is_some();
        self.names_a_limit |= names(b"WF002") || names(b"unchecked script");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

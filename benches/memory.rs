//! The peak memory of a run: `cargo bench --bench memory [WORDS]`, on Linux.
//!
//! For each shape of `load`, in a process of its own: the most memory that it had (`VmHWM`), next to the bound of
//! SECURITY.md: 64 MiB, and 12 times the bytes of the documents that are read at one time, where a document counts as at
//! least 512 bytes. With words, only the shapes are measured whose names contain one. `MIB=number` sets how many MiB of
//! documents a case has (4 without it), and `WRITE=folder` writes the inputs instead, for a profiler. The exit code is 1
//! if one is over the bound.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

mod load;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

use load::Case;
use wflint::cli;

const FACTOR: usize = 12;
/// What is kept of any document, however small it is, in bytes of documents.
const MIN_BYTES: usize = 512;
const BASE: usize = 64 << 20;
/// The first argument of the process that is measured.
const MEASURED: &str = "--measured";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == MEASURED) {
        measured(&arguments[1..]);
        return ExitCode::SUCCESS;
    }
    let words: Vec<&String> = arguments.iter().filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut over = Vec::new();
    for (name, shape) in load::shapes().filter(|(name, _)| wanted(name)) {
        let case = sized(shape);
        if let Ok(folder) = std::env::var("WRITE") {
            case.write(&Path::new(&folder).join(name)).unwrap();
            continue;
        }
        for jobs in [1, 16] {
            let mut sizes = sizes_of(&case);
            if jobs > 1 && sizes.len() == 1 {
                continue;
            }
            sizes.sort_unstable();
            let bytes: usize = sizes.iter().rev().take(jobs).sum();
            let peak = peak(&case, jobs);
            let bound = BASE + FACTOR * bytes;
            let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
            println!(
                "{name:<40} {jobs:>2} jobs  {:>5} MiB of {:>5}  ({} documents, {} MiB)",
                mebibytes(peak),
                mebibytes(bound),
                case.files.len(),
                mebibytes(sizes_of(&case).iter().sum())
            );
            if peak > bound {
                over.push(format!("{name} ({jobs} jobs)"));
            }
        }
    }
    println!(
        "{}",
        if over.is_empty() { "all within the bound".to_owned() } else { format!("over: {}", over.join(", ")) }
    );
    ExitCode::from(u8::from(!over.is_empty()))
}

/// The sizes of the services, which are read one at a time by each thread: by folder, in bytes.
fn sizes_of(case: &Case) -> Vec<usize> {
    let mut sizes = BTreeMap::new();
    for (path, text) in case.files.iter().filter(|(path, _)| path.ends_with("json")) {
        *sizes.entry(path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_insert(0) += text.len().max(MIN_BYTES);
    }
    sizes.into_values().collect()
}

/// A case of about the size that is asked for.
fn sized(shape: fn(usize) -> Case) -> Case {
    const PROBE: usize = 1000;
    let mebibytes: usize = std::env::var("MIB").map_or(4, |number| number.parse().unwrap());
    let bytes: usize = sizes_of(&shape(PROBE)).iter().sum();
    shape(PROBE * (mebibytes << 20) / bytes.max(1))
}

/// The peak memory of a run, in bytes.
fn peak(case: &Case, jobs: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    case.write(folder.path()).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args([MEASURED, "--jobs", &jobs.to_string(), "."])
        .args(&case.arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).trim().parse().unwrap()
}

/// Runs the command line, and prints the peak memory of this process.
fn measured(arguments: &[String]) {
    let arguments = ["wflint"].into_iter().map(OsString::from).chain(arguments.iter().map(OsString::from));
    cli::run_to(&mut Nowhere, arguments.collect());
    let status = std::fs::read_to_string(Path::new("/proc/self/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: usize = line.trim().trim_end_matches(" kB").parse().unwrap();
    println!("{}", kibibytes * 1024);
}

struct Nowhere;

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

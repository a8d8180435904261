//! The peak memory of a run: `cargo bench --bench memory [WORDS]`, on Linux.
//!
//! For each shape of `load`, in a process of its own: the most memory that it had (`VmHWM`), next to the bound of
//! SECURITY.md: 64 MiB, and 24 times the bytes of the files that are held at one time, where each counts as at least 512
//! bytes, and of the paths of all files. If a run has findings, all files are held until its report. With words, only the
//! shapes are measured whose names contain one, or are one after `=`. `MIB=number` sets how many MiB of files a case has (4
//! without it), and `WRITE=folder` writes the inputs instead, for a profiler. The exit code is 1 if one is over the bound.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

mod load;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use load::process::{Arguments, Ran, process, run};
use load::{Case, Shape};
use wflint::cli::Exit;

const FACTOR: usize = 24;
/// What is kept of any file, however small it is, in bytes of files.
const MIN_BYTES: usize = 512;
const BASE: usize = 64 << 20;
/// How often `init --scenario` holds the documents.
const TIMES_IN_INIT: usize = 2;

fn main() -> ExitCode {
    let shapes = match Arguments::read() {
        Arguments::Worker => return wflint::cli::run_process(std::env::args_os()),
        Arguments::Shapes(shapes) => shapes.into_iter().filter(|shape| is_bounded(*shape)).collect::<Vec<_>>(),
        Arguments::Measured(arguments) => {
            measured(&arguments);
            return ExitCode::SUCCESS;
        }
    };
    if let Ok(folder) = std::env::var("WRITE") {
        for (name, shape) in shapes {
            shape(number(shape)).write(&Path::new(&folder).join(name)).unwrap();
        }
        return ExitCode::SUCCESS;
    }
    let over: Vec<&str> = shapes.into_iter().filter(|shape| is_over(*shape)).map(|(name, _)| name).collect();
    let verdict =
        if over.is_empty() { "all within the bound".to_owned() } else { format!("over: {}", over.join(", ")) };
    println!("{verdict}");
    ExitCode::from(u8::from(!over.is_empty()))
}

/// Whether the bound includes a shape: explorations also keep the runs that break laws.
fn is_bounded((_, shape): Shape) -> bool {
    let case = shape(1);
    match case.subcommand {
        Some("diff") => case.arguments.contains(&"--no-explore"),
        subcommand => subcommand != Some("explore"),
    }
}

/// Measures a shape, and prints the result. Returns whether it is over the bound.
fn is_over((name, shape): Shape) -> bool {
    let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
    let mut number = number(shape);
    let mut is_over = false;
    for jobs in [1, 16] {
        let (case, Measured { peak, has_findings, .. }) = loop {
            let case = shape(number);
            let measured = Measured::of(&case, jobs);
            if measured.ran == Ran::Whole {
                break (case, measured);
            }
            // Not quite as much, so that it is not refused.
            assert!(number > 0, "{name}: every run is refused");
            number -= number.div_ceil(8);
        };
        let (mut services, others) = sizes_of(&case);
        services.sort_unstable();
        let held = services.iter().rev().take(if has_findings { services.len() } else { jobs });
        let paths: usize = case.files.iter().map(|(path, _)| path.len()).sum();
        let times = if case.subcommand == Some("init") { TIMES_IN_INIT } else { 1 };
        let bound = BASE + FACTOR * (others + paths + times * held.sum::<usize>());
        println!(
            "{name:<40} {jobs:>2} jobs  {:>5} MiB of {:>5}  ({} files, {} MiB)",
            mebibytes(peak),
            mebibytes(bound),
            case.files.len(),
            mebibytes(others + services.iter().sum::<usize>())
        );
        is_over |= peak > bound;
        if services.len() <= 1 {
            break;
        }
    }
    is_over
}

/// The bytes of the services by folder, which are read one at a time by each thread, and those of the other files.
fn sizes_of(case: &Case) -> (Vec<usize>, usize) {
    let mut services = BTreeMap::new();
    let mut others = 0;
    for (path, text) in &case.files {
        if path.ends_with("json") {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            *services.entry(folder).or_insert(0) += text.len().max(MIN_BYTES);
        } else {
            others += text.len().max(MIN_BYTES);
        }
    }
    (services.into_values().collect(), others)
}

/// How much a case has of what its shape has much of, to have the size that is asked for.
fn number(shape: fn(usize) -> Case) -> usize {
    const PROBE: usize = 1000;
    let mebibytes: usize = std::env::var("MIB").map_or(4, |number| number.parse().unwrap());
    let (services, others) = sizes_of(&shape(PROBE));
    PROBE * (mebibytes << 20) / (others + services.iter().sum::<usize>()).max(1)
}

/// What was measured of a run.
struct Measured {
    /// In bytes.
    peak: usize,
    ran: Ran,
    has_findings: bool,
}

impl Measured {
    fn of(case: &Case, jobs: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        case.write(folder.path()).unwrap();
        let output = process(case, folder.path(), jobs, &[]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let words: Vec<&str> = text.split_whitespace().collect();
        // Without its line it has died, most likely because it could get no more memory.
        let [peak, is_refused, has_findings] = words[..] else {
            return Self { peak: usize::MAX, ran: Ran::Whole, has_findings: false };
        };
        let ran = if is_refused.parse().unwrap() { Ran::Refused } else { Ran::Whole };
        Self { peak: peak.parse().unwrap(), ran, has_findings: has_findings.parse().unwrap() }
    }
}

/// Runs the command line, and prints the peak memory of this process, whether the run was refused, and whether it has
/// findings.
fn measured(arguments: &[String]) {
    let (ran, exit) = run(arguments);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: usize = line.trim().trim_end_matches(" kB").parse().unwrap();
    println!("{} {} {}", kibibytes * 1024, ran == Ran::Refused, exit == Exit::Findings);
}

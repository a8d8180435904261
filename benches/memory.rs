//! The peak memory of a run: `cargo bench --bench memory [WORDS]`, on Linux.
//!
//! For each shape of `load`, in a process of its own: the most memory that it had (`VmHWM`), next to the bound of
//! SECURITY.md: 64 MiB, and 12 times the bytes of the files that are read at one time, where each counts as at
//! least 512 bytes. With words, only the shapes are measured whose names contain one, or are one after `=`. `MIB=number`
//! sets how many MiB of files a case has (4 without it), and `WRITE=folder` writes the inputs instead, for a
//! profiler. The exit code is 1 if one is over the bound.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

mod load;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use load::process::{Arguments, Ran, process, run};
use load::{Case, Shape};

const FACTOR: usize = 12;
/// What is kept of any file, however small it is, in bytes of files.
const MIN_BYTES: usize = 512;
const BASE: usize = 64 << 20;

fn main() -> ExitCode {
    let shapes = match Arguments::read() {
        Arguments::Shapes(shapes) => shapes,
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

/// Measures a shape, and prints the result. Returns whether it is over the bound.
fn is_over((name, shape): Shape) -> bool {
    let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
    let mut number = number(shape);
    let mut is_over = false;
    for jobs in [1, 16] {
        let (case, peak) = loop {
            let case = shape(number);
            match peak(&case, jobs) {
                (peak, Ran::Whole) => break (case, peak),
                // Not quite as much, so that it is not refused.
                (_, Ran::Refused) => {
                    assert!(number > 0, "{name}: every run is refused");
                    number -= number.div_ceil(8);
                }
            }
        };
        let (mut services, others) = sizes_of(&case);
        services.sort_unstable();
        let bound = BASE + FACTOR * (others + services.iter().rev().take(jobs).sum::<usize>());
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

/// The peak memory of a run, in bytes.
fn peak(case: &Case, jobs: usize) -> (usize, Ran) {
    let folder = tempfile::tempdir().unwrap();
    case.write(folder.path()).unwrap();
    let output = process(case, folder.path(), jobs, &[]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    // Without its line it has died, most likely because it could get no more memory.
    let Some((peak, refused)) = text.trim().split_once(' ') else { return (usize::MAX, Ran::Whole) };
    (peak.parse().unwrap(), if refused.parse().unwrap() { Ran::Refused } else { Ran::Whole })
}

/// Runs the command line, and prints the peak memory of this process, and whether the run was refused.
fn measured(arguments: &[String]) {
    let ran = run(arguments);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: usize = line.trim().trim_end_matches(" kB").parse().unwrap();
    println!("{} {}", kibibytes * 1024, ran == Ran::Refused);
}

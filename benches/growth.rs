//! How the time of a run grows with its input: `cargo bench --bench growth [WORDS]`.
//!
//! For each shape of `load` it prints the times of several sizes and the exponent of the growth: the slope of
//! the least-squares line through the logarithms. 1 is linear, 2 the square; a shape above 1.2 is an error (exit
//! code 1). Time is processor time, which other programs hardly disturb, of one thread, without that of a tiny case.
//! `INSTRUCTIONS=1` counts instructions instead, by `valgrind`: slow, but always the same. With words, only the shapes
//! are measured whose names contain one. `WRITE=folder SIZE=number` writes the inputs instead, for a profiler.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

mod load;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use load::{Case, Shape};
use wflint::cli;

/// The first argument of the process whose instructions are counted.
const MEASURED: &str = "--measured";
const MAX_EXPONENT: f64 = 1.2;

/// What is measured, and how.
struct Measure {
    cost: fn(&Case) -> f64,
    /// The unit that is printed, and how many of it are one that `cost` returns.
    unit: (&'static str, f64),
    /// How often: the least counts.
    rounds: usize,
    /// The smallest size is doubled until a case costs so much more than a tiny one, so that constants do not matter.
    min_cost: f64,
    /// Each is measured, times the smallest.
    factors: &'static [usize],
}

const TIME: Measure = Measure { cost: seconds, unit: ("ms", 1e3), rounds: 5, min_cost: 0.03, factors: &[1, 2, 4, 8] };
const INSTRUCTIONS: Measure =
    Measure { cost: instructions, unit: ("million", 1e-6), rounds: 1, min_cost: 50e6, factors: &[1, 4, 16] };

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == MEASURED) {
        run(&arguments[1..]);
        return ExitCode::SUCCESS;
    }
    let words: Vec<String> = arguments.into_iter().filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let shapes = load::shapes().filter(|(name, _)| wanted(name));
    if let (Ok(folder), Ok(size)) = (std::env::var("WRITE"), std::env::var("SIZE")) {
        for (name, shape) in shapes {
            shape(size.parse().unwrap()).write(&Path::new(&folder).join(name)).unwrap();
        }
        return ExitCode::SUCCESS;
    }
    let measure = if std::env::var_os("INSTRUCTIONS").is_some() { INSTRUCTIONS } else { TIME };
    let steep: Vec<&str> =
        shapes.filter(|shape| exponent(*shape, &measure) > MAX_EXPONENT).map(|(name, _)| name).collect();
    if steep.is_empty() {
        println!("all grow linearly");
        return ExitCode::SUCCESS;
    }
    println!("too steep: {}", steep.join(", "));
    ExitCode::FAILURE
}

/// Measures a shape, and prints and returns its exponent.
fn exponent((name, shape): Shape, measure: &Measure) -> f64 {
    const MAX_SMALLEST: usize = 64_000;
    let cost = |size: usize| {
        let case = shape(size);
        (0..measure.rounds).map(|_| (measure.cost)(&case)).min_by(f64::total_cmp).unwrap()
    };
    let constant = cost(1);
    let mut smallest = 250;
    while (measure.cost)(&shape(smallest)) - constant < measure.min_cost && smallest < MAX_SMALLEST {
        smallest *= 2;
    }
    let sizes: Vec<usize> = measure.factors.iter().map(|factor| factor * smallest).collect();
    let costs: Vec<f64> = sizes.iter().map(|&size| cost(size) - constant).collect();
    let exponent = slope(&sizes, &costs);
    let (unit, factor) = measure.unit;
    let listed: Vec<String> = costs.iter().map(|cost| format!("{:>8.1}", cost * factor)).collect();
    println!("{name:<40} {exponent:>5.2}   from {smallest:>6}: {} {unit}", listed.join(" "));
    exponent
}

/// Writes a case to a folder, and passes the folder and the arguments of a run to a function.
fn written<T>(case: &Case, measured: impl FnOnce(&Path, &[&str]) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    case.write(folder.path()).unwrap();
    let arguments: Vec<&str> = ["--jobs", "1", "."].into_iter().chain(case.arguments.iter().copied()).collect();
    measured(folder.path(), &arguments)
}

fn run(arguments: &[impl AsRef<str>]) {
    let arguments = arguments.iter().map(|argument| OsString::from(argument.as_ref()));
    cli::run_to(&mut Nowhere, [OsString::from("wflint")].into_iter().chain(arguments).collect());
}

/// The processor time of one run.
fn seconds(case: &Case) -> f64 {
    written(case, |folder, arguments| {
        std::env::set_current_dir(folder).unwrap();
        let start = processor_time();
        run(arguments);
        processor_time().checked_sub(start).unwrap().as_secs_f64()
    })
}

/// That of all threads of this process until now.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap()
}

/// The time of day, where processor time is not known.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap()
}

/// The instructions of one run, in a process of its own.
fn instructions(case: &Case) -> f64 {
    written(case, |folder, arguments| {
        let output = Command::new("valgrind")
            .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
            .arg(std::env::current_exe().unwrap())
            .arg(MEASURED)
            .args(arguments)
            .current_dir(folder)
            .output()
            .unwrap();
        let report = String::from_utf8_lossy(&output.stderr);
        let counted = report.lines().find_map(|line| line.split_once("refs:")).unwrap().1;
        counted.trim().replace(',', "").parse().unwrap()
    })
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

/// The slope of the line of least squares through the logarithms.
#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
fn slope(sizes: &[usize], times: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> =
        sizes.iter().zip(times).map(|(&size, time)| ((size as f64).ln(), time.ln())).collect();
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let covariance: f64 = points.iter().map(|point| (point.0 - mean_x) * (point.1 - mean_y)).sum();
    covariance / points.iter().map(|point| (point.0 - mean_x).powi(2)).sum::<f64>()
}

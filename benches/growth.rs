//! How the time of a run grows with its input: `cargo bench --bench growth [WORDS]`.
//!
//! For each shape of `load` it prints the times of several sizes and the exponent of the growth: the slope of
//! the least-squares line through the logarithms. 1 is linear, 2 the square; a shape above 1.2 is an error (exit
//! code 1). Time is processor time, which other programs hardly disturb, of one thread, without that of a tiny case.
//! `INSTRUCTIONS=1` counts instructions instead, by `valgrind`: slow, but always the same. With words, only the shapes
//! are measured whose names contain one, or are one after `=`. `WRITE=folder SIZE=number` writes the inputs instead, for
//! a profiler.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

mod load;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use load::process::{Arguments, Ran, process, run};
use load::{Case, Shape};

const MAX_EXPONENT: f64 = 1.2;

/// What is measured, and how.
struct Measure {
    /// `None` if the run is refused.
    cost: fn(&Case) -> Option<f64>,
    /// The unit that is printed, and how many of it are one that `cost` returns.
    unit: (&'static str, f64),
    /// How often: the least counts.
    rounds: usize,
    /// The smallest size is doubled until a case costs so much more than a tiny one, so that constants do not matter.
    min_cost: f64,
    /// Each is measured, times the smallest.
    factors: &'static [usize],
}

const TIME: Measure = Measure { cost: seconds, unit: ("ms", 1e3), rounds: 3, min_cost: 0.03, factors: &[1, 2, 4, 8] };
const INSTRUCTIONS: Measure =
    Measure { cost: instructions, unit: ("million", 1e-6), rounds: 1, min_cost: 50e6, factors: &[1, 4, 16] };

fn main() -> ExitCode {
    let shapes = match Arguments::read() {
        Arguments::Worker => return wflint::cli::run_process(std::env::args_os()),
        Arguments::Shapes(shapes) => shapes,
        Arguments::Measured(arguments) => return ExitCode::from(u8::from(run(&arguments).0 == Ran::Refused)),
    };
    if let (Ok(folder), Ok(size)) = (std::env::var("WRITE"), std::env::var("SIZE")) {
        for (name, shape) in shapes {
            shape(size.parse().unwrap()).write(&Path::new(&folder).join(name)).unwrap();
        }
        return ExitCode::SUCCESS;
    }
    let measure = if std::env::var_os("INSTRUCTIONS").is_some() { INSTRUCTIONS } else { TIME };
    let steep: Vec<&str> =
        shapes.into_iter().filter(|shape| exponent(*shape, &measure) > MAX_EXPONENT).map(|(name, _)| name).collect();
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
    let cost = |size: usize| (measure.cost)(&shape(size));
    let least = |size: usize| {
        let case = shape(size);
        (0..measure.rounds).map(|_| (measure.cost)(&case).unwrap()).min_by(f64::total_cmp).unwrap()
    };
    let constant = least(1);
    let mut smallest = 250;
    while smallest < MAX_SMALLEST && cost(smallest).is_some_and(|cost| cost - constant < measure.min_cost) {
        smallest *= 2;
    }
    let largest = measure.factors.last().unwrap();
    while cost(smallest * largest).is_none() {
        smallest /= 2;
        assert!(smallest > 0, "{name}: every run is refused");
    }
    let sizes: Vec<usize> = measure.factors.iter().map(|factor| factor * smallest).collect();
    let costs: Vec<f64> = sizes.iter().map(|&size| least(size) - constant).collect();
    let exponent = slope(&sizes, &costs);
    let (unit, factor) = measure.unit;
    let listed: Vec<String> = costs.iter().map(|cost| format!("{:>8.1}", cost * factor)).collect();
    println!("{name:<40} {exponent:>5.2}   from {smallest:>6}: {} {unit}", listed.join(" "));
    exponent
}

/// The processor time of one run.
fn seconds(case: &Case) -> Option<f64> {
    let folder = tempfile::tempdir().unwrap();
    case.write(folder.path()).unwrap();
    std::env::set_current_dir(folder.path()).unwrap();
    let start = processor_time();
    let (ran, _) = run(&case.arguments(1));
    let time = processor_time().checked_sub(start).unwrap().as_secs_f64();
    (ran == Ran::Whole).then_some(time)
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
fn instructions(case: &Case) -> Option<f64> {
    const VALGRIND: [&str; 4] = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
    let folder = tempfile::tempdir().unwrap();
    case.write(folder.path()).unwrap();
    let output = process(case, folder.path(), 1, &VALGRIND).output().unwrap();
    let report = String::from_utf8_lossy(&output.stderr);
    let counted = report.lines().find_map(|line| line.split_once("refs:")).unwrap().1;
    output.status.success().then(|| counted.trim().replace(',', "").parse().unwrap())
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

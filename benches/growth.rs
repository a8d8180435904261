//! How the time of a run grows with its input: `cargo bench --bench growth [WORDS]`.
//!
//! For each shape of `load` it prints the times of several sizes and the exponent of the growth: the slope of
//! the least-squares line through the logarithms. 1 is linear, 2 the square; 1.2 is allowed. With words, only
//! the shapes are measured whose names contain one. `WRITE=folder SIZE=number` writes the inputs instead, for a
//! profiler.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

mod load;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use load::Case;
use wflint::cli;

const ROUNDS: usize = 3;
/// The smallest size is doubled until a run takes so many seconds, so that constant costs do not matter.
const MIN_SECONDS: f64 = 0.04;
/// Each is measured, times the smallest.
const FACTORS: [usize; 4] = [1, 2, 4, 8];
const MAX_EXPONENT: f64 = 1.2;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    if let (Ok(folder), Ok(size)) = (std::env::var("WRITE"), std::env::var("SIZE")) {
        for (name, shape) in load::shapes().filter(|(name, _)| wanted(name)) {
            shape(size.parse().unwrap()).write(&Path::new(&folder).join(name)).unwrap();
        }
        return;
    }
    let mut steep = Vec::new();
    for (name, shape) in load::shapes().filter(|(name, _)| wanted(name)) {
        let mut smallest = 250;
        while seconds(&shape(smallest)) < MIN_SECONDS && smallest < 64_000 {
            smallest *= 2;
        }
        let sizes: Vec<usize> = FACTORS.iter().map(|factor| factor * smallest).collect();
        let times: Vec<f64> = sizes.iter().map(|&size| seconds(&shape(size))).collect();
        let exponent = slope(&sizes, &times);
        let listed: Vec<String> = times.iter().map(|time| format!("{:>8.1}", time * 1e3)).collect();
        println!("{name:<40} {exponent:>5.2}   from {smallest:>6}: {} ms", listed.join(" "));
        if exponent > MAX_EXPONENT {
            steep.push(name);
        }
    }
    println!(
        "{}",
        if steep.is_empty() { "all grow linearly".to_owned() } else { format!("too steep: {}", steep.join(", ")) }
    );
}

/// The least time of several runs.
fn seconds(case: &Case) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    case.write(folder.path()).unwrap();
    std::env::set_current_dir(folder.path()).unwrap();
    let arguments: Vec<OsString> =
        ["wflint", "--jobs", "1", "."].iter().chain(&case.arguments).map(OsString::from).collect();
    let round = || {
        let start = Instant::now();
        cli::run_to(&mut Nowhere, arguments.clone());
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(|_| round()).min_by(f64::total_cmp).unwrap()
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

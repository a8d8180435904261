//! Fuzzes all targets for a time, without cargo-fuzz and on the stable toolchain.
//!
//! `cargo test --test fuzz -- [--seconds N] [--seed N] [--target NAME]`; 120 seconds and a random seed by
//! default. The same seed makes the same inputs in the same order. The input that fails is kept in
//! `target/tmp/fuzz-NAME`.

#![allow(dead_code, reason = "the support of the integration tests is used in part")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails at the first error"
)]

mod targets;

#[path = "../integration/support/mutation.rs"]
mod mutation;
#[path = "../integration/support/requests.rs"]
mod requests;
#[path = "../integration/support/strategies.rs"]
mod strategies;
#[path = "../integration/support/tree.rs"]
mod tree;
#[path = "../integration/support/words.rs"]
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use mutation::{changes, edits};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use strategies::{layout, pieces};
use targets::{TARGETS, Target};
use tree::Tree;

struct Options {
    seconds: u64,
    seed: u64,
    target: Option<String>,
}

fn options() -> Options {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let mut options = Options { seconds: 120, seed: now, target: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().unwrap_or_else(|| panic!("missing value of {argument}"));
        match argument.as_str() {
            "--seconds" => options.seconds = value.parse().unwrap(),
            "--seed" => options.seed = value.parse().unwrap(),
            "--target" => options.target = Some(value),
            _ => panic!("unknown argument {argument}"),
        }
    }
    options
}

fn main() -> ExitCode {
    let options = options();
    let is_chosen = |target: &&Target| options.target.as_ref().is_none_or(|name| name == target.name);
    let chosen: Vec<&Target> = TARGETS.iter().filter(is_chosen).collect();
    assert!(!chosen.is_empty(), "no target of this name");
    println!("fuzzing {} targets for {} s with --seed {}", chosen.len(), options.seconds, options.seed);
    let share = Duration::from_secs(options.seconds) / u32::try_from(chosen.len()).unwrap();
    let mut failed = 0;
    for target in &chosen {
        match Fuzzer::new(target, options.seed).run(share) {
            Ok(inputs) => println!("{}: {inputs} inputs", target.name),
            Err(path) => {
                println!("{}: failed, see {}", target.name, path.display());
                failed += 1;
            }
        }
    }
    println!("{} passed, {failed} failed", chosen.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Fuzzer<'t> {
    target: &'t Target,
    seeds: Vec<Vec<u8>>,
    runner: TestRunner,
    path: PathBuf,
}

impl<'t> Fuzzer<'t> {
    fn new(target: &'t Target, seed: u64) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target.corpus);
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let seeds = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
        let bytes: Vec<u8> = seed.to_le_bytes().repeat(4);
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let runner = TestRunner::new_with_rng(Config::default(), rng);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", target.name));
        Self { target, seeds, runner, path }
    }

    /// The number of inputs, or the file with the one that failed.
    fn run(mut self, time: Duration) -> Result<usize, PathBuf> {
        for seed in self.seeds.clone() {
            self.check(&seed)?;
        }
        let began = Instant::now();
        let mut inputs = self.seeds.len();
        while began.elapsed() < time {
            let input = self.input();
            self.check(&input)?;
            inputs += 1;
        }
        let _ = std::fs::remove_file(&self.path);
        Ok(inputs)
    }

    fn check(&self, input: &[u8]) -> Result<(), PathBuf> {
        // Before the run, because a crash may end this process.
        std::fs::write(&self.path, input).unwrap();
        catch_unwind(AssertUnwindSafe(|| (self.target.run)(input))).map_err(|_| self.path.clone())
    }

    fn pick<S: Strategy>(&mut self, strategy: S) -> S::Value {
        strategy.new_tree(&mut self.runner).unwrap().current()
    }

    /// A seed, changed as a tree if it is JSON, then as bytes, or neither; now and then pieces of JSON.
    fn input(&mut self) -> Vec<u8> {
        if self.seeds.is_empty() || self.pick(0..20_u8) == 0 {
            return self.pick(pieces());
        }
        let at = self.pick(0..self.seeds.len());
        let mut bytes = self.seeds[at].clone();
        let kind = self.pick(0..4_u8);
        if kind < 3
            && let Ok(mut tree) = serde_json::from_slice::<Tree>(&bytes)
        {
            for change in self.pick(changes()) {
                change.apply(&mut tree);
            }
            let layout = self.pick(layout());
            bytes = tree.write(layout).into_bytes();
            if kind > 0 {
                return bytes;
            }
        }
        for edit in self.pick(edits()) {
            edit.apply(&mut bytes);
        }
        bytes
    }
}

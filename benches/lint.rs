//! How long the whole lint of a corpus takes, next to `serde_json::Value` parsing the same bytes in
//! the same run: `cargo bench --bench lint`. In memory, on one thread and on two; glibc's allocator
//! for both.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

mod corpus;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use wflint::lint::{self, Choice, Options};
use wflint::project::{self, Buffer};

const SERVICES: usize = 1_000;
const ROUNDS: usize = 7;

/// Copies of the example services, each with names of its own.
fn documents() -> Vec<Buffer> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let services = ["approval", "sign-upload", "sign-local-file", "sign-json", "sign-directory"];
    let mut buffers = Vec::new();
    for number in 0..SERVICES {
        let service = services[number % services.len()];
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(examples.join(service)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")) {
            let text = std::fs::read_to_string(file).unwrap();
            let text = text.replace("OrderState", &format!("OrderState{number}"));
            let path = Path::new("/corpus").join(number.to_string()).join(file.file_name().unwrap());
            buffers.push(Buffer::new(Some(path), text.into_bytes()));
        }
    }
    buffers
}

fn lint_all(buffers: &[Buffer], jobs: usize) -> Duration {
    let request = corpus::request(buffers);
    lint::on_pool(Some(jobs), || {
        let start = Instant::now();
        let project = project::find(&request).unwrap();
        let outcome =
            lint::lint(&project, &Options { choices: vec![Choice::Select("ALL".to_owned())], ..Options::default() })
                .unwrap();
        let time = start.elapsed();
        assert_eq!(outcome.diagnostics.len(), 0, "the corpus is clean");
        assert_eq!(outcome.summary.files, buffers.len());
        time
    })
    .unwrap()
}

fn parse_all(buffers: &[Buffer]) -> Duration {
    let start = Instant::now();
    for text in buffers {
        let value: serde_json::Value = serde_json::from_slice(&text.bytes).unwrap();
        std::hint::black_box(&value);
    }
    start.elapsed()
}

fn main() {
    let buffers = documents();
    let bytes: usize = buffers.iter().map(|text| text.bytes.len()).sum();
    // The least of several rounds, taken in turn, so that a busy moment falls on all alike.
    let (mut parse, mut one, mut two) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        parse = parse.min(parse_all(&buffers));
        one = one.min(lint_all(&buffers, 1));
        two = two.min(lint_all(&buffers, 2));
    }
    let ratio = |time: Duration| time.as_secs_f64() / parse.as_secs_f64();
    println!(
        "{SERVICES} services, {} documents, {:.1} MB",
        buffers.len(),
        f64::from(u32::try_from(bytes).unwrap()) / 1e6
    );
    println!("serde_json::Value parse   1.00  ({:.0} ms)", parse.as_secs_f64() * 1e3);
    println!("wflint, 1 thread          {:.2}  ({:.0} ms)", ratio(one), one.as_secs_f64() * 1e3);
    println!("wflint, 2 threads         {:.2}  ({:.0} ms)", ratio(two), two.as_secs_f64() * 1e3);
}

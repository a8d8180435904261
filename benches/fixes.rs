//! What it costs to offer fixes: a lint of services with findings that tries out all their fixes, next to the same lint
//! without, in the same run: `cargo bench --bench fixes`. In memory, on one thread.
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first error")]

mod corpus;

use std::path::Path;
use std::time::{Duration, Instant};

use wflint::fix;
use wflint::lint::{self, Choice, Linter, Options, Outcome};
use wflint::project::{self, Buffer};

const SERVICES: usize = 200;
const ROUNDS: usize = 7;

/// Copies of the broken example.
fn documents() -> Vec<Buffer> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/broken");
    let mut buffers = Vec::new();
    for number in 0..SERVICES {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_some_and(|extension| extension == "json") {
                let path = Path::new("/corpus").join(number.to_string()).join(file.file_name().unwrap());
                buffers.push(Buffer::new(Some(path), std::fs::read(&file).unwrap()));
            }
        }
    }
    buffers
}

fn time(buffers: &[Buffer], lint: impl Fn(&Linter<'_>) -> Outcome + Sync) -> (Duration, Outcome) {
    let request = corpus::request(buffers);
    lint::on_pool(Some(1), || {
        let start = Instant::now();
        let project = project::find(&request).unwrap();
        let options = Options { choices: vec![Choice::Select("ALL".to_owned())], ..Options::default() };
        let outcome = lint(&Linter::new(&project, &options).unwrap());
        (start.elapsed(), outcome)
    })
    .unwrap()
}

fn main() {
    let buffers = documents();
    let (mut without, mut with, mut offered) = (Duration::MAX, Duration::MAX, 0);
    for _ in 0..ROUNDS {
        without = without.min(time(&buffers, |linter| linter.finish(linter.check_all(|_, _| ()))).0);
        let (took, outcome) = time(&buffers, fix::lint);
        with = with.min(took);
        offered = outcome.diagnostics.iter().filter(|finding| finding.fix.is_some()).count();
    }
    println!("{SERVICES} services with findings, {offered} fixes offered");
    println!("lint without fixes        1.00  ({:.0} ms)", without.as_secs_f64() * 1e3);
    let ratio = with.as_secs_f64() / without.as_secs_f64();
    println!("lint that offers fixes    {ratio:.2}  ({:.0} ms)", with.as_secs_f64() * 1e3);
}

//! How fast scenarios run, and how time and memory grow: `cargo bench --bench simulate`.
//!
//! The scenario is one of `examples/sign-upload`, in which a signature takes 26 hours: 313 lookups of the
//! case's status, 1,257 steps. Runs are counted on one core, documents and scenario read once. The
//! peer is this machine: what `serde_json` takes to parse the workflow into a `Value`.

#![expect(clippy::expect_used, reason = "a benchmark stops at the first error")]

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use serde_json::{Value, json};
use wflint::config::Config;
use wflint::files::boundary::Boundary;
use wflint::files::read::Unsaved;
use wflint::lint::pool;
use wflint::project::ConfigSource;
use wflint::simulate::{FinishedScenario, Request, ScenarioSink, Session, SessionSummary, load};
use wflint::text::suggest::Suggester;

/// How long each measurement takes.
const TIME: Duration = Duration::from_secs(3);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pool = pool(Some(1)).expect("a thread");
    // First, for its memory to be the most that was ever taken.
    to_the_limit(&pool);
    signing(&pool, root);
    growth(&pool, "rounds of a loop", loop_of);
    growth(&pool, "activities", sequence_of);
}

/// Takes runs and shows nothing of them.
struct Nowhere;

impl ScenarioSink for Nowhere {
    fn scenario(&mut self, _: &FinishedScenario<'_>) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, _: &SessionSummary<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// The signing service.
fn signing(pool: &ThreadPool, root: &Path) {
    let scenario = root.join("examples/sign-upload/signed.scenario.yaml");
    let (runs, taken) = repeat(pool, root, &scenario);
    let text = std::fs::read(root.join("examples/sign-upload/order.workflow.json")).expect("the workflow");
    let start = Instant::now();
    let mut parsed = 0u32;
    while start.elapsed() < TIME / 3 {
        let _: Value = serde_json::from_slice(&text).expect("JSON");
        parsed += 1;
    }
    let parse = start.elapsed().as_secs_f64() / f64::from(parsed);
    let each = taken.as_secs_f64() / f64::from(runs);
    println!("signing after 26 hours: {:.0} runs a second on one core", 1.0 / each);
    println!("  one run takes {:.1} times what serde_json takes to parse the workflow", each / parse);
}

/// How often a scenario runs in the time of a measurement.
fn repeat(pool: &ThreadPool, current: &Path, scenario: &Path) -> (u32, Duration) {
    let request = Request {
        current: current.to_path_buf(),
        paths: vec![scenario.to_path_buf()],
        config: ConfigSource::Isolated,
        boundary: Boundary::default(),
        unsaved: Unsaved::default(),
    };
    let loaded = load(&request).expect("a configuration");
    assert!(loaded.problems.is_empty() && loaded.unreadable.is_empty(), "{:?}", loaded.problems);
    let (suggester, fallback) = (Suggester::default(), Config::default());
    let session = Session::new(&loaded, &suggester, &fallback);
    // No scenario here has a script.
    let program = PathBuf::from("none");
    let start = Instant::now();
    let mut runs = 0;
    while runs == 0 || start.elapsed() < TIME {
        let summary = session.run(pool, &program, &mut Nowhere).expect("nothing is written");
        assert_eq!(summary.failed, 0, "the scenario passes");
        runs += 1;
    }
    (runs, start.elapsed())
}

/// How the time of a run grows when there is four times as much.
fn growth(pool: &ThreadPool, what: &str, workflow: fn(u32) -> (Value, u64)) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut before = None;
    for size in [1_000, 4_000, 16_000] {
        let (workflow, steps) = workflow(size);
        write(folder.path(), &workflow, steps);
        let (runs, taken) = repeat(pool, folder.path(), &folder.path().join("a.scenario.yaml"));
        let each = taken.as_secs_f64() / f64::from(runs);
        let grown = before.map_or_else(String::new, |before| format!(", {:.1} times as long", each / before));
        let speed = f64::from(u32::try_from(steps).expect("few steps")) / each / 1e6;
        println!("{size:>6} {what}: {:>7.2} ms, {speed:.1} million steps a second{grown}", each * 1000.0);
        before = Some(each);
    }
}

/// A run that ends at the limit of 100,000 steps, and the memory that it has taken.
fn to_the_limit(pool: &ThreadPool) {
    let folder = tempfile::tempdir().expect("a folder");
    let (workflow, _) = loop_of(u32::MAX);
    std::fs::write(folder.path().join("a.json"), workflow.to_string()).expect("a file");
    let scenario = "workflow: a.json\nlimits: { virtual-time: 365000d }\nexpect: { outcome: stuck }\n";
    std::fs::write(folder.path().join("a.scenario.yaml"), scenario).expect("a file");
    let (runs, taken) = repeat(pool, folder.path(), &folder.path().join("a.scenario.yaml"));
    println!("to the limit of 100,000 steps: {:.1} ms", taken.as_secs_f64() * 1000.0 / f64::from(runs));
    match most_memory() {
        Some(kilobytes) => println!("  most memory taken so far: {} MiB", kilobytes / 1024),
        None => println!("  memory is measured on Linux only"),
    }
}

fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn write(folder: &Path, workflow: &Value, steps: u64) {
    std::fs::write(folder.join("a.json"), workflow.to_string()).expect("a file");
    let scenario = format!(
        "workflow: a.json\nlimits: {{ steps: {steps}, virtual-time: 365000d }}\nexpect: {{ outcome: completed }}\n"
    );
    std::fs::write(folder.join("a.scenario.yaml"), scenario).expect("a file");
}

fn bound(name: &str) -> Value {
    json!({ "isBound": true, "boundTo": name })
}

fn assign(variable: &str, body: &str) -> Value {
    json!({ "name": "Write", "type": "Assign", "result": bound(variable), "body": body })
}

/// A loop that ends after so many rounds: by a case that expires. Each round changes variables, so that each is played.
fn loop_of(rounds: u32) -> (Value, u64) {
    let given = |name: &str, value: Value| json!({ "name": name, "value": { "state": "static", "value": value } });
    let request = json!({
        "name": "Request", "type": "Provider", "method": "Request-ZPESignDocumentSignature",
        "providerParameters": [
            given("DocumentName", json!("Lease")), given("PartyName", json!("Anna")),
            given("PartyEmail", json!("anna@example.com")), given("PartySSN", json!("19900101-2385")),
            given("ExpireAfterDays", json!(rounds)), given("Prefix", json!("E")),
        ]
    });
    let lookup = json!({
        "name": "Look", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus",
        "providerParameters": [
            { "name": "Id", "value": { "state": "bound", "boundTo": "EId" } }, given("Prefix", json!("E")),
        ]
    });
    let wait = json!({
        "name": "Wait", "type": "While",
        "expression": {
            "type": "EqualityExpression", "operand": "notEqual", "left": bound("EStatus"),
            "right": { "isBound": false, "value": "Expired" }
        },
        "iterationDelaySeconds": { "isBound": false, "value": 86400 },
        "activities": [lookup, assign("Text", "{One}"), assign("One", "{Other}"), assign("Other", "{Text}")]
    });
    let steps = 5 + 5 * u64::from(rounds);
    (workflow(&[assign("One", "1"), assign("Other", "2"), request, wait]), steps)
}

/// So many activities, one after the other.
fn sequence_of(activities: u32) -> (Value, u64) {
    let list: Vec<Value> = (0..activities).map(|number| assign("Text", &format!("{number} of {{EId}}"))).collect();
    (workflow(&list), u64::from(activities) + 1)
}

fn workflow(activities: &[Value]) -> Value {
    let variables: Vec<Value> = ["Text", "One", "Other", "EId", "EStatus"]
        .iter()
        .enumerate()
        .map(|(id, name)| json!({ "name": name, "id": id + 1, "variableType": "String" }))
        .collect();
    json!({ "activities": activities, "variables": variables })
}

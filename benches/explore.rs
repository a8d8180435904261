//! How fast services are explored, and how their states grow: `cargo bench --bench explore`.
//!
//! Services are explored on one core, by the command line with its JSON report. The peer is this machine: what `serde_json` takes to parse
//! the documents of the examples into `Value`s. Where parts do not interact, the states have to grow as the workflow,
//! and the time at most a little more; where they do (parties of one case, fields that one activity reads at the end), the number is
//! printed for comparison. A bound that is missed is an error (exit code 1).

#![expect(clippy::expect_used, reason = "a benchmark stops at the first error")]

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wflint::cli;
use wflint::script::sandbox::WORKER_ARGUMENT;

/// How long each measurement takes.
const TIME: Duration = Duration::from_secs(2);

/// The examples together, on one core.
const MAX_EXAMPLES: Duration = Duration::from_millis(300);

/// Growth with the number of parts that do not interact, as the exponent over the last doublings: 1 is linear.
const MAX_STATES_EXPONENT: f64 = 1.1;
/// There are as many ends as parts, each with a run as long as the workflow: what is shown grows as the square.
const MAX_TIME_EXPONENT: f64 = 2.5;

/// What there is more and more of.
struct Shape {
    name: &'static str,
    sizes: &'static [usize],
    workflow: fn(usize) -> Value,
    /// Whether the number of states follows from each part alone.
    is_linear: bool,
}

const SHAPES: [Shape; 6] = [
    Shape { name: "approvals", sizes: &[5, 10, 20, 40], workflow: approvals, is_linear: true },
    Shape { name: "lookups", sizes: &[25, 50, 100, 200], workflow: lookups, is_linear: true },
    Shape { name: "branches", sizes: &[10, 20, 40, 80], workflow: branches, is_linear: true },
    Shape { name: "polling loops", sizes: &[2, 4, 8, 16], workflow: loops, is_linear: true },
    Shape { name: "parties of a case", sizes: &[1, 2, 4, 8], workflow: parties, is_linear: false },
    Shape {
        name: "approvals that are read at the end",
        sizes: &[1, 2, 4, 8],
        workflow: read_approvals,
        is_linear: false,
    },
];

/// An exploration.
struct Explored {
    states: f64,
    seconds: f64,
}

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|first| first == WORKER_ARGUMENT) {
        return cli::run_process(std::env::args_os());
    }
    let missed: Vec<String> = examples().into_iter().chain(SHAPES.iter().filter_map(growth)).collect();
    for missed in &missed {
        println!("missed: {missed}");
    }
    if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// All examples that can be explored.
fn examples() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let services = ["approval", "mailbox", "sign-directory", "sign-json", "sign-local-file", "sign-upload"];
    let folders = services.map(|service| root.join(service));
    let paths: Vec<&Path> = folders.iter().map(std::path::PathBuf::as_path).collect();
    let all = explore(&paths);
    let texts: Vec<String> = paths
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| std::fs::read_to_string(path).expect("a document"))
        .collect();
    let parse = repeat(|| {
        for text in &texts {
            let _: Value = serde_json::from_str(text).expect("JSON");
        }
    });
    println!(
        "examples: {:.0} ms for {} states, {:.0} times what serde_json takes to parse them",
        all.seconds * 1e3,
        all.states,
        all.seconds / parse
    );
    (all.seconds > MAX_EXAMPLES.as_secs_f64())
        .then(|| format!("the examples take more than {} ms", MAX_EXAMPLES.as_millis()))
}

/// Prints states and time of each size; the bound that is missed.
fn growth(shape: &Shape) -> Option<String> {
    println!("{}:", shape.name);
    let folder = tempfile::tempdir().expect("a folder");
    let mut all = Vec::new();
    for size in shape.sizes {
        let workflow = (shape.workflow)(*size).to_string();
        std::fs::write(folder.path().join("order.workflow.json"), workflow).expect("a file");
        let explored = explore(&[folder.path()]);
        println!(
            "{size:>6}: {:>6} states, {:>8.1} ms, {:>7.0} states a second",
            explored.states,
            explored.seconds * 1e3,
            explored.states / explored.seconds
        );
        all.push(explored);
    }
    let [.., before, last] = all.as_slice() else { return None };
    let states = (last.states / before.states).log2();
    let time = (last.seconds / before.seconds).log2();
    println!("  exponents of the last doubling: states {states:.2}, time {time:.2}");
    let is_missed = shape.is_linear && (states > MAX_STATES_EXPONENT || time > MAX_TIME_EXPONENT);
    is_missed.then(|| format!("{} grow too fast", shape.name))
}

fn explore(paths: &[&Path]) -> Explored {
    let words = ["wflint", "explore", "--isolated", "--jobs", "1", "--format", "json"].map(OsString::from);
    let words: Vec<OsString> = words.into_iter().chain(paths.iter().map(|path| path.as_os_str().to_owned())).collect();
    let mut states = 0.0;
    let seconds = repeat(|| {
        let mut output = Vec::new();
        cli::run_to(&mut output, words.clone());
        let report: Value = serde_json::from_slice(&output).expect("a report");
        let services = report.get("services").and_then(Value::as_array).expect("services");
        assert!(services.iter().all(|service| service["complete"] == true), "explored completely");
        states = services.iter().filter_map(|service| service["states"].as_f64()).sum();
    });
    Explored { states, seconds }
}

/// The seconds that a run takes: the least of those in the time of a measurement.
fn repeat(mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut least = f64::INFINITY;
    while least.is_infinite() || start.elapsed() < TIME {
        let before = Instant::now();
        run();
        least = least.min(before.elapsed().as_secs_f64());
    }
    least
}

fn given(name: &str, value: &str) -> Value {
    json!({ "name": name, "value": { "state": "static", "value": value } })
}

fn fixed(value: &str) -> Value {
    json!({ "isBound": false, "value": value })
}

fn bound(name: &str) -> Value {
    json!({ "isBound": true, "boundTo": name })
}

fn workflow(activities: &[Value], variables: &[String]) -> Value {
    let variables: Vec<Value> = variables
        .iter()
        .enumerate()
        .map(|(at, name)| json!({ "name": name, "id": at + 1, "variableType": "String" }))
        .collect();
    json!({ "activities": activities, "variables": variables })
}

fn status(text: &str) -> Value {
    json!({ "name": "Publish", "type": "Status", "status": fixed(text) })
}

fn condition(kind: &str, operand: &str, variable: &str, value: &str, inside: &[Value]) -> Value {
    json!({
        "name": format!("{kind} {variable}"), "type": kind, "activities": inside,
        "expression": { "type": "EqualityExpression", "operand": operand, "left": bound(variable), "right": fixed(value) },
    })
}

fn approval(number: usize, result: Option<String>) -> Value {
    let mut approval = json!({
        "name": format!("Approval {number}"), "type": "Approval", "approvalType": "parallel", "required": "one",
        "onTimeout": "reject", "assignees": [{ "type": "Parameter", "parameter": fixed("anna@example.com;bo@example.com") }],
    });
    if let (Some(result), Some(object)) = (result, approval.as_object_mut()) {
        object.insert("approvalResult".to_owned(), bound(&result));
    }
    approval
}

/// One after the other; nothing reads their results.
fn approvals(number: usize) -> Value {
    workflow(&(0..number).map(|at| approval(at, None)).collect::<Vec<_>>(), &[])
}

fn read_approvals(number: usize) -> Value {
    let names: Vec<String> = (0..number).map(|at| format!("Result{at}")).collect();
    let approvals = names.iter().enumerate().map(|(at, name)| approval(at, Some(name.clone())));
    let reads = names.iter().map(|name| condition("If", "equal", name, "false", &[status("Refused")]));
    let activities: Vec<Value> = approvals.chain(reads).collect();
    workflow(&activities, &names)
}

fn lookup(number: usize) -> Value {
    json!({
        "name": format!("Look up {number}"), "type": "Provider", "method": "Get-ZPADUser", "stopOnError": true,
        "providerParameters": [given("Identity", &format!("user{number}")), given("Property", "Mail"), given("Prefix", &format!("User{number}"))],
    })
}

fn lookups(number: usize) -> Value {
    let names: Vec<String> = (0..number).map(|at| format!("User{at}Mail")).collect();
    workflow(&(0..number).map(lookup).collect::<Vec<_>>(), &names)
}

/// Each on an answer of its own.
fn branches(number: usize) -> Value {
    let names: Vec<String> = (0..number).map(|at| format!("User{at}Mail")).collect();
    let parts: Vec<Value> = (0..number)
        .flat_map(|at| [lookup(at), condition("If", "equal", &format!("User{at}Mail"), "", &[status("Without mail")])])
        .collect();
    workflow(&parts, &names)
}

fn case(prefix: &str, parties: usize) -> [Value; 2] {
    let all: Vec<Value> = (0..parties)
        .map(|at| json!({ "Name": format!("P{at}"), "EmailAddress": format!("p{at}@example.com"), "SignatureType": 9 }))
        .collect();
    let contents = json!({ "Name": "Lease", "Parties": all }).to_string();
    let request = json!({
        "name": format!("Request {prefix}"), "type": "Provider", "method": "Request-ZPESignDocumentSignatureWithJsonInput", "stopOnError": true,
        "providerParameters": [given("Json", &contents), given("Prefix", prefix)],
    });
    let look = json!({
        "name": format!("Look at {prefix}"), "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus", "stopOnError": true,
        "providerParameters": [{ "name": "Id", "value": { "state": "bound", "boundTo": format!("{prefix}Id") } }, given("Prefix", prefix)],
    });
    let terminate = json!({ "name": "End", "type": "Terminate" });
    let status = format!("{prefix}Status");
    let mut wait = condition(
        "While",
        "notEqual",
        &status,
        "Finished",
        &[look, condition("If", "equal", &status, "Rejected", &[terminate])],
    );
    if let Some(object) = wait.as_object_mut() {
        object.insert("iterationDelaySeconds".to_owned(), json!({ "isBound": false, "value": 300 }));
    }
    [request, wait]
}

fn names_of_case(prefix: &str) -> [String; 2] {
    [format!("{prefix}Id"), format!("{prefix}Status")]
}

/// Cases that are waited for one after the other.
fn loops(number: usize) -> Value {
    let prefix = |at: usize| format!("Case{at}");
    let names: Vec<String> = (0..number).flat_map(|at| names_of_case(&prefix(at))).collect();
    workflow(&(0..number).flat_map(|at| case(&prefix(at), 1)).collect::<Vec<_>>(), &names)
}

fn parties(number: usize) -> Value {
    workflow(&case("Case", number), &names_of_case("Case"))
}

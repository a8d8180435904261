//! The sandbox, run as users run it: scripts in a child process of the program.

mod confinement;
mod endings;
mod failures;
mod limits;
mod memo;
mod names;
mod process;
mod values;
mod world;

use wflint::script::sandbox::{Answer, FailureKind, Job, JsonVariable, Sandbox, ScriptFailure};

/// The message for a thrown value that cannot be converted.
const NO_STRING: &str = "a value that cannot be converted to a string";

/// 2024-02-29T12:34:56.789Z
const NOW: i64 = 1_709_210_096_789;

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_wflint").into())
}

fn job(script: &str) -> Job {
    Job {
        script: script.to_owned(),
        variables: Vec::new(),
        hosts: Vec::new(),
        trace: None,
        now_ms: NOW,
        seed: 7,
        seconds: 10.0,
        max_polls: None,
    }
}

fn with(script: &str, variables: &[(&str, &str)]) -> Job {
    let variables = variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Job { variables, ..job(script) }
}

fn text_of(answer: Answer) -> String {
    match answer {
        Answer::Done { json: JsonVariable::Text(text), .. } => text,
        other => panic!("no text: {other:?}"),
    }
}

/// The string in `Json` after the script.
fn text(script: &str) -> String {
    text_of(sandbox().run(&job(script)).unwrap())
}

fn failure_in(sandbox: &mut Sandbox, script: &str) -> ScriptFailure {
    match sandbox.run(&job(script)).unwrap() {
        Answer::Failed(failure) => failure,
        other @ Answer::Done { .. } => panic!("{script:?} did not fail: {other:?}"),
    }
}

fn failure(script: &str) -> ScriptFailure {
    failure_in(&mut sandbox(), script)
}

/// A script, and how it fails.
struct Failing<'e> {
    script: &'e str,
    kind: FailureKind,
    message: &'e str,
    /// Line and column.
    position: Option<(u32, u32)>,
}

const fn failing<'e>(
    script: &'e str,
    kind: FailureKind,
    message: &'e str,
    position: Option<(u32, u32)>,
) -> Failing<'e> {
    Failing { script, kind, message, position }
}

/// Runs all scripts in one sandbox, which must stay usable.
fn assert_failures(expected: &[Failing<'_>]) {
    let mut sandbox = sandbox();
    let mut wrong = Vec::new();
    for Failing { script, kind, message, position } in expected {
        let failure = failure_in(&mut sandbox, script);
        let found = (failure.kind, failure.message.as_str(), failure.line.zip(failure.column));
        if found != (*kind, *message, *position) {
            wrong.push(format!("{:?}: {found:?}", script.chars().take(200).collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(text_of(sandbox.run(&job("Json = 'alive'")).unwrap()), "alive");
}

//! Scripts in the sandbox, run as users run them: in a child process of the program.

mod failures;
mod limits;
mod process;
mod values;
mod world;

use wflint::script::sandbox::{Answer, FailureKind, Job, JsonVariable, Sandbox, ScriptFailure};

/// The error message of the engine for many scripts.
const NO_TEXT: &str = "a value that cannot be shown as text";

/// 2024-02-29T12:34:56.789Z
const NOW: i64 = 1_709_210_096_789;

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_wflint").into())
}

fn job(script: &str) -> Job {
    Job { script: script.to_owned(), variables: Vec::new(), hosts: Vec::new(), now_ms: NOW, seed: 7, seconds: 10.0 }
}

fn with(script: &str, variables: &[(&str, &str)]) -> Job {
    let variables = variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Job { variables, ..job(script) }
}

fn text_of(answer: Answer) -> String {
    match answer {
        Answer::Done { json: JsonVariable::Text(text) } => text,
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

/// A script and its failure: the kind, the message, the line and column.
type Expected<'e> = (&'e str, FailureKind, &'e str, Option<(u32, u32)>);

/// Each script fails as expected, in one sandbox that stays alive.
fn assert_failures(expected: &[Expected<'_>]) {
    let mut sandbox = sandbox();
    let mut wrong = Vec::new();
    for (script, kind, message, place) in expected {
        let failure = failure_in(&mut sandbox, script);
        let found = (failure.kind, failure.message.as_str(), failure.line.zip(failure.column));
        if found != (*kind, *message, *place) {
            wrong.push(format!("{:?}: {found:?}", script.chars().take(200).collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(text_of(sandbox.run(&job("Json = 'alive'")).unwrap()), "alive");
}

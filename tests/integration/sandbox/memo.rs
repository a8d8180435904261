//! Sandboxes that share replies run a script once with the same input.

use std::sync::Arc;

use wflint::script::{Answer, Job, JsonVariable, Memo, Sandbox};

fn job(script: &str, variable: &str, now_ms: i64) -> Job {
    Job {
        script: script.to_owned(),
        variables: vec![("Name".to_owned(), variable.to_owned())],
        hosts: Vec::new(),
        trace: None,
        now_ms,
        seed: now_ms.unsigned_abs(),
        seconds: 2.0,
        max_polls: None,
    }
}

/// Whether a reply to the first job is one to the second, too, which could not be run.
fn is_shared(first: &Job, second: &Job) -> bool {
    let memo = Arc::new(Memo::default());
    let program = env!("CARGO_BIN_EXE_wflint").into();
    let answer = Sandbox::with_memo(program, Arc::clone(&memo)).run(first).unwrap();
    assert!(matches!(answer, Answer::Done { json: JsonVariable::Text(_), .. }), "{answer:?}");
    let shared = Sandbox::with_memo("no-such-program".into(), memo).run(second).ok();
    shared.inspect(|shared| assert_eq!(shared, &answer)).is_some()
}

#[test]
fn same_input_is_run_once() {
    let plain = "Json = Name + new Date(0).getTime() + Math.max(1, 2)";
    assert!(is_shared(&job(plain, "a", 1), &job(plain, "a", 2)), "it reads no clock");
    assert!(!is_shared(&job(plain, "a", 1), &job(plain, "b", 1)));
    assert!(!is_shared(&job(plain, "a", 1), &job("Json = Name", "a", 1)));
}

#[test]
fn scripts_that_read_the_clock_or_random_numbers_run_at_each_time() {
    for script in [
        "Json = String(Date.now())",
        "Json = Date()",
        "Json = new Date().toISOString()",
        "Json = String(Math.random())",
        "Json = String(globalThis['Da' + 'te'].now())",
        "Json = String(Math['ran' + 'dom']())",
        "Json = String(new (new Date(0).constructor)())",
        "Json = String(Reflect.construct(Date, []))",
    ] {
        assert!(!is_shared(&job(script, "a", 1), &job(script, "a", 2)), "{script}");
        assert!(is_shared(&job(script, "a", 1), &job(script, "a", 1)), "{script}");
    }
}

#[test]
fn smaller_budget_runs_again() {
    let script = "for (let i = 0; i < 100000; i++) {} Json = 'x'";
    let small = Job { max_polls: Some(1), ..job(script, "a", 1) };
    assert!(!is_shared(&job(script, "a", 1), &small));
    assert!(is_shared(&job(script, "a", 1), &Job { max_polls: Some(300), ..small }));
}

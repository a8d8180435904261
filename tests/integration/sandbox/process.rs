//! The lifetime of the child process.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wflint::script::sandbox::{Answer, FailureKind, Sandbox, SandboxError, WORKER_ARGUMENT};

use super::{failure_in, job, sandbox, text_of, with};

#[test]
fn crashed_child_is_replaced_for_the_next_script() {
    let mut sandbox = sandbox();
    sandbox.run(&job("Json = 'x'")).unwrap();
    let first = sandbox.process_id().unwrap();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        kill(first);
    });
    let failure = failure_in(&mut sandbox, "new Array(2 ** 32 - 1).reverse()");
    killer.join().unwrap();
    assert_eq!(failure.kind, FailureKind::Killed);
    assert!(failure.message.starts_with("script process ended unexpectedly ("), "{}", failure.message);
    assert_eq!(text_of(sandbox.run(&job("Json = 'y'")).unwrap()), "y");
    // A child that dies between two scripts affects neither.
    kill(sandbox.process_id().unwrap());
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(text_of(sandbox.run(&job("Json = 'z'")).unwrap()), "z");
}

#[cfg(unix)]
#[test]
fn job_for_a_child_that_reads_nothing_is_canceled() {
    let mut sandbox = sandbox();
    sandbox.run(&job("Json = 'x'")).unwrap();
    // Until it is ready for the next.
    std::thread::sleep(Duration::from_millis(300));
    signal(sandbox.process_id().unwrap(), "STOP");
    let cancellation = sandbox.cancellation.clone();
    let canceler = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        cancellation.cancel();
    });
    // More than the pipe holds.
    let long = "x".repeat(1 << 20);
    let failure = match sandbox.run(&with("Json = Long", &[("Long", &long)])) {
        Ok(Answer::Failed(failure)) => failure,
        other => panic!("{other:?}"),
    };
    canceler.join().unwrap();
    assert_eq!(failure.kind, FailureKind::TimeLimit);
}

fn kill(process: u32) {
    if cfg!(windows) {
        let done = Command::new("taskkill").args(["/F", "/PID", &process.to_string()]).output();
        assert!(done.unwrap().status.success());
    } else {
        signal(process, "KILL");
    }
}

fn signal(process: u32, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap().success());
}

#[test]
fn child_is_started_once_and_ends_with_the_sandbox() {
    let mut sandbox = sandbox();
    assert_eq!(sandbox.process_id(), None);
    sandbox.run(&job("")).unwrap();
    let process = sandbox.process_id().unwrap();
    sandbox.run(&job("null.x")).unwrap();
    sandbox.run(&job("while (1);")).unwrap();
    assert_eq!(sandbox.process_id(), Some(process));
    drop(sandbox);
    if cfg!(target_os = "linux") {
        assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
    }
}

#[test]
fn orphaned_child_ends_even_during_a_script() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wflint"))
        .arg(WORKER_ARGUMENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let job = serde_json::to_vec(&job("new Array(2 ** 32 - 1).reverse()")).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, &u32::try_from(job.len()).unwrap().to_le_bytes()).unwrap();
    std::io::Write::write_all(&mut stdin, &job).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn program_that_is_no_worker_is_an_error() {
    let absent = Sandbox::new("/no/such/program".into()).run(&job(""));
    assert!(matches!(absent, Err(SandboxError::Start(_))));
    // The program of this test, which rejects the argument.
    let other = Sandbox::new(std::env::current_exe().unwrap()).run(&job(""));
    assert!(matches!(other, Err(SandboxError::NotReady)));
    assert_eq!(SandboxError::NotReady.to_string(), "script process was not ready within 10 s");
}

#[test]
fn worker_argument_is_not_in_the_help() {
    let help = Command::new(env!("CARGO_BIN_EXE_wflint")).arg("--help").output().unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("script-worker"));
}

#[test]
fn short_script_runs_in_milliseconds() {
    let mut sandbox = sandbox();
    let job = with("Json = JSON.stringify({ name: Name, at: new Date })", &[("Name", "x")]);
    sandbox.run(&job).unwrap();
    let began = Instant::now();
    for _ in 0..200 {
        sandbox.run(&job).unwrap();
    }
    let each = began.elapsed() / 200;
    eprintln!("a round trip: {each:?}");
    assert!(each < Duration::from_millis(50), "{each:?}");
}

#[test]
fn child_starts_no_further_child() {
    for (command, code) in [("explore", 2), ("simulate", 1), ("check", 0)] {
        let output = Command::new(env!("CARGO_BIN_EXE_wflint"))
            .args([command, "examples/sign-json"])
            .env("WFLINT_SCRIPT_WORKER", "1")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(said.contains("cannot start the script process: a child"), "{said}");
        assert_eq!(output.status.code(), Some(code), "{command}: {said}");
    }
}

//! What the child process may do.

use wflint::script::sandbox::Confinement;

use super::{job, sandbox, text_of};

#[cfg(target_os = "linux")]
#[test]
fn every_thread_of_the_child_is_filtered_and_limited() {
    let mut sandbox = sandbox();
    sandbox.run(&job("")).unwrap();
    let process = format!("/proc/{}", sandbox.process_id().unwrap());
    let limits = std::fs::read_to_string(format!("{process}/limits")).unwrap();
    for (name, limit) in [("Max open files", "0"), ("Max core file size", "0"), ("Max address space", "1073741824")] {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        assert_eq!(line.split_whitespace().next(), Some(limit), "{name}\n{limits}");
    }
    let environment = std::fs::read_to_string(format!("{process}/environ")).unwrap();
    for variable in environment.split_terminator('\0') {
        let is_own = ["TZ=UTC", "WFLINT_SCRIPT_WORKER=1"].contains(&variable);
        assert!(is_own || variable.starts_with("LD_LIBRARY_PATH="), "{variable}");
    }
    if sandbox.confinement() == Some(Confinement::Unfiltered) {
        eprintln!("skipped: this system has no filter for system calls");
        return;
    }
    let threads: Vec<_> = std::fs::read_dir(format!("{process}/task")).unwrap().collect();
    assert!(threads.len() >= 3, "{threads:?}");
    for thread in threads {
        let status = std::fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        for line in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
            assert!(status.lines().any(|other| other == line), "{line}\n{status}");
        }
    }
}

#[test]
fn filtered_child_runs_everything_that_a_script_may() {
    let mut sandbox = sandbox();
    for (script, expected) in [
        // Memory that grows and shrinks, through the allocator's arenas and large mappings.
        ("for (var i = 0; i < 50; i++) new Uint8Array(8e6).fill(1); Json = 'memory'", "memory"),
        ("var s = ''; for (var i = 0; i < 1e5; i++) s += i; Json = 'text'", "text"),
        ("try { (function f() { f() })() } catch { Json = 'stack' }", "stack"),
        ("try { new Array(1e9).fill(1) } catch { Json = 'out of memory' }", "out of memory"),
        ("Json = new Date(0).toString().slice(0, 15)", "Thu Jan 01 1970"),
        ("Json = Math.random() < 1 ? 'random' : ''", "random"),
        ("Json = /(\\d+)-\\1/u.exec('12-12')[1]", "12"),
    ] {
        assert_eq!(text_of(sandbox.run(&job(script)).unwrap()), expected, "{script}");
    }
}

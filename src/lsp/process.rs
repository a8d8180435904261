//! Watches the process of the client: the server ends when it ends.

#[cfg(unix)]
use std::time::Duration;

/// The interval of the checks.
#[cfg(unix)]
const INTERVAL: Duration = Duration::from_secs(1);

/// Calls `gone` when a process has ended.
#[cfg(unix)]
pub fn watch(process: i32, gone: impl FnOnce() + Send + 'static) {
    let Some(process) = rustix::process::Pid::from_raw(process).filter(|_| process > 0) else { return };
    std::thread::spawn(move || {
        // A process of another user exists, too.
        while rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH) {
            std::thread::sleep(INTERVAL);
        }
        gone();
    });
}

/// On other systems, the input closes when the client ends.
#[cfg(not(unix))]
pub fn watch(_: i32, _: impl FnOnce() + Send + 'static) {}

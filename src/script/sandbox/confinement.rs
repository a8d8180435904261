//! What the child may still do after its start.
//!
//! On Linux a system call filter (seccomp) leaves it its pipes, its memory and its end, and
//! `no_new_privs` is set. Resource limits come in addition. Where the kernel, a container or the
//! platform has no filters, scripts run without one.

/// Bytes of address space of the child: the engine, its stack, and several copies of the largest frame.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const MAX_ADDRESS_SPACE: u64 = 1 << 30;

/// Whether the system calls of a script process are filtered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confinement {
    Filtered,
    Unfiltered,
}

/// Confines all threads of this process, irrevocably.
pub(super) fn confine() -> Confinement {
    set_resource_limits();
    if filter::apply().is_some() { Confinement::Filtered } else { Confinement::Unfiltered }
}

/// Limits of the process; those that cannot be set are left out.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn set_resource_limits() {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let limits = [
        (Resource::As, MAX_ADDRESS_SPACE),
        (Resource::Core, 0),
        // Open files stay open.
        (Resource::Nofile, 0),
        (Resource::Fsize, 0),
        (Resource::Nproc, 0),
    ];
    for (resource, limit) in limits {
        let _ = setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
const fn set_resource_limits() {}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
mod filter {
    pub const fn apply() -> Option<()> {
        None
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod filter {
    use std::collections::BTreeMap;

    use seccompiler::SeccompCmpArgLen::{Dword, Qword};
    use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
    use seccompiler::{BackendError, BpfProgram, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule};
    use seccompiler::{TargetArch, apply_filter_all_threads};

    /// Memory, locks, signal handlers, the clock and the end: what the allocator, the engine, the
    /// standard library and a panic need, and what touches nothing outside the process.
    const ALLOWED: [i64; 22] = [
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_brk,
        libc::SYS_madvise,
        libc::SYS_futex,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_rt_sigreturn,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigaction,
        libc::SYS_sigaltstack,
        libc::SYS_set_robust_list,
        libc::SYS_restart_syscall,
        libc::SYS_clock_gettime,
        libc::SYS_clock_nanosleep,
        libc::SYS_gettimeofday,
        libc::SYS_getrandom,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_close,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];

    pub fn apply() -> Option<()> {
        apply_filter_all_threads(&program().ok()?).ok()
    }

    fn program() -> Result<BpfProgram, BackendError> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
        let when = |argument, length, operator, value: u64| {
            SeccompRule::new(vec![SeccompCondition::new(argument, length, operator, value)?])
        };
        // The pipes alone, not what the process may have inherited.
        rules.insert(libc::SYS_read, vec![when(0, Dword, Eq, 0)?]);
        rules.insert(libc::SYS_write, vec![when(0, Dword, Eq, 1)?, when(0, Dword, Eq, 2)?]);
        // No code is generated.
        let not_executable = || when(2, Qword, MaskedEq(u64::from(libc::PROT_EXEC.unsigned_abs())), 0);
        rules.insert(libc::SYS_mmap, vec![not_executable()?]);
        rules.insert(libc::SYS_mprotect, vec![not_executable()?]);
        // `abort` signals its own process.
        rules.insert(libc::SYS_tgkill, vec![when(0, Dword, Eq, u64::from(std::process::id()))?]);
        let denied = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        SeccompFilter::new(rules, denied, SeccompAction::Allow, arch)?.try_into()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Error;
    use std::net::{TcpListener, UdpSocket};
    use std::process::Command;

    use super::*;

    /// Set in the process that confines itself.
    const CHILD: &str = "WFLINT_TEST_CONFINED";

    type Attempt = fn() -> Result<(), Error>;

    /// What a script could do if it took over the engine.
    const ATTEMPTS: [(&str, Attempt); 9] = [
        ("read a file", || File::open("/dev/null").map(drop)),
        ("write a file", || File::create(std::env::temp_dir().join("wflint-confined")).map(drop)),
        ("remove a file", || std::fs::remove_file("/nonexistent/file")),
        ("list a folder", || std::fs::read_dir("/").map(drop)),
        ("see a file", || std::fs::metadata("/").map(drop)),
        ("open a socket", || TcpListener::bind("127.0.0.1:0").map(drop)),
        ("open a datagram socket", || UdpSocket::bind("127.0.0.1:0").map(drop)),
        ("start a program", || Command::new("/proc/self/exe").arg("--help").spawn().map(drop)),
        ("start a thread", || std::thread::Builder::new().spawn(|| ()).map(drop)),
    ];

    /// Runs in a process of its own, because nothing lifts the filter.
    #[test]
    fn confined_process_can_neither_open_nor_start_anything() {
        if std::env::var_os(CHILD).is_some() {
            let confinement = confine();
            println!("confinement: {confinement:?}");
            for (what, attempt) in ATTEMPTS {
                let result = attempt().map_err(|error| error.raw_os_error());
                println!("{what}: {result:?}");
            }
            // Memory, locks, threads that exist, and panics go on.
            assert!(std::panic::catch_unwind(|| panic!("as expected")).is_err());
            println!("memory: {}", vec![1_u8; 64 << 20].len());
            std::process::exit(0);
        }
        let test = "script::sandbox::confinement::tests::confined_process_can_neither_open_nor_start_anything";
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
        let output = command.output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && shown.contains("memory: 67108864"), "{shown}{:?}", output.stderr);
        if shown.contains("confinement: Unfiltered") {
            assert!(!has_filters(), "{shown}");
            eprintln!("skipped: this system has no filter for system calls");
            return;
        }
        for (what, _) in ATTEMPTS {
            assert!(shown.contains(&format!("{what}: Err(Some(1))")), "not refused: {what}\n{shown}");
        }
    }

    /// Whether the kernel says that it has filters.
    fn has_filters() -> bool {
        std::fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").is_ok_and(|actions| actions.contains("errno"))
    }
}

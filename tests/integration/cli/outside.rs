//! Files of strangers: what a configuration or a scenario names is read only within the boundary, only
//! regular files are read, and no line of another file is shown.

#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::folder::Folder;
use crate::support::run::{Output, process, run_cli};
use crate::support::samples::{ERROR, FINE};

const CATALOG: &str = "plugin = 'own'\n";

fn pipe(path: impl AsRef<Path>) {
    assert!(std::process::Command::new("mkfifo").arg(path.as_ref()).status().unwrap().success());
}

/// Runs the simulator in a folder below the one with the files.
fn simulate_in(folder: &Folder, current: &str, args: &[&str]) -> Output {
    run_cli(&[&["--simulate"], args].concat(), &folder.file(current), b"")
}

fn scenario(more: &str) -> String {
    format!("workflow: a.json\n{more}\n")
}

#[test]
fn scenario_names_files_below_its_repository_only() {
    let folder = Folder::with(&[
        ("work/.git/HEAD", ""),
        ("work/sub/a.json", FINE),
        ("work/people.ldif", "dn: CN=a\n"),
        ("people.ldif", "dn: CN=a\n"),
        ("a.json", FINE),
        ("a.form.json", "{\"fields\": [], \"variables\": []}"),
    ]);
    symlink("../../people.ldif", folder.file("work/sub/link.ldif")).unwrap();
    let absolute = folder.file("people.ldif");
    for (text, code) in [
        (scenario("directory: ../people.ldif"), 0),
        (scenario("directory: ../../people.ldif"), 2),
        (scenario("directory: link.ldif"), 2),
        (scenario(&format!("directory: {}", absolute.display())), 2),
        ("workflow: ../../a.json".to_owned(), 2),
        (scenario("form: ../../a.form.json"), 2),
    ] {
        folder.write("work/sub/a.scenario.yaml", &text);
        // Neither the current folder nor a path of the command line widens a repository.
        for (current, args) in
            [("work/sub", &["."][..]), (".", &["work", "people.ldif"]), (".", &["work/sub/a.scenario.yaml"])]
        {
            let args: Vec<&str> = args.iter().copied().filter(|path| *path != "people.ldif").collect();
            let output = simulate_in(&folder, current, &args).expect_code(code);
            assert_eq!(
                output.err().contains("outside of the repository; use `--allow-outside`"),
                code == 2,
                "{text}{}",
                output.err()
            );
        }
        simulate_in(&folder, "work/sub", &["--allow-outside", "."]).expect_code(0);
    }
}

#[test]
fn without_a_repository_the_folders_of_the_command_line_and_the_current_one_count() {
    let folder = Folder::with(&[("b/a.json", FINE), ("c/people.ldif", "dn: CN=a\n")]);
    folder.write("b/a.scenario.yaml", scenario("directory: ../c/people.ldif"));
    simulate_in(&folder, ".", &["b"]).expect_code(0);
    simulate_in(&folder, "b", &[".", "../c"]).expect_code(0);
    simulate_in(&folder, "b", &["--allow-outside"]).expect_code(0);
    let output = simulate_in(&folder, "b", &["."]).expect_code(2);
    assert!(output.err().contains("outside of the folders of the command line"), "{}", output.err());
    assert!(output.err().contains("a.scenario.yaml:2:"), "at its line: {}", output.err());
}

#[test]
fn configuration_names_files_below_its_repository_only() {
    let folder = Folder::with(&[
        ("work/.git/HEAD", ""),
        ("work/a.json", FINE),
        ("own.toml", CATALOG),
        ("work/own.toml", CATALOG),
    ]);
    let run = |args: &[&str]| run_cli(args, &folder.file("work"), b"");
    symlink("../own.toml", folder.file("work/link.toml")).unwrap();
    for (catalogs, code) in [("own.toml", 0), ("../own.toml", 2), ("link.toml", 2), ("l*.toml", 2)] {
        folder.write("work/wflint.toml", format!("catalogs = ['{catalogs}']"));
        let output = run(&["."]).expect_code(code);
        assert_eq!(output.err().contains("outside of the repository"), code == 2, "{catalogs}: {}", output.err());
        run(&["--allow-outside", "."]).expect_code(0);
    }
    // A configuration that is found may be a link too; one of the command line may lie anywhere.
    std::fs::remove_file(folder.file("work/wflint.toml")).unwrap();
    folder.write("wflint.own.toml", "select = ['ALL']");
    symlink("../wflint.own.toml", folder.file("work/wflint.toml")).unwrap();
    run(&["."]).expect_code(2);
    run(&["--allow-outside", "."]).expect_code(0);
    run(&["--config", "wflint.toml", "."]).expect_code(0);
}

/// A file that is no directory, with what must not be seen.
const SECRETS: [&str; 5] =
    ["TOKEN=tr0ub4dor", "tr0ub4dor: x", "dn: tr0ub4dor", "version: tr0ub4dor", "dn: CN=tr0ub4dor\n\ndn: CN=tr0ub4dor"];

#[test]
fn no_line_of_a_file_that_a_scenario_names_is_shown() {
    for secret in SECRETS {
        let folder = Folder::with(&[("a.json", FINE), ("environ", secret)]);
        folder.write("a.scenario.yaml", scenario("directory: environ"));
        for format in ["human", "json", "junit"] {
            let output = folder.run(&["--simulate", "--format", format]).expect_code(2);
            assert!(!output.out().contains("tr0ub4dor") && !output.err().contains("tr0ub4dor"), "{}", output.err());
            assert!(output.err().contains("at environ:"), "but the place is: {}", output.err());
        }
    }
    for named in ["workflow: secret.json", "workflow: a.json\nform: secret.json"] {
        let folder = Folder::with(&[("a.json", FINE), ("secret.json", "tr0ub4dor"), ("a.scenario.yaml", named)]);
        let output = folder.run(&["--simulate"]).expect_code(2);
        assert!(!output.err().contains("tr0ub4dor"), "{}", output.err());
    }
}

#[test]
fn no_line_of_a_named_file_is_shown_that_wflint_does_not_know() {
    for text in ["tr0ub4dor", "{\"password\": \"tr0ub4dor\"}", "\u{fffd}tr0ub4dor"] {
        let folder = Folder::with(&[("secret.json", text)]);
        let output = folder.run(&["secret.json"]).expect_code(1);
        assert!(!output.out().contains("tr0ub4dor") && output.out().contains("at secret.json:1:"), "{}", output.out());
    }
    let folder = Folder::with(&[("a.json", "{\"activities\": [broken")]);
    assert!(folder.run(&["a.json"]).expect_code(1).out().contains("[broken"), "a broken document is shown");
}

#[test]
fn pipe_or_device_is_refused_without_waiting() {
    let folder = Folder::with(&[("a.json", ERROR), ("a.scenario.yaml", "workflow: pipe.json")]);
    pipe(folder.file("pipe.json"));
    pipe(folder.file("p.scenario.yaml"));
    pipe(folder.file("p.ldif"));
    folder.write("d.scenario.yaml", "workflow: a.json\ndirectory: p.ldif");
    symlink("/dev/zero", folder.file("zero.json")).unwrap();
    for args in [
        &["pipe.json"][..],
        &["--fix", "pipe.json"],
        &["zero.json"],
        &["/dev/zero"],
        &["--skip-unrelated", "pipe.json"],
        &["--config", "pipe.json"],
        &["--baseline", "pipe.json"],
        &["--simulate", "a.scenario.yaml"],
        &["--simulate", "p.scenario.yaml"],
        &["--simulate", "d.scenario.yaml"],
        &["--simulate", "--allow-outside", "d.scenario.yaml"],
    ] {
        let output = process(folder.path()).args(args).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains("expected a regular file, found a pipe or device"), "{args:?}: {error}");
    }
}

#[test]
fn ignore_file_that_is_not_a_small_regular_file_is_an_error_and_the_rest_is_linted() {
    let huge = "a\n".repeat(1 << 20);
    let too_large: &dyn Fn(&Path) = &|path| std::fs::write(path, &huge).unwrap();
    let device: &dyn Fn(&Path) = &|path| symlink("/dev/zero", path).unwrap();
    for name in [".gitignore", ".ignore", ".git/info/exclude"] {
        for place in [&|path: &Path| pipe(path), device, too_large] {
            let folder = Folder::with(&[("b.json", ERROR), ("sub/a.json", ERROR), ("sub/.git/info/x", "")]);
            let at = folder.file("sub").join(name);
            place(&at);
            let output = process(folder.path()).args(["--format", "concise", "."]).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && error.contains(name), "{name}: {error}");
            assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1, "{name}");
            // Above the folder, and beside a file, it is read as well.
            for path in ["sub", "sub/a.json"] {
                let output = process(folder.path()).arg(path).output().unwrap();
                assert_eq!(output.status.code(), Some(2), "{name}: {path}");
            }
        }
    }
}

#[test]
fn worktree_that_leads_to_a_pipe_is_an_error() {
    let folder = Folder::with(&[("b/a.json", FINE), ("git/x", "")]);
    folder.write("b/.git", format!("gitdir: {}\n", folder.file("git").display()));
    pipe(folder.file("git/commondir"));
    let output = process(folder.path()).arg("b").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn baseline_of_a_configuration_is_created_only_within_the_boundary() {
    let folder = Folder::with(&[("work/.git/HEAD", ""), ("work/sub/a.json", ERROR), ("work/sub/wflint.toml", "")]);
    symlink("../../../gone.json", folder.file("work/sub/link.json")).unwrap();
    symlink("..", folder.file("work/sub/up")).unwrap();
    for (path, code) in [
        ("known.json", 0),
        ("../known.json", 0),
        ("up/other.json", 0),
        ("../../known.json", 2),
        ("up/../../known.json", 0),
        ("../../new/known.json", 2),
        ("link.json", 2),
    ] {
        folder.write("work/sub/wflint.toml", format!("baseline = '{path}'\n"));
        let output = run_cli(&["--write-baseline", "."], &folder.file("work/sub"), b"");
        assert_eq!(output.code, code, "{path}: {}", output.err());
        assert_eq!(folder.names(), ["work"], "{path}");
    }
    // The command line names what it wants.
    run_cli(&["--write-baseline", "--baseline", "../../known.json", "."], &folder.file("work/sub"), b"").expect_code(0);
    assert_eq!(folder.names(), ["known.json", "work"]);
}

//! The scripts of the action and of the template for GitLab, run with hostile inputs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::{read, scalars};
use crate::support::folder::Folder;
use crate::support::samples::FINE;

/// A folder with two faulty services, and what a script of CI finds around it.
fn workplace() -> Folder {
    let status =
        r#"{ "name": "S", "type": "Status", "status": { "isBound": true, "boundTo": "Unknown", "boundToId": 5 } }"#;
    let workflow = format!(r#"{{ "activities": [{status}], "variables": [] }}"#);
    let folder =
        Folder::with(&[("a b/order.workflow.json", workflow.as_str()), ("-c/order.workflow.json", workflow.as_str())]);
    for name in ["temp", "bin"] {
        fs::create_dir(folder.file(name)).unwrap();
    }
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_wflint"), folder.file("bin/wflint")).unwrap();
    for name in ["output", "summary", "path"] {
        folder.write(name, "");
    }
    folder
}

fn script(folder: &Folder, mut command: Command, variables: &[(&str, &str)]) -> Output {
    let path = format!("{}:{}", folder.file("bin").display(), std::env::var("PATH").unwrap());
    command.current_dir(folder.path()).env("PATH", path);
    command.env("RUNNER_TEMP", folder.file("temp")).env("GITHUB_OUTPUT", folder.file("output"));
    command.env("GITHUB_STEP_SUMMARY", folder.file("summary")).env("GITHUB_PATH", folder.file("path"));
    command.env("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR"));
    command.envs(variables.iter().copied()).output().unwrap()
}

fn action(folder: &Folder, name: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new("bash");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/action").join(name));
    let output = script(folder, command, variables);
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// Would create the file `x` if a shell evaluated it.
const HOSTILE: [&str; 8] = [
    "$(touch x)",
    "`touch x`",
    "\"; touch x; \"",
    "'; touch x; '",
    "a\ntouch x\n",
    "a\r\n; touch x",
    "x || touch x && touch x",
    "${IFS}$(touch${IFS}x)",
];

#[test]
fn action_lints_paths_of_any_name() {
    let folder = workplace();
    let (code, output) = action(&folder, "lint", &[("WFLINT_PATHS", "a b\r\n\n-c\n")]);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("file=a b/order.workflow.json,"), "{output}");
    assert!(output.contains("file=-c/order.workflow.json,"), "{output}");
    let (code, output) = action(&folder, "lint", &[("WFLINT_WORKING_DIRECTORY", "-c"), ("WFLINT_SHARD", "1/1")]);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("file=order.workflow.json,"), "{output}");
    let (code, output) =
        action(&folder, "lint", &[("WFLINT_FAIL_ON", "never"), ("WFLINT_ARGUMENTS", "--select\nWF1\n")]);
    assert_eq!(code, Some(0), "{output}");
    let (code, output) = action(&folder, "lint", &[("WFLINT_SIMULATE", "true")]);
    assert_eq!(code, Some(2), "there is no scenario: {output}");
    let never = ("WFLINT_FAIL_ON", "never");
    for (switch, shown) in [("WFLINT_EXPLORE", "::error file="), ("WFLINT_FMT", "would be formatted")] {
        let (code, output) =
            action(&folder, "lint", &[never, ("WFLINT_ARGUMENTS", "--show\nerror\n--quiet"), (switch, "true")]);
        assert_eq!(code, Some(1), "{switch}: {output}");
        assert!(output.contains(shown), "{switch}: {output}");
    }
}

#[test]
fn every_command_has_the_configuration() {
    let folder = workplace();
    folder.write("ci.toml", "exclude = ['gen', 'a b', '-c']\n[fmt]\nindent = 3\n");
    folder.write("order.workflow.json", FINE);
    folder.write("fine.scenario.yaml", "workflow: order.workflow.json\nexpect: { outcome: completed }\n");
    folder.run(&["fmt", "--config", "ci.toml", "."]).expect_code(0);
    folder.write("gen/broken.workflow.json", "{");
    folder.write("gen/broken.scenario.yaml", "{");
    for switch in ["SIMULATE", "EXPLORE", "FMT"].map(|switch| format!("WFLINT_{switch}")) {
        let inputs = [("WFLINT_CONFIG", "ci.toml"), (switch.as_str(), "true")];
        for (code, output) in [action(&folder, "lint", &inputs), gitlab(&folder, &inputs)] {
            assert_eq!(code, Some(0), "{switch}: {output}");
        }
    }
}

#[test]
fn inputs_of_the_action_are_never_evaluated() {
    let inputs = [
        "PATHS", "CONFIG", "FAIL_ON", "SINCE", "SHARD", "SIMULATE", "EXPLORE", "FMT", "SUMMARY", "SARIF", "ARGUMENTS",
        "WORKING_DIRECTORY",
    ];
    for hostile in HOSTILE {
        for input in inputs {
            let folder = workplace();
            let (code, output) = action(&folder, "lint", &[(&format!("WFLINT_{input}"), hostile)]);
            assert_ne!(code, Some(0), "{input} {hostile}: {output}");
            assert!(!folder.file("x").exists() && !folder.file("a b/x").exists(), "{input} {hostile}: {output}");
            assert_eq!(folder.read("output"), "", "{input} {hostile}");
        }
        let folder = workplace();
        let (code, output) = action(&folder, "install", &[("WFLINT_VERSION", hostile)]);
        assert_eq!(code, Some(2), "{hostile}: {output}");
        assert!(!folder.file("x").exists(), "{hostile}: {output}");
        for input in ["WFLINT_DIFF", "WFLINT_CONFIG", "WFLINT_WORKING_DIRECTORY"] {
            let folder = workplace();
            let (code, output) = action(&folder, "comment", &[("WFLINT_DIFF", "HEAD"), (input, hostile)]);
            assert_ne!(code, Some(0), "{input} {hostile}: {output}");
            assert!(!folder.file("x").exists() && !folder.file("a b/x").exists(), "{input} {hostile}: {output}");
        }
    }
}

#[test]
fn action_takes_the_installed_program_on_demand() {
    let folder = workplace();
    let (code, output) = action(&folder, "install", &[("WFLINT_VERSION", "none")]);
    assert_eq!((code, output.as_str()), (Some(0), concat!("wflint ", env!("CARGO_PKG_VERSION"), "\n")));
    assert_eq!(folder.read("path"), "");
}

/// The script of the job, without the environment that it installs.
fn gitlab(folder: &Folder, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let scalars = scalars(&read("packaging/gitlab/wflint.yml"));
    let script_text = scalars.iter().find(|(key, _)| key == "script").unwrap().1.replace(".wflint-venv/bin/", "");
    let mut command = Command::new("sh");
    command.args(["-e", "-c", &script_text]);
    let switches = ["WFLINT_SIMULATE", "WFLINT_EXPLORE", "WFLINT_FMT"].map(|switch| (switch, "false"));
    let defaults =
        [&[("WFLINT_PATHS", "."), ("WFLINT_CONFIG", ""), ("WFLINT_OPTIONS", "")], switches.as_slice()].concat();
    let output = script(folder, command, &[defaults.as_slice(), variables].concat());
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn gitlab_job_lints_its_part_and_evaluates_no_variable() {
    let folder = workplace();
    let (code, output) = gitlab(&folder, &[("WFLINT_PATHS", "a b\n-c")]);
    assert_eq!(code, Some(1), "{output}");
    let report = folder.read("gl-code-quality-report.json");
    assert!(
        report.contains("\"a b/order.workflow.json\"") && report.contains("\"-c/order.workflow.json\""),
        "{report}"
    );
    for index in ["1", "2"] {
        let (code, output) = gitlab(&folder, &[("CI_NODE_INDEX", index), ("CI_NODE_TOTAL", "2")]);
        assert_eq!(code, Some(1), "one of the services is in each part: {output}");
    }
    let (code, _) = gitlab(&folder, &[("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "2")]);
    assert_eq!(code, Some(2));
    for hostile in HOSTILE {
        for variable in ["WFLINT_PATHS", "WFLINT_CONFIG", "WFLINT_OPTIONS", "CI_NODE_INDEX"] {
            let (code, output) = gitlab(&folder, &[("CI_NODE_TOTAL", "2"), (variable, hostile)]);
            assert_ne!(code, Some(0), "{variable} {hostile}: {output}");
            assert!(!folder.file("x").exists(), "{variable} {hostile}: {output}");
        }
    }
}

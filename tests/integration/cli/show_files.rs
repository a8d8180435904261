//! `--show-files`: what each file is taken for.

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::samples::{BROKEN, ERROR, FILLER, FINE, READER, UNRELATED};

const SCENARIO: &str = "name: a\nworkflow: order.workflow.json\n";

/// The listed files.
#[track_caller]
fn listed(folder: &Folder, args: &[&str]) -> Value {
    let output = folder.run(&[&["--show-files", "--format", "json"], args].concat()).expect_code(0);
    assert_eq!(output.err(), "");
    output.json()["files"].clone()
}

fn document(file: &str, kind: &str, service: &str) -> Value {
    json!({ "file": file, "kind": kind, "service": service, "skipped": null })
}

fn scenario(file: &str) -> Value {
    json!({ "file": file, "kind": "scenario", "service": null, "skipped": null })
}

fn skipped(file: &str, reason: &str) -> Value {
    json!({ "file": file, "kind": null, "service": null, "skipped": reason })
}

const UNRELATED_REASON: &str = "neither a workflow, a form nor a signing case";

#[test]
fn folder_lists_documents_scenarios_and_skipped_files_but_none_that_git_ignores() {
    let folder = Folder::with(&[
        ("wflint.toml", "exclude = ['old/**']\n[[service]]\nname = 'signing'\nforms = ['forms/*.json']\n"),
        (".gitignore", "ignored.json\n"),
        ("ignored.json", FINE),
        (".hidden.json", FINE),
        ("a.scenario.yaml", SCENARIO),
        ("b.scenario.json", "{}"),
        ("broken.json", BROKEN),
        ("case.json", "{ \"Name\": \"a\", \"Parties\": [] }"),
        ("forms/f.json", FILLER),
        ("notes.txt", "notes"),
        ("old/o.json", FINE),
        ("other.json", UNRELATED),
        ("sub/w.json", READER),
        ("wrapped.json", &format!("[{FINE}]")),
    ]);
    let wanted = [
        scenario("a.scenario.yaml"),
        scenario("b.scenario.json"),
        skipped("broken.json", "invalid JSON (WF001)"),
        document("case.json", "signing-case", "."),
        document("forms/f.json", "form", "signing"),
        skipped("old/o.json", "excluded by `old/**` in `exclude`"),
        skipped("other.json", UNRELATED_REASON),
        document("sub/w.json", "workflow", "sub"),
        skipped("wrapped.json", "neither a workflow, a form nor a signing case, but similar to one (WF003)"),
    ];
    for args in [&[][..], &["."], &[".", "sub", "sub/w.json"]] {
        assert_eq!(listed(&folder, args), json!(wanted), "{args:?}");
    }
}

#[test]
fn named_files_are_listed_alone_and_even_if_excluded() {
    let folder = Folder::with(&[
        ("wflint.toml", "exclude = ['a.json']"),
        ("a.json", ERROR),
        ("b.json", FINE),
        ("notes.txt", "notes"),
        ("other.json", UNRELATED),
        ("s.scenario.yaml", SCENARIO),
    ]);
    assert_eq!(listed(&folder, &["a.json"]), json!([document("a.json", "workflow", ".")]));
    assert_eq!(listed(&folder, &["./a.json", ".", "--ignore", "WF1"])[0], document("a.json", "workflow", "."));
    assert_eq!(listed(&folder, &["other.json"]), json!([skipped("other.json", UNRELATED_REASON)]));
    assert_eq!(listed(&folder, &["notes.txt"]), json!([skipped("notes.txt", "invalid JSON (WF001)")]));
    assert_eq!(listed(&folder, &["s.scenario.yaml"]), json!([scenario("s.scenario.yaml")]));
}

#[cfg(unix)]
#[test]
fn links_that_are_not_followed_are_listed() {
    use std::os::unix::fs::symlink;
    let folder = Folder::with(&[("real/a.json", FINE), ("notes.txt", "notes")]);
    symlink("real", folder.file("folder")).unwrap();
    symlink("real/a.json", folder.file("link.json")).unwrap();
    symlink("gone", folder.file("broken.json")).unwrap();
    symlink("notes.txt", folder.file("link.txt")).unwrap();
    let link = |name: &str| skipped(name, "a link, which is not followed");
    let document = |name: &str| document(name, "workflow", "real");
    let wanted = [link("broken.json"), link("folder"), link("link.json"), document("real/a.json")];
    assert_eq!(listed(&folder, &["."]), json!(wanted));
    assert_eq!(listed(&folder, &[".", "link.json"])[2]["skipped"], json!(null), "it is named");
}

#[test]
fn file_that_lint_does_not_check_has_the_reason() {
    let folder = Folder::with(&[("wflint.toml", "[limits]\nmax-depth = 1\nmax-file-mib = 1"), ("deep.json", READER)]);
    folder.write("large.json", format!("{{ \"activities\": [] {} }}", " ".repeat(1 << 20)));
    folder.write("latin.json", b"{ \"activities\": [\"\xff\"] }");
    folder.write("wide.json", FINE.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    let wanted = [
        skipped("deep.json", "nested deeper than 1 levels (WF002)"),
        skipped("large.json", "larger than 1 MiB (WF002)"),
        skipped("latin.json", "invalid UTF-8 (WF001)"),
        skipped("wide.json", "invalid encoding: expected UTF-8, found UTF-16LE (WF001)"),
    ];
    assert_eq!(listed(&folder, &[]), json!(wanted));
}

#[test]
fn standard_input_is_listed_with_its_service() {
    let folder = Folder::with(&[("sub/b.json", FINE)]);
    let list = |args: &[&str]| {
        let args = [&["--show-files", "--format", "json", "-"], args].concat();
        crate::support::run::run_cli(&args, folder.path(), FINE.as_bytes()).expect_code(0).json()["files"].clone()
    };
    assert_eq!(list(&[]), json!([document("<stdin>", "workflow", "<stdin>")]));
    assert_eq!(list(&["--stdin-filename", "sub/new.json"]), json!([document("sub/new.json", "workflow", "sub")]));
}

#[test]
fn list_for_people_has_a_line_for_each_file() {
    let folder = Folder::with(&[("a.json", ERROR), ("other.json", UNRELATED), ("s.scenario.yml", SCENARIO)]);
    let lines = "a.json: workflow of service `.`\n\
                 other.json: skipped, neither a workflow, a form nor a signing case\n\
                 s.scenario.yml: scenario\n";
    let output = folder.run(&["--show-files"]).expect_code(0);
    assert_eq!(output.out(), format!("{lines}1 document, 1 scenario, 1 skipped.\n"));
    assert_eq!(folder.run(&["check", "--show-files", "-q"]).expect_code(0).out(), lines);
    folder.run(&["--show-files", "-q", "--output", "list.txt"]).expect_code(0);
    assert_eq!(folder.read("list.txt"), lines);
}

#[test]
fn list_does_not_overwrite_what_it_lists() {
    let folder = Folder::with(&[("a.json", FINE), ("s.scenario.yaml", SCENARIO), ("wflint.toml", "")]);
    for target in ["a.json", "s.scenario.yaml", "wflint.toml"] {
        for option in ["--show-files", "--show-settings"] {
            if (target, option) != ("s.scenario.yaml", "--show-settings") {
                let path = if option == "--show-files" { "." } else { "a.json" };
                let output = folder.run(&[option, path, "--output", target]).expect_code(2);
                assert!(output.err().contains("`--output` would overwrite"), "{target}: {}", output.err());
            }
        }
    }
    assert_eq!(folder.read("a.json"), FINE);
    for _ in 0..2 {
        folder.run(&["--show-files", "--format", "json", "--output", "list.json"]).expect_code(0);
    }
}

#[cfg(unix)]
#[test]
fn names_are_escaped() {
    let folder = Folder::with(&[("a\u{1b}[2J\n::error::.json", FINE), ("\u{202e}/b.json", FINE)]);
    let output = folder.run(&["--show-files"]).expect_code(0);
    let wanted = "a\\u{1b}[2J\\n::error::.json: workflow of service `.`\n\
                  \\u{202e}/b.json: workflow of service `\\u{202e}`\n2 documents, 0 scenarios, 0 skipped.\n";
    assert_eq!(output.out(), wanted);
    let json = folder.run(&["--show-files", "--format", "json"]).expect_code(0);
    assert!(!json.out().contains(['\u{1b}', '\u{202e}']), "{}", json.out());
    assert_eq!(json.json()["files"][1]["service"], "\u{202e}");
}

#[test]
fn nothing_to_look_at_is_an_error() {
    let folder = Folder::with(&[("notes.txt", "notes"), ("sub/other.json", UNRELATED)]);
    listed(&folder, &["."]);
    let output = folder.run(&["--show-files", "none.json"]).expect_code(2);
    assert!(output.err().contains("none.json") && output.out().starts_with("0 documents"), "{}", output.err());
    let both = folder.run(&["--show-files", "--format", "json", "none.json", "sub"]).expect_code(2);
    assert_eq!(both.json()["files"], json!([skipped("sub/other.json", UNRELATED_REASON)]));
    std::fs::remove_dir_all(folder.file("sub")).unwrap();
    let output = folder.run(&["--show-files"]).expect_code(2);
    assert_eq!((output.out(), output.err()), ("", "wflint: nothing to lint: no JSON file and no scenario found\n"));
    folder.run(&["--show-files", "--skip-unrelated"]).expect_code(0);
    folder.write("wflint.toml", "selct = []");
    folder.write("a.json", FINE);
    folder.run(&["--show-files"]).expect_code(2);
}

#[test]
fn other_formats_and_uses_are_bad_arguments() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for format in ["concise", "github", "junit"] {
        let output = folder.run(&["--show-files", "--format", format]).expect_code(2);
        assert_eq!(output.err(), "wflint: `--show-files` supports the formats `human` and `json`\n");
    }
    for other in ["--select=WF999", "--fix", "--diff", "--simulate", "--statistics", "--add-suppressions=why"] {
        folder.run(&["--show-files", other]).expect_code(2);
    }
}

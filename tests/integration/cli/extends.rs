//! `extend` in `wflint.toml`.

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FINE, INFO, WARNING};

/// A document with an error (WF101) and a warning (WF414) and one with an info (WF007), below a configuration that
/// extends another.
fn folder(base: &str, own: &str) -> Folder {
    Folder::with(&[
        ("base.toml", base),
        ("sub/wflint.toml", &format!("extend = '../base.toml'\n{own}")),
        ("sub/a.json", ERROR),
        ("sub/w.json", WARNING),
        ("sub/i.json", INFO),
    ])
}

/// The codes of the findings.
fn codes(folder: &Folder) -> Vec<String> {
    let found = folder.run(&["--format", "json"]).found();
    found.iter().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn lists_are_joined_and_inherited_entries_taken_out() {
    assert_eq!(codes(&folder("ignore = ['WF101']", "ignore = ['WF414']")), [""; 0]);
    assert_eq!(codes(&folder("ignore = ['WF101', 'WF007']", "ignore = ['!WF101', 'WF414']")), ["WF101"]);
    assert_eq!(codes(&folder("select = ['WF1']", "select = ['WF0']")), ["WF101", "WF007"]);
    assert_eq!(codes(&folder("select = ['WF1', 'WF4']", "select = ['!WF1', 'WF007']")), ["WF007", "WF414"]);
    assert_eq!(codes(&folder("system-variables = ['Nobody']", "system-variables = ['Other']")), ["WF414"]);
    assert_eq!(codes(&folder("ignore = ['WF1']", "")), ["WF414"]);
}

#[test]
fn tables_are_merged_by_key_and_other_keys_replaced() {
    let folder = folder(
        "fail-on = 'never'\n[severity]\nWF101 = 'info'\nWF414 = 'info'\n[limits]\nmax-depth = 2\nmax-activities = 5",
        "fail-on = 'error'\n[severity]\nWF414 = 'error'\n[limits]\nmax-depth = 64",
    );
    folder.run::<&str>(&[]).expect_code(1);
    assert_eq!(folder.found(&["."]), ["sub/a.json WF101 info", "sub/w.json WF414 error"]);
    assert_eq!(setting(&folder, "limits.max-activities"), (json!(5), "base.toml:7".to_owned()));
}

#[test]
fn patterns_and_paths_are_relative_to_the_file_that_has_them() {
    for (base, own, wanted) in [
        ("exclude = ['sub/a.json', 'w.json']", "exclude = ['i.json', 'sub/w.json']", &["WF414"][..]),
        ("[per-file-ignores]\n'sub/a.json' = ['WF101']", "[per-file-ignores]\n'w.json' = ['WF414']", &[]),
        (
            "[[suppress]]\nrule = 'WF101'\nfile = 'sub/a.json'\nactivity = 'Say'\nreason = 'x'",
            "[[suppress]]\nrule = 'WF414'\nfile = 'w.json'\nactivity = 'Say'\nreason = 'x'",
            &[],
        ),
        ("baseline = 'sub/known.json'", "", &["WF414"]),
        ("baseline = 'none.json'", "baseline = 'known.json'", &["WF414"]),
    ] {
        let folder = folder(base, own);
        let known = r#"{ "version": 1, "findings": [
            { "rule": "WF101", "file": "a.json", "around": ["Say"], "member": "status/boundTo", "count": 1 }] }"#;
        folder.write("sub/known.json", known);
        assert_eq!(codes(&folder), wanted, "{base} {own}");
    }
}

#[test]
fn services_and_catalogs_of_both_files_count() {
    let folder = folder(
        "catalogs = ['c.toml']\n[[service]]\nname = 'one'\nworkflow = 'sub/a.json'\nforms = ['sub/f.json']",
        "catalogs = ['c.toml']\n[[service]]\nname = 'two'\nworkflow = 'w.json'",
    );
    folder.write("c.toml", "plugin = 'own'\n[[methods]]\nname = 'Get-A'\n");
    folder.write("sub/c.toml", "plugin = 'own'\n[[methods]]\nname = 'Get-B'\n");
    folder.write("sub/f.json", r#"{"fields": [], "variables": []}"#);
    let listed = folder.run(&["--show-files", "--format", "json"]).expect_code(0).json();
    let files = listed["files"].as_array().unwrap();
    let service = |name: &str| files.iter().find(|file| file["file"] == name).unwrap()["service"].clone();
    assert_eq!(["sub/a.json", "sub/f.json", "sub/w.json"].map(service), ["one", "one", "two"]);
    for name in ["c.toml", "sub/c.toml", "base.toml"] {
        let error = folder.run(&["--output", name]).expect_code(2);
        assert!(error.err().contains("which this run reads"), "{name}: {}", error.err());
    }
}

#[test]
fn problems_are_reported_at_the_file_that_has_them() {
    let suppress = "\n[[suppress]]\nrule = 'WF999'\nfile = 'sub/a.json'\npointer = ''\nreason = 'x'\n";
    let base = format!("ignore = ['!WF110']{suppress}[per-file-ignores]\n'none/**' = ['WF1']\n");
    let folder = folder(&base, &format!("exclude = ['!none']{}", suppress.replace("sub/a.json", "w.json")));
    folder.write("other/wflint.toml", "extend = '../base.toml'");
    folder.write("other/a.json", FINE);
    let report = folder.run(&["--format", "json"]).expect_code(1).json();
    let places: Vec<String> = report["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["code"] == "WF000")
        .map(|finding| format!("{}:{}", finding["file"].as_str().unwrap(), finding["range"]["start"]["line"]))
        .collect();
    assert_eq!(places, ["base.toml:1", "base.toml:3", "base.toml:8", "sub/wflint.toml:2", "sub/wflint.toml:4"]);
}

#[test]
fn entry_of_an_extended_file_is_used_by_any_configuration() {
    let base = "[[suppress]]\nrule = 'WF414'\nfile = 'sub/w.json'\nactivity = 'Say'\nreason = 'x'\n\
                [per-file-ignores]\n'*/a.json' = ['WF101']\n";
    let folder = folder(base, "");
    folder.write("aside/wflint.toml", "extend = '../base.toml'");
    folder.write("aside/a.json", FINE);
    assert_eq!(folder.found(&["."]), [""; 0]);
    assert_eq!(folder.found(&["aside"]), [""; 0], "the other folder was not linted");
    folder.write("sub/w.json", FINE);
    folder.write("sub/a.json", FINE);
    let wanted = ["base.toml WF000 warning", "base.toml WF000 warning"];
    assert_eq!(folder.found(&["."]), wanted);
    let parts = ["1/2", "2/2"].map(|part| folder.found(&["--shard", part])).concat();
    let mut parts: Vec<String> = parts.into_iter().collect();
    parts.sort();
    assert_eq!(parts, wanted);
}

#[test]
fn invalid_extend_is_rejected_with_its_place() {
    for (files, wanted) in [
        (&[("wflint.toml", "\nextend = 'none.toml'")][..], "wflint.toml:2:10: cannot read `none.toml`: no such file"),
        (&[("wflint.toml", "extend = '.'")], "wflint.toml:1:10: cannot read `.`: expected a regular file"),
        (&[("wflint.toml", "extend = 'wflint.toml'")], "wflint.toml:1:10: circular `extend`"),
        (
            &[("wflint.toml", "extend = 'b.toml'"), ("b.toml", "#\nextend = './wflint.toml'")],
            "b.toml:2:10: circular `extend`",
        ),
        (&[("wflint.toml", "extend = 'https://example.com/a.toml'")], "wflint.toml:1:10: expected a path"),
        (&[("wflint.toml", "extend = ['a.toml']")], "wflint.toml:1:10: expected a string"),
        (&[("wflint.toml", "extend = 'b.toml'"), ("b.toml", "selct = []")], "b.toml:1:1: unknown key `selct`"),
        (&[("wflint.toml", "extend = 'b.toml'"), ("b.toml", "\nignore = ['WF9x']")], "b.toml:2:11: unknown rule"),
        (&[("wflint.toml", "extend = 'b.toml'"), ("b.toml", "[severity]\nWF9x = 'info'")], "b.toml:2:1: unknown rule"),
        (
            &[("wflint.toml", "extend = 'b.toml'\nselect = ['!ALL']"), ("b.toml", "select = ['ALL']")],
            "wflint.toml:2:10: ",
        ),
        (
            &[("wflint.toml", "extend = 'b.toml'\nignore = ['WF']"), ("b.toml", "ignore = ['WF1']")],
            "wflint.toml:2:11: `ignore` leaves no rule",
        ),
        (
            &[("wflint.toml", "extend = 'b.toml'"), ("b.toml", "[limits]\nmax-depth = 0")],
            "b.toml:2:13: expected `limits",
        ),
        (
            &[("wflint.toml", "extend = 'b.toml'"), ("b.toml", "[[service]]\nname = 's'\nworkflow = 'x.json'")],
            "b.toml:3:12: missing workflow",
        ),
        (
            &[
                ("wflint.toml", "extend = 'b.toml'\n[[service]]\nname = 's'\nworkflow = 'a.json'"),
                ("b.toml", "[[service]]\nname = 't'\nworkflow = 'a.json'"),
                ("a.json", FINE),
            ],
            "wflint.toml:4:12: duplicate workflow `a.json` of service `s`, already in service `t`",
        ),
    ] {
        let folder = Folder::with(files);
        folder.write("a.json", FINE);
        let output = folder.run::<&str>(&[]).expect_code(2);
        let error = output.err().replace(&format!("{}/", folder.path().display()), "");
        assert!(error.starts_with(&format!("wflint: {wanted}")), "expected {wanted}\nfound {error}");
        assert_eq!((error.lines().count(), output.out()), (1, ""));
    }
}

#[test]
fn number_of_extended_files_is_limited() {
    let chain = |length: usize| {
        let folder = Folder::with(&[("a.json", FINE), ("wflint.toml", "extend = '1.toml'")]);
        for number in 1..length {
            folder.write(format!("{number}.toml"), format!("extend = '{}.toml'", number + 1));
        }
        folder.write(format!("{length}.toml"), "");
        folder.run::<&str>(&[])
    };
    chain(16).expect_code(0);
    let error = chain(17).expect_code(2);
    assert!(error.err().contains("16.toml:1:10: more than 16 files are extended"), "{}", error.err());
}

/// The value and the origin of a setting of `sub`.
fn setting(folder: &Folder, key: &str) -> (Value, String) {
    let settings = folder.run(&["--show-settings", "sub", "--format", "json"]).expect_code(0).json();
    let settings = settings["settings"].as_array().unwrap().clone();
    let found = settings.iter().find(|setting| setting["key"] == key).unwrap();
    (found["value"].clone(), found["origin"].as_str().unwrap().to_owned())
}

#[test]
fn settings_have_the_origins_of_all_files() {
    let folder = folder(
        "ignore = ['WF1', 'WF2']\nfail-on = 'info'\n[severity]\nWF101 = 'info'\n[types]\nfields = ['A']\n\
         activities = { X = 'leaf' }\n[scripts]\nevaluate = false\n[[service]]\nname = 's'\nforms = ['sub/*.json']\n",
        "ignore = ['!WF1', 'WF3']\nfail-on = 'error'\n[severity]\nWF101 = 'error'\nWF102 = 'info'\n[types]\n\
         fields = ['B']\n[[service]]\nname = 't'\nforms = ['*.json']\n",
    );
    for (key, value, origin) in [
        ("extend", json!("../base.toml"), "sub/wflint.toml:1"),
        ("ignore", json!(["WF2", "WF3"]), "base.toml:1, sub/wflint.toml:2"),
        ("fail-on", json!("error"), "sub/wflint.toml:3"),
        ("severity", json!({ "WF101": "error", "WF102": "info" }), "base.toml:3, sub/wflint.toml:4"),
        ("types.fields", json!(["A", "B"]), "base.toml:6, sub/wflint.toml:8"),
        ("types.activities", json!({ "X": "leaf" }), "base.toml:7"),
        ("scripts.evaluate", json!(false), "base.toml:9"),
        (
            "service",
            json!([{ "name": "s", "forms": ["sub/*.json"] }, { "name": "t", "forms": ["*.json"] }]),
            "base.toml:10, sub/wflint.toml:9",
        ),
        ("exclude", json!([]), "default"),
    ] {
        assert_eq!(setting(&folder, key), (value, origin.to_owned()), "{key}");
    }
}

#[test]
fn suppressions_are_added_to_the_file_itself() {
    let folder = folder("ignore = ['WF007']\n", "");
    folder.run(&["--add-suppressions", "known"]).expect_code(0);
    assert_eq!(folder.read("base.toml"), "ignore = ['WF007']\n");
    assert_eq!(folder.read("sub/wflint.toml").matches("[[suppress]]").count(), 2);
    assert_eq!(folder.found(&["."]), [""; 0]);
}

#[cfg(unix)]
#[test]
fn extended_file_is_read_within_the_boundary_only() {
    let folder = Folder::with(&[
        ("out.toml", "ignore = ['WF1']"),
        ("work/.git/HEAD", ""),
        ("work/sub/wflint.toml", "extend = '../../out.toml'"),
        ("work/sub/a.json", ERROR),
    ]);
    let run = |args: &[&str]| crate::support::run::run_cli(args, &folder.file("work/sub"), b"");
    let error = run(&[]).expect_code(2);
    assert!(error.err().contains("wflint.toml:1:10: cannot read `../../out.toml`: outside of the repository"));
    run(&["--allow-outside"]).expect_code(0);
    folder.write("work/sub/wflint.toml", "extend = 'link.toml'");
    std::os::unix::fs::symlink("../../out.toml", folder.file("work/sub/link.toml")).unwrap();
    assert!(run(&[]).expect_code(2).err().contains("outside of the repository"));
    std::fs::remove_file(folder.file("work/sub/link.toml")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.file("work/sub/link.toml")).status().unwrap().success());
    assert!(run(&[]).expect_code(2).err().contains("found a pipe or device"));
}

//! The commented configuration: it changes nothing, and each of its settings can be uncommented.

use serde_json::Value;

use crate::support::folder::{Folder, copy_of};

/// The report of a lint.
fn report(folder: &Folder) -> (u8, Value) {
    let output = folder.run(&["--format", "json", "--select", "ALL"]);
    (output.code, serde_json::from_slice(&output.stdout).unwrap_or_default())
}

/// The settings of a file, each with the header of its table: every one can be uncommented by itself.
fn settings(text: &str) -> Vec<String> {
    let mut settings: Vec<String> = Vec::new();
    let mut service = String::new();
    let mut table = String::new();
    for line in text.lines() {
        match line.strip_prefix("# ") {
            Some("[[service]]") => {
                settings.extend((!service.is_empty()).then(|| std::mem::take(&mut service)));
                service.push_str("[[service]]\n");
                table.clear();
            }
            Some(header) if header.starts_with('[') => table = format!("{header}\n"),
            Some(setting) if !service.is_empty() => service.extend([setting, "\n"]),
            Some(setting) => settings.push(format!("{table}{setting}\n")),
            None => settings.extend((!service.is_empty()).then(|| std::mem::take(&mut service))),
        }
    }
    settings.extend((!service.is_empty()).then_some(service));
    settings
}

#[test]
fn lint_reports_the_same_with_the_file() {
    for name in ["examples", "tests/corpus/ok", "tests/corpus/broken"] {
        let folder = copy_of(name);
        // Those of the corpus have their own configurations.
        let before = report(&folder);
        folder.run(&["init"]).expect_code(0);
        assert_eq!(report(&folder), before, "{name}");
        let text = folder.read("wflint.toml");
        assert!(text.lines().all(|line| line.is_empty() || line.starts_with('#')), "{text}");
    }
}

#[test]
fn lint_reports_the_same_in_odd_folders() {
    let folder = Folder::with(&[(
        "a: b\"c#[d]{e}/x.workflow.json",
        r#"{ "activities": [{ "type": "\u0000\n# x", "name": "\u202e" }, { "type": "Provider", "name": "", "method": "a\nb = 1" }], "variables": [] }"#,
    )]);
    let before = report(&folder);
    folder.run(&["init"]).expect_code(0);
    assert_eq!(report(&folder), before);
    let everything: String = settings(&folder.read("wflint.toml")).concat();
    folder.write("wflint.toml", &everything);
    let (code, after) = report(&folder);
    assert_ne!(code, 2, "{everything}\n{after:#}");
    assert!(everything.contains(r#"activities = { "\u0000\n# x" = "leaf" }"#), "{everything}");
    for empty in [Folder::with(&[]), Folder::with(&[("package.json", "{}")])] {
        empty.run(&["init"]).expect_code(0);
        empty.run(&[""; 0]).expect_code(2);
    }
}

#[test]
fn services_methods_and_types_are_named_and_can_be_uncommented() {
    let workflow = r#"{ "activities": [
        { "type": "SendEmail", "name": "Mail" },
        { "type": "Parallel", "name": "Both", "activities": [{ "type": "SendEmail", "name": "Other" }] },
        { "type": "Provder", "name": "Typo", "method": "Get-X" },
        { "type": "Provider", "name": "Box", "method": "New-Mailbox" },
        { "type": "Provider", "name": "Box 2", "method": "New-Mailbox" } ], "variables": [] }"#;
    let form =
        r#"{ "fields": [{ "name": "A", "type": "TextArea" }, { "name": "B", "type": "CheckBox" }], "variables": [] }"#;
    let folder = Folder::with(&[
        ("sign/order.workflow.json", workflow),
        ("sign/order.form.json", form),
        ("two/a.json", r#"{ "activities": [], "variables": [] }"#),
        ("two/b.json", r#"{ "activities": [], "variables": [] }"#),
        ("two/b.form.json", r#"{ "fields": [], "variables": [] }"#),
    ]);
    let found = |code: &str| folder.found(&["--select", code]).len();
    assert_eq!((found("WF006"), found("WF620")), (3, 2));
    folder.run(&["init"]).expect_code(0);
    let text = folder.read("wflint.toml");
    for named in [
        "`New-Mailbox` (2 calls)",
        "## `Provder`, a typo of `Provider`?",
        "## sign: sign/order.workflow.json and sign/order.form.json\n",
    ] {
        assert!(text.contains(named), "{named}: {text}");
    }
    let all = settings(&text);
    assert_eq!(
        all,
        [
            "fail-on = \"warning\"\n",
            "[types]\nactivities = { Parallel = \"container\", SendEmail = \"leaf\" }\n",
            "[types]\nfields = [\"CheckBox\", \"TextArea\"]\n",
            "[[service]]\nname = \"sign\"\nworkflow = \"sign/order.workflow.json\"\nforms = [\"sign/order.form.json\"]\n",
            "[[service]]\nname = \"two a\"\nworkflow = \"two/a.json\"\n",
            "[[service]]\nname = \"two b\"\nworkflow = \"two/b.json\"\nforms = [\"two/b.form.json\"]\n",
        ]
    );
    for (setting, expected) in all.iter().zip([(3, 2), (1, 2), (3, 0), (3, 2), (3, 2), (3, 2)]) {
        folder.write("wflint.toml", setting);
        assert_eq!((found("WF006"), found("WF620")), expected, "{setting}");
    }
    folder.write("wflint.toml", all.last().unwrap());
    let files = folder.run(&["--show-files", "--format", "json"]).json();
    let service = |name: &str| {
        let files = files["files"].as_array().unwrap();
        files.iter().find(|file| file["file"] == name).unwrap()["service"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        (service("two/b.form.json"), service("two/b.json"), service("two/a.json")),
        ("two b".to_owned(), "two b".to_owned(), "two".to_owned())
    );
}

#[test]
fn catalogs_that_lie_there_can_be_uncommented() {
    let workflow =
        r#"{ "activities": [{ "type": "Provider", "name": "Box", "method": "New-Mailbox" }], "variables": [] }"#;
    let catalog = "plugin = 'mail'\n[[methods]]\nname = 'New-Mailbox'\n";
    let folder = Folder::with(&[("a.workflow.json", workflow), ("plugins/mail.toml", catalog)]);
    assert_eq!(folder.found(&["--select", "WF202"]).len(), 1);
    folder.run(&["init"]).expect_code(0);
    let text = folder.read("wflint.toml");
    assert!(text.contains("\n# catalogs = [\"plugins/*.toml\"]\n"), "{text}");
    folder.write("wflint.toml", text.replace("# catalogs", "catalogs"));
    assert_eq!(folder.found(&["--select", "WF202"]), [""; 0]);
    folder.write("plugins/other.toml", "x = 1");
    std::fs::remove_file(folder.file("wflint.toml")).unwrap();
    folder.run(&["init"]).expect_code(0);
    assert!(!folder.read("wflint.toml").contains("\n# catalogs"), "one of them is none");
}

#[test]
fn configuration_further_up_is_extended() {
    let files = [
        (".git/HEAD", ""),
        ("wflint.toml", "ignore = ['WF413']\n[types]\nactivities = { Wait = 'leaf' }\n"),
        (
            "sub/a.workflow.json",
            r#"{ "activities": [{ "type": "Wait", "name": "W" }, { "type": "Terminate", "name": "T" }], "variables": [] }"#,
        ),
    ];
    let folder = Folder::with(&files);
    let sub = folder.file("sub");
    let lint = || crate::support::run::run_cli(&["--format", "json"], &sub, b"").json();
    let before = lint();
    let output = crate::support::run::run_cli(&["init"], &sub, b"").expect_code(0);
    assert_eq!(output.out(), "Created wflint.toml, which extends ../wflint.toml\n");
    assert!(folder.read("sub/wflint.toml").contains("\nextend = \"../wflint.toml\"\n"));
    assert_eq!(lint(), before);
    assert_eq!(before["diagnostics"].as_array().unwrap().len(), 0);
}

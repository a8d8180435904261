//! Whatever documents, files and arguments say, no output has a character that controls a terminal or
//! shows nothing, and no command of a build server.

use proptest::prelude::*;
use serde_json::json;

use crate::support::cases;
use crate::support::folder::Folder;
use crate::support::run::{SIMULATION_FORMATS, format_names, process};
use crate::support::safe_output::{assert_nothing_is_forged, assert_safe};
use crate::support::samples::{ERROR, FINE};

/// A string of parts that a terminal or a build server acts on, and of those that show nothing.
fn hostile() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        "::",
        "::error::x",
        ":",
        "#",
        "##",
        "##[",
        "##[error]",
        "##vso[task.complete]",
        "##teamcity[a",
        "[",
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "\u{3000}",
        "\u{1b}[2J",
        "\u{1b}]0;x\u{7}",
        "\u{9b}31m",
        "\u{85}",
        "\u{202e}",
        "\u{2028}",
        "\u{feff}",
        "\u{ad}",
        "\u{34f}",
        "\u{115f}",
        "\u{180e}",
        "\u{200d}",
        "\u{206a}",
        "\u{3164}",
        "\u{fe0f}",
        "\u{ffa0}",
        "\u{fff9}",
        "\u{e0041}",
        "\u{e0100}",
        "%0A",
        "\"",
        "'",
        "\\",
        "<!--",
        "]]>",
        "a",
        "é",
        "{Name}",
        ",",
        "=",
        "-",
    ];
    let long = Just("long words wrap ".repeat(12));
    let part = prop_oneof![12 => proptest::sample::select(PARTS).prop_map(str::to_owned), 1 => long];
    proptest::collection::vec(part, 1..8).prop_map(|parts| parts.concat())
}

fn workflow(text: &str) -> String {
    json!({
        "activities": [
            { "name": text, "type": "Status", "status": { "isBound": false, "value": text } },
            { "name": text, "type": text, text: text },
            { "name": text, "type": "Assign", "result": { "isBound": true, "boundTo": text }, "body": text },
            { "name": "Call", "type": "Provider", "method": text, "providerParameters": [
                { "name": text, "value": { "state": "static", "value": text } }
            ] }
        ],
        "variables": [{ "name": text, "id": 1, "variableType": text, "value": text }]
    })
    .to_string()
}

#[test]
fn text_that_is_wrapped_forges_no_command() {
    for length in (0..100).step_by(3) {
        let text = format!("{} ::error::x ##[error]", "a".repeat(length));
        let folder = Folder::with(&[("a.json", &workflow(&text)), ("run.scenario.json", "{\"workflow\": \"a.json\"}")]);
        assert_printable(&folder, &["--simulate"]);
    }
}

fn assert_printable(folder: &Folder, args: &[&str]) {
    let output = folder.run(args);
    assert_safe(&output, &format!("{args:?}"));
    assert_nothing_is_forged(&output, &format!("{args:?}"));
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn reports_of_any_document_are_printable(text in hostile()) {
        let folder = Folder::with(&[("a.json", &workflow(&text)), ("b.json", &format!("{{\"activities\": [{text}"))]);
        for format in format_names() {
            assert_printable(&folder, &["--format", &format]);
        }
        assert_printable(&folder, &["--diff", "--unsafe-fixes"]);
    }

    #[test]
    fn reports_of_any_scenario_are_printable(text in hostile()) {
        let folder = Folder::with(&[("a.json", &workflow(&text)), ("people.ldif", &format!("dn: CN=a\n{text}"))]);
        let quoted = json!(text).to_string();
        folder.write("named.scenario.json", format!("{{\"name\": {quoted}, \"workflow\": \"a.json\", {quoted}: 1}}"));
        folder.write("run.scenario.json", format!("{{\"name\": {quoted}, \"workflow\": \"a.json\"}}"));
        folder.write("file.scenario.json", format!("{{\"workflow\": {quoted}}}"));
        folder.write("ldif.scenario.json", "{\"workflow\": \"a.json\", \"directory\": \"people.ldif\"}");
        folder.write("yaml.scenario.yaml", format!("workflow: a.json\n{text}: {text}\n"));
        for format in SIMULATION_FORMATS {
            assert_printable(&folder, &["--simulate", "--format", format]);
        }
    }

    #[test]
    fn errors_about_any_argument_or_configuration_are_printable(text in hostile()) {
        let folder = Folder::with(&[("a.json", FINE)]);
        for args in [
            &[text.as_str()][..],
            &["--select", &text],
            &["--format", &text],
            &[&format!("--jobs={text}")],
            &[&format!("--{text}")],
            &[&format!("-q{text}")],
            &["explain", &text],
            &["schema", &text],
            &["--config", &text],
            &["--baseline", &text],
            &["--stdin-filename", &text, "-"],
            &["--output", &format!("{text}/report")],
        ] {
            assert_printable(&folder, args);
        }
        let quoted = json!(text).to_string();
        for config in [format!("{text}\n"), format!("{quoted} = 1"), format!("catalogs = [{quoted}]"), format!("exclude = [{quoted}]")] {
            folder.write("wflint.toml", config);
            assert_printable(&folder, &["."]);
        }
    }
}

#[test]
fn codes_are_links_only_where_they_are_shown() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let lint = |links: &str, args: &[&str]| {
        let output = process(folder.path()).args(args).env("FORCE_HYPERLINK", links).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(lint("1", &[]).starts_with("\u{1b}]8;;https://"));
    for args in [&["--format", "concise"][..], &["--output", "report.txt"]] {
        assert!(!lint("1", args).contains('\u{1b}'), "{args:?}");
    }
    assert!(!lint("0", &[]).contains('\u{1b}'));
    assert!(!folder.read("report.txt").contains('\u{1b}'));
}

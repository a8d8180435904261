//! Whatever documents, files and arguments say, no output has a character that controls a terminal or
//! shows nothing, and no command of a build server.

use proptest::prelude::*;
use serde_json::json;

use crate::support::cases;
use crate::support::folder::Folder;
use crate::support::run::{SIMULATION_FORMATS, format_names, process, run_narrow};
use crate::support::safe_output::{assert_nothing_is_forged, assert_safe};
use crate::support::samples::{ERROR, FINE};
use wflint::cli::Widths;

/// A string of parts that a terminal or a build server acts on, and of those that show nothing.
fn hostile() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        "::", "::error::x", ":", "#", "##", "##[", "##[error]", "##vso[task.complete]", "##teamcity[a", "[", "\n",
        "\r\n", "\r", "\t", " ", "\u{3000}", "\u{1b}[2J", "\u{1b}]0;x\u{7}", "\u{9b}31m", "\u{85}", "\u{202e}",
        "\u{2028}", "\u{feff}", "\u{ad}", "\u{34f}", "\u{115f}", "\u{180e}", "\u{200d}", "\u{206a}", "\u{3164}",
        "\u{fe0f}", "\u{ffa0}", "\u{fff9}", "\u{e0041}", "\u{e0100}", "%0A", "\"", "'", "\\", "<!--", "]]>", "a", "é",
        "{Name}", ",", "=", "-",
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
    // In few columns, anything may come to the beginning of a line.
    let narrow = Widths::new(Some(40), None, None);
    for output in [folder.run(args), run_narrow(args, folder.path(), narrow)] {
        assert_safe(&output, &format!("{args:?}"));
        assert_nothing_is_forged(&output, &format!("{args:?}"));
    }
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

/// A workflow that can be run and searched through.
fn runnable(text: &str) -> String {
    let bound = |name: &str| json!({ "isBound": true, "boundTo": name });
    json!({
        "activities": [
            {
                "name": text, "type": "Provider", "method": text, "package": "corp", "module": "Activity.Own",
                "providerParameters": [
                    { "name": text, "type": "string", "description": text, "value": { "state": "static", "value": text } },
                    { "name": "Prefix", "value": { "state": "static", "value": "Own" } }
                ]
            },
            { "name": text, "type": "Status", "status": bound(text) },
            { "name": "Own", "type": text }
        ],
        "variables": [
            { "name": text, "id": 1, "variableType": "String", "value": text },
            { "name": "OwnSum", "id": 2, "variableType": "String" }
        ]
    })
    .to_string()
}

proptest! {
    #![proptest_config(cases(10))]

    #[test]
    fn other_commands_print_any_document_safely(text in hostile()) {
        let fixed = Folder::with(&[("a.json", &runnable(&text))]);
        fixed.write("a.scenario.yaml", "workflow: a.json\n");
        fixed.write("wflint.toml", "[explore]\nmax-states = 50\n");
        let module = format!("function Get-Own {{\n<#\n.SYNOPSIS\n{text}\n#>\nparam([string]$A = '{}')\n}}\n", text.replace('\'', "''"));
        fixed.write("own.psm1", module);
        for args in [
            &["init"][..],
            &["init", "--scenario", "a.json"],
            &["catalog", "infer", "."],
            &["catalog", "infer", ".", "--output", "catalogs"],
            &["catalog", "import", "own.psm1"],
            &["fmt", "--check", "."],
            &["fmt", "--diff", "."],
            &["graph", "a.json"],
            &["graph", "a.json", "--format", "dot"],
            &["graph", "a.json", "--format", "svg"],
            &["explain", "--run", "a.json:1"],
            &["--show-files"],
            &["--show-settings"],
            &["-v", "--timing"],
            &["--simulate", "--suggest"],
            &["diff", "a.json", "a.json"],
            &["man", &text],
        ] {
            assert_printable(&fixed, args);
        }
        for format in SIMULATION_FORMATS {
            assert_printable(&fixed, &["explore", "--format", format]);
        }
        assert_printable(&fixed, &["explore", "--write", "found"]);
    }
}

#[test]
fn what_is_shown_instead_of_written_forges_no_command_and_reads_back() {
    let text = "one\n::error::forged ##vso[a] ##[b]";
    let folder = Folder::with(&[("a.json", &runnable(text)), ("a.scenario.yaml", "workflow: a.json\n")]);
    for args in [&["catalog", "infer", "."][..], &["init", "--scenario", "a.json"]] {
        assert_printable(&folder, args);
    }
    let catalog = folder.run(&["catalog", "infer", "."]);
    let read: toml::Table = toml::from_str(catalog.out()).unwrap();
    let method = &read["methods"][0];
    assert_eq!(method["name"].as_str(), Some(text));
    assert_eq!(method["parameters"][0]["description"].as_str(), Some(text));
    folder.write("wflint.toml", "");
    assert_printable(&folder, &["init"]);
    let shown = folder.run(&["init"]).expect_code(2);
    let types = shown.out().lines().find_map(|line| line.strip_prefix("# activities = ")).unwrap();
    let read: toml::Table = toml::from_str(&format!("activities = {types}")).unwrap();
    assert_eq!(read["activities"][text].as_str(), Some("leaf"));
    let shown = folder.run(&["init", "--scenario", "a.json"]).expect_code(2);
    assert!(shown.out().contains(r#""one\n::error::forged #\u0023vso[a] #\u0023[b]""#), "{}", shown.out());
}

#[test]
fn codes_are_links_only_where_they_are_shown() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let lint = |links: &str, args: &[&str]| {
        let output = process(folder.path()).args(args).env("FORCE_HYPERLINK", links).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let is_public = wflint::rules::is_public(wflint::rules::PAGES);
    assert_eq!(lint("1", &[]).starts_with("\u{1b}]8;;https://"), is_public);
    for args in [&["--format", "concise"][..], &["--output", "report.txt"]] {
        assert!(!lint("1", args).contains('\u{1b}'), "{args:?}");
    }
    assert!(!lint("0", &[]).contains('\u{1b}'));
    assert!(!folder.read("report.txt").contains('\u{1b}'));
}

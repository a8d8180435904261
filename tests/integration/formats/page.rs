//! `docs/formats.md` shows real output, and says something of every format.

use std::path::Path;

use crate::support::run::{format_names, run_cli};

const PAGE: &str = include_str!("../../../docs/formats.md");

#[test]
fn page_shows_the_output_of_its_commands() {
    let mut shown = 0;
    for fence in PAGE.split("```console\n").skip(1) {
        let fence = fence.split("```").next().unwrap();
        let (command, output) = fence.split_once('\n').unwrap();
        let arguments = command.strip_prefix("$ wflint ").unwrap();
        // The others show a command alone.
        if output.is_empty() {
            continue;
        }
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let ran = run_cli(&arguments, Path::new(env!("CARGO_MANIFEST_DIR")), b"");
        // A release must not change the page.
        let version = format!("/blob/v{}/", env!("CARGO_PKG_VERSION"));
        assert_eq!(ran.out().replace(&version, "/blob/v0.1.0/"), output, "{command}");
        shown += 1;
    }
    assert!(shown > 6, "{shown}");
}

#[test]
fn page_has_a_section_of_every_format() {
    for format in format_names() {
        assert!(PAGE.contains(&format!("\n## {format}\n")), "{format}");
    }
}

#[test]
fn page_shows_a_real_result() {
    let fence = PAGE.split("```json result\n").nth(1).unwrap().split("```").next().unwrap();
    let shown: serde_json::Value = serde_json::from_str(fence).unwrap();
    let args = ["examples/broken", "--select", "WF101", "--format", "sarif"];
    let report = run_cli(&args, Path::new(env!("CARGO_MANIFEST_DIR")), b"").json();
    assert_eq!(report["runs"][0]["results"][0], shown);
}

//! The files that publish wflint: one version, hooks and actions whose inputs stay data. `.ci/action` and `.ci/packages`
//! try them with real tools.

use std::path::Path;

use saphyr_parser::{Event, Parser};

#[cfg(unix)]
mod scripts;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The scalars of a YAML text, each with the key or the entry before it.
fn scalars(text: &str) -> Vec<(String, String)> {
    let mut scalars = Vec::new();
    let mut before = String::new();
    for event in Parser::new_from_str(text) {
        if let Event::Scalar(value, ..) = event.unwrap().0 {
            scalars.push((before, value.to_string()));
            before = value.to_string();
        }
    }
    scalars
}

#[test]
fn no_script_of_an_action_contains_an_expression() {
    for file in
        ["action.yml", ".github/workflows/ci.yml", ".github/workflows/full.yml", ".github/workflows/release.yml"]
    {
        let text = read(file);
        let scripts: Vec<_> = scalars(&text).into_iter().filter(|(key, _)| key == "run").collect();
        assert!(!scripts.is_empty(), "{file} has scripts");
        for (_, script) in scripts {
            assert!(!script.contains("${{"), "{file}: an expression would become a part of this script:\n{script}");
        }
        for action in scalars(&text).into_iter().filter(|(key, _)| key == "uses") {
            let is_own = action.1.starts_with("./");
            let is_pinned = is_own || action.1.split_once('@').is_some_and(|(_, revision)| revision.len() == 40);
            assert!(is_pinned, "{file}: {} is not pinned to a commit", action.1);
        }
    }
}

#[test]
fn every_input_of_the_action_decides_a_step_or_is_a_variable_of_its_scripts() {
    let action = read("action.yml");
    let (inputs, steps) = action.split_once("\noutputs:").unwrap();
    let inputs = inputs.split_once("\ninputs:\n").unwrap().1;
    let names = inputs.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.map(|line| line.trim().trim_end_matches(':')) {
        if steps.contains(&format!("if: ${{{{ !cancelled() && inputs.{name} == 'true' }}}}\n")) {
            continue;
        }
        let variable = format!("WFLINT_{}", name.replace('-', "_").to_uppercase());
        assert!(steps.contains(&format!("{variable}: ${{{{ inputs.{name} }}}}")), "{name}");
        let scripts = ["lint", "install", "comment"].map(|name| read(&format!("packaging/action/{name}")));
        assert!(scripts.concat().contains(&variable), "{variable}");
    }
}

#[test]
fn every_file_has_the_version_of_the_package() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, before) in [
        ("docs/hooks.md", "rev: v"),
        ("docs/ci.md", "OWNER/wflint@v"),
        ("docs/ci.md", "ref: v"),
        ("docs/coverage.md", "OWNER/wflint@v"),
        ("docs/coverage.md", "install wflint=="),
        ("editors/zed/extension.toml", "\nversion = \""),
        ("packaging/gitlab/wflint.yml", "WFLINT_VERSION: \""),
        ("packaging/gitlab/wflint.yml", "ref: v"),
        ("packaging/pre-commit-mirror/pyproject.toml", "\"wflint=="),
        ("packaging/pre-commit-mirror/README.md", "rev: v"),
    ] {
        let text = read(file);
        assert!(text.contains(before), "{file} lacks `{before}`");
        for after in text.split(before).skip(1) {
            let line = after.lines().next().unwrap_or_default();
            assert!(line.starts_with(version), "{file}: `{before}{line}` instead of {version}");
        }
    }
    // These take it from Cargo.toml.
    assert!(read("pyproject.toml").contains("dynamic = [\"version\"]"));
    assert!(!read("packaging/npm/pack").contains(version));
}

#[test]
fn hooks_of_the_mirror_are_those_of_the_repository() {
    let own = read(".pre-commit-hooks.yaml");
    assert_eq!(
        own.replace("language: rust", "language: python"),
        read("packaging/pre-commit-mirror/.pre-commit-hooks.yaml")
    );
    for hook in ["wflint", "wflint-fix", "wflint-fmt", "wflint-simulate"] {
        assert!(own.contains(&format!("- id: {hook}\n")), "{hook}");
    }
}

#[test]
fn release_builds_the_package_of_every_platform_of_npm() {
    let release = read(".github/workflows/release.yml");
    let platforms: serde_json::Value = serde_json::from_str(&read("packaging/npm/platforms.json")).unwrap();
    for platform in platforms.as_object().unwrap().keys() {
        assert!(release.contains(&format!("- {{ platform: {platform}, runner: ")), "{platform}");
    }
}

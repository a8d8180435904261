//! The commands other than linting.

use crate::support::folder::{Folder, copy_of};
use crate::support::run::Output;
use wflint::rules::REGISTRY;
use wflint::schema::SCHEMAS;

fn run(args: &[&str]) -> Output {
    Folder::with(&[]).run(args)
}

#[test]
fn tour_fits_a_screen_and_shows_each_step() {
    let folder = Folder::with(&[]);
    let output = folder.run(&["tour"]).expect_code(0);
    let shown = output.out();
    assert!(shown.lines().count() < 60, "{shown}");
    for word in [
        "Found 2 errors",
        "Fixed 1 problem",
        "endless      (nothing)                       the signer",
        "stuck after",
        "✓ signed.scenario.yaml",
        "completed after 2h",
        "wflint init",
    ] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    // Everything happens elsewhere.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn explain_prints_the_page_of_a_rule_by_code_and_by_name() {
    for rule in REGISTRY {
        for word in [rule.code, rule.name] {
            let output = run(&["explain", word, "--format", "markdown", "--all"]).expect_code(0);
            assert_eq!(output.out(), rule.page, "{word}");
            assert_eq!(output.err(), "");
        }
        let output = run(&["explain", rule.code]).expect_code(0);
        assert_eq!(output.out(), run(&["explain", &rule.name.to_uppercase()]).out());
        assert!(output.out().starts_with(&format!("{} {}\n", rule.code, rule.name)), "{}", output.out());
    }
}

#[test]
fn explain_shows_the_page_without_markdown() {
    for rule in REGISTRY {
        let output = run(&["explain", rule.code, "--all"]);
        let text = output.out();
        assert!(!text.contains("```") && !text.contains("]("), "{text}");
        assert!(!text.lines().any(|line| line.starts_with('#')), "{text}");
        assert!(text.contains(&format!("Severity:  {}", rule.severity.word())), "{text}");
        assert!(text.contains(&format!("Fixes:     {}", rule.fixes.word())), "{text}");
        assert_eq!(text.contains("Findings:"), rule.page.contains("```findings"), "{text}");
        let shows_a_fix = ["```json fixed", "```toml fixed"].iter().any(|fence| rule.page.contains(fence));
        assert_eq!(text.contains("fter the fix:"), shows_a_fix, "{text}");
    }
}

#[test]
fn explain_shows_the_findings_in_examples_only_on_demand() {
    for rule in REGISTRY {
        let output = run(&["explain", rule.code]);
        assert!(!output.out().contains("Findings:"), "{}", output.out());
        assert!(output.out().lines().count() <= 100, "{} is too long: {}", rule.code, output.out().lines().count());
        let markdown = run(&["explain", rule.code, "--format", "markdown"]);
        assert!(
            !markdown.out().contains("```findings") && rule.page.starts_with(&markdown.out()[..200]),
            "{}",
            rule.code
        );
        assert_eq!(markdown.out().matches("```").count() % 2, 0, "{}", markdown.out());
    }
}

#[test]
fn explain_has_color_only_on_demand() {
    assert!(!run(&["explain", "WF101"]).out().contains('\u{1b}'));
    assert!(run(&["explain", "WF101", "--color", "always"]).out().contains('\u{1b}'));
}

#[test]
fn explain_fails_when_no_run_shows_the_finding() {
    let folder = copy_of("examples/broken");
    for (line, code) in [("145", 1), ("1", 2)] {
        let output = folder.run(&["explain", "--run", &format!("order.workflow.json:{line}")]).expect_code(code);
        assert_eq!(output.out().contains("No run shows it"), code == 1, "{}", output.out());
    }
}

#[test]
fn explain_shows_the_status_of_the_finding() {
    let folder = copy_of("tests/explore/poll-broken-job");
    let findings = folder.run(&["--format", "json"]).json();
    let finding = &findings["diagnostics"][0];
    assert_eq!(finding["message"], "loop `While running` never ends when `JobState` is `Broken`");
    let place = format!("order.workflow.json:{}", finding["range"]["start"]["line"]);
    let output = folder.run(&["explain", "--run", &place]).expect_code(0);
    // Without a finding, the cheapest run would be one in which the job is still running.
    assert!(output.out().contains("(`JobState` is `Broken`)"), "{}", output.out());
}

#[test]
fn explain_names_a_group_as_such() {
    let output = run(&["explain", "binding"]).expect_code(2);
    assert!(output.err().contains("`binding` is a group, `wflint rules` lists its rules"), "{}", output.err());
}

#[test]
fn explain_rejects_an_unknown_rule_with_a_suggestion() {
    let output = run(&["explain", "WF1O1"]).expect_code(2);
    assert_eq!(output.out(), "");
    assert!(output.err().contains("did you mean `WF101`"), "{}", output.err());
    let output = run(&["explain", "missing-required-paramter"]).expect_code(2);
    assert!(output.err().contains("did you mean `missing-required-parameter`"), "{}", output.err());
    run(&["explain"]).expect_code(2);
}

#[test]
fn explain_suggests_only_what_it_accepts() {
    for word in ["bindng", "documnt", "WF1O"] {
        let output = run(&["explain", word]).expect_code(2);
        if let Some((_, suggestion)) = output.err().split_once("did you mean `") {
            let suggestion = suggestion.split('`').next().unwrap();
            run(&["explain", suggestion]).expect_code(0);
        }
    }
}

#[test]
fn rules_lists_each_rule_on_a_line_that_begins_with_its_code_and_name() {
    let output = run(&["rules"]).expect_code(0);
    let listed: Vec<(&str, &str)> = output
        .out()
        .lines()
        .map(|line| {
            let mut words = line.split_whitespace();
            (words.next().unwrap(), words.next().unwrap())
        })
        .collect();
    let wanted: Vec<(&str, &str)> = REGISTRY.iter().map(|rule| (rule.code, rule.name)).collect();
    assert_eq!(listed, wanted);
}

#[test]
fn rules_lists_code_name_group_severity_and_fix_as_json() {
    let listed = run(&["rules", "--format", "json"]).expect_code(0).json();
    let first = &listed[0];
    assert_eq!(first["code"], "WF000");
    assert_eq!(first["name"], "config-problem");
    assert_eq!(first["group"], "document");
    assert_eq!(first["severity"], "warning");
    assert_eq!(first["fix"], "safe or unsafe");
    assert_eq!(listed.as_array().unwrap().len(), REGISTRY.len());
    run(&["rules", "--format", "xml"]).expect_code(2);
}

#[test]
fn schema_prints_each_schema_unchanged() {
    for schema in SCHEMAS {
        let output = run(&["schema", schema.name]).expect_code(0);
        let path = format!("{}/schemas/{}.schema.json", env!("CARGO_MANIFEST_DIR"), schema.name);
        assert_eq!(output.out(), std::fs::read_to_string(path).unwrap(), "{}", schema.name);
        assert!(jsonschema::meta::is_valid(&output.json()), "{} is a JSON Schema", schema.name);
    }
}

#[test]
fn schema_rejects_an_unknown_name_and_lists_the_known_ones() {
    let output = run(&["schema", "workflw"]).expect_code(2);
    for schema in SCHEMAS {
        assert!(output.err().contains(schema.name), "{}", output.err());
    }
    run(&["schema"]).expect_code(2);
}

#[test]
fn help_names_every_command_and_goes_to_standard_output() {
    for option in ["--help", "-h"] {
        let output = run(&[option]).expect_code(0);
        for command in ["explain", "rules", "schema"] {
            assert!(output.out().contains(command), "{}", output.out());
        }
        assert_eq!(output.err(), "");
    }
    run(&["help", "explain"]).expect_code(0);
    run(&["explain", "--help"]).expect_code(0);
}

#[test]
fn version_is_the_name_and_the_version_of_the_package() {
    for option in ["--version", "-V"] {
        assert_eq!(run(&[option]).expect_code(0).out(), concat!("wflint ", env!("CARGO_PKG_VERSION"), "\n"));
    }
}

#[test]
fn lint_options_cannot_be_combined_with_a_command() {
    run(&["--select", "WF101", "rules"]).expect_code(2);
    run(&["explain", "WF101", "--quiet"]).expect_code(2);
}

//! No input makes the reader panic, hang, or take much memory.

use std::fmt::Write;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::select;

use super::whole::{JSON, TOML, YAML};
use super::{SYNTAXES, ScenarioSyntax, problems, read};
use crate::simulate::scenario::{FileLocation, Scenario};

/// Reads content in each syntax; every problem is located inside it, and they are in order.
fn assert_invariants(text: &str) -> Result<(), TestCaseError> {
    for syntax in SYNTAXES {
        let problems = match read(text, syntax) {
            Ok(scenario) => {
                for location in locations(&scenario) {
                    prop_assert!(text.get(location.span.range()).is_some(), "{:?} {:?}: {:?}", syntax, text, location);
                }
                continue;
            }
            Err(problems) => problems,
        };
        prop_assert!(!problems.is_empty(), "{:?} rejects {:?} without a problem", syntax, text);
        prop_assert!(problems.is_sorted_by_key(|problem| problem.location.span));
        for problem in problems {
            prop_assert!(text.get(problem.location.span.range()).is_some(), "{:?} {:?}: {:?}", syntax, text, problem);
        }
    }
    Ok(())
}

/// The locations of the names in a scenario.
fn locations(scenario: &Scenario) -> Vec<&FileLocation> {
    let given = scenario.submit.iter().flatten().chain(&scenario.variables);
    let people = scenario.signing.iter().map(|person| &person.mail.location);
    let results = scenario.providers.iter().flat_map(|method| &method.results);
    given
        .flat_map(|given| [&given.name.location, &given.input.location])
        .chain(people)
        .chain(results.map(|result| &result.location))
        .chain([&scenario.workflow.location])
        .collect()
}

/// Fragments of scenarios and their syntaxes.
fn piece() -> impl Strategy<Value = &'static str> {
    let short = [
        "workflow", "submit", "signing", "expect", "elapsed", "at-least", "after", "faults", "dn", ": ", ":", " = ",
        "=", "\n", "\n  ", "\n    ", "\n- ", "- ", "? ", "{", "}", "[", "]", "[[", "]]", ", ", "\"", "'", "\"\"\"",
        "|\n", ">-\n", "|2\n", "&a ", "*a", "<<", "!!str ", "!t", "%å ä\n", "---\n", "...\n", "# å\n", "~", "null",
        "\u{feff}", "å😀", "\u{85}", "\u{2028}", "\t", "\r\n", "\r", "\0", "\\", "\\u00e5", "1_000", "0x1F", "26h",
        "sign", "w.json", ".", " ",
    ];
    let long = ["approvals", "directory", "%YAML 1.2\n", "2024-01-01T08:00:00Z"];
    select([&short[..], &long[..]].concat())
}

/// 400 cases, unless the environment asks for another number.
fn cases() -> ProptestConfig {
    let default = ProptestConfig::default();
    let is_asked_for = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig { cases: if is_asked_for { default.cases } else { 400 }, failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn arbitrary_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_invariants(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn arbitrary_fragments_are_read(pieces in prop::collection::vec(piece(), 0..60)) {
        assert_invariants(&pieces.concat())?;
    }

    #[test]
    fn arbitrary_fragments_after_a_workflow_are_read(pieces in prop::collection::vec(piece(), 0..40)) {
        assert_invariants(&format!("workflow: w.json\n{}", pieces.concat()))?;
        assert_invariants(&format!("workflow = 'w'\n{}", pieces.concat()))?;
    }

    #[test]
    fn changed_scenarios_are_read(
        whole in select(&[YAML, JSON, TOML][..]),
        changes in prop::collection::vec((0..2000usize, 0..12usize, piece()), 1..4),
    ) {
        let mut text = whole.to_owned();
        for (start, length, piece) in changes {
            let kept: Vec<char> = text.chars().collect();
            let start = start % kept.len();
            let end = (start + length).min(kept.len());
            text = [String::from_iter(&kept[..start]), piece.to_owned(), String::from_iter(&kept[end..])].concat();
        }
        assert_invariants(&text)?;
    }
}

#[test]
fn small_file_cannot_expand_to_a_large_one() {
    let mut bomb = "workflow: w\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let alias = format!("*a{}, ", level - 1).repeat(10);
        writeln!(bomb, "a{level}: &a{level} [{alias}]").unwrap();
    }
    assert!(problems(&bomb, ScenarioSyntax::Yaml).contains("more than 200000 values with all aliases expanded"));

    let text = "x".repeat(500_000);
    let many = format!(
        "workflow: w\nsubmit: {{ a: &a {text} {} }}",
        (0..999).map(|n| format!(", b{n}: *a")).collect::<String>()
    );
    assert!(problems(&many, ScenarioSyntax::Yaml).contains("too much text"));

    let anchors: String = (0..60).map(|level| format!("&a{level} [")).collect();
    let nested = format!("{anchors}{}{}", "x, ".repeat(100_000), "]".repeat(60));
    assert!(problems(&nested, ScenarioSyntax::Yaml).contains("more than 200000 values"));
}

#[test]
fn deep_nesting_is_rejected() {
    let deep = |open: &str, close: &str, levels: usize| format!("{}{}", open.repeat(levels), close.repeat(levels));
    for levels in [65, 300, 100_000] {
        for (text, syntax) in [
            (deep("[", "]", levels), ScenarioSyntax::Yaml),
            (deep("{a: ", "}", levels), ScenarioSyntax::Yaml),
            (deep("- ", "", levels), ScenarioSyntax::Yaml),
            (deep("[", "]", levels), ScenarioSyntax::Json),
            (deep("{\"a\":", "}", levels), ScenarioSyntax::Json),
            (format!("a = {}", deep("[", "]", levels)), ScenarioSyntax::Toml),
            (format!("{}a = 1", deep("a.", "", levels)), ScenarioSyntax::Toml),
        ] {
            let report = problems(&text, syntax);
            assert_eq!(report.lines().count(), 1, "{report}");
        }
    }
    // Nor can aliases nest deeper.
    let mut steps = "workflow: w\na0: &a0 []\n".to_owned();
    for level in 1..99 {
        writeln!(steps, "a{level}: &a{level} [*a{}]", level - 1).unwrap();
    }
    assert!(problems(&steps, ScenarioSyntax::Yaml).contains("deeper than 64 levels"));
}

#[test]
fn large_file_and_long_key_are_rejected() {
    for syntax in SYNTAXES {
        assert_eq!(problems(&" ".repeat(1_048_577), syntax), "1:1 : file larger than 1048576 bytes\n");
    }
    let key = "k".repeat(513);
    assert!(problems(&format!("{key}: 1"), ScenarioSyntax::Yaml).contains("longer than 512 bytes"));
    assert!(problems(&format!("{{\"{key}\": 1}}"), ScenarioSyntax::Json).contains("longer than 512 bytes"));
    assert!(problems(&format!("{key} = 1"), ScenarioSyntax::Toml).contains("longer than 512 bytes"));
}

#[test]
fn large_file_is_read_within_seconds() {
    let fill = |piece: &str| piece.repeat(200_000 / piece.len());
    let numbered =
        |before: &str, after: &str| -> String { (0..10_000).map(|n| format!("{before}{n}{after}")).collect() };
    for text in [
        fill("["),
        fill("[a,"),
        fill("- "),
        fill("a: "),
        fill("? "),
        fill("{a: b}\n"),
        fill("&a "),
        fill("- *a\n"),
        fill("\"\\n"),
        fill("'\n"),
        fill("#\n"),
        fill("a\n"),
        fill("a = 1\n"),
        fill("[[a]]\n"),
        format!("workflow: {}", fill("x ")),
        format!("workflow: |\n{}", fill(" x\n")),
        format!("workflow: >\n{}", fill(" x\n\n")),
        format!("workflow: w\nexpect: {{ mails: [{}] }}", fill("{k: 1},")),
        format!("workflow: w\n{}", numbered("workflw", ": 1\n")),
        format!("workflow = 'w'\n{}", numbered("[submit.x", "]\n")),
        format!("workflow = 'w'\n{}", numbered("submit.x", " = 1\n")),
        format!("workflow: w\nsubmit:\n{}", fill("  a: 1\n")),
        format!("workflow: w\nsubmit:\n{}", numbered("  ? x", "\n")),
    ] {
        for syntax in SYNTAXES {
            let start = Instant::now();
            let _ = read(&text, syntax);
            let beginning: String = text.chars().take(40).collect();
            assert!(start.elapsed() < Duration::from_secs(10), "{syntax:?}: {beginning:?}: {:?}", start.elapsed());
        }
    }
}

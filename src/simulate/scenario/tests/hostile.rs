//! No input makes the reader hang or take much memory; that none makes it panic is a target of `tests/fuzz`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::{SYNTAXES, ScenarioSyntax, problems, read};

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

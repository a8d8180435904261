//! That the exact place is shown, and that nothing gets out that should not.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::{drawn, find, finding, place, related, report};
use crate::report::escape::{is_unsafe, replacement};
use crate::report::{Style, visible};
use crate::text::columns;
use crate::text::diagnostic::{Applicability, Fix, Label, Location};

/// The characters above the first line of a label.
fn underlined(report: &str) -> String {
    let lines: Vec<&str> = report.lines().collect();
    let at = lines.iter().position(|line| line.contains(" · ")).unwrap();
    let marks = lines[at].chars().map(|mark| "─┬▲".contains(mark));
    lines[at - 1]
        .chars()
        .chain(std::iter::repeat(' '))
        .zip(marks)
        .filter(|(_, marked)| *marked)
        .map(|(c, _)| c)
        .collect()
}

#[test]
fn the_exact_characters_are_underlined() {
    for (text, wanted) in [
        ("{\"ä\": \"öü\"}", "\"öü\""),
        ("\u{feff}{\"a\": 1}", "{"),
        ("{\r\n\"a\": 1\r\n}", "1"),
        ("{\r\"a\": 1\r}", "1"),
        ("{\n\t\"a\":\t1\n}", "1"),
        ("\u{1b}[31m\u{202e}\"a\u{9b}b\"\u{7f}", "\"a\u{9b}b\""),
    ] {
        let report = drawn(&[("a.json", text)], finding(find(text, wanted)));
        assert_eq!(underlined(&report), visible(wanted), "{report}");
    }
}

#[test]
fn the_header_counts_lines_and_characters_of_the_document() {
    for (text, wanted, place) in [
        ("{\"ä\": \"öü\"}", "\"öü\"", "1:7"),
        ("\u{feff}{\"a\": 1}", "1", "1:7"),
        ("{\r\n\"a\": 1\r\n}", "1", "2:6"),
        ("{\n\t\"\u{202e}\":\t1\n}", "1", "2:7"),
    ] {
        let report = drawn(&[("a.json", text)], finding(find(text, wanted)));
        assert!(report.contains(&format!("[a.json:{place}]\n")), "{report}");
    }
}

#[test]
fn a_place_far_out_on_a_line_of_megabytes_is_shown() {
    let text = format!("[{}\"here\"{}]", "\"é\", ".repeat(1_000_000), ", 12345".repeat(100_000));
    let report = drawn(&[("a.json", &text)], finding(find(&text, "\"here\"")));
    assert!(report.contains("[a.json:1:5000002]"), "{report}");
    assert_eq!(underlined(&report), "\"here\"");
    assert!(report.lines().all(|line| line.chars().count() <= 100), "{report}");
}

#[test]
fn a_value_of_several_lines_or_longer_than_the_window_is_cut() {
    let report = drawn(&[("a.json", "[\n  {\n  }\n]")], finding(4..9));
    assert_eq!(underlined(&report), "{");
    let text = format!("[\"{}\"]", "x".repeat(1000));
    let report = drawn(&[("a.json", &text)], finding(1..1003));
    assert_eq!(underlined(&report), format!("\"{}", "x".repeat(90)));
}

#[test]
fn an_empty_place_gets_a_caret() {
    assert_snapshot!(drawn(&[("a.json", "{\"a\": }\n")], finding(6..6)), @r#"
    error[WF101] unknown-variable
      × no such variable
       ╭─[a.json:1:7]
     1 │ {"a": }
       ·       ▲
       ╰────
    "#);
    for (text, at) in [("", 0), ("{\n", 2), ("{", 1), ("\u{feff}", 3), ("{\r\n}", 1), ("{}", 99)] {
        let report = drawn(&[("a.json", text)], finding(at..at));
        assert!(report.contains('▲'), "{report}");
    }
}

#[test]
fn no_string_of_a_document_controls_the_terminal() {
    let text = "[\"\u{1b}[2J\u{202e}\"]";
    let mut finding = finding(1..5);
    finding.message = "bad \u{1b}]0;title\u{7}\n::error::".to_owned();
    finding.activity = Some("\u{9b}31m".to_owned());
    finding.help = Some("\u{2066}".into());
    finding.related.push(related(0, 5..6, "\r\n"));
    let title = "\u{8}".to_owned();
    finding.fix = Some(Box::new(Fix { applicability: Applicability::Safe, title, edits: Vec::new() }));
    assert_snapshot!(drawn(&[("a\u{1b}[31m\n.json", text)], finding), @r#"
    error[WF101] unknown-variable in `\u{9b}31m`
      × bad \u{1b}]0;title\u{7}\n::error::
       ╭─[a\u{1b}[31m\n.json:1:2]
     1 │ ["\u{1b}[2J\u{202e}"]
       ·  ────┬────┬
       ·      │    ╰── \r\n
       ·      ╰── here
       ╰────
      help: \u{2066}
      fix (safe): \u{8}
    "#);
}

/// Texts of what is hard: line ends, controls, marks, wide and combining characters; long lines.
fn hard_text() -> impl Strategy<Value = String> {
    let hard = "\n\r\t\u{0}\u{1b}\u{7f}\u{9b}\u{200f}\u{2028}\u{202e}\u{2066}\u{feff}\u{301}é界😀\"\\{}: ax…─·";
    let character = proptest::sample::select(hard.chars().collect::<Vec<_>>());
    let piece = (character, prop_oneof![9 => 1..4usize, 1 => 100..300usize]);
    let pieces = proptest::collection::vec(piece, 0..40);
    pieces.prop_map(|pieces| pieces.into_iter().map(|(character, times)| character.to_string().repeat(times)).collect())
}

fn any_place() -> impl Strategy<Value = Location> {
    (0..3u32, 0..1500u32, 0..1500u32).prop_map(|(file, start, end)| place(file, start..end))
}

proptest! {
    #[test]
    fn report_of_any_content_has_only_printable_lines(
        texts in [hard_text(), hard_text()],
        main in any_place(),
        others in proptest::collection::vec((any_place(), hard_text()), 0..5),
        words in hard_text(),
        width in 40..=140usize,
    ) {
        let mut finding = finding(0..0);
        finding.location = main;
        finding.related = others.into_iter().map(|(location, message)| Label { location, message }).collect();
        (finding.message, finding.activity, finding.help) = (words.clone(), Some(words.clone()), Some(words.clone().into()));
        finding.fix = Some(Box::new(Fix { applicability: Applicability::Safe, title: words, edits: Vec::new() }));
        let report = report(&[("a\u{1b}.json", &texts[0]), ("b.json", &texts[1])], vec![finding], Style { width, ..Style::default() });
        prop_assert!(!report.contains(|character| character != '\n' && is_unsafe(character)), "{report}");
        for line in report.lines() {
            prop_assert!(columns(line) <= width, "{} of {width} columns: {line}\n{report}", columns(line));
        }
    }

    #[test]
    fn exact_place_is_underlined_in_any_line(
        before in "[ -~\r\n\t\u{80}-\u{9f}é]{0,300}",
        value in "[!-~\u{0}-\u{8}é]{1,20}",
        after in "[ -~\r\n\t\u{80}-\u{9f}é]{0,300}",
    ) {
        let text = format!("{before}{value}{after}");
        let start = u32::try_from(before.len()).unwrap();
        let report = drawn(&[("a.json", &text)], finding(start..start + u32::try_from(value.len()).unwrap()));
        // The commands of build servers depend on what stands around the value.
        let characters = text.char_indices().filter(|(at, _)| (before.len()..before.len() + value.len()).contains(at));
        let shown: String = characters
            .map(|(at, character)| replacement(&text, at, character).unwrap_or_else(|| character.to_string().into()))
            .collect();
        prop_assert_eq!(underlined(&report), shown, "{}", report);
    }
}

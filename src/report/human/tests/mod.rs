//! What the report looks like.

mod exact;

use std::ops::Range;

use insta::assert_snapshot;

use super::write;
use crate::lint::Outcome;
use crate::report::{Report, Style};
use crate::text::diagnostic::{Applicability, Diagnostic, FileId, Fix, Label, Location, Severity};
use crate::text::source::{SourceFile, Span};

/// A finding in the first file.
fn finding(span: Range<u32>) -> Diagnostic {
    let message = "no such variable".to_owned();
    Diagnostic::new("WF101", "unknown-variable", Severity::Error, message, place(0, span))
}

fn place(file: u32, span: Range<u32>) -> Location {
    Location { file: FileId(file), pointer: String::new(), span: Span::new(span.start, span.end) }
}

fn related(file: u32, span: Range<u32>, message: &str) -> Label {
    Label { location: place(file, span), message: message.to_owned() }
}

/// The bytes of a text's first occurrence.
fn find(text: &str, wanted: &str) -> Range<u32> {
    let start = u32::try_from(text.find(wanted).unwrap()).unwrap();
    start..start + u32::try_from(wanted.len()).unwrap()
}

fn report(files: &[(&str, &str)], diagnostics: Vec<Diagnostic>, style: Style) -> String {
    let source = |(id, &(name, text)): (u32, &(&str, &str))| {
        (FileId(id), SourceFile::new(name.into(), name.to_owned(), text.into()))
    };
    let diagnostics = diagnostics.into_iter().map(Box::new).collect();
    let outcome = Outcome { sources: (0..).zip(files).map(source).collect(), diagnostics, ..Outcome::default() };
    let mut out = Vec::new();
    write(&Report { outcome: &outcome, style }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// One finding's lines, without the summary and without spaces at their ends.
fn drawn(files: &[(&str, &str)], diagnostic: Diagnostic) -> String {
    let report = report(files, vec![diagnostic], Style::default());
    let lines: Vec<&str> = report.trim_end_matches("Nothing to lint.\n").lines().map(str::trim_end).collect();
    lines.join("\n")
}

const WORKFLOW: &str = r#"{
  "activities": [
    {
      "name": "Ask the manager",
      "result": { "boundTo": "Aproved", "boundToId": 7009 }
    }
  ],
  "variables": [
    { "name": "Approved", "id": 7009 }
  ]
}
"#;

#[test]
fn finding_shows_code_message_places_and_help() {
    let mut finding = finding(find(WORKFLOW, r#""Aproved""#));
    finding.message = "no variable is named `Aproved`".to_owned();
    finding.activity = Some("Ask the manager".to_owned());
    finding.help = Some("`boundToId` says that `Approved` is meant".into());
    finding.related.push(related(0, find(WORKFLOW, r#""Approved""#), "7009 is this variable"));
    let edits = Vec::new();
    let title = "bind it to `Approved`".to_owned();
    finding.fix = Some(Box::new(Fix { applicability: Applicability::Unsafe, title, edits }));
    assert_snapshot!(drawn(&[("order.workflow.json", WORKFLOW)], finding), @r#"
    error[WF101] unknown-variable in `Ask the manager`
      × no variable is named `Aproved`
       ╭─[order.workflow.json:5:30]
     4 │       "name": "Ask the manager",
     5 │       "result": { "boundTo": "Aproved", "boundToId": 7009 }
       ·                              ─────────
     6 │     }
       ╰────
        ╭─[order.workflow.json:9:15]
      8 │   "variables": [
      9 │     { "name": "Approved", "id": 7009 }
        ·               ─────┬────
        ·                    ╰── 7009 is this variable
     10 │   ]
        ╰────
      help: `boundToId` says that `Approved` is meant
      fix (unsafe): bind it to `Approved`
    "#);
}

#[test]
fn places_on_one_line_are_drawn_together() {
    let text = r#"{ "id": 1, "id": 2 }"#;
    let mut finding = finding(11..15);
    finding.related.push(related(0, 2..6, "the first one"));
    assert_snapshot!(drawn(&[("a.json", text)], finding), @r#"
    error[WF101] unknown-variable
      × no such variable
       ╭─[a.json:1:12]
     1 │ { "id": 1, "id": 2 }
       ·   ──┬─     ────
       ·     ╰── the first one
       ╰────
    "#);
}

#[test]
fn places_that_overlap_are_drawn_apart() {
    let text = r#"{ "id": "1" }"#;
    let mut finding = finding(9..10);
    finding.related.push(related(0, 8..11, "in this text"));
    assert_snapshot!(drawn(&[("a.json", text)], finding), @r#"
    error[WF101] unknown-variable
      × no such variable
       ╭─[a.json:1:10]
     1 │ { "id": "1" }
       ·          ─
       ╰────
       ╭─[a.json:1:9]
     1 │ { "id": "1" }
       ·         ─┬─
       ·          ╰── in this text
       ╰────
    "#);
}

#[test]
fn lines_far_apart_are_drawn_apart_the_finding_first() {
    let text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12";
    let mut finding = finding(find(text, "9"));
    finding.related.push(related(0, find(text, "2"), "two"));
    finding.related.push(related(0, find(text, "5"), "five"));
    assert_snapshot!(drawn(&[("a.json", text)], finding), @r"
    error[WF101] unknown-variable
      × no such variable
        ╭─[a.json:9:1]
      8 │ 8
      9 │ 9
        · ─
     10 │ 10
        ╰────
       ╭─[a.json:2:1]
     1 │ 1
     2 │ 2
       · ┬
       · ╰── two
     3 │ 3
     4 │ 4
     5 │ 5
       · ┬
       · ╰── five
     6 │ 6
       ╰────
    ");
}

#[test]
fn a_place_in_another_file_comes_after() {
    let mut finding = finding(0..1);
    finding.related.push(related(1, 0..1, "here"));
    assert_snapshot!(drawn(&[("b.json", "1"), ("a.json", "2")], finding), @r"
    error[WF101] unknown-variable
      × no such variable
       ╭─[b.json:1:1]
     1 │ 1
       · ─
       ╰────
       ╭─[a.json:1:1]
     1 │ 2
       · ┬
       · ╰── here
       ╰────
    ");
}

#[test]
fn of_many_related_places_some_are_left_out() {
    let mut finding = finding(0..1);
    finding.related = vec![related(0, 0..1, "again"); 14];
    let drawn = drawn(&[("a.json", "1")], finding);
    assert_eq!(drawn.matches("again").count(), 12);
    assert!(drawn.contains("  note: 2 more related places not shown"), "{drawn}");
}

#[test]
fn the_width_of_the_terminal_cuts_lines_and_wraps_texts() {
    let text = format!("[{}2]", "1, ".repeat(100));
    let mut finding = finding(find(&text, "2"));
    finding.message = "a number that stands here without a good reason".to_owned();
    let report = report(&[("a.json", &text)], vec![finding], Style { width: 40, ..Style::default() });
    assert_snapshot!(report, @r"
    error[WF101] unknown-variable
      × a number that stands here without
      │ a good reason
       ╭─[a.json:1:302]
     1 │ …, 1, 1, 1, 1, 1, 1, 1, 1, 2]
       ·                            ─
       ╰────

    Nothing to lint.
    ");
}

#[test]
fn of_one_rule_in_one_file_a_hundred_findings_are_shown() {
    let numbered = |number: usize| Diagnostic { message: number.to_string(), ..finding(0..1) };
    // Equal ones count once.
    let mut many: Vec<Diagnostic> = (0..103).chain([0, 102]).map(numbered).collect();
    let mut other = finding(0..1);
    (other.code, other.name) = ("WF102", "binding-id-mismatch");
    many.push(other);
    let mut elsewhere = finding(0..1);
    elsewhere.location.file = FileId(1);
    many.push(elsewhere);
    let report = report(&[("a.json", "1"), ("b.json", "1")], many, Style::default());
    assert_eq!(report.matches("error[WF101]").count(), 101);
    let (shown, omitted) = report.split_once("… ").unwrap();
    assert!(shown.ends_with("   ╰────\n\n"), "{report}");
    assert!(omitted.starts_with("4 more findings of WF101 unknown-variable in a.json not shown\n\n"), "{report}");
    assert!(report.contains("error[WF102]"));
}

#[test]
fn colors_change_nothing_else() {
    let mut finding = finding(find(WORKFLOW, "Aproved"));
    finding.related.push(related(0, find(WORKFLOW, "7009"), "this variable"));
    let files = [("a.json", WORKFLOW)];
    let plain = report(&files, vec![finding.clone()], Style::default());
    let colored = report(&files, vec![finding], Style { color: true, ..Style::default() });
    let mut parts = colored.split('\u{1b}');
    let first = parts.next().unwrap().to_owned();
    assert_eq!(parts.fold(first, |text, part| text + part.split_once('m').unwrap().1), plain);
    assert!(colored.starts_with("\u{1b}[31merror[WF101]\u{1b}[0m unknown-variable\n"), "{colored}");
}

#[test]
fn a_script_is_shown_with_its_own_lines() {
    let text = r#"{
  "script": "var a = \"\u00e9\";\nvar b =\t[1, 2;\r\nJson = \u001b[31m + 'c\\d';\nend()"
}"#;
    let mut finding = finding(find(text, "2;"));
    finding.location.pointer = "/activities/0/script".to_owned();
    let mut other = related(0, find(text, r#"\"\u00e9\""#), "a string");
    other.location.pointer = "/activities/0/script".to_owned();
    finding.related.push(other);
    assert_snapshot!(drawn(&[("a.json", text)], finding), @r#"
    error[WF101] unknown-variable
      × no such variable
       ╭─[a.json:2:48]
     1 │ var a = "é";
       ·         ─┬─
       ·          ╰── a string
     2 │ var b =    [1, 2;
       ·                ──
     3 │ Json = \u{1b}[31m + 'c\d';
       ╰────
    "#);
}

#[test]
fn a_whole_script_is_shown_by_its_first_line() {
    let text = r#"{ "onLoad": "if (a) {\n  b();\n}" }"#;
    let mut finding = finding(find(text, r#""if (a) {\n  b();\n}""#));
    finding.location.pointer = "/fields/0/onLoad".to_owned();
    assert_snapshot!(drawn(&[("a.json", text)], finding), @r"
    error[WF101] unknown-variable
      × no such variable
       ╭─[a.json:1:13]
     1 │ if (a) {
       · ────────
     2 │   b();
       ╰────
    ");
}

#[test]
fn equal_findings_are_shown_once_with_their_places() {
    let text = "[\n  1, 1, 1,\n  1, 2\n]\n";
    let at = |line: u32, column: u32| {
        let start = 2 + (line - 2) * 11 + column - 1;
        let mut one = finding(start..start + 1);
        one.activity = Some(format!("Line {line}"));
        one
    };
    let mut other = at(3, 6);
    other.message = "another variable".to_owned();
    let found = vec![at(2, 3), other, at(2, 6), at(2, 9), at(3, 3)];
    assert_snapshot!(report(&[("a.json", text)], found, Style::default()), @"
    error[WF101] unknown-variable, 4 places
      × no such variable
       ╭─[a.json:2:3]
     1 │ [
     2 │   1, 1, 1,
       ·   ─
     3 │   1, 2
       ╰────
      also at 2:6, 2:9 and 3:3

    error[WF101] unknown-variable in `Line 3`
      × another variable
       ╭─[a.json:3:6]
     2 │   1, 1, 1,
     3 │   1, 2
       ·      ─
     4 │ ]
       ╰────

    Nothing to lint.
    ");
    let many = report(&[("a.json", text)], vec![at(2, 3); 20], Style { width: 40, ..Style::default() });
    let words = many.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("in `Line 2`, 20 places") && words.contains("and 7 more"), "{many}");
}

/// The repository has no public address yet.
#[test]
fn code_is_a_link_to_its_page_where_that_is_public() {
    let style = Style { links: true, ..Style::default() };
    let text = report(&[("a.json", "{}")], vec![finding(0..1)], style);
    let page = crate::rules::page_address("WF101", "unknown-variable").unwrap();
    let link = format!("\u{1b}]8;;{page}\u{1b}\\error[WF101]\u{1b}]8;;\u{1b}\\ unknown-variable\n");
    let start = if crate::rules::is_public(&page) { &link } else { "error[WF101] unknown-variable\n" };
    assert!(text.starts_with(start), "{text}");
}

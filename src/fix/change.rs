//! The change of a file: writing it, and showing it as a unified diff, readable by `patch`.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::edits::Replacement;
use crate::files::read::read_up_to;
use crate::files::write::{CHANGED, check_replaceable, lock_beside, replace};
use crate::redaction::REPLACEMENT;
use crate::text::diagnostic::FileId;
use crate::text::source::Span;

/// A file that fixes change.
#[derive(Debug, Clone)]
pub struct Change {
    pub file: FileId,
    pub path: PathBuf,
    /// As reports show it.
    pub name: String,
    pub before: Arc<str>,
    pub after: Arc<str>,
    pub replacements: Vec<Replacement>,
    /// How many findings the change fixes.
    pub fixes: usize,
}

/// Writes the changed files of a fix in place of those that were linted.
///
/// # Errors
/// When one cannot be written, or no longer has the contents that were linted. Nearly every such file is found before
/// anything is written.
pub fn write(changes: &[&Change]) -> Result<(), String> {
    let _locks = lock_beside(changes.iter().map(|change| change.path.as_path()));
    for change in changes {
        check(change)?;
    }
    for change in changes {
        if check(change)? == State::AsLinted {
            replace(&change.path, change.after.as_bytes()).map_err(|error| failed(change, &error))?;
        }
    }
    Ok(())
}

fn failed(change: &Change, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", change.name)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    AsLinted,
    /// The file has two names, by a link, and was fixed under the other one.
    Fixed,
}

/// Whether a file can be written and has the contents that were linted.
fn check(change: &Change) -> Result<State, String> {
    let name = &change.name;
    let failed = |error: std::io::Error| failed(change, &error);
    std::fs::metadata(&change.path).map_err(failed)?;
    check_replaceable(&change.path).map_err(failed)?;
    let limit = change.before.len().max(change.after.len()) as u64;
    let now = read_up_to(&change.path, limit).map_err(|error| format!("cannot write {name}: {error}"))?;
    if now == change.after.as_bytes() {
        return Ok(State::Fixed);
    }
    if now != change.before.as_bytes() {
        return Err(format!("cannot write {name}: {CHANGED}"));
    }
    Ok(State::AsLinted)
}

const CONTEXT_LINES: usize = 3;

/// The change of one file, in which the places of both texts in `hidden` are covered, and whether any is. Each piece of
/// text, without line ends and tabs, goes through `visible`.
pub fn unified_diff(change: &Change, hidden: [&[Span]; 2], visible: impl Fn(&str) -> String) -> (String, bool) {
    let name = visible(&change.name);
    // Readers take a name with blanks to end at a tab.
    let end = if name.contains(' ') { "\t" } else { "" };
    let mut text = format!("--- {name}{end}\n+++ {name}{end}\n");
    let (before, after) = (Lines::new(&change.before, hidden[0]), Lines::new(&change.after, hidden[1]));
    let blocks = blocks(&change.replacements, &before, &after);
    let is_together = |one: &Block, next: &Block| next.before.start - one.before.end <= 2 * CONTEXT_LINES;
    for hunk in blocks.chunk_by(is_together) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let lead = first.before.start.min(first.after.start).min(CONTEXT_LINES);
        let end = (last.before.end + CONTEXT_LINES).min(before.texts.len());
        let context = end - last.before.end;
        let ranges = [first.before.start - lead..end, first.after.start - lead..last.after.end + context];
        let [of_before, of_after] = ranges.map(|range| header(&range));
        let _ = writeln!(text, "@@ -{of_before} +{of_after} @@");
        let mut at = first.before.start - lead;
        for block in hunk {
            before.push(at..block.before.start, ' ', &visible, &mut text);
            before.push(block.before.clone(), '-', &visible, &mut text);
            after.push(block.after.clone(), '+', &visible, &mut text);
            at = block.before.end;
        }
        before.push(at..end, ' ', &visible, &mut text);
    }
    (text, before.has_covered.get() || after.has_covered.get())
}

/// The range of a hunk in one text: the first line and the number of lines, if it is not 1. An empty range names the
/// line before it.
fn header(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        length => format!("{},{length}", lines.start + 1),
    }
}

/// The lines of a file, as `patch` sees them: each with its LF.
struct Lines<'t> {
    text: &'t str,
    texts: Vec<&'t str>,
    /// The offset of each.
    starts: Vec<usize>,
    /// The places that are covered, sorted and disjoint.
    hidden: &'t [Span],
    /// Whether one of them was covered.
    has_covered: Cell<bool>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, hidden: &'t [Span]) -> Self {
        let texts: Vec<&str> = text.split_inclusive('\n').collect();
        let start = |end: &mut usize, line: &&str| {
            let start = *end;
            *end += line.len();
            Some(start)
        };
        let starts = texts.iter().scan(0, start).collect();
        Self { text, texts, starts, hidden, has_covered: Cell::new(false) }
    }

    /// Adds lines to a diff.
    fn push(&self, lines: Range<usize>, sign: char, visible: impl Fn(&str) -> String, diff: &mut String) {
        for (line, &start) in self.get(&lines).iter().zip(self.starts.get(lines.clone()).unwrap_or_default()) {
            let (body, end) = split_end(line);
            let body: Vec<String> = self.covered(body, start).split('\t').map(&visible).collect();
            let _ = write!(diff, "{sign}{}{end}", body.join("\t"));
            if end.is_empty() {
                diff.push_str("\n\\ No newline at end of file\n");
            }
        }
    }

    /// A line that begins at an offset, with its hidden places covered.
    fn covered(&self, line: &'t str, start: usize) -> Cow<'t, str> {
        let first = self.hidden.partition_point(|span| span.end as usize <= start);
        let spans = self.hidden.get(first..).unwrap_or_default();
        let inside = spans.iter().take_while(|span| (span.start as usize) < start + line.len());
        let (mut covered, mut at) = (String::new(), 0);
        for span in inside {
            let from = (span.start as usize).saturating_sub(start);
            covered.push_str(line.get(at..from).unwrap_or_default());
            covered.push_str(REPLACEMENT);
            at = (span.end as usize - start).min(line.len());
        }
        if covered.is_empty() {
            return line.into();
        }
        self.has_covered.set(true);
        (covered + line.get(at..).unwrap_or_default()).into()
    }

    fn get(&self, lines: &Range<usize>) -> &[&'t str] {
        self.texts.get(lines.clone()).unwrap_or_default()
    }

    /// Whether a line starts at an offset, or the text ends there after a whole line.
    fn is_start(&self, offset: usize) -> bool {
        self.text.as_bytes().get(..offset).is_some_and(|before| before.last().is_none_or(|&last| last == b'\n'))
    }

    /// The line that an offset is in.
    fn line(&self, offset: usize) -> usize {
        let started = self.starts.partition_point(|&start| start < offset);
        if self.is_start(offset) { started } else { started.saturating_sub(1) }
    }
}

/// Lines before, and the lines that replace them.
#[derive(Debug)]
struct Block {
    before: Range<usize>,
    after: Range<usize>,
}

/// The changed lines: sorted, with equal lines between any two of them.
fn blocks(replacements: &[Replacement], before: &Lines<'_>, after: &Lines<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for Replacement { before: old, after: new } in replacements {
        // The line at the end differs too, unless it starts there in both texts.
        let rest = usize::from(!(before.is_start(old.end) && after.is_start(new.end)));
        let end = |lines: &Lines<'_>, offset| (lines.line(offset) + rest).min(lines.texts.len());
        let block = Block {
            before: before.line(old.start)..end(before, old.end),
            after: after.line(new.start)..end(after, new.end),
        };
        match blocks.last_mut().filter(|last| block.before.start <= last.before.end) {
            Some(last) => {
                last.before.end = last.before.end.max(block.before.end);
                last.after.end = last.after.end.max(block.after.end);
            }
            None => blocks.push(block),
        }
    }
    for block in &mut blocks {
        let (old, new) = (before.get(&block.before), after.get(&block.after));
        let equal = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        (block.before.start, block.after.start) = (block.before.start + equal, block.after.start + equal);
        let (old, new) = (before.get(&block.before), after.get(&block.after));
        let equal = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        (block.before.end, block.after.end) = (block.before.end - equal, block.after.end - equal);
    }
    blocks.retain(|block| !block.before.is_empty() || !block.after.is_empty());
    blocks
}

/// A line and its end. A lone CR, which would move a terminal's cursor, counts as text.
fn split_end(line: &str) -> (&str, &str) {
    let end = if line.ends_with("\r\n") { 2 } else { usize::from(line.ends_with('\n')) };
    line.split_at(line.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_changed_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let (before, after) = ("{}".into(), "[]".into());
        let (name, replacements) = ("a.json".to_owned(), Vec::new());
        let change = Change { file: FileId(0), path: path.clone(), name, before, after, replacements, fixes: 1 };
        std::fs::write(&path, "{ }").unwrap();
        assert!(write(&[&change]).unwrap_err().contains("a.json: the file changed"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{ }");
        std::fs::write(&path, "{}").unwrap();
        assert_eq!((write(&[&change]), write(&[&change])), (Ok(()), Ok(())), "the second time nothing is to be done");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[]");
        std::fs::remove_file(&path).unwrap();
        assert!(write(&[&change]).is_err());
    }

    #[test]
    fn no_file_of_a_fix_is_written_if_one_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let change = |name: &str| Change {
            file: FileId(0),
            path: folder.path().join(name),
            name: name.to_owned(),
            before: "{}".into(),
            after: "[]".into(),
            replacements: Vec::new(),
            fixes: 1,
        };
        let (first, second) = (change("a.json"), change("b.json"));
        std::fs::write(&first.path, "{}").unwrap();
        std::fs::write(&second.path, "{ }").unwrap();
        assert!(write(&[&first, &second]).unwrap_err().starts_with("cannot write b.json"));
        assert_eq!(std::fs::read_to_string(&first.path).unwrap(), "{}");
        std::fs::write(&second.path, "{}").unwrap();
        assert_eq!(write(&[&first, &second]), Ok(()));
        assert_eq!(std::fs::read_to_string(&first.path).unwrap(), "[]");
        assert_eq!(std::fs::read_to_string(&second.path).unwrap(), "[]");
    }

    /// The diff of a file after replacements in it.
    fn diff(before: &str, edits: &[(Range<usize>, &str)]) -> String {
        let (mut after, mut at, mut replacements) = (String::new(), 0, Vec::new());
        for (range, text) in edits {
            after.push_str(before.get(at..range.start).unwrap());
            let start = after.len();
            after.push_str(text);
            replacements.push(Replacement { before: range.clone(), after: start..after.len() });
            at = range.end;
        }
        after.push_str(before.get(at..).unwrap());
        let change = Change {
            file: FileId(0),
            path: "a.json".into(),
            name: "a.json".to_owned(),
            before: before.into(),
            after: after.into(),
            replacements,
            fixes: 1,
        };
        let (text, _) = unified_diff(&change, [&[]; 2], |text| text.replace('\r', "<CR>").replace('\u{1b}', "<ESC>"));
        text.strip_prefix("--- a.json\n+++ a.json\n").unwrap().to_owned()
    }

    #[test]
    fn hidden_places_are_covered() {
        let (before, after) = ("{\n\"a\": \"secret\",\n\"b\": 1}\n", "{\n\"a\": \"secret\",\n\"b\": 2}\n");
        let change = Change {
            file: FileId(0),
            path: "a b.json".into(),
            name: "a b.json".to_owned(),
            before: before.into(),
            after: after.into(),
            replacements: vec![Replacement { before: 23..24, after: 23..24 }],
            fixes: 1,
        };
        let hidden = [Span::new(8, 14)];
        let (text, is_covered) = unified_diff(&change, [&hidden, &hidden], str::to_owned);
        assert_eq!(
            (text.as_str(), is_covered),
            ("--- a b.json\t\n+++ a b.json\t\n@@ -1,3 +1,3 @@\n {\n \"a\": \"•••\",\n-\"b\": 1}\n+\"b\": 2}\n", true)
        );
        assert!(!unified_diff(&change, [&[]; 2], str::to_owned).1);
    }

    #[test]
    fn diff_shows_changes_with_context_lines() {
        let wanted = "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-old\n+new\n 6\n 7\n 8\n";
        assert_eq!(diff("1\n2\n3\n4\nold\n6\n7\n8\n9\n", &[(8..11, "new")]), wanted);
    }

    #[test]
    fn diff_keeps_line_ends_and_tabs_and_escapes_other_controls() {
        assert!(diff("\ta\r\nb", &[(1..2, "x")]).ends_with("-\ta\r\n+\tx\r\n b\n\\ No newline at end of file\n"));
        assert!(diff("a\u{1b}\rb\r", &[(0..5, "c")]).contains("-a<ESC><CR>b<CR>\n\\ No newline"));
    }

    #[test]
    fn lines_are_inserted_and_removed_whole() {
        let lines = "1\n2\n3\n";
        assert_eq!(diff(lines, &[(2..4, "")]), "@@ -1,3 +1,2 @@\n 1\n-2\n 3\n");
        assert_eq!(diff(lines, &[(1..3, "")]), "@@ -1,3 +1,2 @@\n 1\n-2\n 3\n", "from the end of the line before");
        assert_eq!(diff(lines, &[(2..2, "x\n")]), "@@ -1,3 +1,4 @@\n 1\n+x\n 2\n 3\n");
        assert_eq!(diff(lines, &[(6..6, "x\n")]), "@@ -1,3 +1,4 @@\n 1\n 2\n 3\n+x\n");
        assert_eq!(diff("", &[(0..0, "x\n")]), "@@ -0,0 +1 @@\n+x\n");
        assert_eq!(diff("x\n", &[(0..2, "")]), "@@ -1 +0,0 @@\n-x\n");
    }

    #[test]
    fn changes_of_one_line_are_one_and_distant_ones_have_hunks_of_their_own() {
        assert_eq!(diff("abc\n", &[(0..1, "x"), (2..3, "y")]), "@@ -1 +1 @@\n-abc\n+xby\n");
        let lines: String = (0..9).map(|line| format!("{line}\n")).collect();
        let near = diff(&lines, &[(0..1, "x"), (14..15, "y")]);
        assert_eq!(near, "@@ -1,9 +1,9 @@\n-0\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n-7\n+y\n 8\n");
        let far = diff(&lines, &[(0..1, "x\nx"), (16..17, "y")]);
        assert_eq!(far, "@@ -1,4 +1,5 @@\n-0\n+x\n+x\n 1\n 2\n 3\n@@ -6,4 +7,4 @@\n 5\n 6\n 7\n-8\n+y\n");
    }
}

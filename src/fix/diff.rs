//! Changes as a unified diff, readable by `patch`.

use std::fmt::Write;

use similar::{ChangeTag, TextDiff};

use super::change::Change;

const CONTEXT_LINES: usize = 3;

/// The change of one file. Each piece of text, without line ends and tabs, goes through `visible`.
pub fn unified_diff(change: &Change, visible: impl Fn(&str) -> String) -> String {
    let name = visible(&change.name);
    let mut text = format!("--- {name}\n+++ {name}\n");
    let diff = TextDiff::from_lines(change.before.as_ref(), change.after.as_ref());
    for hunk in diff.unified_diff().context_radius(CONTEXT_LINES).iter_hunks() {
        let _ = writeln!(text, "{}", hunk.header());
        for line in hunk.iter_changes() {
            let sign = match line.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let (body, end) = split_end(line.value());
            let body: Vec<String> = body.split('\t').map(&visible).collect();
            let _ = write!(text, "{sign}{}{end}", body.join("\t"));
            if line.missing_newline() {
                text.push_str("\n\\ No newline at end of file\n");
            } else if end.is_empty() {
                text.push('\n');
            }
        }
    }
    text
}

/// A line and its end. A lone CR, which would move a terminal's cursor, counts as text.
fn split_end(line: &str) -> (&str, &str) {
    let end = if line.ends_with("\r\n") { 2 } else { usize::from(line.ends_with('\n')) };
    line.split_at(line.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::FileId;

    fn diff(before: &str, after: &str) -> String {
        let change = Change {
            file: FileId(0),
            path: "a.json".into(),
            name: "a.json".to_owned(),
            before: before.into(),
            after: after.into(),
            fixes: 1,
        };
        unified_diff(&change, |text| text.replace('\r', "<CR>").replace('\u{1b}', "<ESC>"))
    }

    #[test]
    fn diff_shows_changes_with_context_lines() {
        let lines = |middle: &str| format!("1\n2\n3\n4\n{middle}\n6\n7\n8\n9\n");
        let wanted = "--- a.json\n+++ a.json\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-old\n+new\n 6\n 7\n 8\n";
        assert_eq!(diff(&lines("old"), &lines("new")), wanted);
    }

    #[test]
    fn diff_keeps_line_ends_and_tabs_and_escapes_other_controls() {
        assert!(diff("\ta\r\nb", "\tx\r\nb").ends_with("-\ta\r\n+\tx\r\n b\n\\ No newline at end of file\n"));
        assert!(diff("a\u{1b}\rb\r", "c").contains("-a<ESC><CR>\n"));
    }
}

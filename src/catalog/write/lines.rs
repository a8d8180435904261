//! Keeps the line endings of an edited file.

use crate::alignment;

/// A text with LF alone, and the original text.
pub(super) struct Lines<'t> {
    original: &'t str,
    pub text: String,
}

impl<'t> Lines<'t> {
    pub fn new(original: &'t str) -> Self {
        Self { original, text: original.replace("\r\n", "\n") }
    }

    /// The edited text with its original lines where they did not change. New lines end in CRLF if the first line does.
    pub fn restored(&self, edited: &str) -> String {
        let original: Vec<&str> = self.original.split_inclusive('\n').collect();
        let end = if original.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
        let old: Vec<&str> = self.text.lines().collect();
        let new: Vec<&str> = edited.lines().collect();
        let mut lines: Vec<String> = Vec::with_capacity(new.len());
        for block in alignment::blocks(&old, &new) {
            if block.is_equal {
                for line in original.get(block.before).unwrap_or_default() {
                    lines.push(format!("{line}{}", if line.ends_with('\n') { "" } else { end }));
                }
            } else {
                let changed = new.get(block.after).unwrap_or_default();
                lines.extend(changed.iter().map(|line| format!("{line}{end}")));
            }
        }
        let mut restored = lines.concat();
        // `toml_edit` ends the last line.
        if !self.original.ends_with('\n') && old.last() == new.last() {
            restored.truncate(restored.trim_end_matches(['\r', '\n']).len());
        }
        restored
    }
}

//! Lines and columns of a script. Lines end with the line terminators of ECMA-262.

/// Whether a character ends a line.
pub(super) const fn is_line_terminator(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// The byte offset of a line and column, both from 1; the column in characters. `None` past the last line.
pub fn offset(script: &str, line: u32, column: u32) -> Option<usize> {
    let mut rest = script;
    for _ in 1..line {
        rest = next_line(rest)?;
    }
    let start = script.len() - rest.len();
    let inside = rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(at, _)| at);
    Some(start + inside)
}

/// The line and column of a byte offset, both from 1; the column in characters.
pub fn line_and_column(script: &str, line_starts: &[usize], offset: usize) -> (usize, usize) {
    let line = line_starts.partition_point(|start| *start <= offset);
    let start = line.checked_sub(1).and_then(|index| line_starts.get(index)).copied().unwrap_or_default();
    let before = script.get(start..offset).unwrap_or_default();
    (line.max(1), before.chars().count() + 1)
}

/// ` (script line 3, column 5)`, for a message; empty for a script of one line.
pub fn position(script: &str, line_starts: &[usize], offset: usize) -> String {
    let is_one_line = line_starts.get(1).is_none_or(|second| *second >= script.trim_end().len());
    if is_one_line {
        return String::new();
    }
    let (line, column) = line_and_column(script, line_starts, offset);
    format!(" (script line {line}, column {column})")
}

/// The offsets at which the lines of a script start.
pub fn line_starts(script: &str) -> Vec<usize> {
    let rests = std::iter::successors(Some(script), |rest| next_line(rest));
    rests.map(|rest| script.len() - rest.len()).collect()
}

fn next_line(text: &str) -> Option<&str> {
    let after = text.get(text.find(is_line_terminator)?..)?;
    let length = if after.starts_with("\r\n") { 2 } else { after.chars().next()?.len_utf8() };
    after.get(length..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_and_column_give_offset() {
        assert_eq!(offset("a\r\nbé c", 2, 3), Some(6));
        assert_eq!(offset("a", 2, 1), None);
        assert_eq!(offset("a", 1, 9), Some(1));
    }

    #[test]
    fn offset_gives_line_and_column() {
        let at = |script: &str, offset| line_and_column(script, &line_starts(script), offset);
        assert_eq!(at("a\r\nbé c", 6), (2, 3));
        assert_eq!(at("a\u{2028}b\rc", 6), (3, 1));
        assert_eq!(at("", 0), (1, 1));
    }

    #[test]
    fn position_is_given_only_in_scripts_of_several_lines() {
        let at = |script: &str, offset| position(script, &line_starts(script), offset);
        assert_eq!(at("a\nb", 2), " (script line 2, column 1)");
        assert_eq!(at("a b\n", 2), "");
    }
}

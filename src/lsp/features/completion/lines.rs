//! The context of an offset in a YAML or TOML text that may be incomplete: its lines are read as the tokens of a JSON text.

use std::ops::Range;

use super::json::{Context, Header, Reader, Token, TokenKind, tokens};
use crate::text::source::Span;

struct Lines<'t> {
    text: &'t str,
    offset: usize,
    reader: Reader<'t>,
    /// The open containers: their columns in YAML, and whether they are objects.
    open: Vec<(usize, bool)>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, offset: u32) -> Self {
        Self { text, offset: offset as usize, reader: Reader::new(text, offset), open: Vec::new() }
    }

    /// The lines that count, without indentation and blanks at their ends: those with text, and that of the cursor. `None`
    /// for a cursor in a comment.
    fn all(&self) -> Option<Vec<Range<usize>>> {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in self.text.split('\n') {
            let end = start + line.len();
            let is_here = (start..=end).contains(&self.offset);
            let (first, last) = (end - line.trim_start().len(), start + line.trim_end().len());
            match line.trim() {
                "" if is_here => lines.push(self.offset..self.offset),
                "" => {}
                text if text.starts_with('#') => {
                    if is_here && self.offset > first {
                        return None;
                    }
                }
                _ => lines.push(first..last),
            }
            start = end + 1;
        }
        Some(lines)
    }

    fn get(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    fn open(&mut self, column: usize, is_object: bool) {
        self.reader.open(is_object);
        self.open.push((column, is_object));
    }

    /// Closes all but the outermost containers.
    fn close(&mut self, depth: usize, at: usize) {
        for (_, is_object) in self.open.drain(depth.min(self.open.len())..).rev() {
            self.reader.close(is_object, span(at..at));
        }
    }

    /// Closes the containers that end before a column, and continues the one there, or opens it.
    fn enter(&mut self, at: usize, is_object: bool) {
        let column = at - self.get(0..at).rfind('\n').map_or(0, |end| end + 1);
        // The dashes of an array may be as far left as its key.
        let is_around = |&(other, was_object): &(usize, bool)| {
            other < column || other == column && (was_object || was_object == is_object)
        };
        self.close(self.open.iter().rposition(is_around).map_or(0, |last| last + 1), at);
        if self.open.last() == Some(&(column, is_object)) {
            self.reader.next_member();
        } else {
            self.open(column, is_object);
        }
    }

    /// Passes the end of a line.
    fn pass_end(&mut self, end: usize) {
        let rest = self.get(end..self.text.len());
        let end = end + rest.find('\n').unwrap_or(rest.len());
        self.reader.pass_before(span(end..end));
    }

    /// Reads a key, or a plain scalar.
    fn word(&mut self, range: Range<usize>) {
        match tokens(self.get(0..range.end), range.start).next() {
            Some(token @ Token { kind: TokenKind::String { .. }, .. }) => self.reader.take(token),
            _ => self.reader.take(Token { kind: TokenKind::Word, span: span(range) }),
        }
    }

    fn colon(&mut self, at: usize) {
        self.reader.take(Token { kind: TokenKind::Colon, span: span(at..at) });
    }

    /// Reads a value in the style of JSON, which may end in another line, and returns its end.
    fn value(&mut self, range: Range<usize>) -> usize {
        let mut depth = 0_usize;
        let mut end = range.end;
        for token in tokens(self.text, range.start) {
            if depth == 0 && token.span.start as usize >= range.end {
                break;
            }
            match token.kind {
                TokenKind::Open { .. } => depth += 1,
                TokenKind::Close { .. } => depth = depth.saturating_sub(1),
                _ => {}
            }
            end = end.max(token.span.end as usize);
            self.reader.take(token);
        }
        end
    }
}

fn span(range: Range<usize>) -> Span {
    Span::of_range(&range)
}

/// The context in block style. Containers are known by their columns.
pub fn yaml(text: &str, offset: u32) -> Option<Context> {
    let mut lines = Lines::new(text, offset);
    let mut read = 0;
    for Range { mut start, end } in lines.all()? {
        if start < read {
            continue;
        }
        while let Some(rest) =
            lines.get(start..end).strip_prefix('-').filter(|rest| !rest.starts_with(|next: char| next != ' '))
        {
            lines.enter(start, false);
            start = end - rest.trim_start().len();
        }
        let content = lines.get(start..end);
        if content.starts_with(['{', '[']) {
            read = lines.value(start..end);
            continue;
        }
        lines.enter(start, true);
        let colon = content.find(": ").or_else(|| content.ends_with(':').then(|| content.len() - 1));
        if !content.is_empty() {
            lines.word(start..start + colon.unwrap_or(content.len()));
        }
        if let Some(colon) = colon.map(|colon| start + colon) {
            lines.colon(colon);
            let value = lines.get(colon + 1..end);
            let value_start = end - value.trim_start().len();
            if value.trim_start().starts_with(['{', '[', '"', '\'']) {
                read = lines.value(value_start..end);
            } else if !value.trim().is_empty() {
                let value = value.split(" #").next().unwrap_or_default();
                lines.word(value_start..colon + 1 + value.trim_end().len());
            }
        }
        lines.pass_end(end);
    }
    lines.reader.finish()
}

/// The context in the table of the last header.
pub fn toml(text: &str, offset: u32) -> Option<Context> {
    let mut lines = Lines::new(text, offset);
    lines.open(0, true);
    let mut header = None;
    let mut read = 0;
    for range in lines.all()? {
        if range.start < read {
            continue;
        }
        let content = lines.get(range.clone());
        if content.starts_with('[') {
            lines.close(1, range.start);
            let found = lines.header(range.clone());
            if found.is_none() && (range.start..=range.end).contains(&lines.offset) {
                return None;
            }
            header = header.or(found);
            continue;
        }
        let depth = lines.open.len();
        lines.reader.next_member();
        let key = content.split('=').next().unwrap_or_default();
        lines.path(range.start..range.start + key.trim_end().len());
        if key.len() < content.len() {
            let equals = range.start + key.len();
            lines.colon(equals);
            read = lines.value(equals + 1..range.end);
        }
        lines.pass_end(range.end.max(read));
        lines.close(depth, range.end);
    }
    Some(Context { header, ..lines.reader.finish()? })
}

impl Lines<'_> {
    /// Reads the keys of a header, or before a value, and opens the tables before the last one.
    fn path(&mut self, range: Range<usize>) {
        let mut start = range.start;
        let text = self.get(range.clone());
        // A quoted key may have dots of its own: it is read as one word.
        let is_plain = !text.contains(['"', '\'']);
        for dot in text.match_indices('.').filter(|_| is_plain).map(|(at, _)| range.start + at) {
            self.word(start..dot);
            self.colon(dot);
            self.open(0, true);
            start = dot + 1;
        }
        self.word(start..range.end);
    }

    /// Reads a header, and opens its table. Returns what is known of it if the cursor is in it.
    fn header(&mut self, range: Range<usize>) -> Option<Header> {
        let text = self.get(range.clone()).split('#').next().unwrap_or_default().trim_end();
        let end = range.start + text.len();
        let is_list = text.starts_with("[[");
        let start = range.start + if is_list { 2 } else { 1 };
        let keys = start..start.max(range.start + text.trim_end_matches(']').len());
        let is_here = (keys.start..=keys.end).contains(&self.offset);
        let before = self.get(keys.start..keys.end.min(self.offset));
        let path = keys.start..keys.start + before.rfind('.').map_or(0, |dot| dot + 1);
        self.reader.next_member();
        self.path(keys);
        self.pass_end(end);
        self.colon(end);
        if is_list {
            self.open(0, false);
        }
        self.open(0, true);
        is_here.then(|| Header { span: span(range.start..end), path: span(path), is_list })
    }
}

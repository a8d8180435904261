//! The context of an offset in a YAML or TOML text that may be incomplete: its lines are read as the tokens of a JSON text.

use std::ops::Range;

use super::json::{Context, Header, Reader, Token, TokenKind, tokens};
use crate::source::Span;

struct Lines<'t> {
    text: &'t str,
    offset: usize,
    reader: Reader<'t>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, offset: u32) -> Self {
        Self { text, offset: offset as usize, reader: Reader::new(text, offset) }
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

    /// The column of an offset, in bytes.
    fn column(&self, at: usize) -> usize {
        at - self.get(0..at).rfind('\n').map_or(0, |end| end + 1)
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
    // The columns of the open containers, and whether they are objects.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut read = 0;
    for Range { mut start, end } in lines.all()? {
        if start < read {
            continue;
        }
        while let Some(rest) =
            lines.get(start..end).strip_prefix('-').filter(|rest| !rest.starts_with(|next: char| next != ' '))
        {
            enter(&mut lines, &mut open, start, false);
            start = end - rest.trim_start().len();
        }
        let content = lines.get(start..end);
        if content.starts_with(['{', '[']) {
            read = lines.value(start..end);
            continue;
        }
        enter(&mut lines, &mut open, start, true);
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

/// Closes the containers that end before a column, and continues the one there, or opens it.
fn enter(lines: &mut Lines<'_>, open: &mut Vec<(usize, bool)>, at: usize, is_object: bool) {
    let column = lines.column(at);
    while let Some(&(other, was_object)) = open.last() {
        // The dashes of an array may be as far left as its key.
        if other < column || other == column && (was_object == is_object || was_object) {
            break;
        }
        open.pop();
        lines.reader.close(was_object, span(at..at));
    }
    if open.last() == Some(&(column, is_object)) {
        lines.reader.next_member();
    } else {
        lines.reader.open(is_object);
        open.push((column, is_object));
    }
}

/// The context in the table of the last header.
pub fn toml(text: &str, offset: u32) -> Option<Context> {
    let mut lines = Lines::new(text, offset);
    lines.reader.open(true);
    // The open containers below the root: whether they are objects.
    let mut table: Vec<bool> = Vec::new();
    let mut header = None;
    let mut read = 0;
    for range in lines.all()? {
        if range.start < read {
            continue;
        }
        let content = lines.get(range.clone());
        lines.reader.next_member();
        if content.starts_with('[') {
            close(&mut lines, std::mem::take(&mut table), range.start);
            let found = read_header(&mut lines, range.clone(), &mut table);
            if found.is_none() && (range.start..=range.end).contains(&lines.offset) {
                return None;
            }
            header = header.or(found);
            continue;
        }
        let key = content.split('=').next().unwrap_or_default();
        let end = range.start + key.trim_end().len();
        let dotted = path(&mut lines, range.start..end);
        if key.len() < content.len() {
            let equals = range.start + key.len();
            lines.colon(equals);
            read = lines.value(equals + 1..range.end);
        }
        lines.pass_end(range.end.max(read));
        close(&mut lines, dotted, range.end);
    }
    let mut context = lines.reader.finish()?;
    context.header = header;
    Some(context)
}

/// Reads the keys of a header, or before a value, and opens the tables before the last one.
fn path(lines: &mut Lines<'_>, range: Range<usize>) -> Vec<bool> {
    let mut opened = Vec::new();
    let mut start = range.start;
    let text = lines.get(range.clone());
    // Quoted keys have no dots of their own here: they are one word.
    let is_plain = !text.contains(['"', '\'']);
    for dot in text.match_indices('.').filter(|_| is_plain).map(|(at, _)| range.start + at) {
        lines.word(start..dot);
        lines.colon(dot);
        lines.reader.open(true);
        opened.push(true);
        start = dot + 1;
    }
    lines.word(start..range.end);
    opened
}

/// Reads a header, and opens its table. Returns what is known of it if the cursor is in it.
fn read_header(lines: &mut Lines<'_>, range: Range<usize>, table: &mut Vec<bool>) -> Option<Header> {
    let text = lines.get(range.clone()).split('#').next().unwrap_or_default().trim_end();
    let end = range.start + text.len();
    let is_list = text.starts_with("[[");
    let start = range.start + if is_list { 2 } else { 1 };
    let keys = start..start.max(range.start + text.trim_end_matches(']').len());
    let is_here = (keys.start..=keys.end).contains(&lines.offset);
    // Behind the cursor is what it replaces.
    let path_end = keys.start + lines.get(keys.start..keys.end.min(lines.offset)).rfind('.').map_or(0, |dot| dot + 1);
    table.extend(path(lines, keys.clone()));
    lines.pass_end(end);
    lines.colon(end);
    if is_list {
        lines.reader.open(false);
        table.push(false);
    }
    lines.reader.open(true);
    table.push(true);
    is_here.then(|| Header { span: span(range.start..end), path: span(keys.start..path_end), is_list })
}

fn close(lines: &mut Lines<'_>, containers: Vec<bool>, at: usize) {
    for is_object in containers.into_iter().rev() {
        lines.reader.close(is_object, span(at..at));
    }
}

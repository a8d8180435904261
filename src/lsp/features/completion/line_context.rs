//! The context of an offset in a YAML or TOML text that may be incomplete, from its lines.

use super::json_context::{Container, JsonContext, Member, context_in};
use crate::source::Span;

/// A line without its indentation and the dashes of entries.
struct Line<'t> {
    /// In bytes, dashes included.
    indent: usize,
    /// The indentation of its last dash.
    dash: Option<usize>,
    /// Offset of what follows.
    start: usize,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn new(start: usize, line: &'t str) -> Self {
        let (mut indent, mut dash) = (line.len() - line.trim_start().len(), None);
        while let Some(rest) = line.get(indent..).and_then(|rest| rest.strip_prefix("- ")) {
            dash = Some(indent);
            indent += 2 + rest.len() - rest.trim_start().len();
        }
        let text = line.get(indent..).unwrap_or_default().trim_end();
        Self { indent, dash, start: start + indent, text }
    }

    fn key(&self, separator: char) -> Option<&'t str> {
        let key = self.text.split_once(separator)?.0.trim().trim_matches(['"', '\'']);
        (!key.is_empty() && !key.starts_with(['#', '{', '['])).then_some(key)
    }

    fn member(&self, separator: char) -> Option<Member> {
        let (_, value) = self.text.split_once(separator)?;
        let text = Some(value.trim().trim_matches(['"', '\'']).to_owned());
        Some(Member { key: self.key(separator)?.to_owned(), text, span: Span::default(), name: None, bound_to: None })
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let line = |line: &str| {
        let found = (start, line.len());
        start += line.len();
        found
    };
    let ranges: Vec<(usize, usize)> = text.split_inclusive('\n').map(line).collect();
    let line = |(start, len): (usize, usize)| Line::new(start, text.get(start..start + len).unwrap_or_default());
    // After the last line break there is one more line, for the cursor.
    let last = text.ends_with('\n').then(|| Line::new(text.len(), ""));
    ranges.into_iter().map(line).chain(last).collect()
}

fn object(key: Option<&str>) -> Container {
    Container { is_object: true, key: key.map(str::to_owned), members: Vec::new() }
}

/// The line with the cursor, or the one that ends before it.
fn current(lines: &[Line<'_>], offset: usize) -> Option<usize> {
    lines.iter().rposition(|line| line.start - line.indent <= offset)
}

/// The context in block style; text in braces is read as JSON.
pub fn yaml(text: &str, offset: u32) -> Option<JsonContext> {
    let lines = lines(text);
    let at = current(&lines, offset as usize)?;
    let line = lines.get(at)?;
    let column = (offset as usize).checked_sub(line.start - line.indent)?;
    let mut indent = if line.text.is_empty() { column } else { line.indent };
    // The containers with their indentations, the innermost first. An array has no indentation.
    let mut around: Vec<(Option<usize>, Container)> = Vec::new();
    let mut innermost = object(None);
    let mut dash = line.dash;
    for before in lines.iter().take(at).rev().filter(|line| !line.text.is_empty() && !line.text.starts_with('#')) {
        if before.indent == indent && dash.is_none() {
            innermost.members.extend(before.member(':'));
            dash = before.dash;
        } else if before.indent < dash.map_or(indent, |dash| dash + 1) && before.text.ends_with(':') {
            let key = before.key(':').map(str::to_owned);
            let mut object_indent = Some(indent);
            if dash.is_some() {
                around.push((object_indent.take(), std::mem::replace(&mut innermost, object(None))));
                innermost.is_object = false;
            }
            innermost.key = key;
            around.push((object_indent, std::mem::replace(&mut innermost, object(None))));
            (indent, dash) = (before.indent, before.dash);
        }
    }
    around.push((Some(indent), innermost));
    add_members_after(&mut around, lines.get(at + 1..).unwrap_or_default());
    let around = around.into_iter().rev().map(|(_, container)| container).collect();
    context_in(around, text, line.start..line.start + line.text.len(), offset)
}

/// Adds the members that follow the cursor to the objects around it, which are given from the innermost on with their
/// indentations.
fn add_members_after(around: &mut [(Option<usize>, Container)], lines: &[Line<'_>]) {
    let mut lowest = usize::MAX;
    for line in lines.iter().filter(|line| !line.text.is_empty() && !line.text.starts_with('#')) {
        // A dash begins an entry of an array that is around.
        lowest = lowest.min(line.dash.unwrap_or(line.indent));
        let is_here =
            |indent: Option<usize>| indent == Some(line.indent) && line.indent <= lowest && line.dash.is_none();
        if let Some((_, object)) = around.iter_mut().find(|(indent, _)| is_here(*indent)) {
            object.members.extend(line.member(':'));
        }
    }
}

/// The context is the table of the last header; text in brackets is read as JSON.
pub fn toml(text: &str, offset: u32) -> Option<JsonContext> {
    let lines = lines(text);
    let at = current(&lines, offset as usize)?;
    let is_header = |line: &&Line<'_>| line.indent == 0 && line.text.starts_with('[') && line.text.ends_with(']');
    let header = lines.iter().take(at + 1).rev().position(|line| is_header(&line)).map(|back| at - back);
    if header == Some(at) {
        return None;
    }
    let mut around = vec![object(None)];
    if let (Some(_), Some(root)) = (header, around.first_mut()) {
        let statements = lines.iter().take_while(|line| !is_header(line));
        root.members.extend(statements.filter_map(|line| line.member('=')));
    }
    let title = header.and_then(|header| lines.get(header)).map_or("", |line| line.text);
    let is_list = title.starts_with("[[");
    let path = title.trim_matches(['[', ']']).split('.').map(|key| key.trim().trim_matches(['"', '\'']));
    around.extend(path.filter(|key| !key.is_empty()).map(|key| object(Some(key))));
    if let (true, Some(list)) = (is_list, around.last_mut()) {
        list.is_object = false;
        around.push(object(None));
    }
    // The statement may have begun on a line before, with a list that is not closed.
    let first = header.map_or(0, |header| header + 1);
    let statement = (first..=at).rev().find(|&index| lines.get(index).is_some_and(|line| line.key('=').is_some()));
    let open = |index: &usize| {
        let from = lines.get(*index).map_or(0, |line| line.start);
        let written = text.get(from..offset as usize).unwrap_or_default();
        *index == at || written.matches(['[', '{']).count() > written.matches([']', '}']).count()
    };
    let start = lines.get(statement.filter(open).unwrap_or(at))?;
    let others = lines.iter().skip(first).take_while(|line| !is_header(line)).filter(|line| line.start != start.start);
    if let Some(table) = around.last_mut() {
        table.members.extend(others.filter_map(|line| line.member('=')));
    }
    let dotted = start.text.split('=').next().and_then(|key| key.rsplit_once('.')).map_or("", |(before, _)| before);
    let is_dotted = !dotted.is_empty() && !dotted.contains(['"', '\'', '[', '{']);
    let skipped = if is_dotted { dotted.len() + 1 } else { 0 };
    around.extend(dotted.split('.').filter(|_| is_dotted).map(|key| object(Some(key.trim()))));
    let last = lines.get(at)?;
    context_in(around, text, start.start + skipped..last.start + last.text.len(), offset)
}

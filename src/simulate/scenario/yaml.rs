//! Scenarios in YAML.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use super::Problem;
use super::tree::{Budget, Key, Member, Shape, Style, Value, at, span_within};
use crate::source::{BYTE_ORDER_MARK, Span};

/// Reads a YAML text of one document.
pub(super) fn parse(text: &str) -> Result<Value, Problem> {
    let offsets = Offsets::new(text);
    let mut builder = Builder::new(text);
    for event in Parser::new_from_str(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)) {
        let (event, span) = event.map_err(|error| {
            let place = offsets.byte(*error.marker());
            at(span_within(text, place, place), format!("this is no YAML: {}", error.info()))
        })?;
        let span = offsets.trimmed(offsets.byte(span.start), offsets.byte(span.end));
        builder.take(event, span)?;
    }
    Ok(builder.root.unwrap_or_else(|| Value::scalar("", Style::Null, Span::default())))
}

/// From characters, which the parser counts, to bytes.
struct Offsets<'t> {
    text: &'t str,
    /// Bytes of the byte-order mark, which the parser does not see.
    mark: usize,
    /// By character: its offset behind the mark; empty when each of them is one byte.
    bytes: Vec<u32>,
}

impl<'t> Offsets<'t> {
    fn new(text: &'t str) -> Self {
        let content = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mark = text.len() - content.len();
        let offsets = content.char_indices().map(|(offset, _)| u32::try_from(offset).unwrap_or(u32::MAX));
        let bytes = if content.is_ascii() { Vec::new() } else { offsets.collect() };
        Self { text, mark, bytes }
    }

    fn byte(&self, marker: Marker) -> usize {
        if self.bytes.is_empty() {
            return self.mark + marker.index();
        }
        self.bytes.get(marker.index()).map_or(self.text.len(), |&offset| self.mark + offset as usize)
    }

    /// A span without the blanks and line ends that the parser counts to a block of lines.
    fn trimmed(&self, start: usize, end: usize) -> Span {
        let span = span_within(self.text, start, end);
        let written = self.text.get(span.range()).unwrap_or_default().trim_end();
        span_within(self.text, span.start as usize, span.start as usize + written.len())
    }
}

/// A list or map whose end has not come yet.
struct Open {
    start: Span,
    anchor: usize,
    content: Content,
}

enum Content {
    List(Vec<Value>),
    /// The members so far, and the key whose value comes next.
    Map(Vec<Member>, Option<Key>),
}

/// Makes values of events. Open lists and maps are kept here, so depth costs no call stack.
struct Builder<'t> {
    text: &'t str,
    budget: Budget,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Value>,
    documents: usize,
    root: Option<Value>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, budget: Budget::default(), open: Vec::new(), anchors: BTreeMap::new(), documents: 0, root: None }
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(at(span, "this is a second document; a scenario file holds one".to_owned()));
                }
            }
            Event::Scalar(_, _, _, Some(_)) | Event::SequenceStart(_, Some(_)) | Event::MappingStart(_, Some(_)) => {
                let message = "tags such as `!!str` are not taken: every scalar is the text that is written";
                return Err(Problem { help: Some("leave the tag out".to_owned()), ..at(span, message.to_owned()) });
            }
            Event::Scalar(text, style, anchor, None) => return self.scalar(&text, style, anchor, span),
            Event::SequenceStart(anchor, None) => return self.enter(Content::List(Vec::new()), anchor, span),
            Event::MappingStart(anchor, None) => return self.enter(Content::Map(Vec::new(), None), anchor, span),
            Event::SequenceEnd | Event::MappingEnd => return self.close(span),
            Event::Alias(anchor) => return self.alias(anchor, span),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, anchor: usize, span: Span) -> Result<(), Problem> {
        self.budget.value(text.len(), self.open.len(), span)?;
        let style = match (style, text) {
            (ScalarStyle::Plain, "" | "~" | "null") => Style::Null,
            (ScalarStyle::Plain, "<<") if self.wants_key() => {
                let message = "merge keys (`<<`) are not taken";
                let help = "write out the keys that it stands for, or give `\"<<\"` if it is a name";
                return Err(Problem { help: Some(help.to_owned()), ..at(span, message.to_owned()) });
            }
            (ScalarStyle::Plain, _) => Style::Plain,
            _ => Style::Quoted,
        };
        // Where nothing is written the parser gives the place of what comes next.
        let span = if text.is_empty() && style == Style::Null { self.after_key(span) } else { span };
        self.finish(Value::scalar(text, style, span), anchor)
    }

    fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Map(_, None), .. }))
    }

    fn after_key(&self, span: Span) -> Span {
        match self.open.last() {
            Some(Open { content: Content::Map(_, Some(key)), .. }) => Span::new(key.span.end, key.span.end),
            _ => Span::new(span.start, span.start),
        }
    }

    fn enter(&mut self, content: Content, anchor: usize, span: Span) -> Result<(), Problem> {
        self.budget.value(0, self.open.len() + 1, span)?;
        self.open.push(Open { start: span, anchor, content });
        Ok(())
    }

    /// Closes the innermost list or map. Only brackets have an end of their own; blocks of lines end
    /// with the last value in them.
    fn close(&mut self, end: Span) -> Result<(), Problem> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let (last, shape) = match open.content {
            Content::List(values) => (values.last().map(|value| value.span.end), Shape::List(values)),
            Content::Map(members, _) => (members.last().map(|member| member.value.span.end), Shape::Map(members)),
        };
        let is_bracket = matches!(self.text.get(end.range()), Some("]" | "}"));
        let bracket = is_bracket.then_some(end.end);
        let end = bracket.or(last).unwrap_or(open.start.end).max(open.start.start);
        self.finish(Value { shape, span: Span::new(open.start.start, end) }, open.anchor)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Problem> {
        let Some(value) = self.anchors.get(&anchor) else {
            return Err(at(span, "this alias stands for a value that it lies in itself".to_owned()));
        };
        self.budget.copy(value, self.open.len(), span)?;
        let value = value.clone().moved_to(span);
        self.finish(value, 0)
    }

    /// Puts a whole value where it belongs.
    fn finish(&mut self, value: Value, anchor: usize) -> Result<(), Problem> {
        if anchor > 0 {
            // What is kept for aliases is a copy, and paid for as one: anchors may lie in each other.
            self.budget.copy(&value, 0, value.span)?;
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(value),
            Some(Content::List(values)) => values.push(value),
            Some(Content::Map(members, key)) => match key.take() {
                Some(key) => members.push(Member { key, value }),
                None => {
                    let Shape::Scalar(scalar) = value.shape else {
                        return Err(at(value.span, "a key must be a text".to_owned()));
                    };
                    self.budget.key(&scalar.text, value.span)?;
                    *key = Some(Key { text: scalar.text, span: value.span });
                }
            },
        }
        Ok(())
    }
}

//! Scenarios in YAML.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use super::model::Problem;
use super::tree::{Budget, Key, Member, Shape, Style, Value, span_within};
use crate::source::{BYTE_ORDER_MARK, Span};

pub fn parse(text: &str) -> Result<Value, Problem> {
    let offsets = Offsets::new(text);
    let mut builder = Builder::new(text);
    for event in Parser::new_from_str(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)) {
        let (event, span) = event.map_err(|error| {
            let offset = offsets.byte(*error.marker());
            Problem::at(span_within(text, offset, offset), format!("invalid YAML: {}", error.info()))
        })?;
        let span = offsets.trimmed(offsets.byte(span.start), offsets.byte(span.end));
        builder.take(event, span)?;
    }
    Ok(builder.root.unwrap_or_else(|| Value::scalar("", Style::Null, Span::default())))
}

/// Converts the parser's positions, which count characters, to bytes.
struct Offsets<'t> {
    text: &'t str,
    /// Bytes of the byte-order mark, which the parser does not see.
    mark: usize,
    /// The offset of each character behind the mark; empty when all of them are one byte.
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

    /// A span without the trailing blanks and line ends that the parser adds to a block of lines.
    fn trimmed(&self, start: usize, end: usize) -> Span {
        let span = span_within(self.text, start, end);
        let written = self.text.get(span.range()).unwrap_or_default().trim_end();
        span_within(self.text, span.start as usize, span.start as usize + written.len())
    }
}

/// An array or object that is not closed yet.
struct Open {
    start: Span,
    anchor: usize,
    content: Content,
}

enum Content {
    Array(Vec<Value>),
    /// The members so far, and the key whose value comes next.
    Object(Vec<Member>, Option<Key>),
}

/// Builds the tree from the parser's events. Open arrays and objects are on a stack of its own, so
/// that deep nesting does not recurse.
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
                    return Err(Problem::at(span, "expected one YAML document, found another".to_owned()));
                }
            }
            Event::Scalar(_, _, _, Some(_)) | Event::SequenceStart(_, Some(_)) | Event::MappingStart(_, Some(_)) => {
                let message = "unsupported YAML tag, every scalar is read as it is written";
                return Err(Problem::at(span, message).with_help("remove the tag"));
            }
            Event::Scalar(text, style, anchor, None) => return self.scalar(&text, style, anchor, span),
            Event::SequenceStart(anchor, None) => return self.enter(Content::Array(Vec::new()), anchor, span),
            Event::MappingStart(anchor, None) => return self.enter(Content::Object(Vec::new(), None), anchor, span),
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
                let message = "unsupported merge key `<<`";
                let help = "write out the merged keys, or write `\"<<\"` if it is a name";
                return Err(Problem::at(span, message).with_help(help));
            }
            (ScalarStyle::Plain, _) => Style::Plain,
            _ => Style::Quoted,
        };
        // For an empty value the parser reports the position of what comes next.
        let span = if text.is_empty() && style == Style::Null { self.after_key(span) } else { span };
        self.finish(Value::scalar(text, style, span), anchor)
    }

    fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Object(_, None), .. }))
    }

    fn after_key(&self, span: Span) -> Span {
        match self.open.last() {
            Some(Open { content: Content::Object(_, Some(key)), .. }) => Span::new(key.span.end, key.span.end),
            _ => Span::new(span.start, span.start),
        }
    }

    fn enter(&mut self, content: Content, anchor: usize, span: Span) -> Result<(), Problem> {
        self.budget.value(0, self.open.len() + 1, span)?;
        self.open.push(Open { start: span, anchor, content });
        Ok(())
    }

    /// Closes the innermost array or object. Only brackets have an end of their own; a block of lines
    /// ends with the last value in it.
    fn close(&mut self, end: Span) -> Result<(), Problem> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let (last, shape) = match open.content {
            Content::Array(values) => (values.last().map(|value| value.span.end), Shape::Array(values)),
            Content::Object(members, _) => (members.last().map(|member| member.value.span.end), Shape::Object(members)),
        };
        let is_bracket = matches!(self.text.get(end.range()), Some("]" | "}"));
        let bracket = is_bracket.then_some(end.end);
        let end = bracket.or(last).unwrap_or(open.start.end).max(open.start.start);
        self.finish(Value { shape, span: Span::new(open.start.start, end) }, open.anchor)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Problem> {
        let Some(value) = self.anchors.get(&anchor) else {
            return Err(Problem::at(span, "recursive alias".to_owned()));
        };
        self.budget.copy(value, self.open.len(), span)?;
        let value = value.clone().at_span(span);
        self.finish(value, 0)
    }

    /// Adds a whole value to the innermost open array or object.
    fn finish(&mut self, value: Value, anchor: usize) -> Result<(), Problem> {
        if anchor > 0 {
            // Copies that are kept for aliases count as copies: nested anchors could otherwise take quadratic memory.
            self.budget.copy(&value, 0, value.span)?;
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(value),
            Some(Content::Array(values)) => values.push(value),
            Some(Content::Object(members, key)) => match key.take() {
                Some(key) => members.push(Member { key, value }),
                None => {
                    let Shape::Scalar(scalar) = value.shape else {
                        return Err(Problem::at(value.span, "expected a string as key".to_owned()));
                    };
                    self.budget.key(&scalar.text, value.span)?;
                    *key = Some(Key { text: scalar.text, span: value.span });
                }
            },
        }
        Ok(())
    }
}

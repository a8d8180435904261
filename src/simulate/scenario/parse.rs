//! From the text of a file to its tree of values: JSON, TOML and YAML.

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use toml::de::{DeTable, DeValue};

use super::model::Problem;
use super::tree::{Budget, MAX_LEVELS, Member, ScenarioSyntax, Shape, SpannedKey, Style, Value, span_within};
use crate::common::limits::MAX_SMALL_FILE_BYTES;
use crate::document::{Document, Limits, NodeId, NodeKind, SyntaxError, SyntaxErrorKind};
use crate::text::character_length;
use crate::text::source::{BYTE_ORDER_MARK, Span};

/// Parses the content of a file, which is not empty.
pub fn parse(text: &str, syntax: ScenarioSyntax) -> Result<Value, Problem> {
    if text.len() > MAX_SMALL_FILE_BYTES {
        return Err(Problem::at(Span::default(), format!("file larger than {MAX_SMALL_FILE_BYTES} bytes")));
    }
    if text.trim_start_matches(BYTE_ORDER_MARK).trim().is_empty() {
        return Err(empty());
    }
    let root = match syntax {
        ScenarioSyntax::Yaml => parse_yaml(text),
        ScenarioSyntax::Json => parse_json(text),
        ScenarioSyntax::Toml => parse_toml(text),
    }?;
    let is_empty = match &root.shape {
        Shape::Object(members) => members.is_empty(),
        Shape::Array(_) | Shape::Scalar(_) => root.is_null(),
    };
    if is_empty { Err(empty()) } else { Ok(root) }
}

fn empty() -> Problem {
    Problem::at(Span::default(), "empty scenario")
        .with_help("set at least the workflow, such as `workflow: order.workflow.json`")
}

fn parse_json(text: &str) -> Result<Value, Problem> {
    let document = Document::parse(text, Limits { depth: MAX_LEVELS, ..Limits::default() })
        .map_err(|error| explain(text, &error))?;
    convert(&document, document.root(), 0, &mut Budget::default())
}

fn explain(text: &str, error: &SyntaxError) -> Problem {
    let message = match error.kind {
        SyntaxErrorKind::Unexpected(expected) => format!("invalid JSON: expected {expected}"),
        SyntaxErrorKind::BadString(found) => format!("invalid JSON: string with {found}"),
        SyntaxErrorKind::TooDeep => format!("nested deeper than {MAX_LEVELS} levels"),
        SyntaxErrorKind::TooMany(what) => format!("too many {what}"),
    };
    let start = error.offset as usize;
    Problem::at(span_within(text, start, start + character_length(text, start)), message)
}

fn convert(document: &Document, node: NodeId, levels: usize, budget: &mut Budget) -> Result<Value, Problem> {
    let span = document.span(node);
    let style = match document.kind(node) {
        NodeKind::Array => {
            budget.value(0, levels + 1, span)?;
            let values = document.children(node).map(|child| convert(document, child, levels + 1, budget));
            return Ok(Value { shape: Shape::Array(values.collect::<Result<_, _>>()?), span });
        }
        NodeKind::Object => {
            budget.value(0, levels + 1, span)?;
            let members = document.children(node).map(|child| member(document, child, levels + 1, budget));
            return Ok(Value { shape: Shape::Object(members.collect::<Result<_, _>>()?), span });
        }
        NodeKind::String => Style::Quoted,
        NodeKind::Null => Style::Null,
        NodeKind::True | NodeKind::False | NodeKind::Number => Style::Plain,
    };
    let text = document.string(node).unwrap_or_else(|| document.slice(span));
    budget.value(text.len(), levels, span)?;
    Ok(Value::scalar(text, style, span))
}

fn member(document: &Document, node: NodeId, levels: usize, budget: &mut Budget) -> Result<Member, Problem> {
    let (text, span) = (document.key(node).unwrap_or_default(), document.key_span(node).unwrap_or_default());
    budget.key(text, span)?;
    Ok(Member { key: SpannedKey { text: text.into(), span }, value: convert(document, node, levels, budget)? })
}

fn parse_toml(text: &str) -> Result<Value, Problem> {
    let table = DeTable::parse(text).map_err(|error| {
        let range = error.span().unwrap_or_default();
        let reason = error.message().replace('\n', ", ");
        Problem::at(span_within(text, range.start, range.end), format!("invalid TOML: {reason}"))
    })?;
    let span = span_within(text, table.span().start, table.span().end);
    let mut reader = TomlReader { text, budget: Budget::default() };
    reader.table(table.get_ref(), span, 0)
}

struct TomlReader<'t> {
    text: &'t str,
    budget: Budget,
}

impl TomlReader<'_> {
    fn span<T>(&self, spanned: &toml::Spanned<T>) -> Span {
        let range = spanned.span();
        span_within(self.text, range.start, range.end)
    }

    fn value(&mut self, value: &toml::Spanned<DeValue<'_>>, levels: usize) -> Result<Value, Problem> {
        let span = self.span(value);
        let (text, style) = match value.get_ref() {
            DeValue::Table(table) => return self.table(table, span, levels),
            DeValue::Array(values) => {
                self.budget.value(0, levels + 1, span)?;
                let values = values.iter().map(|value| self.value(value, levels + 1));
                return Ok(Value { shape: Shape::Array(values.collect::<Result<_, _>>()?), span });
            }
            DeValue::String(text) => (text.as_ref(), Style::Quoted),
            // As written: `1.10` is not `1.1`, and a time keeps its offset.
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => {
                (self.text.get(span.range()).unwrap_or_default(), Style::Plain)
            }
        };
        self.budget.value(text.len(), levels, span)?;
        Ok(Value::scalar(text, style, span))
    }

    fn table(&mut self, table: &DeTable<'_>, span: Span, levels: usize) -> Result<Value, Problem> {
        self.budget.value(0, levels + 1, span)?;
        let mut members = Vec::with_capacity(table.len());
        for (key, value) in table {
            let key_span = self.span(key);
            self.budget.key(key.get_ref(), key_span)?;
            let key = SpannedKey { text: key.get_ref().as_ref().into(), span: key_span };
            members.push(Member { key, value: self.value(value, levels + 1)? });
        }
        // The library sorts tables by name, but the order of people in the file matters.
        members.sort_by_key(|member| member.key.span.start);
        Ok(Value { shape: Shape::Object(members), span })
    }
}

fn parse_yaml(text: &str) -> Result<Value, Problem> {
    let mut pairs = Vec::new();
    loop {
        let (readable, offsets) = Offsets::with_joined(text, &pairs);
        let known = pairs.len();
        match parse_events(&readable, text, &offsets, &mut pairs) {
            Err(_) if pairs.len() > known => {}
            parsed => return parsed,
        }
    }
}

/// Builds the tree of a text, whose offsets are those of the file. For an escape that the parser refuses, adds the
/// surrogate pairs of its string, as JSON writes characters beyond U+FFFF: elsewhere they are plain text.
fn parse_events(readable: &str, text: &str, offsets: &Offsets<'_>, pairs: &mut Vec<usize>) -> Result<Value, Problem> {
    let mut builder = Builder::new(text);
    for event in Parser::new_from_str(readable) {
        let (event, span) = event.map_err(|error| {
            let offset = offsets.byte(*error.marker());
            if error.info().contains("escape") && pairs.last().is_none_or(|&last| last < offset) {
                pairs.extend(surrogate_pairs(text, offset));
            }
            Problem::at(span_within(text, offset, offset), format!("invalid YAML: {}", error.info()))
        })?;
        let span = offsets.trimmed(offsets.byte(span.start), offsets.byte(span.end));
        builder.take(event, span)?;
    }
    Ok(builder.root.unwrap_or_else(|| Value::scalar("", Style::Null, Span::default())))
}

/// Bytes of an escaped surrogate pair.
const PAIR: usize = 12;

/// The offsets of the escaped surrogate pairs in the string in double quotes that begins at an offset.
fn surrogate_pairs(text: &str, start: usize) -> Vec<usize> {
    let (mut pairs, mut at) = (Vec::new(), start + 1);
    while let Some(rest) = text.get(at..) {
        if character_of_pair(rest).is_some() {
            pairs.push(at);
            at += PAIR;
        } else if rest.starts_with('\\') {
            at += 1 + character_length(text, at + 1);
        } else if rest.is_empty() || rest.starts_with('"') {
            break;
        } else {
            at += character_length(text, at);
        }
    }
    pairs
}

/// The character whose escaped surrogate pair a text begins with.
fn character_of_pair(text: &str) -> Option<char> {
    let unit = |at: usize| {
        let digits = text.get(at..at + PAIR / 2)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))
    };
    char::decode_utf16([unit(0)?, unit(PAIR / 2)?]).next()?.ok().filter(|character| character.len_utf16() == 2)
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
    /// A text without its byte-order mark and with these surrogate pairs, at offsets of the file, each as one escape.
    fn with_joined(text: &'t str, pairs: &[usize]) -> (Cow<'t, str>, Self) {
        let content = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mark = text.len() - content.len();
        if pairs.is_empty() && content.is_ascii() {
            return (content.into(), Self { text, mark, bytes: Vec::new() });
        }
        let (mut readable, mut bytes, mut at) = (String::with_capacity(content.len()), Vec::new(), 0);
        for end in pairs.iter().map(|pair| pair - mark).chain([content.len()]) {
            let before = content.get(at..end).unwrap_or_default();
            bytes.extend(before.char_indices().map(|(inside, _)| u32::try_from(at + inside).unwrap_or(u32::MAX)));
            readable.push_str(before);
            if let Some(character) = content.get(end..).and_then(character_of_pair).filter(|_| end < content.len()) {
                let escape = format!("\\U{:08x}", u32::from(character));
                bytes.extend((end..).take(escape.len()).map(|offset| u32::try_from(offset).unwrap_or(u32::MAX)));
                readable.push_str(&escape);
            }
            at = end + PAIR;
        }
        (readable.into(), Self { text, mark, bytes })
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
    Object(Vec<Member>, Option<SpannedKey>),
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
            (ScalarStyle::Plain, "" | "~" | "null" | "Null" | "NULL") => Style::Null,
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
                    *key = Some(SpannedKey { text: scalar.text, span: value.span });
                }
            },
        }
        Ok(())
    }
}

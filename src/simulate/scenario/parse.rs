//! From the text of a file to its tree of values: JSON and TOML here, YAML in a file of its own.

use toml::de::{DeTable, DeValue};

use super::model::Problem;
use super::tree::{Budget, Key, MAX_LEVELS, Member, ScenarioSyntax, Shape, Style, Value, span_within};
use super::yaml;
use crate::document::{Document, Limits, NodeId, NodeKind, SyntaxError, SyntaxErrorKind};
use crate::limits::MAX_SMALL_FILE_BYTES;
use crate::source::{BYTE_ORDER_MARK, Span};
use crate::text::character_length;

/// Parses the content of a file, which is not empty.
pub fn parse(text: &str, syntax: ScenarioSyntax) -> Result<Value, Problem> {
    if text.len() > MAX_SMALL_FILE_BYTES {
        return Err(Problem::at(Span::default(), format!("file larger than {MAX_SMALL_FILE_BYTES} bytes")));
    }
    if text.trim_start_matches(BYTE_ORDER_MARK).trim().is_empty() {
        return Err(empty());
    }
    let root = match syntax {
        ScenarioSyntax::Yaml => yaml::parse(text),
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
    Ok(Member { key: Key { text: text.into(), span }, value: convert(document, node, levels, budget)? })
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
            let key = Key { text: key.get_ref().as_ref().into(), span: key_span };
            members.push(Member { key, value: self.value(value, levels + 1)? });
        }
        // The library sorts tables by name, but the order of people in the file matters.
        members.sort_by_key(|member| member.key.span.start);
        Ok(Value { shape: Shape::Object(members), span })
    }
}

//! Scenarios in JSON.

use super::budget::{Budget, MAX_LEVELS};
use super::tree::{Key, Member, Shape, Style, Value, span_within};
use crate::document::{Document, Limits, NodeId, NodeKind, SyntaxError, SyntaxErrorKind};
use crate::simulate::scenario::location::Problem;
use crate::text::character_length;

pub fn parse(text: &str) -> Result<Value, Problem> {
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

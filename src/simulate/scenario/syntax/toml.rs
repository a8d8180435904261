//! Scenarios in TOML.

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::budget::Budget;
use super::tree::{Key, Member, Shape, Style, Value, span_within};
use crate::simulate::scenario::location::Problem;
use crate::source::Span;

pub fn parse(text: &str) -> Result<Value, Problem> {
    let table = DeTable::parse(text).map_err(|error| {
        let range = error.span().unwrap_or_default();
        let reason = error.message().replace('\n', ", ");
        Problem::at(span_within(text, range.start, range.end), format!("invalid TOML: {reason}"))
    })?;
    let span = span_within(text, table.span().start, table.span().end);
    let mut reader = Reader { text, budget: Budget::default() };
    reader.table(table.get_ref(), span, 0)
}

struct Reader<'t> {
    text: &'t str,
    budget: Budget,
}

impl Reader<'_> {
    fn span<T>(&self, spanned: &Spanned<T>) -> Span {
        let range = spanned.span();
        span_within(self.text, range.start, range.end)
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, levels: usize) -> Result<Value, Problem> {
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

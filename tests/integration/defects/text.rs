//! JSON text with the place of every value: a parser of its own, so that the ranges of findings are
//! checked independently of the linter.

use std::ops::Range;

/// A value and its place.
#[derive(Debug)]
pub struct Value {
    pub kind: Kind,
    /// Its bytes, quotes and brackets included.
    pub span: Range<usize>,
    /// Keys with their values, or elements.
    pub children: Vec<Child>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Object,
    Array,
    Scalar,
}

/// A member of an object or an element of an array.
#[derive(Debug)]
pub struct Child {
    /// The key, and its bytes with the quotes; empty for an element.
    pub name: String,
    pub name_span: Range<usize>,
    pub value: Value,
}

impl Child {
    /// The start of the key, or of the element.
    pub fn start(&self) -> usize {
        if self.name_span.is_empty() { self.value.span.start } else { self.name_span.start }
    }
}

impl Value {
    /// The value of a key; of duplicates the last, which counts.
    pub fn member(&self, name: &str) -> Option<&Value> {
        let is_member = |child: &&Child| self.kind == Kind::Object && child.name == name;
        self.children.iter().rfind(is_member).map(|child| &child.value)
    }

    /// The usual bytes of a finding at this value: a scalar itself; the bracket of an array; the left operand of an
    /// expression; of another object its `name`, its variable if it is bound, its `value`, or its first member's.
    pub fn usual_range(&self, text: &str) -> Range<usize> {
        let (first, scalar) = match (self.kind, self.children.first()) {
            (Kind::Object, Some(first)) => {
                (first, |name: &str| self.member(name).filter(|member| member.kind == Kind::Scalar))
            }
            (Kind::Array, _) => return self.span.start..self.span.start + 1,
            _ => return self.span.clone(),
        };
        if let Some(left) = self.member("left").filter(|_| self.member("operand").is_some()) {
            return left.usual_range(text);
        }
        let is = |name: &str, json: &str| scalar(name).map(|member| &text[member.span.clone()] == json);
        let is_bound = is("state", "\"bound\"").or(is("isBound", "true"));
        let is_named = is("boundTo", "\"\"") == Some(false);
        let variable = scalar("boundTo").filter(|_| is_bound.unwrap_or(is_named));
        let shown = scalar("name").or(variable).or_else(|| scalar("value"));
        shown.unwrap_or(&first.value).usual_range(text)
    }
}

/// The characters of a string; `None` for any other value.
pub fn string(text: &str, span: &Range<usize>) -> Option<String> {
    serde_json::from_str(&text[span.clone()]).ok()
}

/// Parses JSON, with or without a byte-order mark.
pub fn parse(text: &str) -> Result<Value, String> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut reader = Reader { text, at: start };
    let value = reader.value()?;
    reader.skip_space();
    if reader.at == text.len() { Ok(value) } else { Err(reader.unexpected()) }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value, String> {
        let start = self.next_token();
        let (kind, children) = match self.text.as_bytes().get(start) {
            Some(b'{') => (Kind::Object, self.children(b'}', Self::member)?),
            Some(b'[') => (Kind::Array, self.children(b']', Self::element)?),
            _ => {
                self.scalar()?;
                (Kind::Scalar, Vec::new())
            }
        };
        Ok(Value { kind, span: start..self.at, children })
    }

    fn children(&mut self, close: u8, read: impl Fn(&mut Self) -> Result<Child, String>) -> Result<Vec<Child>, String> {
        let mut children = Vec::new();
        self.at += 1;
        while !self.accept(close) {
            if !children.is_empty() && !self.accept(b',') {
                return Err(self.unexpected());
            }
            children.push(read(self)?);
        }
        Ok(children)
    }

    fn member(&mut self) -> Result<Child, String> {
        let start = self.next_token();
        self.scalar()?;
        let name_span = start..self.at;
        let name = string(self.text, &name_span).ok_or_else(|| self.unexpected())?;
        if !self.accept(b':') {
            return Err(self.unexpected());
        }
        Ok(Child { name, name_span, value: self.value()? })
    }

    fn element(&mut self) -> Result<Child, String> {
        Ok(Child { name: String::new(), name_span: 0..0, value: self.value()? })
    }

    /// Skips a string, number, boolean or null.
    fn scalar(&mut self) -> Result<(), String> {
        let rest = &self.text[self.at..];
        let end = if rest.starts_with('"') {
            let escaped = |at: usize| rest[..at].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
            let quote = rest.match_indices('"').skip(1).find(|&(at, _)| !escaped(at));
            quote.map(|(at, _)| at + 1)
        } else {
            rest.find(|char: char| char.is_ascii_whitespace() || ",:]}".contains(char)).or(Some(rest.len()))
        };
        match end.filter(|&end| serde_json::from_str::<serde_json::Value>(&rest[..end]).is_ok()) {
            Some(end) => self.at += end,
            None => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn next_token(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.text.as_bytes().get(self.next_token()) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn unexpected(&self) -> String {
        let rest: String = self.text[self.at..].chars().take(20).collect();
        format!("no JSON at byte {}: {rest:?}", self.at)
    }
}

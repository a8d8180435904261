//! RFC 4515 §3: the grammar of search filters.

use std::ops::Range;

use super::assertion::{Assertion, Rule, Substrings};
use super::attribute::{self, Description};
use super::evaluate::{Item, Node, Test};
use super::filter::{DEEPEST, FilterError};
use crate::text::{quote, truncate};

pub struct Parser<'t> {
    text: &'t str,
    /// The byte that is read next; on a border of characters.
    at: usize,
}

type Parsed<T> = Result<T, FilterError>;

impl<'t> Parser<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The whole text as one filter.
    pub(super) fn parse(mut self) -> Parsed<Node> {
        self.check_beginning()?;
        let root = self.filter(1)?;
        self.check_end()?;
        Ok(root)
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    /// The next characters up to one of these, or to the end.
    fn until(&mut self, ends: &[char]) -> &'t str {
        let rest = self.rest();
        let found = rest.find(ends).and_then(|length| rest.get(..length)).unwrap_or(rest);
        self.at += found.len();
        found
    }

    fn check_beginning(&self) -> Parsed<()> {
        match self.peek() {
            Some('(') => Ok(()),
            None => Err(error(0..0, "the filter is empty; `(objectClass=*)` finds every entry")),
            Some(blank) if blank.is_whitespace() => Err(self.blank("before the filter's `(`")),
            Some(_) => {
                let all = 0..self.text.len();
                Err(error(
                    all,
                    format!("a filter stands in parentheses: {}", quote(&format!("({})", self.text.trim_end()))),
                ))
            }
        }
    }

    fn check_end(&self) -> Parsed<()> {
        let after = self.at..self.text.len();
        match self.peek() {
            None => Ok(()),
            Some(blank) if blank.is_whitespace() && self.rest().trim().is_empty() => {
                Err(error(after, "a blank may not stand after the filter's last `)`; remove it"))
            }
            Some(')') => Err(error(self.at..self.at + 1, "there is no `(` for this `)`")),
            Some(_) => Err(error(
                after,
                "the filter ends before this; to join filters, put them into `(&…)` for all or `(|…)` for any of them",
            )),
        }
    }

    /// `filter = "(" filtercomp ")"`
    fn filter(&mut self, depth: usize) -> Parsed<Node> {
        let open = self.at;
        if depth > DEEPEST {
            let found = error(open..open + 1, format!("filters are nested more than {DEEPEST} levels here"));
            return Err(FilterError { is_too_deep: true, ..found });
        }
        self.at += 1;
        let node = match self.peek() {
            Some('&') => Node::And(self.list(depth)?),
            Some('|') => Node::Or(self.list(depth)?),
            Some('!') => self.negation(depth)?,
            Some(')') => {
                let message = "`()` is no filter; `(&)` is true of every entry, `(|)` of none";
                return Err(error(open..self.at + 1, message));
            }
            Some('(') => {
                let message = "a `(` directly after another; write `(&(…)(…))` for all, `(|(…)(…))` for any of them";
                return Err(error(open..self.at + 1, message));
            }
            Some(blank) if blank.is_whitespace() => return Err(self.blank("after `(`")),
            Some(_) => Node::Item(Box::new(self.item(open)?)),
            None => return Err(self.missing_end(open)),
        };
        match self.peek() {
            Some(')') => self.at += 1,
            None => return Err(self.missing_end(open)),
            Some(blank) if blank.is_whitespace() => return Err(self.blank("between filters")),
            Some('(') => return Err(error(self.at..self.at + 1, "`!` takes one filter; join several by `(&…)`")),
            Some(other) => {
                let message = format!("`{other}` is no filter, which would stand in parentheses here");
                return Err(error(self.at..self.at + other.len_utf8(), message));
            }
        }
        Ok(node)
    }

    /// `and = "&" *filter`, `or = "|" *filter`
    fn list(&mut self, depth: usize) -> Parsed<Vec<Node>> {
        self.at += 1;
        let mut filters = Vec::new();
        while self.peek() == Some('(') {
            filters.push(self.filter(depth + 1)?);
        }
        Ok(filters)
    }

    /// `not = "!" filter`
    fn negation(&mut self, depth: usize) -> Parsed<Node> {
        let sign = self.at;
        self.at += 1;
        match self.peek() {
            Some('(') => Ok(Node::Not(Box::new(self.filter(depth + 1)?))),
            Some(blank) if blank.is_whitespace() => Err(self.blank("after `!`")),
            _ => Err(error(sign..self.at, "`!` stands before a filter in parentheses: `(!(mail=*))`")),
        }
    }

    /// `item = simple / present / substring / extensible`; `open` is where its `(` is.
    fn item(&mut self, open: usize) -> Parsed<Item> {
        let start = self.at;
        let name = self.until(&['=', '<', '>', '~', ':', '(', ')']);
        let after = self.at..self.at + 1;
        let operator = self.peek();
        if operator == Some(':') {
            let attribute = if name.is_empty() { None } else { Some(Self::attribute(start, name)?) };
            return self.extensible(open, attribute);
        }
        if matches!(operator, Some('(' | ')')) {
            Self::attribute(start, name)?;
            let message = format!("`{0}` lacks a comparison; `({0}=*)` finds entries that have it", truncate(name, 60));
            return Err(error(start..self.at, message));
        }
        let Some(operator) = operator else {
            return Err(self.missing_end(open));
        };
        let attribute = Self::attribute(start, name)?;
        self.at += 1;
        if operator != '=' && !self.eat('=') {
            return Err(error(after, format!("`{operator}` alone is no comparison; write `{operator}=`")));
        }
        let test = match operator {
            '=' => Self::equality(self.value(open, true)?),
            '>' => Test::AtLeast(self.assertion(open)?),
            '<' => Test::AtMost(self.assertion(open)?),
            _ => Test::Equal(self.assertion(open)?),
        };
        Ok(Item { attribute: Some(attribute), with_name: false, test })
    }

    /// What a value with these parts between its `*` asks for.
    fn equality(mut parts: Vec<Vec<u8>>) -> Test {
        if parts.len() > 1 {
            if parts.iter().all(Vec::is_empty) { Test::Present } else { Test::Substrings(Substrings::new(&parts)) }
        } else {
            Test::Equal(Assertion::new(parts.pop().unwrap_or_default()))
        }
    }

    /// `extensible = [attr] [dnattrs] [matchingrule] ":=" assertionvalue`, from its first `:` on.
    fn extensible(&mut self, open: usize, attribute: Option<Description>) -> Parsed<Item> {
        let mut with_name = false;
        let mut rule = None;
        while self.eat(':') {
            if self.eat('=') {
                if attribute.is_none() && rule.is_none() {
                    return Err(error(open + 1..self.at, "an attribute or a matching rule stands before `:=`"));
                }
                let assertion = self.assertion(open)?;
                let test = match rule {
                    Some(rule) => Test::Rule(rule, assertion),
                    None => Test::Equal(assertion),
                };
                return Ok(Item { attribute, with_name, test });
            }
            let start = self.at;
            let part = self.until(&['=', ':', '(', ')']);
            if rule.is_some() {
                return Err(error(start..self.at, "`:=` stands after the matching rule"));
            } else if part.eq_ignore_ascii_case("dn") && !with_name {
                with_name = true;
            } else if attribute::is_object_identifier(part) {
                rule = Some(Rule::named(part));
            } else {
                let message = format!("{} is no name of a matching rule, and no object identifier", quote(part));
                return Err(error(start..self.at, message));
            }
        }
        if self.peek().is_none() {
            return Err(self.missing_end(open));
        }
        Err(error(self.at..self.at + 1, "`:=` stands before the value when a `:` stands before it"))
    }

    fn attribute(start: usize, name: &str) -> Parsed<Description> {
        Description::parse(name).ok_or_else(|| {
            let span = start..start + name.len();
            let trimmed = name.trim();
            let message = if trimmed.is_empty() {
                "the name of an attribute is missing before this comparison".to_owned()
            } else if Description::parse(trimmed).is_some() {
                format!("a blank may not stand beside the attribute {}; remove it", quote(trimmed))
            } else {
                format!("{} is no attribute, whose name has letters, digits and `-` only", quote(name))
            };
            let span = if name.is_empty() { start..start + 1 } else { span };
            error(span, message)
        })
    }

    fn assertion(&mut self, open: usize) -> Parsed<Assertion> {
        let mut parts = self.value(open, false)?;
        Ok(Assertion::new(parts.pop().unwrap_or_default()))
    }

    /// `assertionvalue`, up to its `)`: one part more than there are `*`.
    fn value(&mut self, open: usize, stars: bool) -> Parsed<Vec<Vec<u8>>> {
        let mut parts = Vec::new();
        let mut part = Vec::new();
        loop {
            let run = self.until(&['\\', '*', '(', ')', '\0']);
            part.extend_from_slice(run.as_bytes());
            let at = self.at..self.at + 1;
            match self.peek() {
                Some(')') => {
                    parts.push(part);
                    return Ok(parts);
                }
                Some('\\') => part.push(self.escape(open)?),
                Some('*') if stars => {
                    self.at += 1;
                    parts.push(std::mem::take(&mut part));
                }
                Some('*') => return Err(error(at, "`*` finds parts of values only after `=`; else write `\\2a`")),
                Some('(') => {
                    let message = "a `)` is missing before this `(`; a `(` in a value is written `\\28`";
                    return Err(error(at, message));
                }
                Some(_) => return Err(error(at, "a NUL in a value is written `\\00`")),
                None => return Err(self.missing_end(open)),
            }
        }
    }

    /// `escaped = ESC HEX HEX`
    fn escape(&mut self, open: usize) -> Parsed<u8> {
        let start = self.at;
        let mut characters = self.rest().chars().skip(1);
        let mut digits = 0;
        let mut byte = 0;
        while digits < 2 {
            let Some(character) = characters.next() else { return Err(self.missing_end(open)) };
            let Some(digit) = character.to_digit(16).and_then(|digit| u8::try_from(digit).ok()) else {
                let wrong = if character == ')' { 0 } else { character.len_utf8() };
                let message = "a `\\` stands before two hexadecimal digits; a `\\` itself is written `\\5c`";
                return Err(error(start..start + 1 + digits + wrong, message));
            };
            byte = byte * 16 + digit;
            digits += 1;
        }
        self.at += 3;
        Ok(byte)
    }

    fn missing_end(&self, open: usize) -> FilterError {
        let column = self.text.get(..open).unwrap_or_default().chars().count() + 1;
        let end = self.text.len();
        error(end..end, format!("`)` is missing for the `(` at column {column}"))
    }

    /// The error about blanks that are next.
    fn blank(&self, place: &str) -> FilterError {
        let rest = self.rest();
        let span = self.at..self.at + rest.len() - rest.trim_start().len();
        error(span, format!("a blank may not stand {place}; remove it"))
    }
}

fn error(span: Range<usize>, message: impl Into<String>) -> FilterError {
    FilterError { span, message: message.into(), is_too_deep: false }
}

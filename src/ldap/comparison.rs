//! RFC 4515 §3, `item`: one comparison of an attribute with a value.

use super::assertion::{Assertion, MatchingRule, Substrings};
use super::attribute::{self, Description};
use super::cursor::{Cursor, Parsed, error};
use super::filter::{Item, Test};
use crate::text::{MAX_NAME, quote, truncate};

impl Cursor<'_> {
    /// `item = simple / present / substring / extensible`; `open` is where its `(` is.
    pub fn item(&mut self, open: usize) -> Parsed<Item> {
        let start = self.at;
        let name = self.until(&['=', '<', '>', '~', ':', '(', ')']);
        let after = self.at..self.at + 1;
        let operator = self.peek();
        if operator == Some(':') {
            let attribute = if name.is_empty() { None } else { Some(attribute_at(start, name)?) };
            return self.extensible(open, attribute);
        }
        if matches!(operator, Some('(' | ')')) {
            attribute_at(start, name)?;
            let name = truncate(name, MAX_NAME);
            let found = error(start..self.at, format!("missing comparison after `{name}`"));
            return Err(found.with_help(format!("write `({name}=*)` for entries that have the attribute")));
        }
        let Some(operator) = operator else {
            return Err(self.missing_end(open));
        };
        let attribute = attribute_at(start, name)?;
        self.at += 1;
        if operator != '=' && !self.accept('=') {
            return Err(error(after, format!("expected `=` after `{operator}`")));
        }
        let test = match operator {
            '=' => equality(self.value(open, true)?),
            '>' => Test::AtLeast(self.assertion(open)?),
            '<' => Test::AtMost(self.assertion(open)?),
            _ => Test::Equal(self.assertion(open)?),
        };
        Ok(Item { attribute: Some(attribute), with_name: false, test })
    }

    /// `extensible = [attr] [dnattrs] [matchingrule] ":=" assertionvalue`, from its first `:` on.
    fn extensible(&mut self, open: usize, attribute: Option<Description>) -> Parsed<Item> {
        let mut with_name = false;
        let mut rule = None;
        while self.accept(':') {
            if self.accept('=') {
                if attribute.is_none() && rule.is_none() {
                    return Err(error(open + 1..self.at, "missing attribute or matching rule before `:=`"));
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
                return Err(error(start..self.at, "expected `:=` after the matching rule"));
            } else if part.eq_ignore_ascii_case("dn") && !with_name {
                with_name = true;
            } else if attribute::is_object_identifier(part) {
                rule = Some(MatchingRule::named(part));
            } else {
                let found = error(start..self.at, format!("invalid matching rule {}", quote(part)));
                return Err(found.with_help("use a name or an object identifier"));
            }
        }
        if self.peek().is_none() {
            return Err(self.missing_end(open));
        }
        Err(error(self.at..self.at + 1, "expected `:=` before the value"))
    }
}

/// The test for a value of `=`, given the parts between its `*`.
fn equality(mut parts: Vec<Vec<u8>>) -> Test {
    if parts.len() > 1 {
        if parts.iter().all(Vec::is_empty) { Test::Present } else { Test::Substrings(Substrings::new(&parts)) }
    } else {
        Test::Equal(Assertion::new(parts.pop().unwrap_or_default()))
    }
}

fn attribute_at(start: usize, name: &str) -> Parsed<Description> {
    Description::parse(name).ok_or_else(|| {
        let span = start..start + name.len();
        let trimmed = name.trim();
        if trimmed.is_empty() {
            let span = if name.is_empty() { start..start + 1 } else { span };
            error(span, "missing attribute before the comparison")
        } else if Description::parse(trimmed).is_some() {
            error(span, format!("unexpected white space next to attribute {}", quote(trimmed))).with_help("remove it")
        } else {
            let help = "use only letters, digits and `-`";
            error(span, format!("invalid attribute {}", quote(name))).with_help(help)
        }
    })
}

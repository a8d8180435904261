//! Parses one comparison of a search filter, such as `mail=*@example.com` (RFC 4515 §3).

use std::ops::Range;

use super::tree::{FilterError, Item, Test};
use crate::ldap::attribute::{self, Description};
use crate::ldap::dn::Dn;
use crate::ldap::matching::{Assertion, MatchingRule, Substrings};
use crate::text::{MAX_NAME, quote, truncate};

pub(super) type Parsed<T> = Result<T, FilterError>;

/// The text of a filter and the place that is read next.
pub(super) struct Cursor<'t> {
    pub text: &'t str,
    /// The byte that is read next; always on a character boundary.
    pub at: usize,
    pub chains: Vec<(Description, Dn)>,
    pub lenient: Vec<FilterError>,
    pub unmatched: Vec<FilterError>,
}

impl<'t> Cursor<'t> {
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn accept(&mut self, expected: char) -> bool {
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

    pub fn missing_end(&self, open: usize) -> FilterError {
        let column = self.text.get(..open).unwrap_or_default().chars().count() + 1;
        let end = self.text.len();
        FilterError::new(end..end, format!("missing `)` for the `(` at column {column}"))
    }

    /// Skips white space and line ends, which Active Directory accepts around filters.
    pub fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }
}

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
            let found = FilterError::new(start..self.at, format!("missing comparison after `{name}`"));
            return Err(found.with_help(format!("write `({name}=*)` for entries that have the attribute")));
        }
        let Some(operator) = operator else {
            return Err(self.missing_end(open));
        };
        let attribute = attribute_at(start, name)?;
        self.at += 1;
        if operator != '=' && !self.accept('=') {
            return Err(FilterError::new(after, format!("expected `=` after `{operator}`")));
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
                    return Err(FilterError::new(open + 1..self.at, "missing attribute or matching rule before `:=`"));
                }
                let start = self.at;
                let assertion = self.assertion(open)?;
                let test = match rule {
                    Some(name) => self.rule_test(attribute.as_ref(), name, assertion, start..self.at),
                    None => Test::Equal(assertion),
                };
                return Ok(Item { attribute, with_name, test });
            }
            let start = self.at;
            let part = self.until(&['=', ':', '(', ')']);
            if rule.is_some() {
                return Err(FilterError::new(start..self.at, "expected `:=` after the matching rule"));
            } else if part.eq_ignore_ascii_case("dn") && !with_name {
                with_name = true;
            } else if attribute::is_object_identifier(part) {
                rule = Some(start..self.at);
            } else {
                let found = FilterError::new(start..self.at, format!("invalid matching rule {}", quote(part)));
                return Err(found.with_help("use a name or an object identifier"));
            }
        }
        if self.peek().is_none() {
            return Err(self.missing_end(open));
        }
        Err(FilterError::new(self.at..self.at + 1, "expected `:=` before the value"))
    }

    /// A comparison by the rule whose name, and the value, are at these places.
    fn rule_test(
        &mut self,
        attribute: Option<&Description>,
        name: Range<usize>,
        assertion: Assertion,
        value: Range<usize>,
    ) -> Test {
        let written = self.text.get(name.clone()).unwrap_or_default();
        let rule = MatchingRule::named(written);
        let written = quote(written);
        let found = match (rule.expected(), attribute) {
            (None, _) => {
                let help = "use a rule that the directory documents, such as `1.2.840.113556.1.4.803`";
                Some(FilterError::new(name, format!("unknown matching rule {written}")).with_help(help))
            }
            (Some(_), None) if rule == MatchingRule::InChain => {
                let found = FilterError::new(name, format!("missing attribute before matching rule {written}"));
                Some(found.with_help("write the attribute before the rule"))
            }
            (Some(expected), _) => (!assertion.is_valid_for(rule)).then(|| {
                FilterError::new(value, format!("expected {expected} after matching rule {written}"))
                    .with_help("correct the value")
            }),
        };
        if let (MatchingRule::InChain, Some(attribute), Some(name)) = (rule, attribute, assertion.name()) {
            self.chains.push((attribute.clone(), name.clone()));
            return Test::InChain(self.chains.len() - 1, assertion);
        }
        self.unmatched.extend(found);
        Test::Rule(rule, assertion)
    }

    fn assertion(&mut self, open: usize) -> Parsed<Assertion> {
        let mut parts = self.value(open, false)?;
        Ok(Assertion::new(parts.pop().unwrap_or_default()))
    }

    /// `assertionvalue` up to its `)`, split at every `*`.
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
                Some('*') => {
                    let help = "write a literal `*` as `\\2a`; a wildcard is possible only after `=`";
                    return Err(FilterError::new(at, "invalid wildcard `*`").with_help(help));
                }
                Some('(') => {
                    return Err(
                        FilterError::new(at, "missing `)` before `(`").with_help("write a literal `(` as `\\28`")
                    );
                }
                Some(_) => return Err(FilterError::new(at, "invalid NUL character").with_help("write it as `\\00`")),
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
                let found =
                    FilterError::new(start..start + 1 + digits + wrong, "expected two hexadecimal digits after `\\`");
                return Err(found.with_help("write a literal `\\` as `\\5c`"));
            };
            byte = byte * 16 + digit;
            digits += 1;
        }
        self.at += 3;
        Ok(byte)
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
            FilterError::new(span, "missing attribute before the comparison")
        } else if Description::parse(trimmed).is_some() {
            FilterError::new(span, format!("unexpected white space next to attribute {}", quote(trimmed)))
                .with_help("remove it")
        } else {
            let help = "use only letters, digits and `-`";
            FilterError::new(span, format!("invalid attribute {}", quote(name))).with_help(help)
        }
    })
}

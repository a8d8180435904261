//! Search filters (RFC 4515 §3): the syntax tree, and its parser.

use std::fmt;
use std::ops::Range;

use super::attribute::{self, Description};
use super::dn::Dn;
use super::matching::{Assertion, MatchingRule, Substrings};
use crate::text::{MAX_NAME, quote, truncate};

/// How deeply parentheses may be nested; the RFCs set no limit.
pub const MAX_DEPTH: usize = 64;

/// How long a filter may be, in bytes. Its tree takes a multiple of that.
pub const MAX_BYTES: usize = 1 << 20;

/// A parsed search filter.
#[derive(Debug, Clone)]
pub struct Filter {
    pub(super) root: Node,
    /// The attributes and names of comparisons in chains, by number.
    pub(super) chains: Vec<(Description, Dn)>,
    /// What Active Directory accepts, and other directories may not.
    pub lenient: Vec<FilterError>,
    /// Comparisons that never match, because their rule is unknown or does not apply.
    pub unmatched: Vec<FilterError>,
}

/// A part of a filter, nested at most [`MAX_DEPTH`] levels.
#[derive(Debug, Clone)]
pub(super) enum Node {
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
    Item(Box<Item>),
}

/// One comparison.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The attribute; `None` for a matching rule that is applied to all attributes.
    pub attribute: Option<Description>,
    /// `:dn`: the attributes in the entry's distinguished name count as well.
    pub with_name: bool,
    pub test: Test,
}

/// What a value is compared with.
#[derive(Debug, Clone)]
pub(super) enum Test {
    Present,
    Equal(Assertion),
    Substrings(Substrings),
    AtLeast(Assertion),
    AtMost(Assertion),
    Rule(MatchingRule, Assertion),
    /// The name is reached by following the attribute from entry to entry (MS-ADTS §3.1.1.3.4.4.3); the number of the
    /// chain.
    InChain(usize, Assertion),
}

/// Why a string, or a part of it, is not a search filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterError {
    /// The wrong part, in bytes on character boundaries; empty at the end of the text if something is
    /// missing there.
    pub span: Range<usize>,
    /// What is wrong. Columns count characters from 1.
    pub message: String,
    /// What to write instead, if that is clear.
    pub help: Option<String>,
    /// The text may be a filter, but is longer than [`MAX_BYTES`] or nested more than [`MAX_DEPTH`] levels.
    pub exceeds_limit: bool,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

type Parsed<T> = Result<T, FilterError>;

/// The text of a filter and the place that is read next.
struct Cursor<'t> {
    text: &'t str,
    /// The byte that is read next; always on a character boundary.
    at: usize,
    chains: Vec<(Description, Dn)>,
    lenient: Vec<FilterError>,
    unmatched: Vec<FilterError>,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
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

    fn missing_end(&self, open: usize) -> FilterError {
        let column = self.text.get(..open).unwrap_or_default().chars().count() + 1;
        let end = self.text.len();
        error(end..end, format!("missing `)` for the `(` at column {column}"))
    }

    /// Skips white space and line ends, which Active Directory accepts around filters.
    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }
}

fn error(span: Range<usize>, message: impl Into<String>) -> FilterError {
    FilterError { span, message: message.into(), help: None, exceeds_limit: false }
}

impl FilterError {
    fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl Filter {
    /// Parses a filter (RFC 4515 §3); `(&)` is always true and `(|)` always false (RFC 4526).
    ///
    /// # Errors
    /// The text is not a filter, is longer than [`MAX_BYTES`], or is nested more than [`MAX_DEPTH`] levels. White
    /// space around filters is skipped, as Active Directory does; missing parentheses are an error, but after `!`.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        if text.len() > MAX_BYTES {
            let found = error(0..text.len(), format!("filter longer than {} MiB", MAX_BYTES >> 20));
            return Err(FilterError { exceeds_limit: true, ..found });
        }
        let (chains, lenient, unmatched) = Default::default();
        let mut cursor = Cursor { text, at: 0, chains, lenient, unmatched };
        cursor.skip_space();
        cursor.check_beginning()?;
        let root = cursor.filter(1)?;
        cursor.skip_space();
        cursor.check_end()?;
        Ok(Self { root, chains: cursor.chains, lenient: cursor.lenient, unmatched: cursor.unmatched })
    }
}

impl Cursor<'_> {
    fn check_beginning(&self) -> Parsed<()> {
        match self.peek() {
            Some('(') => Ok(()),
            None => Err(error(0..0, "empty filter").with_help("write `(objectClass=*)` to match all entries")),
            Some(_) => {
                let bare = self.rest().trim_end();
                let example = quote(&format!("({bare})"));
                let message = format!("missing parentheses around the filter, as in {example}");
                Err(error(self.at..self.at + bare.len(), message))
            }
        }
    }

    fn check_end(&self) -> Parsed<()> {
        let after = self.at..self.text.len();
        match self.peek() {
            None => Ok(()),
            Some(')') => Err(error(self.at..self.at + 1, "unmatched `)`")),
            Some(_) => {
                let help = "combine filters with `(&…)` for all or `(|…)` for any of them";
                Err(error(after, "unexpected text after the filter").with_help(help))
            }
        }
    }

    /// `filter = "(" filtercomp ")"`
    fn filter(&mut self, depth: usize) -> Parsed<Node> {
        let open = self.at;
        if depth > MAX_DEPTH {
            let found = error(open..open + 1, format!("filter nested deeper than {MAX_DEPTH} levels"));
            return Err(FilterError { exceeds_limit: true, ..found });
        }
        self.at += 1;
        self.skip_space();
        let node = match self.peek() {
            Some('&') => Node::And(self.list(depth)?),
            Some('|') => Node::Or(self.list(depth)?),
            Some('!') => self.negation(open, depth)?,
            Some(')') => {
                let help = "write `(&)` to match all entries, or `(|)` to match none";
                return Err(error(open..self.at + 1, "empty filter `()`").with_help(help));
            }
            Some('(') => {
                let help = "write `(&(…)(…))` for all or `(|(…)(…))` for any of the filters";
                return Err(error(open..self.at + 1, "unexpected `(` after `(`").with_help(help));
            }
            Some(_) => Node::Item(Box::new(self.item(open)?)),
            None => return Err(self.missing_end(open)),
        };
        self.skip_space();
        match self.peek() {
            Some(')') => self.at += 1,
            None => return Err(self.missing_end(open)),
            Some('(') => {
                let found = error(self.at..self.at + 1, "more than one filter after `!`");
                return Err(found.with_help("combine them with `(&…)`"));
            }
            Some(other) => {
                let message = format!("expected `(` or `)`, found `{other}`");
                return Err(error(self.at..self.at + other.len_utf8(), message));
            }
        }
        Ok(node)
    }

    /// `and = "&" *filter`, `or = "|" *filter`
    fn list(&mut self, depth: usize) -> Parsed<Vec<Node>> {
        self.at += 1;
        self.skip_space();
        let mut filters = Vec::new();
        while self.peek() == Some('(') {
            filters.push(self.filter(depth + 1)?);
            self.skip_space();
        }
        Ok(filters)
    }

    /// `not = "!" filter`; Active Directory takes a comparison without parentheses as well.
    fn negation(&mut self, open: usize, depth: usize) -> Parsed<Node> {
        let sign = self.at;
        self.at += 1;
        self.skip_space();
        let start = self.at;
        match self.peek() {
            Some('(') => Ok(Node::Not(Box::new(self.filter(depth + 1)?))),
            Some(first) if !matches!(first, ')' | '&' | '|' | '!') => {
                let item = self.item(open)?;
                let negated = truncate(self.text.get(start..self.at).unwrap_or_default(), MAX_NAME);
                let found = error(sign..self.at, "missing parentheses after `!`, which only some directories accept");
                self.lenient.push(found.with_help(format!("write `(!({negated}))`")));
                Ok(Node::Not(Box::new(Node::Item(Box::new(item)))))
            }
            _ => Err(error(sign..sign + 1, "expected `(` after `!`, as in `(!(mail=*))`")),
        }
    }
}

impl Cursor<'_> {
    /// `item = simple / present / substring / extensible`; `open` is where its `(` is.
    fn item(&mut self, open: usize) -> Parsed<Item> {
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
                return Err(error(start..self.at, "expected `:=` after the matching rule"));
            } else if part.eq_ignore_ascii_case("dn") && !with_name {
                with_name = true;
            } else if attribute::is_object_identifier(part) {
                rule = Some(start..self.at);
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
                Some(error(name, format!("unknown matching rule {written}")).with_help(help))
            }
            (Some(_), None) if rule == MatchingRule::InChain => {
                let found = error(name, format!("missing attribute before matching rule {written}"));
                Some(found.with_help("write the attribute before the rule"))
            }
            (Some(expected), _) => (!assertion.is_valid_for(rule)).then(|| {
                error(value, format!("expected {expected} after matching rule {written}"))
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
                    return Err(error(at, "invalid wildcard `*`").with_help(help));
                }
                Some('(') => return Err(error(at, "missing `)` before `(`").with_help("write a literal `(` as `\\28`")),
                Some(_) => return Err(error(at, "invalid NUL character").with_help("write it as `\\00`")),
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
                let found = error(start..start + 1 + digits + wrong, "expected two hexadecimal digits after `\\`");
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
            error(span, "missing attribute before the comparison")
        } else if Description::parse(trimmed).is_some() {
            error(span, format!("unexpected white space next to attribute {}", quote(trimmed))).with_help("remove it")
        } else {
            let help = "use only letters, digits and `-`";
            error(span, format!("invalid attribute {}", quote(name))).with_help(help)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text in the error's span, and the message with its help.
    fn error(text: &str) -> (&str, String) {
        let error = Filter::parse(text).expect_err(text);
        (text.get(error.span.clone()).unwrap(), error.to_string())
    }

    #[test]
    fn common_filters_are_parsed() {
        for text in [
            "(cn=Anna Berg)",
            "(memberOf=CN=R&D,OU=Groups,DC=example,DC=com)",
            "(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))",
            "(|(mail=*)(sn=a*b*c)(sn=*b)(whenCreated>=20200101000000.0Z)(badPwdCount<=3)(cn~=an))",
            "(cn=Anna \\28IT\\29 \\2a)",
            "(objectGUID=\\01\\ff\\00)",
            "(cn;lang-en=a)",
            "(2.5.4.3=b)",
            "(cn:dn:=x)",
            "(cn:dn:caseExactMatch:=x)",
            "(:caseExactMatch:=x)",
            "(:DN:2.5.13.5:=x)",
            "(cn= spaces within values )",
            "(cn=)",
            "(cn=**)",
            " (cn=a)\r\n",
            "( cn=a)",
            "(&(cn=a) (sn=b) )",
            "( & \n (! (cn=a) )\t( |(a=1) (b=2)) )",
            "(&)",
            "(|)",
        ] {
            assert!(Filter::parse(text).is_ok(), "{text}: {:?}", Filter::parse(text));
        }
    }

    #[test]
    fn missing_and_superfluous_parentheses_are_reported() {
        assert_eq!(error("(&(cn=a)(sn=b)"), ("", "missing `)` for the `(` at column 1".to_owned()));
        assert_eq!(error("(&(cn=ä)(sn=b").1, "missing `)` for the `(` at column 9");
        assert_eq!(error("(cn=a))"), (")", "unmatched `)`".to_owned()));
        assert_eq!(error("cn=a"), ("cn=a", "missing parentheses around the filter, as in `(cn=a)`".to_owned()));
        assert_eq!(error("(cn=a)(sn=b)").0, "(sn=b)");
        assert_eq!(error("((cn=a))").0, "((");
        assert_eq!(error("()").0, "()");
        assert_eq!(error("(cn=a(b)").0, "(");
        assert_eq!(error("(!(a=b)(c=d))").0, "(");
        assert_eq!(error("(!)").0, "!");
        assert_eq!(error("(!&(a=b))").0, "!");
        assert_eq!(error("  cn=a ").0, "cn=a");
        assert_eq!(error("(&cn=a)").0, "c");
        assert_eq!(error("").1, "empty filter; write `(objectClass=*)` to match all entries");
    }

    #[test]
    fn white_space_within_a_comparison_is_an_error() {
        for text in ["(cn =a)", "(&(cn\n=a))"] {
            assert!(error(text).1.contains("unexpected white space"), "{text}");
        }
    }

    #[test]
    fn comparison_without_parentheses_after_a_sign_is_accepted() {
        for (text, place) in [("(!cn=a)", "!cn=a"), ("(&(a=b)(! cn=a*))", "! cn=a*"), ("(!(cn=a))", "")] {
            let lenient = Filter::parse(text).unwrap().lenient;
            assert_eq!(lenient.first().map_or("", |found| text.get(found.span.clone()).unwrap()), place, "{text}");
        }
        let help = Filter::parse("(!cn=a)").unwrap().lenient[0].help.clone();
        assert_eq!(help.as_deref(), Some("write `(!(cn=a))`"));
        assert_eq!(error("(!cn=a(b=c))").0, "(");
        assert_eq!(error("(&(!cn=a").1, "missing `)` for the `(` at column 3");
    }

    #[test]
    fn comparisons_that_never_match_are_listed() {
        for (text, place) in [
            ("(cn:1.2.3:=a)", "1.2.3"),
            ("(cn:dn:fooMatch:=a)", "fooMatch"),
            ("(uac:1.2.840.113556.1.4.803:=two)", "two"),
            ("(memberOf:1.2.840.113556.1.4.1941:=Team)", "Team"),
            ("(:1.2.840.113556.1.4.1941:=CN=Team)", "1.2.840.113556.1.4.1941"),
            ("(memberOf:1.2.840.113556.1.4.1941:=CN=Team)", ""),
        ] {
            let unmatched = Filter::parse(text).unwrap().unmatched;
            assert_eq!(unmatched.first().map_or("", |found| text.get(found.span.clone()).unwrap()), place, "{text}");
        }
    }

    #[test]
    fn invalid_names_and_comparisons_are_reported() {
        for (text, place) in [
            ("(c_n=a)", "c_n"),
            ("(1x=a)", "1x"),
            ("(cn;=a)", "cn;"),
            ("(=a)", "="),
            ("(cn)", "cn"),
            ("(age>3)", ">"),
            ("(age>=3*)", "*"),
            ("(:=a)", ":="),
            ("(:dn:=a)", ":dn:="),
            ("(cn:ä ö:=a)", "ä ö"),
            ("(cn:dn=a)", "="),
            ("(cn:2.5.13.5:2.5.13.2:=a)", "2.5.13.2"),
        ] {
            assert_eq!(error(text).0, place, "{text}");
        }
    }

    #[test]
    fn invalid_escape_is_reported_at_its_place() {
        for (text, place) in
            [("(cn=a\\,b)", "\\,"), ("(cn=\\2x)", "\\2x"), ("(cn=\\é)", "\\é"), ("(cn=\\)", "\\"), ("(cn=\\2)", "\\2")]
        {
            let (found, message) = error(text);
            assert_eq!(found, place, "{text}");
            assert_eq!(message, "expected two hexadecimal digits after `\\`; write a literal `\\` as `\\5c`");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |levels: usize| format!("{}(a=b){}", "(!".repeat(levels - 1), ")".repeat(levels - 1));
        assert!(Filter::parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(error(&nested(MAX_DEPTH + 1)).1, "filter nested deeper than 64 levels");
        assert_eq!(error(&nested(100_000)).0, "(");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC*", near in "([(][&|!]?|[)]|cn|[=:<>~*]{1,2}|\\\\[2a]{0,2}| |é){0,24}") {
            for text in [text, near] {
                if let Err(error) = Filter::parse(&text) {
                    prop_assert!(text.get(error.span).is_some());
                }
            }
        }
    }
}

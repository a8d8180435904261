//! RFC 4515 §3: the grammar of search filters.

use super::cursor::{Cursor, Parsed, error};
use super::filter::{Filter, FilterError, MAX_BYTES, MAX_DEPTH, Node};
use crate::text::quote;

impl Filter {
    /// Parses a filter (RFC 4515 §3); `(&)` is always true and `(|)` always false (RFC 4526).
    ///
    /// # Errors
    /// The text is not a filter, is longer than [`MAX_BYTES`], or is nested more than [`MAX_DEPTH`] levels. White
    /// space outside of values is an error, and so are missing parentheses.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        if text.len() > MAX_BYTES {
            let found = error(0..text.len(), format!("filter longer than {} MiB", MAX_BYTES >> 20));
            return Err(FilterError { exceeds_limit: true, ..found });
        }
        let mut cursor = Cursor { text, at: 0 };
        cursor.check_beginning()?;
        let root = cursor.filter(1)?;
        cursor.check_end()?;
        Ok(Self { root })
    }
}

impl Cursor<'_> {
    fn check_beginning(&self) -> Parsed<()> {
        match self.peek() {
            Some('(') => Ok(()),
            None => Err(error(0..0, "empty filter").with_help("write `(objectClass=*)` to match all entries")),
            Some(space) if space.is_whitespace() => Err(self.whitespace("before the filter")),
            Some(_) => {
                let all = 0..self.text.len();
                Err(error(
                    all,
                    format!(
                        "missing parentheses around the filter, as in {}",
                        quote(&format!("({})", self.text.trim_end()))
                    ),
                ))
            }
        }
    }

    fn check_end(&self) -> Parsed<()> {
        let after = self.at..self.text.len();
        match self.peek() {
            None => Ok(()),
            Some(space) if space.is_whitespace() && self.rest().trim().is_empty() => {
                Err(error(after, "unexpected white space after the filter").with_help("remove it"))
            }
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
        let node = match self.peek() {
            Some('&') => Node::And(self.list(depth)?),
            Some('|') => Node::Or(self.list(depth)?),
            Some('!') => self.negation(depth)?,
            Some(')') => {
                let help = "write `(&)` to match all entries, or `(|)` to match none";
                return Err(error(open..self.at + 1, "empty filter `()`").with_help(help));
            }
            Some('(') => {
                let help = "write `(&(…)(…))` for all or `(|(…)(…))` for any of the filters";
                return Err(error(open..self.at + 1, "unexpected `(` after `(`").with_help(help));
            }
            Some(space) if space.is_whitespace() => return Err(self.whitespace("after `(`")),
            Some(_) => Node::Item(Box::new(self.item(open)?)),
            None => return Err(self.missing_end(open)),
        };
        match self.peek() {
            Some(')') => self.at += 1,
            None => return Err(self.missing_end(open)),
            Some(space) if space.is_whitespace() => return Err(self.whitespace("between filters")),
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
            Some(space) if space.is_whitespace() => Err(self.whitespace("after `!`")),
            _ => Err(error(sign..self.at, "expected `(` after `!`, as in `(!(mail=*))`")),
        }
    }
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
        assert_eq!(error("(!cn=a)").0, "!");
        assert_eq!(error("(&cn=a)").0, "c");
        assert_eq!(error("").1, "empty filter; write `(objectClass=*)` to match all entries");
    }

    #[test]
    fn white_space_is_allowed_in_values_only() {
        for (text, place) in [
            (" (cn=a)", " "),
            ("(cn=a) \n", " \n"),
            ("( cn=a)", " "),
            ("(&(cn=a) (sn=b))", " "),
            ("(! (cn=a))", " "),
            ("(cn =a)", "cn "),
        ] {
            let (found, message) = error(text);
            assert_eq!(found, place, "{text}");
            assert!(message.contains("unexpected white space"), "{message}");
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

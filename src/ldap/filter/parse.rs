//! Parses search filters (RFC 4515 §3): comparisons in parentheses, and their combinations.

use super::comparison::{Cursor, Parsed};
use super::tree::{Filter, FilterError, MAX_BYTES, MAX_DEPTH, Node};
use crate::text::{MAX_NAME, quote, truncate};

impl Filter {
    /// Parses a filter (RFC 4515 §3); `(&)` is always true and `(|)` always false (RFC 4526).
    ///
    /// # Errors
    /// The text is not a filter, is longer than [`MAX_BYTES`], or is nested more than [`MAX_DEPTH`] levels. White
    /// space around filters is skipped, as Active Directory does; missing parentheses are an error, but after `!`.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        if text.len() > MAX_BYTES {
            let found = FilterError::new(0..text.len(), format!("filter longer than {} MiB", MAX_BYTES >> 20));
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
            None => {
                Err(FilterError::new(0..0, "empty filter").with_help("write `(objectClass=*)` to match all entries"))
            }
            Some(_) => {
                let bare = self.rest().trim_end();
                let example = quote(&format!("({bare})"));
                let message = format!("missing parentheses around the filter, as in {example}");
                Err(FilterError::new(self.at..self.at + bare.len(), message))
            }
        }
    }

    fn check_end(&self) -> Parsed<()> {
        let after = self.at..self.text.len();
        match self.peek() {
            None => Ok(()),
            Some(')') => Err(FilterError::new(self.at..self.at + 1, "unmatched `)`")),
            Some(_) => {
                let help = "combine filters with `(&…)` for all or `(|…)` for any of them";
                Err(FilterError::new(after, "unexpected text after the filter").with_help(help))
            }
        }
    }

    /// `filter = "(" filtercomp ")"`
    fn filter(&mut self, depth: usize) -> Parsed<Node> {
        let open = self.at;
        if depth > MAX_DEPTH {
            let found = FilterError::new(open..open + 1, format!("filter nested deeper than {MAX_DEPTH} levels"));
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
                return Err(FilterError::new(open..self.at + 1, "empty filter `()`").with_help(help));
            }
            Some('(') => {
                let help = "write `(&(…)(…))` for all or `(|(…)(…))` for any of the filters";
                return Err(FilterError::new(open..self.at + 1, "unexpected `(` after `(`").with_help(help));
            }
            Some(_) => Node::Item(Box::new(self.item(open)?)),
            None => return Err(self.missing_end(open)),
        };
        self.skip_space();
        match self.peek() {
            Some(')') => self.at += 1,
            None => return Err(self.missing_end(open)),
            Some('(') => {
                let found = FilterError::new(self.at..self.at + 1, "more than one filter after `!`");
                return Err(found.with_help("combine them with `(&…)`"));
            }
            Some(other) => {
                let message = format!("expected `(` or `)`, found `{other}`");
                return Err(FilterError::new(self.at..self.at + other.len_utf8(), message));
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
                let found = FilterError::new(
                    sign..self.at,
                    "missing parentheses after `!`, which only some directories accept",
                );
                self.lenient.push(found.with_help(format!("write `(!({negated}))`")));
                Ok(Node::Not(Box::new(Node::Item(Box::new(item)))))
            }
            _ => Err(FilterError::new(sign..sign + 1, "expected `(` after `!`, as in `(!(mail=*))`")),
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

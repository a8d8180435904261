//! RFC 4515: search filters as text.

use std::fmt;
use std::ops::Range;

use super::evaluate::Node;
use super::parser::Parser;

/// How deeply filters may be nested, in parentheses; the RFCs leave the limit open.
pub const DEEPEST: usize = 64;

/// A search filter, ready to be tried on entries.
#[derive(Debug, Clone)]
pub struct Filter {
    pub(super) root: Node,
}

/// Why a text is no search filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterError {
    /// Where in the text it is wrong, in bytes on borders of characters; empty at the end of the
    /// text when something is missing there.
    pub span: Range<usize>,
    /// What is wrong, and what to write instead where that is clear. Columns count characters from 1.
    pub message: String,
    /// Whether it may be a filter, but is nested more deeply than is looked into.
    pub is_too_deep: bool,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FilterError {}

impl Filter {
    /// Reads a filter (RFC 4515 §3); `(&)` is always true and `(|)` always false (RFC 4526).
    ///
    /// # Errors
    /// Where the text is no filter, or nested more than [`DEEPEST`] levels. Blanks are refused but
    /// in values, and so is a filter without its parentheses.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        Ok(Self { root: Parser::new(text).parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text at the place of the error, and the message.
    fn error(text: &str) -> (&str, String) {
        let error = Filter::parse(text).expect_err(text);
        (text.get(error.span).unwrap(), error.message)
    }

    #[test]
    fn filters_of_daily_life_are_read() {
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
            "(cn= blanks within values )",
            "(cn=)",
            "(cn=**)",
            "(&)",
            "(|)",
        ] {
            assert!(Filter::parse(text).is_ok(), "{text}: {:?}", Filter::parse(text));
        }
    }

    #[test]
    fn missing_and_superfluous_parentheses_are_told() {
        assert_eq!(error("(&(cn=a)(sn=b)"), ("", "`)` is missing for the `(` at column 1".to_owned()));
        assert_eq!(error("(&(cn=ä)(sn=b").1, "`)` is missing for the `(` at column 9");
        assert_eq!(error("(cn=a))"), (")", "there is no `(` for this `)`".to_owned()));
        assert_eq!(error("cn=a"), ("cn=a", "a filter stands in parentheses: `(cn=a)`".to_owned()));
        assert_eq!(error("(cn=a)(sn=b)").0, "(sn=b)");
        assert_eq!(error("((cn=a))").0, "((");
        assert_eq!(error("()").0, "()");
        assert_eq!(error("(cn=a(b)").0, "(");
        assert_eq!(error("(!(a=b)(c=d))").0, "(");
        assert_eq!(error("(!cn=a)").0, "!");
        assert_eq!(error("(&cn=a)").0, "c");
        assert_eq!(error("").1, "the filter is empty; `(objectClass=*)` finds every entry");
    }

    #[test]
    fn blanks_stand_in_values_only() {
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
            assert!(message.contains("blank may not stand"), "{message}");
        }
    }

    #[test]
    fn wrong_names_and_comparisons_are_told() {
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
    fn a_wrong_escape_is_told_at_its_place() {
        for (text, place) in
            [("(cn=a\\,b)", "\\,"), ("(cn=\\2x)", "\\2x"), ("(cn=\\é)", "\\é"), ("(cn=\\)", "\\"), ("(cn=\\2)", "\\2")]
        {
            let (found, message) = error(text);
            assert_eq!(found, place, "{text}");
            assert_eq!(message, "a `\\` stands before two hexadecimal digits; a `\\` itself is written `\\5c`");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |levels: usize| format!("{}(a=b){}", "(!".repeat(levels - 1), ")".repeat(levels - 1));
        assert!(Filter::parse(&nested(DEEPEST)).is_ok());
        assert_eq!(error(&nested(DEEPEST + 1)).1, "filters are nested more than 64 levels here");
        assert_eq!(error(&nested(1_000_000)).0, "(");
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

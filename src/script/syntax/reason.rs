//! What the parser reports, in the words of the other messages.

use std::borrow::Cow;

use crate::script::pattern::lower_first;

/// Messages of the parser that are long or not clear, and what to say instead.
const REWORDED: [(&str, &str); 4] = [
    (
        "Expected a semicolon or an implicit semicolon after a statement, but found none",
        "missing `;` or line break after a statement",
    ),
    (
        "The left-hand side of an assignment expression must be a variable or a property access",
        "cannot assign to this expression",
    ),
    ("Lexical declaration cannot appear in a single-statement context", "declaration without a block around it"),
    ("Logical expressions and coalesce expressions cannot be mixed", "`??` beside `&&` or `||` without parentheses"),
];

/// Before the reason why a regular expression is invalid.
const INVALID_PATTERN: &str = "invalid regular expression: ";

const PATTERN: &str = "Invalid regular expression: ";
const RESERVED: (&str, &str) = ("Identifier expected. '", "' is a reserved word that cannot be used here");

/// The reason for a message that goes on before it.
pub(super) fn reason(message: &str) -> String {
    let message = message.trim().trim_end_matches('.');
    if let Some((_, reworded)) = REWORDED.iter().find(|(text, _)| *text == message) {
        return (*reworded).to_owned();
    }
    if let Some(word) = message.strip_prefix(RESERVED.0).and_then(|rest| rest.strip_suffix(RESERVED.1)) {
        return format!("expected a name, found the reserved word `{word}`");
    }
    if let Some(error) = message.strip_prefix(PATTERN) {
        return INVALID_PATTERN.to_owned() + &lower_first(error);
    }
    let message = match message.split_once("` but found `") {
        Some((expected, "EOF`")) => Cow::Owned(format!("{expected}`, found the end")),
        Some((expected, found)) => Cow::Owned(format!("{expected}`, found `{found}")),
        None => Cow::Borrowed(message),
    };
    // The name of something, such as `JSX`, stays as it is.
    if message.chars().nth(1).is_some_and(char::is_lowercase) || message.starts_with("A ") {
        lower_first(&message)
    } else {
        message.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_is_worded_as_other_messages() {
        for (message, wanted) in [
            ("Unexpected token", "unexpected token"),
            ("Expected `,` but found `;`", "expected `,`, found `;`"),
            ("Expected `)` but found `EOF`", "expected `)`, found the end"),
            ("Invalid regular expression: Lone quantifier", "invalid regular expression: lone quantifier"),
            (
                "Identifier expected. 'class' is a reserved word that cannot be used here.",
                "expected a name, found the reserved word `class`",
            ),
            ("A rest parameter must be last in a parameter list", "a rest parameter must be last in a parameter list"),
            ("JSX is not enabled", "JSX is not enabled"),
            ("'super' can only be used in calls", "'super' can only be used in calls"),
            ("", ""),
        ] {
            assert_eq!(reason(message), wanted);
        }
    }
}

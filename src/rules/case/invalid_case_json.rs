use crate::document::{NodeKind, SyntaxError, SyntaxErrorKind};
use crate::facts::Context;
use crate::rules::{Reporter, Rule};
use crate::text::quote;
use crate::text::source::Span;

pub const RULE: Rule = rule!("WF701-invalid-case-json", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for text in cx.case_texts() {
        let (part, message) = match &text.parsed {
            Err(error) => {
                let message = format!("invalid JSON in {}: {}", quote(&text.name), reason(error));
                (Span::of_character(&text.text, error.offset), message)
            }
            Ok(document) if document.kind(document.root()) != NodeKind::Object => {
                let found = kind_noun(document.kind(document.root()));
                let message =
                    format!("invalid signing case in {}: expected an object, found {found}", quote(&text.name));
                (document.anchor(document.root()), message)
            }
            Ok(_) => continue,
        };
        out.report(&text.place(part), message)
            .help("write a JSON object with `Name` and `Parties`; see `wflint schema signing-case`");
    }
}

fn reason(error: &SyntaxError) -> String {
    match error.kind {
        // The JSON is a string within a document, not a file.
        SyntaxErrorKind::Unexpected(expected) => format!("expected {}", expected.replace("the file", "the string")),
        SyntaxErrorKind::BadString(found) => format!("a string contains {found}"),
        SyntaxErrorKind::TooDeep => "nested too deeply".to_owned(),
        SyntaxErrorKind::TooMany(what) => format!("too many {what}"),
    }
}

const fn kind_noun(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Null => "null",
        NodeKind::True => "true",
        NodeKind::False => "false",
        NodeKind::Number => "a number",
        NodeKind::String => "a string",
        NodeKind::Array => "an array",
        NodeKind::Object => "an object",
    }
}

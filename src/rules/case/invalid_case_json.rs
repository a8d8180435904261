use crate::diagnostic::{Severity, quote};
use crate::document::{Document, Kind, SyntaxError, SyntaxErrorKind};
use crate::facts::{CaseText, Context};
use crate::rules::{Reporter, Rule};
use crate::source::Span;

pub const RULE: Rule = Rule {
    code: "WF701",
    name: "invalid-case-json",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF701-invalid-case-json.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for text in cx.case_texts() {
        let Some((part, reason)) = fault(text) else { continue };
        out.report(&text.place(part), format!("what {} is given is no signing case: {reason}", quote(&text.name)))
            .help("write a JSON object with `Name` and `Parties`; `wflint schema signing-case` describes it");
    }
}

/// Where a text is no JSON object, and why.
fn fault(text: &CaseText) -> Option<(Span, String)> {
    match &text.parsed {
        Err(error) => Some((character_at(&text.text, error.offset), reason(error))),
        Ok(document) => not_an_object(document).map(|part| (part, "it is JSON, but no object".to_owned())),
    }
}

fn not_an_object(document: &Document) -> Option<Span> {
    let root = document.root();
    (document.kind(root) != Kind::Object).then(|| document.anchor(root))
}

fn reason(error: &SyntaxError) -> String {
    match error.kind {
        // What ends is a text within a document, not a file.
        SyntaxErrorKind::Unexpected(expected) => {
            format!(
                "it is no JSON: expected {}",
                expected.replace("the file", "the text").replace("the document", "it")
            )
        }
        SyntaxErrorKind::BadString(found) => format!("it is no JSON: a string in it holds {found}"),
        SyntaxErrorKind::TooDeep => "it is nested too deeply".to_owned(),
    }
}

/// The character at an offset; nothing at the end of the text.
fn character_at(text: &str, offset: u32) -> Span {
    let rest = text.get(offset as usize..).unwrap_or_default();
    let len = rest.chars().next().map_or(0, char::len_utf8);
    Span::new(offset, offset + u32::try_from(len).unwrap_or(0))
}

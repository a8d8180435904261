use crate::diagnostic::Severity;
use crate::document::Kind;
use crate::facts::Context;
use crate::project::Content;
use crate::rules::{Reporter, Rule};
use crate::source::Span;

pub const RULE: Rule = Rule {
    code: "WF003",
    name: "unknown-document",
    severity: Severity::Error,
    is_always_reported: true,
    page: include_str!("../../../rules/WF003-unknown-document.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for file in &cx.files {
        let Content::Unrelated(document) = &file.content else { continue };
        let root = document.root();
        let span = document.span(root);
        let span = match document.kind(root) {
            Kind::Object | Kind::Array => Span::new(span.start, span.start + 1),
            _ => span,
        };
        out.report_bytes(file.id, span, "unknown document, neither a workflow, a form nor a signing case").help(
            "name a file with an array `activities`, `fields` or `Parties`, or skip others with `--skip-unrelated`",
        );
    }
}

use crate::diagnostic::Severity;
use crate::document::{MAX_PATH_BYTES, SyntaxError, SyntaxErrorKind};
use crate::facts::Context;
use crate::project::Content;
use crate::rules::{Reporter, Rule};
use crate::source::Span;

pub const RULE: Rule = Rule {
    code: "WF002",
    name: "document-too-deep",
    severity: Severity::Error,
    is_always_reported: true,
    page: include_str!("../../../rules/WF002-document-too-deep.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for file in &cx.files {
        match &file.content {
            Content::Invalid(error) if error.kind == SyntaxErrorKind::TooDeep => {
                out.report_bytes(
                    file.id,
                    Span::new(error.offset, error.offset + 1),
                    format!("document nested deeper than {} levels, so it is not checked", cx.config.max_depth),
                )
                .help("reduce the nesting, or raise `max-depth` under `[limits]` in wflint.toml (at most 256)");
            }
            Content::Invalid(SyntaxError { kind: SyntaxErrorKind::TooMany(what), offset }) => {
                out.report_bytes(
                    file.id,
                    Span::of_character(&file.source.text, *offset),
                    format!("too many {what} in a document of this size, so it is not checked"),
                )
                .help("split the document, or export it again");
            }
            Content::Invalid(SyntaxError { kind: SyntaxErrorKind::LongKeys, offset }) => {
                out.report_bytes(
                    file.id,
                    Span::of_character(&file.source.text, *offset),
                    format!("more than {MAX_PATH_BYTES} bytes of keys around a value, so the document is not checked"),
                )
                .help("shorten the key, or export the document again");
            }
            Content::TooLarge(limit) => {
                let end = u32::try_from(*limit).unwrap_or(u32::MAX);
                out.report_bytes(
                    file.id,
                    Span::new(end, end),
                    format!("file larger than {} MiB, so it is not checked", limit >> 20),
                )
                .help("split the document, or raise `max-file-mib` under `[limits]` in wflint.toml (at most 1024)");
            }
            _ => {}
        }
    }
}

use crate::document::{SyntaxError, SyntaxErrorKind};
use crate::facts::Context;
use crate::project::Content;
use crate::rules::{Reporter, Rule};
use crate::text::source::Span;

pub const RULE: Rule = rule!("WF002-document-too-deep", Error, check, is_always_reported: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for file in &cx.files {
        match &file.content {
            Content::Invalid(SyntaxError { kind, offset }) => {
                let Some(limit) = kind.exceeded_limit(cx.config.max_depth) else { continue };
                let help = match kind {
                    SyntaxErrorKind::TooMany(_) => "split the document, or export it again",
                    _ => "reduce the nesting, or raise `max-depth` under `[limits]` in wflint.toml (at most 256)",
                };
                let at = Span::of_character(&file.source.text, *offset);
                out.report_bytes(file.id, at, format!("{limit}, so it is not checked")).help(help);
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

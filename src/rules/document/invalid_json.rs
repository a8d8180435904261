use crate::document::SyntaxErrorKind;
use crate::facts::Context;
use crate::project::Content;
use crate::rules::{Reporter, Rule};
use crate::text::source::Span;

pub const RULE: Rule = rule!("WF001-invalid-json", Error, check, is_always_reported: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for file in &cx.files {
        match &file.content {
            Content::Invalid(error) => {
                let reason = match error.kind {
                    SyntaxErrorKind::Unexpected(expected) => format!("expected {expected}"),
                    SyntaxErrorKind::BadString(found) => format!("string contains {found}"),
                    SyntaxErrorKind::TooDeep | SyntaxErrorKind::TooMany(_) => continue,
                };
                let span = Span::of_character(&file.source.text, error.offset);
                out.report_bytes(file.id, span, format!("invalid JSON: {reason}"))
                    .help("correct the syntax, or export the document again; the file is not checked until then");
            }
            Content::OtherEncoding(encoding) => {
                let (name, power_shell) = (encoding.name(), encoding.power_shell_name());
                let message = format!("invalid encoding: expected UTF-8, found {name}");
                out.report_bytes(file.id, Span::new(0, 0), message).help(format!(
                    "convert the file with `iconv -f {name} -t UTF-8 OLD > NEW`, or in PowerShell \
                     `Get-Content -Encoding {power_shell} OLD | Set-Content -Encoding utf8 NEW`; \
                     it is not checked until then"
                ));
            }
            Content::NotUtf8(span) => {
                out.report_bytes(file.id, *span, "invalid UTF-8, the encoding of JSON")
                    .help("save the file as UTF-8; it is not checked until then");
            }
            _ => {}
        }
    }
}

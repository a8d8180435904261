use crate::document::{Document, Limits, SyntaxErrorKind};
use crate::facts::Context;
use crate::project::{Content, File};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::source::Span;

pub const RULE: Rule = rule!("WF001-invalid-json", Error, check, fixes: Fixes::Unsafe, is_always_reported: true);

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
                let mut draft = out.report_bytes(file.id, span, format!("invalid JSON: {reason}"));
                draft.help("correct the syntax, or export the document again; the file is not checked until then");
                if let Some(commas) = trailing_commas(cx, file) {
                    let title = if commas.len() == 1 { "remove the last comma" } else { "remove the last commas" };
                    draft.fix(Applicability::Unsafe, title, commas);
                }
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

/// The edits that remove each comma before a closing bracket, if the rest is JSON.
fn trailing_commas(cx: &Context<'_>, file: &File) -> Option<Vec<Edit>> {
    let text = &*file.source.text;
    let (mut commas, mut last, mut is_string, mut is_escaped) = (Vec::new(), None, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => (is_string, last) = (!is_string, None),
            _ if is_string => {}
            b',' => last = Some(at),
            b']' | b'}' => commas.extend(last.take()),
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => last = None,
        }
    }
    let (mut without, mut from) = (String::with_capacity(text.len()), 0);
    for &comma in &commas {
        without.push_str(text.get(from..comma)?);
        from = comma + 1;
    }
    without.push_str(text.get(from..)?);
    let limits = Limits { depth: cx.config.max_depth, ..Limits::default() };
    let is_json = !commas.is_empty() && Document::parse(without, limits).is_ok();
    let edit = |at| {
        let at = u32::try_from(at).ok()?;
        Some(Edit { file: file.id, span: Span::new(at, at + 1), new_text: String::new() })
    };
    commas.into_iter().filter(|_| is_json).map(edit).collect::<Option<Vec<_>>>().filter(|edits| !edits.is_empty())
}

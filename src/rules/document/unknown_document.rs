use crate::facts::Context;
use crate::project::{Content, Resemblance, resemblance};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF003-unknown-document", Error | Warning, check, is_always_reported: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for file in &cx.files {
        let (document, resemblance, severity) = match &file.content {
            Content::Unrelated(document) => (document, resemblance(document, &cx.config.roots), Severity::Error),
            Content::Resembling(document, resemblance) => (document, Some(resemblance.clone()), Severity::Warning),
            _ => continue,
        };
        let span = document.anchor(document.root());
        let (message, help) = words(resemblance.as_ref());
        out.report_bytes(file.id, span, message).severity(severity).help(help);
    }
}

fn words(resemblance: Option<&Resemblance>) -> (String, String) {
    match resemblance {
        None => (
            "unknown document, neither a workflow, a form nor a signing case".to_owned(),
            "restore its array `activities`, `fields` or `Parties`, or skip other named files with `--skip-unrelated`"
                .to_owned(),
        ),
        Some(Resemblance::Case { found, expected }) => (
            format!("unknown document: expected the key `{expected}`, found {}", quote(found)),
            format!("rename the key to `{expected}`, keys are case-sensitive; the file is not checked until then"),
        ),
        Some(Resemblance::Wrapped { pointer }) => (
            match pointer.as_str() {
                "" => "unknown document: it is not wrapped, but `roots` has only pointers to wrapped ones".to_owned(),
                pointer => format!("unknown document: the document is inside a wrapper, at {}", quote(pointer)),
            },
            format!(
                "add {} to `roots` under `[documents]` in wflint.toml; the file is not checked until then",
                quote(&format!("\"{pointer}\""))
            ),
        ),
    }
}

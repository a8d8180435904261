use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF005",
    name: "duplicate-member",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF005-duplicate-member.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for file in &cx.files {
        let Some((_, document)) = file.document() else { continue };
        for pair in document.duplicates() {
            let name = quote(document.key(pair.second).unwrap_or_default());
            out.report(
                &Place::key(file.id, pair.second),
                format!("{name} stands here again in one object; only one of the values counts, most likely the last"),
            )
            .help("keep one of them")
            .related(&Place::key(file.id, pair.first), "the first one");
        }
    }
}

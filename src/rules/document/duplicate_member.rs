use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF005-duplicate-member", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for file in &cx.files {
        let Some((_, document)) = file.document() else { continue };
        for pair in document.duplicates() {
            let name = quote(document.key(pair.first).unwrap_or_default());
            out.report(
                &Place::key(file.id, pair.second),
                format!("duplicate key {name}, only one of its values is used, usually the last"),
            )
            .help("remove one of the two")
            .related(&Place::key(file.id, pair.first), "first occurrence");
        }
    }
}

use crate::common::limits::MAX_FINDINGS;
use crate::document::removal_of;
use crate::facts::{Context, Place};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF005-duplicate-member", Error, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for file in &cx.files {
        let Some((_, document)) = file.document() else { continue };
        // A file that repeats keys without end is damaged, and each fix that is tried takes memory.
        let is_repairable = document.duplicates().len() <= MAX_FINDINGS;
        for pair in document.duplicates() {
            let name = quote(document.key(pair.first).unwrap_or_default());
            let mut draft = out.report(
                &Place::key(file.id, pair.second),
                format!("duplicate key {name}, only one of its values is used, usually the last"),
            );
            draft.related(&Place::key(file.id, pair.first), "first occurrence");
            let are_equal = is_repairable && document.is_equal(pair.first, pair.second);
            match removal_of(document, file.id, pair.second).filter(|_| are_equal) {
                Some(edit) => {
                    draft.fix(Applicability::Safe, format!("remove the second {name}, which is equal"), vec![edit])
                }
                None => draft.help("remove one of the two"),
            };
        }
    }
}

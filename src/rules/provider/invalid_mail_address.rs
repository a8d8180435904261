use crate::catalog::ParameterKind;
use crate::facts::{Context, literals, outer_blanks, removed_parts};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::mail;
use crate::text::quote;

pub const RULE: Rule = rule!("WF213-invalid-mail-address", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::Mail) {
            let Some(text) = value.text().filter(|text| !mail::is_address(text)) else { continue };
            let message = format!("invalid mail address {} in {}", quote(text), quote(value.name));
            let mut draft = out.report(&site.at(value.node), message);
            draft.help("write one address without a display name, such as `anna@example.com`");
            if mail::is_address(text.trim()) {
                let edits = removed_parts(site.analysis, site.activity, value.node, &outer_blanks(text));
                draft.fix(Applicability::Unsafe, "remove the blanks around it", edits);
            }
        }
    }
}

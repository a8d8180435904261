use crate::facts::Context;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::locale;
use crate::text::quote;

pub const RULE: Rule = rule!("WF707-invalid-culture", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let Some((node, culture)) = site.case.culture.known() else { continue };
        if culture.is_empty() || locale::is_tag(culture) || !site.may_show(node) {
            continue;
        }
        let message = format!("invalid locale code {} in `Culture`", quote(culture));
        let mut draft = out.report(&site.place_of_value(node), message);
        let Some(code) = locale::meant(culture) else {
            draft.help("use a language tag such as `sv` or `en-US`");
            continue;
        };
        match site.edits(cx, node, &format!("\"{code}\"")) {
            edits if edits.is_empty() => draft.help(format!("did you mean {}?", quote(&code))),
            edits => draft.fix(Applicability::Unsafe, format!("set `Culture` to {}", quote(&code)), edits),
        };
    }
}

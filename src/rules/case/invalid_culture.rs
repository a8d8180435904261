use crate::facts::Context;
use crate::rules::{Reporter, Rule};
use crate::text::locale;
use crate::text::quote;

pub const RULE: Rule = rule!("WF707-invalid-culture", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let Some((node, culture)) = site.case.culture.known() else { continue };
        if culture.is_empty() || locale::is_tag(culture) || !site.may_show(node) {
            continue;
        }
        let help = match culture.replace('_', "-") {
            code if locale::is_tag(&code) => format!("did you mean `{code}`?"),
            _ => "use a language tag such as `sv` or `en-US`".to_owned(),
        };
        out.report(&site.place_of_value(node), format!("invalid locale code {} in `Culture`", quote(culture)))
            .help(help);
    }
}

use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::locale;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF707",
    name: "invalid-culture",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF707-invalid-culture.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let Some((node, culture)) = site.case.culture.known() else { continue };
        // An empty one says nothing.
        if culture.is_empty() || locale::is_tag(culture) || !site.is_certain(node) {
            continue;
        }
        let help = match culture.replace('_', "-") {
            code if locale::is_tag(&code) => format!("write `{code}`"),
            _ => "write a language, and a country if need be, such as `sv` or `en-US`".to_owned(),
        };
        out.report(
            &site.value(node),
            format!("{} is no locale code, so the language of the case is not known", quote(culture)),
        )
        .help(help);
    }
}

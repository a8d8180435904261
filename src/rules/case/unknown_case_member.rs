use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF711",
    name: "unknown-case-member",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF711-unknown-case-member.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        for unknown in &site.case.unknown_members {
            let Some(written) = site.document.key(unknown.member) else { continue };
            if !site.has_certainly(unknown.object, written) {
                continue;
            }
            let noun = unknown.element.noun();
            let name = quote(written);
            let place = site.key(unknown.member);
            match unknown.near {
                Some(near) => {
                    let (what, help) = if unknown.near_is_absent {
                        ("it looks like", format!("write `{near}`"))
                    } else {
                        ("there is already", "remove it, or merge the two".to_owned())
                    };
                    let message = format!("a {noun} has no member {name}: {what} `{near}`");
                    out.report(&place, message).help(help).severity(Severity::Warning);
                }
                None => {
                    let message = format!("a {noun} has no member {name} that is documented");
                    out.report(&place, message)
                        .help("check how it is spelled; what the provider makes of it is not documented");
                }
            }
        }
    }
}

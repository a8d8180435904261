use crate::collections::HashMap;
use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF710",
    name: "duplicate-party",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF710-duplicate-party.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let mut first = HashMap::default();
        for party in site.case.parties.get().into_iter().flatten() {
            let Some((node, mail)) = party.mail.known().map(|(node, mail)| (node, mail.trim())) else { continue };
            if mail.is_empty() || !site.is_certain(node) {
                continue;
            }
            let Some(&earlier) = first.get(&mail.to_lowercase()) else {
                first.insert(mail.to_lowercase(), party.node);
                continue;
            };
            out.report(
                &site.value(party.node),
                format!("two parties have the address {}, so one person is asked to sign twice", quote(mail)),
            )
            .help("remove one of them, or give it its own address")
            .related(&site.value(earlier), "the first one");
        }
    }
}

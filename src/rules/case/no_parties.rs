use crate::diagnostic::Severity;
use crate::facts::Context;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF704",
    name: "no-parties",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF704-no-parties.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases().iter().filter(|site| site.is_whole()) {
        let Some((node, _)) = site.case.parties.known().filter(|(_, parties)| parties.is_empty()) else { continue };
        if !site.is_certain(node) {
            continue;
        }
        out.report(&site.value(node), "the signing case has no parties, so nobody is asked to sign")
            .help("add a party with `Name`, `EmailAddress`, and what signing needs");
    }
}

use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::model::{Party, SIGNATURE_TYPES, case_key};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF703",
    name: "party-cannot-sign",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF703-party-cannot-sign.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases().iter().filter(|site| site.is_whole()) {
        let are_types_certain = site.is_certain_member(site.document.root(), case_key::ALLOWED_SIGNATURE_TYPES);
        for (party, needed) in site.case.parties_who_cannot_sign() {
            let mut members = needed.iter().chain(&[case_key::ANYONE_CAN_SIGN]);
            if !are_types_certain || !members.all(|member| site.is_certain_member(party.node, member)) {
                continue;
            }
            let allowed = SIGNATURE_TYPES.iter().filter(|(_, member)| needed.contains(member));
            let (ways, members): (Vec<String>, Vec<String>) =
                allowed.map(|(way, member)| (format!("`{way}`"), format!("`{member}`"))).unzip();
            let members = members.join(" or ");
            out.report(
                &site.value(party.node),
                format!(
                    "{} cannot sign: the case allows only {}, for which {members} is missing",
                    called(party),
                    ways.join(" and ")
                ),
            )
            .help(format!("give the party {members}, or allow another way in `AllowedSignatureTypes`"));
        }
    }
}

/// What to call a party in a message.
fn called(party: &Party<'_>) -> String {
    let name = party.name.value().filter(|name| !name.trim().is_empty());
    name.or(party.mail.value()).map_or_else(|| "this party".to_owned(), quote)
}

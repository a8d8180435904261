use crate::collections::HashMap;
use crate::diagnostic::Severity;
use crate::document::NodeId;
use crate::facts::{CaseSite, Context};
use crate::model::{Party, SIGNATURE_TYPES, case_key};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::{quote, quoted_list};

pub const RULE: Rule = Rule {
    code: "WF703",
    name: "party-cannot-sign",
    severity: Severity::Error,
    yields_to: YieldsTo::Rules(&["WF702", "WF711"]),
    page: include_str!("../../../rules/WF703-party-cannot-sign.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let (parties, needed) = site.case.parties_who_cannot_sign();
        let allowed = SIGNATURE_TYPES.iter().filter(|(_, key)| needed.contains(key));
        let (types, keys): (Vec<&str>, Vec<&str>) = allowed.copied().unzip();
        let (types, keys) = (quoted_list(&types, "or"), quoted_list(&keys, "or"));
        let mistyped = mistyped(site, &needed);
        for party in parties {
            let message = format!("missing {keys} of {}, required to sign with {types}", describe(site, party));
            let mut draft = out.report(&site.place_of_value(party.node), message);
            draft.claim(keys.clone());
            draft.help(format!("add {keys}, or allow another signature type in `AllowedSignatureTypes`"));
            // A value that is not the boolean `true` may be meant as it.
            if let Some(anyone_can_sign) = party.anyone_can_sign.node() {
                draft.about(Cause::CaseValue(site.case_value(anyone_can_sign)));
            }
            // Probably the value was meant for a key that the party has, too.
            for member in mistyped.get(&party.node).into_iter().flatten() {
                draft.about(Cause::CaseValue(site.case_value(*member)));
            }
        }
    }
}

/// By party, the values under mistyped keys that are meant to decide whether it can sign.
fn mistyped(site: &CaseSite<'_>, needed: &[&str]) -> HashMap<NodeId, Vec<NodeId>> {
    let mut mistyped: HashMap<NodeId, Vec<NodeId>> = HashMap::default();
    for unknown in &site.case.unknown_members {
        if unknown.near.is_some_and(|near| near == case_key::ANYONE_CAN_SIGN || needed.contains(&near)) {
            mistyped.entry(unknown.object).or_default().push(unknown.member);
        }
    }
    mistyped
}

/// The description of a party in a message: its name, or its mail address.
fn describe(site: &CaseSite<'_>, party: &Party<'_>) -> String {
    let shown = [&party.name, &party.mail].into_iter().filter_map(|member| member.known());
    let name =
        shown.filter(|(node, name)| !name.trim().is_empty() && site.may_show(*node)).map(|(_, name)| name).next();
    match name {
        Some(name) => format!("party {}", quote(name)),
        None if party.name.value().is_none_or(|name| name.trim().is_empty()) => "unnamed party".to_owned(),
        None => "a party".to_owned(),
    }
}

use crate::facts::{CaseSite, Context};
use crate::model::{Party, SIGNATURE_TYPES};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::{quote, quoted_list};

pub const RULE: Rule = rule!("WF703-party-cannot-sign", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let (parties, needed) = site.case.parties_who_cannot_sign();
        let known = SIGNATURE_TYPES.into_iter().filter_map(|(name, key)| Some((name, key?)));
        let (types, keys): (Vec<&str>, Vec<&str>) = known.filter(|(_, key)| needed.contains(key)).unzip();
        let (types, keys) = (quoted_list(&types, "or"), quoted_list(&keys, "or"));
        for party in parties {
            let message = format!("missing {keys} of {}, required to sign with {types}", describe(site, party));
            let mut draft = out.report(&site.place_of_value(party.node), message);
            draft.claim(keys.clone());
            draft.help(format!("add {keys}, or allow another signature type in `AllowedSignatureTypes`"));
            // A value that is not the boolean `true` may be meant as it.
            if let Some(anyone_can_sign) = party.anyone_can_sign.node() {
                draft.cause(Cause::CaseValue(site.case_value(anyone_can_sign)));
            }
        }
    }
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

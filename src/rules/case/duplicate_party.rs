use crate::common::collections::HashMap;
use crate::facts::Context;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF710-duplicate-party", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let mut first = HashMap::default();
        for party in site.case.parties.get().into_iter().flatten() {
            let Some((node, mail)) = party.mail.known().map(|(node, mail)| (node, mail.trim())) else { continue };
            if mail.is_empty() && !site.is_built() {
                continue;
            }
            let Some(&earlier) = first.get(&mail.to_lowercase()) else {
                first.insert(mail.to_lowercase(), party.node);
                continue;
            };
            let message = if site.may_show(node) {
                format!("duplicate party with mail address {}", quote(mail))
            } else {
                "duplicate party: two parties have the same mail address".to_owned()
            };
            let mut draft = out.report(&site.place_of_value(party.node), message);
            draft
                .claim(RULE.name)
                .help("remove one of the parties, or change its address")
                .related(&site.place_of_value(earlier), "first party with this address");
            if mail.is_empty() {
                draft.only_agree();
            }
            if site.document.is_equal(earlier, party.node) {
                let edits = site.removal(cx, party.node);
                draft.fix(Applicability::Unsafe, "remove the second party, which is equal", edits);
            }
        }
    }
}

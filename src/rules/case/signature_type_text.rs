use crate::facts::Context;
use crate::model::Literal;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::truncate;

pub const RULE: Rule = rule!("WF708-signature-type-text", Info, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        for party in site.case.parties.get().into_iter().flatten() {
            let Some((node, Literal::Text(text))) = party.signature_type.known() else { continue };
            let number = text.trim().parse::<i64>().ok().filter(|_| site.may_show(node));
            let found =
                if site.may_show(node) { format!("{:?}", truncate(text, MAX_SHOWN)) } else { "a string".to_owned() };
            let message = format!("expected a number for `SignatureType`, found {found}");
            let mut draft = out.report(&site.place_of_use(node), message);
            let edits = number.map(|number| site.edits(cx, node, &number.to_string())).unwrap_or_default();
            match number.map(|number| format!("set `SignatureType` to {number}")) {
                Some(title) if !edits.is_empty() => draft.fix(Applicability::Safe, title, edits),
                Some(title) => draft.help(title),
                None => draft.help("set `SignatureType` to the number of a signature type; 0 is documented"),
            };
        }
    }
}

/// Characters of a signature type that are shown.
const MAX_SHOWN: usize = 20;

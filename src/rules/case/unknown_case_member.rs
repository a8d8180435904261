use crate::facts::Context;
use crate::model::{Assumption, UnknownMember};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Severity};
use crate::text::{article, quote};

pub const RULE: Rule = rule!("WF711-unknown-case-member", Info | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        for unknown in &site.case.unknown_members {
            let Some(key) = site.document.key(unknown.member) else { continue };
            if !site.names_key(unknown.object, key) {
                continue;
            }
            let noun = unknown.element.noun();
            let message = format!("unknown key {} in {} {noun}", quote(key), article(noun));
            let place = site.place_of_key(unknown.member);
            match unknown.near {
                Some(near) if unknown.near_is_absent => {
                    let mut draft = out.report(&place, message);
                    draft.help(format!("did you mean `{near}`?")).severity(Severity::Warning);
                    // Of two keys that may both be meant to be one, neither is renamed.
                    let is_alike = |other: &&UnknownMember| (other.object, other.near) == (unknown.object, Some(near));
                    if unknown.is_certain && site.case.unknown_members.iter().filter(is_alike).count() == 1 {
                        let edits = site.key_edits(cx, unknown.member, near);
                        draft.fix(Applicability::Unsafe, format!("rename the key to `{near}`"), edits);
                    }
                }
                Some(near) => {
                    out.report(&place, format!("{message} that has `{near}`"))
                        .help(format!("remove {}, or merge it into `{near}`", quote(key)))
                        .severity(Severity::Warning);
                }
                None => {
                    out.report(&place, message).assumes(Assumption::OtherKeys).help(
                        "check the spelling, or remove the key; only documented keys are known to have an effect",
                    );
                }
            }
        }
    }
}

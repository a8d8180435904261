use crate::facts::Context;
use crate::model::Assumption;
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::{article, quote};

pub const RULE: Rule = rule!("WF711-unknown-case-member", Info | Warning, check);

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
                    out.report(&place, message).help(format!("did you mean `{near}`?")).severity(Severity::Warning);
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

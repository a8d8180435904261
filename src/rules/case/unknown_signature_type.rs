use crate::facts::Context;
use crate::model::{Assumption, SIGNATURE_TYPES};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Severity};
use crate::text::quote;

pub const RULE: Rule = rule!("WF705-unknown-signature-type", Info | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let known = || SIGNATURE_TYPES.iter().map(|(name, _)| *name);
    for site in cx.cases() {
        for (node, name) in site.case.allowed_types.get().into_iter().flatten() {
            let Some(name) = name.filter(|name| !known().any(|known| known.eq_ignore_ascii_case(name))) else {
                continue;
            };
            if !site.may_show(*node) {
                continue;
            }
            let message = format!("unknown signature type {}", quote(name));
            let place = site.place_of_value(*node);
            match cx.suggester.nearest(name, known()) {
                Some(near) => {
                    let mut draft = out.report(&place, message);
                    draft.help(format!("did you mean `{near}`?")).severity(Severity::Warning);
                    if cx.suggester.is_only(name, near, known()) {
                        let edits = site.text_edits(cx, *node, near);
                        draft.fix(Applicability::Unsafe, format!("write `{near}`"), edits);
                    }
                }
                None => {
                    out.report(&place, format!("{message}, the data that it requires is not checked"))
                        .assumes(Assumption::OtherValues)
                        .help("use `ElectronicId` or `sms`, or check that the provider supports the type");
                }
            }
        }
    }
}

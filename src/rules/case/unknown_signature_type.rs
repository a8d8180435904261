use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::model::SIGNATURE_TYPES;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF705",
    name: "unknown-signature-type",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF705-unknown-signature-type.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let known = || SIGNATURE_TYPES.iter().map(|(way, _)| *way);
    for site in cx.cases() {
        for (node, way) in site.case.allowed_types.get().into_iter().flatten() {
            let Some(way) = way.filter(|way| !known().any(|known| known == *way)) else { continue };
            if !site.is_certain(*node) {
                continue;
            }
            let message = format!("{} is no way of signing that is documented", quote(way));
            match cx.suggester.nearest(way, known()) {
                Some(near) => {
                    let message = format!("{message}: a party may be left without a way to sign");
                    out.report(&site.value(*node), message)
                        .help(format!("did you mean `{near}`?"))
                        .severity(Severity::Warning);
                }
                None => {
                    let help =
                        "documented are `ElectronicId` and `sms`; whether the parties can sign so is not checked";
                    out.report(&site.value(*node), message).help(help);
                }
            }
        }
    }
}

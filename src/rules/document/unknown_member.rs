use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF007",
    name: "unknown-member",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF007-unknown-member.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, unknown) in cx.unknown_members() {
        if cx.is_exact_copy(file, unknown.member) {
            continue;
        }
        let name = cx.document(file).and_then(|document| document.key(unknown.member)).unwrap_or_default();
        let noun = unknown.element.noun();
        let article = if noun.starts_with('a') { "an" } else { "a" };
        let place = Place::key(file, unknown.member);
        match unknown.near {
            Some(near) if unknown.near_is_absent => {
                let message = format!(
                    "{article} {noun} has no member {}: it looks like `{near}`, which the platform would not find",
                    quote(name)
                );
                out.report(&place, message).help(format!("write `{near}`")).severity(Severity::Warning);
            }
            Some(near) => {
                let message = format!("{article} {noun} has no member {}, and has `{near}` already", quote(name));
                let is_slip = near.eq_ignore_ascii_case(name);
                let severity = if is_slip { Severity::Warning } else { Severity::Info };
                out.report(&place, message).help("remove it, or merge the two").severity(severity);
            }
            None => {
                let message = format!("{article} {noun} has no member {} that is documented", quote(name));
                out.report(&place, message).help("most likely the platform passes over it");
            }
        }
    }
}

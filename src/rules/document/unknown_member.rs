use crate::facts::{Context, Place};
use crate::model::Assumption;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF007-unknown-member", Info | Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, unknown) in cx.unknown_members() {
        if cx.is_exact_copy(file, unknown.member) {
            continue;
        }
        let name = cx.document(file).and_then(|document| document.key(unknown.member)).unwrap_or_default();
        let message = format!("unknown {} key {}", unknown.element.noun(), quote(name));
        let place = Place::key(file, unknown.member);
        match unknown.near {
            Some(near) if unknown.near_is_absent => {
                out.report(&place, message)
                    .help(format!("did you mean `{near}`?"))
                    .severity(Severity::Warning)
                    .cause(Cause::Name(file, unknown.object, near.to_owned()));
            }
            Some(near) => {
                out.report(&place, format!("{message} beside `{near}`"))
                    .help("remove it, or merge the two")
                    .severity(Severity::Warning);
            }
            None => {
                out.report(&place, message)
                    .assumes(Assumption::OtherKeys)
                    .help("remove it, unless your version of the platform has it");
            }
        }
    }
}

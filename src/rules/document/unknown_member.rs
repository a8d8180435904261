use crate::common::collections::HashMap;
use crate::facts::{Context, Place, rekeyed};
use crate::model::Assumption;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Severity};
use crate::text::quote;

pub const RULE: Rule = rule!("WF007-unknown-member", Info | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    // Of two keys that may both be meant to be one, neither is renamed.
    let mut meant: HashMap<_, usize> = HashMap::default();
    for (file, unknown) in cx.unknown_members().filter(|(_, unknown)| unknown.near_is_absent) {
        *meant.entry((file, unknown.object, unknown.near)).or_default() += 1;
    }
    for (file, unknown) in cx.unknown_members() {
        if cx.is_exact_copy(file, unknown.member) {
            continue;
        }
        let name = cx.document(file).and_then(|document| document.key(unknown.member)).unwrap_or_default();
        let message = format!("unknown {} key {}", unknown.element.noun(), quote(name));
        let place = Place::key(file, unknown.member);
        match unknown.near {
            Some(near) if unknown.near_is_absent => {
                let mut draft = out.report(&place, message);
                draft.help(format!("did you mean `{near}`?")).severity(Severity::Warning).cause(Cause::Name(
                    file,
                    unknown.object,
                    near.to_owned(),
                ));
                let is_alone = meant.get(&(file, unknown.object, unknown.near)) == Some(&1);
                if let Some(document) = cx.document(file).filter(|_| unknown.is_certain && is_alone) {
                    let edits = rekeyed(document, file, unknown.member, near);
                    draft.fix(Applicability::Unsafe, format!("rename the key to `{near}`"), edits);
                }
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

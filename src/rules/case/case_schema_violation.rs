use crate::document::NodeId;
use crate::facts::{CaseSite, Context};
use crate::model::case_key;
use crate::rules::{Cause, Reporter, Rule};
use crate::schema::Violation;
use crate::text::diagnostic::Severity;

pub const RULE: Rule = rule!("WF702-case-schema-violation", Error | Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        for violation in &site.violations.listed {
            let place = site.place_of_use(violation.node);
            out.report(&place, message_of(site, violation)).help(violation.help.clone());
        }
        // After those that are listed, only the number counts: the message tells them apart.
        for &node in site.violations.further.iter().filter(|_| !site.is_built()) {
            out.report(&site.place_of_use(node), node.index().to_string());
        }
        report_missing(site, case_key::NAME, site.case.name.node(), out);
        report_missing(site, case_key::PARTIES, site.case.parties.node(), out);
    }
}

/// The message of a violation, without the made-up number that a script was run on.
fn message_of(site: &CaseSite<'_>, violation: &Violation) -> String {
    let number = site.document.number(violation.node).filter(|_| !site.may_show(violation.node));
    let without = number.and_then(|number| violation.message.strip_suffix(number));
    without.map_or_else(|| violation.message.clone(), |start| format!("{start}a number"))
}

/// Reports a missing key of the case. `read_from` is the value that the model reads in its place, under a mistyped key.
fn report_missing(site: &CaseSite<'_>, key: &str, read_from: Option<NodeId>, out: &mut Reporter<'_>) {
    let root = site.document.root();
    if site.document.member(root, key).is_some() {
        return;
    }
    let mut draft = out.report(&site.place_of_value(root), format!("missing key `{key}` in the signing case"));
    draft.help(format!("add `{key}`")).severity(Severity::Warning);
    if let Some(mistyped) = read_from {
        draft.cause(Cause::CaseValue(site.case_value(mistyped)));
    }
}

use crate::document::NodeId;
use crate::facts::{CaseSite, Context};
use crate::model::case_key;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::schema::{Repair, Violation};
use crate::text::diagnostic::{Applicability, Edit, Severity};
use crate::text::personal_id;

pub const RULE: Rule = rule!("WF702-case-schema-violation", Error | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        for violation in &site.violations.listed {
            let place = site.place_of_use(violation.node);
            let mut draft = out.report(&place, message_of(site, violation));
            let repair = violation.repair.as_ref();
            let repair = repair.map(|repair| (repair.title(), edits(cx, site, violation.node, repair)));
            match repair.filter(|(_, edits)| !edits.is_empty()) {
                Some((title, edits)) => draft.fix(Applicability::Unsafe, title, edits),
                None => draft.help(violation.help.clone()),
            };
        }
        // After those that are listed, only the number counts: the message tells them apart.
        for &node in site.violations.further.iter().filter(|_| !site.is_built()) {
            out.report(&site.place_of_use(node), node.index().to_string());
        }
        report_missing(site, case_key::NAME, site.case.name.node(), out);
        report_missing(site, case_key::PARTIES, site.case.parties.node(), out);
    }
}

/// The edits that write a value with the type that is expected; none where the number has lost digits of what was meant.
fn edits(cx: &Context<'_>, site: &CaseSite<'_>, node: NodeId, repair: &Repair) -> Vec<Edit> {
    match repair {
        Repair::Write(json) => site.edits(cx, node, json),
        Repair::Quote => {
            let number = site.document.number(node).unwrap_or_default();
            // Zeros at the start of a personal id or of a phone number are gone.
            let is_whole = match site.document.key(node) {
                Some(key) if key.eq_ignore_ascii_case("SocialSecurityNumber") => personal_id::check(number).is_ok(),
                Some(key) => !key.eq_ignore_ascii_case("MobilePhone"),
                None => true,
            };
            if is_whole { site.edits(cx, node, &format!("\"{number}\"")) } else { Vec::new() }
        }
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

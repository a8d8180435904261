use crate::diagnostic::Severity;
use crate::document::NodeId;
use crate::facts::{CaseSite, Context};
use crate::model::case_key;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF702",
    name: "case-schema-violation",
    severity: Severity::Error,
    other_severities: &[Severity::Warning],
    yields_to: YieldsTo::Rules(&["WF711"]),
    page: include_str!("../../../rules/WF702-case-schema-violation.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases().iter().filter(|site| site.is_complete()) {
        for violation in site.violations.listed.iter().filter(|violation| site.is_definite(violation.node)) {
            let place = site.place_of_value(violation.node);
            out.report(&place, violation.message.clone()).help(violation.help.clone());
        }
        // After those that are listed, only the number counts.
        for &node in site.violations.further.iter().filter(|&&node| site.is_definite(node)) {
            out.report(&site.place_of_value(node), String::new());
        }
        report_missing(site, case_key::NAME, site.case.name.node(), out);
        report_missing(site, case_key::PARTIES, site.case.parties.node(), out);
    }
}

/// Reports a missing key of the case. `read_from` is the value that the model reads in its place, under a mistyped key.
fn report_missing(site: &CaseSite<'_>, key: &str, read_from: Option<NodeId>, out: &mut Reporter<'_>) {
    let root = site.document.root();
    if site.document.member(root, key).is_some() || !site.is_definite_member(root, key) {
        return;
    }
    let mut draft = out.report(&site.place_of_value(root), format!("missing key `{key}` in the signing case"));
    draft.help(format!("add `{key}`")).severity(Severity::Warning);
    if let Some(mistyped) = read_from {
        draft.about(Cause::CaseValue(site.case_value(mistyped)));
    }
}

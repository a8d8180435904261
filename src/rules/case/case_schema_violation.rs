use crate::diagnostic::Severity;
use crate::facts::Context;
use crate::model::case_key;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF702",
    name: "case-schema-violation",
    severity: Severity::Error,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF702-case-schema-violation.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases().iter().filter(|site| site.is_whole()) {
        for violation in site.violations.iter().filter(|violation| site.is_certain(violation.node)) {
            out.report(&site.value(violation.node), violation.message.clone()).help(violation.help.clone());
        }
        // A mistyped name in its place is told by WF711.
        let missing = [
            (site.case.name.is_absent(), case_key::NAME, "nobody learns what is to be signed"),
            (site.case.parties.is_absent(), case_key::PARTIES, "nobody is asked to sign"),
        ];
        let root = site.document.root();
        let missing =
            missing.into_iter().filter(|(is_missing, name, _)| *is_missing && site.is_certain_member(root, name));
        for (_, name, outcome) in missing {
            out.report(&site.value(root), format!("the signing case has no `{name}`, so {outcome}"))
                .help(format!("add `{name}`"))
                .severity(Severity::Warning);
        }
    }
}

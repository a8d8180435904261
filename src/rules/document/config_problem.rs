use crate::rules::Rule;
use crate::text::diagnostic::Severity;

pub const RULE: Rule = Rule {
    code: "WF000",
    name: "config-problem",
    severity: Severity::Warning,
    other_severities: &[Severity::Error, Severity::Info],
    recommends_infos: true,
    page: include_str!("../../../rules/WF000-config-problem.md"),
    // Judged over all services of a run, by `lint::problems`.
    check: |_, _| {},
    ..Rule::DEFAULT
};

use crate::diagnostic::Severity;
use crate::rules::Rule;

pub const RULE: Rule = Rule {
    code: "WF000",
    name: "config-problem",
    severity: Severity::Warning,
    other_severities: &[Severity::Error, Severity::Info],
    page: include_str!("../../../rules/WF000-config-problem.md"),
    // It is about what all services of a run together make use of: see `lint::problems`.
    check: |_, _| {},
    ..Rule::DEFAULT
};

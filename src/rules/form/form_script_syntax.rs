//! WF617

use crate::diagnostic::Severity;
use crate::rules::{Context, Fixes, Reporter, Rule, Stage};
use crate::script::syntax::Syntax;

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF617",
    name: "form-script-syntax",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF617-form-script-syntax.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.form_scripts() {
        let Syntax::Error(error) = site.syntax else { continue };
        out.report(
            &site.inside(error.range.clone()),
            format!("`{}` is no JavaScript{}: {}", site.member, site.position(&error.range), error.message),
            "correct the script: as it is, it cannot run",
        );
    }
}

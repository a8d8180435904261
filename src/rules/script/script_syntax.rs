use crate::diagnostic::Severity;
use crate::facts::Context;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::Syntax;

pub const RULE: Rule = Rule {
    code: "WF801",
    name: "script-syntax",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF801-script-syntax.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.codes() {
        let Syntax::Error(error) = site.syntax else { continue };
        out.report(
            &site.inside(error.range.clone()),
            format!("this script is no JavaScript{}: {}", site.position(&error.range), error.message),
        )
        .help("correct the script: as it is, it cannot run, and `Json` gets no value");
    }
}

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
        let activity = site.activity.display_name();
        let position = site.position(&error.range);
        let message = format!("invalid JavaScript in {activity}{position}: {}", error.message);
        out.report(&site.inside(error.range.clone()), message)
            .help("correct the script: until it parses, `Json` gets no value");
    }
}

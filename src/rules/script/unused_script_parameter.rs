use crate::collections::HashSet;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::script::{parsed, unknown_identifier};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF804",
    name: "unused-script-parameter",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF804-unused-script-parameter.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        // Of an empty script it is told that it does nothing (WF802).
        let Some(parameters) = site.parameter_names().filter(|_| !script.is_obscure && !script.is_empty) else {
            continue;
        };
        let globals = script.globals.iter().filter(|global| global.is_read).map(|global| global.name.as_str());
        let own = script.declarations.iter().filter(|own| own.is_read).map(|own| own.name.as_str());
        let members = script.global_members.iter().map(String::as_str);
        let mut read: HashSet<&str> = globals.chain(own).chain(members).collect();
        // A mistyped name is told where it is read (WF803).
        read.extend(unknown_identifier::meant(cx, script, &parameters));
        for parameter in site.code.parameters.get().into_iter().flatten() {
            let Some(name) = parameter.name.value().filter(|name| !name.is_empty() && !read.contains(name)) else {
                continue;
            };
            out.report(
                &Place::value(site.analysis.file, parameter.node),
                format!("the script never reads its parameter {}", quote(name)),
            )
            .help("use it in the script, or remove it");
        }
    }
}

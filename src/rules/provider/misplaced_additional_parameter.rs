use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::Context;
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF209",
    name: "misplaced-additional-parameter",
    severity: Severity::Warning,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF209-misplaced-additional-parameter.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let method = site.outputs.method;
        let lists = [(&site.provider.declared, false), (&site.provider.additional, true)];
        for (list, is_additional) in lists {
            for parameter in list.get().into_iter().flatten() {
                let name = match parameter.name.value() {
                    Some(name) if !name.is_empty() => quote(name),
                    _ => "a parameter without a name".to_owned(),
                };
                let flag = parameter.is_additional.known().filter(|&(_, &flag)| flag != is_additional);
                if let Some((node, _)) = flag {
                    let (here, there) =
                        if is_additional { ("additional", "declared") } else { ("declared", "additional") };
                    let mut draft = out.report(
                        &site.at(node),
                        format!("{name} stands among the {here} parameters, but says that it is {there}"),
                    );
                    draft.help(format!("set `isAdditional` to {is_additional}, or move it to the other list"));
                    // A parameter that the method does not have would only be told as such next.
                    let belongs_here = is_additional
                        || method.is_none_or(|method| {
                            parameter.name.value().is_some_and(|name| method.parameter(name).is_some())
                        });
                    if belongs_here {
                        let title = format!("set isAdditional to {is_additional}");
                        draft.fix_value(Applicability::Safe, title, node, is_additional.to_string());
                    }
                }
            }
        }
        for parameter in site.provider.additional() {
            if let Some((node, id)) = parameter.id.known().filter(|&(_, &id)| id != 0) {
                let name = quote(parameter.name.value().unwrap_or_default());
                out.report(
                    &site.at(node),
                    format!("{name} is additional, so it has no id of its own, but {id} is given"),
                )
                .help("set `id` to 0")
                .fix_value(Applicability::Safe, "set id to 0", node, "0");
            }
        }
    }
}

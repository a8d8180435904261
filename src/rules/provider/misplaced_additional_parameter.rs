//! WF209

use crate::diagnostic::{Applicability, Severity, quote};
use crate::rules::{Context, Fixes, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF209",
    name: "misplaced-additional-parameter",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::Safe,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF209-misplaced-additional-parameter.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let lists = [(&site.provider.declared, false), (&site.provider.additional, true)];
        for (list, is_additional) in lists {
            for parameter in list.get().into_iter().flatten() {
                let name = quote(parameter.name.value().unwrap_or_default());
                let flag = parameter.is_additional.known().filter(|&(_, &flag)| flag != is_additional);
                if let Some((node, _)) = flag {
                    let place =
                        if is_additional { "among the additional parameters" } else { "among the declared parameters" };
                    out.report(
                        &site.at(node),
                        format!(
                            "{name} stands {place}, but says that it is {}",
                            if is_additional { "declared" } else { "additional" }
                        ),
                        format!("set `isAdditional` to {is_additional}, or move it to the other list"),
                    )
                    .fix_value(
                        Applicability::Safe,
                        format!("set isAdditional to {is_additional}"),
                        node,
                        is_additional.to_string(),
                    );
                }
                let id = parameter.id.known().filter(|&(_, &id)| is_additional && id != 0);
                if let Some((node, id)) = id {
                    out.report(
                        &site.at(node),
                        format!("{name} is additional, so it has no id of its own, but {id} is given"),
                        "set `id` to 0",
                    )
                    .fix_value(Applicability::Safe, "set id to 0", node, "0");
                }
            }
        }
    }
}

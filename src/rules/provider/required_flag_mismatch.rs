use crate::facts::{Context, described_parameters, member_edits};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF208-required-flag-mismatch", Warning, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for (parameter, known) in described_parameters(&site) {
            let Some((node, &flag)) = parameter.required.known() else { continue };
            if flag == known.required || known.sometimes_required {
                continue;
            }
            let name = quote(&known.name);
            let method = quote(site.outputs.method.map_or("", |method| method.name.as_str()));
            let message = if known.required {
                format!("`required` is `false` for {name}, but {method} requires it")
            } else {
                format!("`required` is `true` for {name}, but it is optional in {method}")
            };
            let right = known.required.to_string();
            let edits = member_edits(&site, parameter, |parameter| &parameter.required, &right);
            out.report(&site.at(node), message).fix(Applicability::Safe, format!("set `required` to `{right}`"), edits);
        }
    }
}

use crate::catalog::Method;
use crate::facts::{Context, ProviderSite, member_edits};
use crate::model::{ADDITIONAL_PARAMETERS, DECLARED_PARAMETERS, Parameter};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF209-misplaced-additional-parameter", Warning, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let lists = [(&site.provider.declared, false), (&site.provider.additional, true)];
        for (list, is_additional) in lists {
            for parameter in list.get().into_iter().flatten() {
                check_flag(&site, parameter, is_additional, out);
            }
        }
        for parameter in site.provider.additional() {
            if let Some((node, id)) = parameter.id.known().filter(|&(_, &id)| id != 0) {
                let name = quote(parameter.name.value().unwrap_or_default());
                let message = format!("expected `id` 0 for additional parameter {name}, found {id}");
                let edits = member_edits(&site, parameter, |parameter| &parameter.id, "0");
                out.report(&site.at(node), message).fix(Applicability::Safe, "set `id` to 0", edits);
            }
        }
    }
}

fn check_flag<'a>(
    site: &ProviderSite<'_, 'a>,
    parameter: &Parameter<'a>,
    is_in_additional: bool,
    out: &mut Reporter<'_>,
) {
    let Some((node, flag)) = parameter.is_additional.known().filter(|&(_, &flag)| flag != is_in_additional) else {
        return;
    };
    let (here, there) = if is_in_additional {
        (ADDITIONAL_PARAMETERS, DECLARED_PARAMETERS)
    } else {
        (DECLARED_PARAMETERS, ADDITIONAL_PARAMETERS)
    };
    let name = match parameter.name.value() {
        Some(name) if !name.is_empty() => quote(name),
        _ => "a parameter without a name".to_owned(),
    };
    let mut draft = out.report(&site.at(node), format!("`isAdditional` is `{flag}` for {name}, but it is in `{here}`"));
    draft.cause(Cause::Node(site.analysis.file, parameter.node));
    // A declared parameter that the method does not have is not fixed: with the right flag it would be unknown.
    let is_known = |method: &Method| parameter.name.value().is_some_and(|name| method.parameter(name).is_some());
    if is_in_additional || site.outputs.method.is_none_or(is_known) {
        let title = format!("set `isAdditional` to `{is_in_additional}`");
        draft.help(format!("if the flag is right, move the parameter to `{there}`"));
        let right = is_in_additional.to_string();
        let edits = member_edits(site, parameter, |parameter| &parameter.is_additional, &right);
        draft.fix(Applicability::Safe, title, edits);
    } else {
        draft.help(format!("move it to `{there}`, or set `isAdditional` to `{is_in_additional}`"));
    }
}

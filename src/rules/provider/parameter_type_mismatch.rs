use crate::catalog::{Parameter, ValueType};
use crate::document::NodeId;
use crate::facts::{Context, ProviderSite, described_parameters, fits, meant_boolean, member_edits, with_copy};
use crate::model::Literal;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::{quote, quoted_list};

pub const RULE: Rule = rule!("WF205-parameter-type-mismatch", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for (parameter, known) in described_parameters(&site) {
            let wanted = known.value_type;
            let literal = parameter.value.get().and_then(|binding| binding.literal());
            let literal = literal.filter(|(_, literal)| !literal.is_empty());
            let name = || quote(&known.name);
            if let Some(wanted) = wanted
                && let Some((node, written)) =
                    parameter.value_type.known().filter(|(_, written)| **written != wanted.word())
            {
                let written = Literal::Text(written).describe();
                let message = format!("expected type \"{}\" for {}, found {written}", wanted.word(), name());
                let mut draft = out.report(&site.at(node), message);
                let json = serde_json::Value::from(wanted.word()).to_string();
                let mut edits = member_edits(&site, parameter, |parameter| &parameter.value_type, &json);
                edits.extend(repair(&site, literal, wanted).map(|(_, edits)| edits).unwrap_or_default());
                let title = format!("set `providerParameterType` to {}", quote(wanted.word()));
                draft.fix(Applicability::Unsafe, title, edits);
                // Other faults of a value of the wrong type do not count.
                if let Some((value, _)) = literal {
                    draft.cause(Cause::Node(site.analysis.file, value));
                }
                continue;
            }
            let Some((node, literal)) = literal else { continue };
            let Some(wanted) = wanted.filter(|wanted| !fits(literal, *wanted)) else {
                if !is_accepted(known, literal) {
                    let message = format!("unknown value {} for {}", literal.describe(), name());
                    let mut draft = out.report(&site.at(node), message);
                    draft.help(format!("set it to {}", quoted_list(&known.values, "or")));
                    if let Literal::Text(written) = literal
                        && let Some(near) = cx.suggester.only_nearest(written, known.values.iter().map(String::as_str))
                    {
                        let json = serde_json::Value::from(near).to_string();
                        let edits = with_copy(site.analysis, site.activity, node, &json);
                        draft.fix(Applicability::Unsafe, format!("set it to {}", quote(near)), edits);
                    }
                }
                continue;
            };
            let (noun, value) = match wanted {
                ValueType::Decimal => ("a number", "a number"),
                _ => ("a boolean", "`true` or `false`, without quotes"),
            };
            let message = format!("expected {noun} for {}, found {}", name(), literal.describe());
            let mut draft = out.report(&site.at(node), message);
            match repair(&site, Some((node, literal)), wanted) {
                Some((meant, edits)) => draft.fix(Applicability::Unsafe, format!("set it to `{meant}`"), edits),
                None => draft.help(format!("set it to {value}")),
            };
        }
    }
}

/// The boolean that a literal of another type plainly means, with the edits that write it.
fn repair(
    site: &ProviderSite<'_, '_>,
    literal: Option<(NodeId, Literal<'_>)>,
    wanted: ValueType,
) -> Option<(bool, Vec<Edit>)> {
    let (node, literal) = literal.filter(|_| wanted == ValueType::Boolean)?;
    let meant = meant_boolean(literal)?;
    Some((meant, with_copy(site.analysis, site.activity, node, &meant.to_string())))
}

/// Whether a literal is one of the values that a parameter accepts. PowerShell's `[ValidateSet]` ignores case.
fn is_accepted(parameter: &Parameter, literal: Literal<'_>) -> bool {
    parameter.values.is_empty()
        || parameter.values.iter().any(|value| match literal {
            Literal::Text(text) => text.to_lowercase() == value.to_lowercase(),
            Literal::Number(_) => literal.as_number() == Literal::Text(value).as_number(),
            Literal::Boolean(boolean) => value.eq_ignore_ascii_case(if boolean { "true" } else { "false" }),
            Literal::Null => true,
        })
}

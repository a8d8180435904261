use crate::catalog::{Parameter, ValueType};
use crate::facts::{Context, described_parameters, fits};
use crate::model::Literal;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::{quote, quoted_list};

pub const RULE: Rule = rule!("WF205-parameter-type-mismatch", Error, check);

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
                draft.help(format!("set `providerParameterType` to {}", quote(wanted.word())));
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
                    out.report(&site.at(node), message).help(format!("set it to {}", quoted_list(&known.values, "or")));
                }
                continue;
            };
            let (noun, value) = match wanted {
                ValueType::Decimal => ("a number", "a number"),
                _ => ("a boolean", "`true` or `false`, without quotes"),
            };
            out.report(&site.at(node), format!("expected {noun} for {}, found {}", name(), literal.describe()))
                .help(format!("set it to {value}"));
        }
    }
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

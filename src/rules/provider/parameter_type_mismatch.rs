use crate::catalog::{self, ValueType};
use crate::diagnostic::{Severity, quote};
use crate::model::{Literal, Parameter};
use crate::rules::provider::known_parameters;
use crate::rules::{Context, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF205",
    name: "parameter-type-mismatch",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF205-parameter-type-mismatch.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for (parameter, known) in known_parameters(&site) {
            let wanted = known.value_type;
            if let Some((node, given)) = parameter.value_type.known().filter(|(_, given)| **given != wanted.word()) {
                out.report(
                    &site.at(node),
                    format!(
                        "the method takes {} as `{}`, but the document says {}",
                        quote(&known.name),
                        wanted.word(),
                        quote(given)
                    ),
                )
                .help(format!("set `providerParameterType` to `{}`", wanted.word()));
                continue;
            }
            let Some((node, literal)) = parameter.value.get().and_then(|binding| binding.literal()) else { continue };
            if !literal.is_empty() && !fits(literal, wanted) {
                let noun = if wanted == ValueType::Decimal { "a number" } else { "true or false" };
                out.report(
                    &site.at(node),
                    format!("{} takes {noun}, but is given {}", quote(&known.name), describe(literal)),
                )
                .help(format!("write {noun}"));
            }
        }
    }
}

/// Whether neither the type that a parameter says nor its literal is another than the method's.
pub(super) fn has_its_type(parameter: &Parameter<'_>, known: &catalog::Parameter) -> bool {
    let says_another = parameter.value_type.value().is_some_and(|given| given != known.value_type.word());
    let literal = parameter.value.get().and_then(|binding| binding.literal());
    !says_another && literal.is_none_or(|(_, literal)| literal.is_empty() || fits(literal, known.value_type))
}

/// Whether a literal is of a type. A number may be given as a text (docs/concepts.md, Parameters), and so
/// may true and false.
fn fits(literal: Literal<'_>, wanted: ValueType) -> bool {
    match (wanted, literal) {
        (ValueType::String, _) | (ValueType::Boolean, Literal::Boolean(_)) => true,
        (ValueType::Decimal, _) => literal.as_number().is_some_and(f64::is_finite),
        (ValueType::Boolean, Literal::Text(text)) => {
            text.trim().eq_ignore_ascii_case("true") || text.trim().eq_ignore_ascii_case("false")
        }
        (ValueType::Boolean, _) => false,
    }
}

fn describe(literal: Literal<'_>) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Number(number) => quote(number),
        Literal::Text(text) => format!("the text {}", quote(text)),
    }
}

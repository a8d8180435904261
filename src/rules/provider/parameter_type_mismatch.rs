use crate::catalog::ValueType;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, fits, known_parameters};
use crate::model::Literal;
use crate::rules::{Reporter, Rule};

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

fn describe(literal: Literal<'_>) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Number(number) => quote(number),
        Literal::Text(text) => format!("the text {}", quote(text)),
    }
}

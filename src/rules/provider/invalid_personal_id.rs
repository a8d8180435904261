use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, literals};
use crate::personal_id::{self, Country, FORMATS, Fault};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF212",
    name: "invalid-personal-id",
    severity: Severity::Error,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF212-invalid-personal-id.md"),
    check,
    ..Rule::DEFAULT
};

// The id itself is personal data, so that no message holds a part of it.
fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for given in literals(&site, ParameterKind::PersonalId) {
            let Some(Err(fault)) = given.text().map(personal_id::check) else { continue };
            let name = quote(given.name);
            let (message, help, severity) = match fault {
                Fault::Format => (
                    format!("what {name} is given has the format of no personal id, so the case cannot be made"),
                    format!("write it in one of the three formats: {FORMATS}"),
                    Severity::Error,
                ),
                Fault::Date(country) => (
                    format!(
                        "the {} personal id that {name} is given begins with a date that does not exist, so nobody \
                         has it",
                        adjective(country)
                    ),
                    date_help(country).to_owned(),
                    Severity::Error,
                ),
                Fault::CheckDigit(country) => (
                    format!(
                        "the last character of the {} personal id that {name} is given does not fit the others: one \
                         of them is mistyped",
                        adjective(country)
                    ),
                    "compare it with the original".to_owned(),
                    Severity::Warning,
                ),
            };
            out.report(&site.at(given.node), message).help(help).severity(severity);
        }
    }
}

const fn adjective(country: Country) -> &'static str {
    match country {
        Country::Sweden => "Swedish",
        Country::Finland => "Finnish",
        Country::Denmark => "Danish",
    }
}

const fn date_help(country: Country) -> &'static str {
    match country {
        Country::Sweden => "it begins with year, month and day: `YYYYMMDD-NNNN`",
        Country::Finland => "it begins with day, month and year: `DDMMYY-ZZZQ`",
        Country::Denmark => {
            "a Danish one begins with day, month and year: `DDMMYY-SSSS`; a Swedish one needs all four digits of the \
             year: `YYYYMMDD-NNNN`"
        }
    }
}

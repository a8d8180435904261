use std::ops::Range;

use crate::catalog::ParameterKind;
use crate::facts::{Context, literals, removed_parts};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Severity};
use crate::text::personal_id::{self, Country, FORMATS, PersonalIdError};
use crate::text::quote;

pub const RULE: Rule = rule!("WF212-invalid-personal-id", Error | Warning, check, fixes: Fixes::Unsafe);

// The id itself is personal data, so that no message holds a part of it.
fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::PersonalId) {
            let Some(text) = value.text() else { continue };
            let Err(fault) = personal_id::check(text) else { continue };
            let name = quote(value.name);
            let (message, help, severity) = match fault {
                PersonalIdError::Format => (
                    format!("invalid personal id in {name}: unknown format"),
                    format!("write it in one of the three formats: {FORMATS}"),
                    Severity::Error,
                ),
                PersonalIdError::Date(country) => (
                    format!("invalid {} personal id in {name}: its date does not exist", adjective(country)),
                    date_help(country).to_owned(),
                    Severity::Error,
                ),
                PersonalIdError::CheckDigit(country) => (
                    format!("invalid {} personal id in {name}: wrong check digit", adjective(country)),
                    "check it against its source".to_owned(),
                    Severity::Warning,
                ),
            };
            let mut draft = out.report(&site.at(value.node), message);
            draft.help(help).severity(severity);
            let without: String = text.split_whitespace().collect();
            if personal_id::check(&without).is_ok() {
                let edits = removed_parts(site.analysis, site.activity, value.node, &blanks(text));
                draft.fix(Applicability::Unsafe, "remove the blanks in it", edits);
            }
        }
    }
}

/// The white space anywhere in a text.
fn blanks(text: &str) -> Vec<Range<usize>> {
    let blanks = text.char_indices().filter(|(_, letter)| letter.is_whitespace());
    blanks.map(|(at, blank)| at..at + blank.len_utf8()).collect()
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
        Country::Sweden => "begin with year, month and day: `YYYYMMDD-NNNN`",
        Country::Finland => "begin with day, month and year: `DDMMYY-ZZZQ`",
        Country::Denmark => {
            "begin a Danish id with day, month and year (`DDMMYY-SSSS`), a Swedish one with all four digits of the \
             year (`YYYYMMDD-NNNN`)"
        }
    }
}

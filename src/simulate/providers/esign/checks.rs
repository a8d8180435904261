//! Values that a request refuses: those that the linter's rules on static parameters call errors.

use crate::catalog::{Method, ParameterKind};
use crate::document::{Document, NodeId};
use crate::mail;
use crate::model::{Literal, Member, SigningCase, case_key};
use crate::personal_id::{self, PersonalIdError};
use crate::simulate::providers::arguments::Arguments;
use crate::simulate::providers::outcome::CallError;
use crate::simulate::quote;
use crate::simulate::text::number;

/// Checks the parameters of a plain request; an empty one counts as missing.
pub(super) fn check_arguments(method: &Method, arguments: &Arguments<'_>) -> Result<(), CallError> {
    for parameter in &method.parameters {
        let Some(argument) = arguments.non_empty(&parameter.name) else { continue };
        let text = argument.text.as_str();
        let defect = match parameter.kind {
            Some(ParameterKind::PersonalId) => personal_id_defect(text),
            Some(ParameterKind::Mail) => mail_defect(text),
            Some(ParameterKind::Days) => days_defect(number(text), text),
            _ => None,
        };
        if let Some(defect) = defect {
            return Err(argument.error(format!("{defect} in {}", argument.parameter())));
        }
    }
    Ok(())
}

/// The first defect of a case in JSON, with the pointer of its member.
pub(super) fn defect_of_case(document: &Document, case: &SigningCase<'_>) -> Option<(String, String)> {
    let days = [
        (case_key::EXPIRE_AFTER_DAYS, &case.expire_after_days),
        (case_key::REMIND_AFTER_DAYS, &case.remind_after_days),
    ];
    let days = days.into_iter().filter_map(|(key, member)| Some((member.node()?, key, case_days_defect(member)?)));
    let parties = case.parties.get().into_iter().flatten();
    let parties = parties.flat_map(|party| {
        [
            text_defect(&party.personal_id, case_key::SOCIAL_SECURITY_NUMBER, personal_id_defect),
            text_defect(&party.mail, case_key::EMAIL_ADDRESS, mail_defect),
        ]
    });
    let (node, key, defect) = parties.flatten().chain(days).next()?;
    Some((document.pointer(node), format!("{defect} in `{key}`")))
}

fn text_defect(
    member: &Member<&str>,
    key: &'static str,
    check: impl Fn(&str) -> Option<String>,
) -> Option<(NodeId, &'static str, String)> {
    let text = member.value().filter(|text| !text.is_empty())?;
    Some((member.node()?, key, check(text)?))
}

fn case_days_defect(member: &Member<Literal<'_>>) -> Option<String> {
    let (Literal::Number(text) | Literal::Text(text)) = member.value()? else { return None };
    if text.is_empty() { None } else { days_defect(number(text), text) }
}

/// A wrong check digit is a warning of the linter, and no reason to refuse.
fn personal_id_defect(text: &str) -> Option<String> {
    match personal_id::check(text) {
        Err(PersonalIdError::Format) => {
            Some(format!("invalid personal id {}, expected {},", quote(text), personal_id::FORMATS))
        }
        Err(PersonalIdError::Date(_)) => Some(format!("invalid personal id {}, its date does not exist,", quote(text))),
        Err(PersonalIdError::CheckDigit(_)) | Ok(()) => None,
    }
}

fn mail_defect(text: &str) -> Option<String> {
    (!mail::is_address(text)).then(|| format!("invalid mail address {}", quote(text)))
}

fn days_defect(days: Option<f64>, text: &str) -> Option<String> {
    let is_day_count = days.is_some_and(|days| days >= 0.0 && days.fract() == 0.0);
    (!is_day_count).then(|| format!("expected a non-negative whole number of days, found {},", quote(text)))
}

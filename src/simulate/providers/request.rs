//! Requests: parameters are checked, and a case is created. A request refuses what the linter's rules on static parameters
//! call errors.

use std::sync::Arc;

use super::arguments::{Argument, Arguments, CallError, Output, Outputs, missing_of_kind};
use super::cases::{Mails, Party, Terms};
use super::lifecycle::open;
use crate::catalog::{Method, ParameterKind, Purpose};
use crate::document::{Document, Limits, NodeId, NodeKind, SyntaxErrorKind};
use crate::model::Assumption;
use crate::model::{Literal, Lowering, Member, SigningCase, case_key};
use crate::schema::{self, DocumentKind};
use crate::simulate::clock::days;
use crate::simulate::run::Run;
use crate::simulate::strings::{number, quote};
use crate::text::mail;
use crate::text::personal_id::{self, PersonalIdError};
use crate::text::quoted_list;
use crate::text::suggest::Suggester;

/// Asks one person to sign.
///
/// # Errors
/// A personal id, mail address or number of days that the platform rejects.
pub fn request<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    check_arguments(method, arguments)?;
    let text = |purpose| arguments.for_purpose(method, purpose).map_or("", |argument| argument.text.as_str());
    let mail = arguments.of_kind(method, ParameterKind::Mail).map(|mail| mail.text.as_str());
    let party = Party::new(text(Purpose::PartyName), mail);
    let mails = Mails { request: true, finish_to_parties: true, finish_to_creator: false, reject: false };
    let mut terms = Terms::new(text(Purpose::DocumentName), vec![party], mails, run.plan.scenario.requester.as_deref());
    let time = |purpose| days(number(text(purpose))?);
    terms.remind_after = time(Purpose::Reminder);
    let id = open(run, terms, time(Purpose::Expiry));
    Ok(id_outputs(method, &id))
}

/// Creates a case from its description in JSON.
pub fn request_json<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    let Some(json) = arguments.of_kind(method, ParameterKind::CaseJson) else {
        return Err(CallError::new(missing_of_kind(method, ParameterKind::CaseJson)));
    };
    let document = read(json)?;
    let suggester = Suggester::default();
    let lowering = Lowering { document: &document, types: &run.plan.config.types, suggester: &suggester };
    let described = SigningCase::lower(lowering);
    check(json, &document, &described)?;
    let parties = described.parties.get().into_iter().flatten();
    let parties = parties.map(|party| Party::new(party.name.value().unwrap_or_default(), party.mail.value())).collect();
    let flags = [
        described.mails_request,
        described.mails_finish_to_parties,
        described.mails_finish_to_creator,
        described.mails_reject,
    ];
    if flags.iter().any(Member::is_absent) {
        run.assume(Assumption::MailFlags);
    }
    let mails = Mails {
        request: described.mails_request.value().unwrap_or(true),
        finish_to_parties: described.mails_finish_to_parties.value().unwrap_or(false),
        finish_to_creator: described.mails_finish_to_creator.value().unwrap_or(false),
        reject: described.mails_reject.value().unwrap_or(false),
    };
    let name = described.name.value().unwrap_or_default();
    let mut terms = Terms::new(name, parties, mails, run.plan.scenario.requester.as_deref());
    terms.in_sequence = described.in_sequence.value() == Some(true);
    terms.remind_after = described.remind_after_days.value().and_then(Literal::as_number).and_then(days);
    let expire_after = described.expire_after_days.value().and_then(Literal::as_number).and_then(days);
    let id = open(run, terms, expire_after);
    Ok(id_outputs(method, &id))
}

/// The JSON object that describes a case.
fn read(json: &Argument<'_>) -> Result<Document, CallError> {
    let document = match Document::parse(json.text.as_str(), Limits::default()) {
        Ok(document) => schema::as_signing_case(document),
        Err(error) => return Err(json.error(format!("invalid JSON in {}: {}", json.parameter(), syntax(error.kind)))),
    };
    if document.kind(document.root()) == NodeKind::Object {
        return Ok(document);
    }
    Err(json.error(format!("expected a JSON object in {}", json.parameter())))
}

fn syntax(kind: SyntaxErrorKind) -> String {
    match kind {
        SyntaxErrorKind::Unexpected(expected) => format!("expected {expected}"),
        SyntaxErrorKind::BadString(defect) => format!("string with {defect}"),
        SyntaxErrorKind::TooDeep => "nested too deeply".to_owned(),
        SyntaxErrorKind::TooMany(what) => format!("too many {what}"),
    }
}

/// Checks a description against the case schema, and against what each party needs to sign.
fn check(json: &Argument<'_>, document: &Document, case: &SigningCase<'_>) -> Result<(), CallError> {
    let case_name = format!("the signing case of {}", json.parameter());
    if let Some(duplicate) = document.duplicates().first() {
        let name = document.key(duplicate.second).unwrap_or_default();
        return Err(json.error(format!("duplicate key {} in {case_name}", quote(name))));
    }
    if let Some(violation) = schema::validate(document, DocumentKind::SigningCase).listed.into_iter().next() {
        let at = at_pointer(document.pointer(violation.node).as_str());
        return Err(json.error(format!("invalid value{at} in {case_name}: {}", violation.message)));
    }
    let Some((node, parties)) = case.parties.known() else {
        return Err(json.error(format!("missing key `Parties` in {case_name}")));
    };
    if parties.is_empty() {
        let at = at_pointer(document.pointer(node).as_str());
        return Err(json.error(format!("empty array `Parties`{at} in {case_name}")));
    }
    if let Some((pointer, defect)) = defect_of_case(document, case) {
        return Err(json.error(format!("{defect}{} in {case_name}", at_pointer(&pointer))));
    }
    let (mut parties, needed) = case.parties_who_cannot_sign();
    if let Some(party) = parties.next() {
        let who = party.name.value().or(party.mail.value()).map_or_else(|| "a party".to_owned(), quote);
        let at = at_pointer(document.pointer(party.node).as_str());
        return Err(json.error(format!("missing {} of {who}{at} in {case_name}", quoted_list(&needed, "or"))));
    }
    Ok(())
}

fn at_pointer(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!(" at `{pointer}`") }
}

/// The id of a new case, as the output that the catalog declares.
fn id_outputs<'p>(method: &'p Method, id: &Arc<str>) -> Outputs<'p> {
    let names = method.outputs.iter().filter_map(|output| output.name.as_deref()).take(1);
    Outputs(names.map(|name| Output::requested(name, Arc::clone(id))).collect())
}

/// Checks the parameters of a plain request; an empty one counts as missing.
fn check_arguments(method: &Method, arguments: &Arguments<'_>) -> Result<(), CallError> {
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
fn defect_of_case(document: &Document, case: &SigningCase<'_>) -> Option<(String, String)> {
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

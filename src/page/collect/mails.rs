//! The mails that people get, as the platform and its signing provider send them.

use super::people::{Request, who};
use super::subject::Subject;
use crate::catalog::{ParameterKind, Purpose, Simulation};
use crate::draw::in_words;
use crate::facts::CaseSite;
use crate::model::{Activity, Approval, Binding, Literal, Member, is_late};
use crate::page::MailView;
use crate::simulate::subjects;
use crate::text::without_backticks;

/// In the order of the text.
pub fn mails(subject: &Subject<'_, '_>) -> Vec<MailView> {
    let mut mails = Vec::new();
    for activity in subject.activities() {
        if let Some(approval) = activity.approval() {
            mails.extend(of_approval(subject, activity, approval));
        }
        if let Some(request) = Request::of(subject, activity) {
            mails.extend(of_request(&request, &subject.place(activity)));
        }
    }
    let mut seen = Vec::new();
    mails.retain(|mail| {
        let is_new = !seen.contains(mail);
        if is_new {
            seen.push(mail.clone());
        }
        is_new
    });
    mails
}

/// When a reminder comes that is never sent.
const NEVER: &str = "never: the request ends before";

fn of_approval(subject: &Subject<'_, '_>, activity: &Activity<'_>, approval: &Approval<'_>) -> Vec<MailView> {
    let settings = approval.settings();
    let name = activity.name.known().map(|(node, name)| subject.plain(node, name)).unwrap_or_default();
    let request = is_on(&settings.notify).then(|| {
        let when = with_condition(subject, "when the approval is asked for", &settings.notify);
        (subjects::subject(subjects::APPROVAL, &name), when)
    });
    let reminder = is_on(&settings.remind).then(|| approval_reminder(subject, approval)).flatten();
    let reminder = reminder.map(|when| (subjects::APPROVAL_REMINDER.to_owned(), when));
    let assignees = approval.assignees.get().into_iter().flatten().filter(|it| !it.is_certainly_empty());
    let mails = assignees.flat_map(|assignee| {
        let to = who(subject, assignee.parameter.get());
        let mail =
            move |(line, when)| MailView { to: to.clone(), subject: line, when, activity: subject.place(activity) };
        request.clone().into_iter().chain(reminder.clone()).map(mail)
    });
    mails.collect()
}

/// When approvers are reminded; `None` without a time.
fn approval_reminder(subject: &Subject<'_, '_>, approval: &Approval<'_>) -> Option<String> {
    let settings = approval.settings();
    if approval.ends_before_reminder() {
        return Some(NEVER.to_owned());
    }
    let Some(time) = settings.remind_time.get().filter(|time| !time.is_empty()) else {
        return settings.remind_time.is_unknown().then(|| "later, without an answer".to_owned());
    };
    let value = subject.called(Some(time));
    let words = if time.target().is_some() { None } else { in_words(&value) };
    let is_zero = time.literal().is_some_and(|(_, literal)| is_none(literal));
    let after = words.unwrap_or_else(|| format!("{value} seconds"));
    (!is_zero).then(|| with_condition(subject, &format!("after {after}, without an answer"), &settings.remind))
}

/// Whether a flag is true, or may be at run time.
fn is_on(flag: &Member<Binding<'_>>) -> bool {
    let Some(binding) = flag.get() else { return flag.is_unknown() };
    binding.target().is_some()
        || binding.literal().is_some_and(|(_, literal)| !literal.is_blank() && !is_false(literal))
}

fn is_false(literal: Literal<'_>) -> bool {
    matches!(literal, Literal::Text(text) if text.trim().eq_ignore_ascii_case("false"))
}

fn with_condition(subject: &Subject<'_, '_>, when: &str, flag: &Member<Binding<'_>>) -> String {
    match flag.get().filter(|flag| flag.target().is_some()) {
        Some(flag) => format!("{when}, if {} is true", subject.called(Some(flag))),
        None => when.to_owned(),
    }
}

fn of_request(request: &Request<'_, '_, '_>, place: &(String, String)) -> Vec<MailView> {
    match request.method.simulation {
        Some(Simulation::SigningRequest) => of_plain_request(request, place),
        _ => request.cases().iter().flat_map(|case| of_case(request, case, place)).collect(),
    }
}

/// The mails about one document for one person.
fn of_plain_request(request: &Request<'_, '_, '_>, place: &(String, String)) -> Vec<MailView> {
    let document = request.for_purpose(Purpose::DocumentName).unwrap_or_default();
    let to = who(request.subject, request.of_kind(ParameterKind::Mail));
    let mail = |what: &str, when: String| MailView {
        to: to.clone(),
        subject: subjects::subject(what, &document),
        when,
        activity: place.clone(),
    };
    let mut mails = vec![mail(subjects::SIGN, "when the signature is requested".to_owned())];
    let days = |purpose| request.binding_for(purpose).and_then(Binding::literal).map(|(_, days)| days);
    let (due, end) = (days(Purpose::Reminder), days(Purpose::Expiry));
    if let Some(days) = request.for_purpose(Purpose::Reminder).filter(|_| !due.is_some_and(is_none)) {
        let when = if is_late(due, end) { NEVER.to_owned() } else { format!("after {days} days, unless it is signed") };
        mails.push(mail(subjects::SIGN_REMINDER, when));
    }
    mails.push(mail(subjects::SIGNED, "when it is signed".to_owned()));
    mails
}

/// Whether a number of days is none.
fn is_none(days: Literal<'_>) -> bool {
    days.is_blank() || days.as_number() == Some(0.0)
}

/// The mails of a case in JSON.
fn of_case<'a>(request: &Request<'_, '_, 'a>, case: &CaseSite<'a>, place: &(String, String)) -> Vec<MailView> {
    let described = &case.case;
    let name = described.name.known().filter(|(node, name)| case.may_show(*node) && !name.is_empty());
    let name = name.map(|(_, name)| {
        let mut name = (*name).to_owned();
        request.subject.redactions.redact_text(&mut name);
        without_backticks(&request.subject.texts().plain(&name)).into_owned()
    });
    let line = |what: &str| subjects::subject(what, name.as_deref().unwrap_or_default());
    let mail = |to: String, what: &str, when: &str| MailView {
        to,
        subject: line(what),
        when: when.to_owned(),
        activity: place.clone(),
    };
    let (parties, creator) = (request.parties(case), "the creator of the case".to_owned());
    let mut mails = Vec::new();
    let reminds = described.remind_after_days.value().filter(|days| !is_none(*days));
    for party in &parties {
        if described.mails_request.value().unwrap_or(true) {
            mails.push(mail(party.clone(), subjects::SIGN, "when the signature is requested"));
        }
        if let Some(days) = reminds {
            let when = if is_late(Some(days), described.expire_after_days.value()) {
                NEVER.to_owned()
            } else {
                format!("after {} days, unless it is signed", days.describe().trim_matches('"'))
            };
            mails.push(mail(party.clone(), subjects::SIGN_REMINDER, &when));
        }
        if described.mails_finish_to_parties.is_true() {
            mails.push(mail(party.clone(), subjects::SIGNED, "when all have signed"));
        }
    }
    if described.mails_finish_to_creator.is_true() {
        mails.push(mail(creator.clone(), subjects::SIGNED, "when all have signed"));
    }
    if described.mails_reject.is_true() {
        mails.push(mail(creator, subjects::REFUSED, "when somebody refuses to sign"));
    }
    mails
}

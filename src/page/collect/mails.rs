//! The mails that people get, as the platform and its signing provider send them.

use super::people::{Request, who};
use super::subject::Subject;
use crate::catalog::{ParameterKind, Purpose, Simulation};
use crate::draw::in_words;
use crate::facts::CaseSite;
use crate::model::{Activity, Approval, Binding, Literal, Member};
use crate::page::MailView;

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

fn of_approval(subject: &Subject<'_, '_>, activity: &Activity<'_>, approval: &Approval<'_>) -> Vec<MailView> {
    let settings = approval.settings();
    let subject_line = |what: &str| format!("{what}: {}", subject.name(activity));
    let mut mails = Vec::new();
    for assignee in approval.assignees.get().into_iter().flatten().filter(|it| !it.is_certainly_empty()) {
        let to = who(subject, assignee.parameter.get());
        if is_on(&settings.notify) {
            mails.push(MailView {
                to: to.clone(),
                subject: subject_line("Please approve"),
                when: with_condition(subject, "when the approval is asked for", &settings.notify),
                activity: subject.place(activity),
            });
        }
        if is_on(&settings.remind) {
            let after = settings.remind_time.get().filter(|time| !time.is_empty());
            let after = after.map_or_else(
                || "later".to_owned(),
                |time| {
                    let value = subject.value(Some(time));
                    let words = if time.target().is_some() { None } else { in_words(&value) };
                    format!("after {}", words.unwrap_or_else(|| format!("{value} seconds")))
                },
            );
            mails.push(MailView {
                to,
                subject: subject_line("Please remember to approve"),
                when: with_condition(subject, &format!("{after}, without an answer"), &settings.remind),
                activity: subject.place(activity),
            });
        }
    }
    mails
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
        Some(flag) => format!("{when}, if {} is true", subject.value(Some(flag))),
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
    let subject = request.subject;
    let document = request.for_purpose(Purpose::DocumentName);
    let line = |what: &str| document.as_ref().map_or_else(|| what.to_owned(), |name| format!("{what}: {name}"));
    let to = who(subject, request.of_kind(ParameterKind::Mail));
    let mail = |subject, when: String| MailView { to: to.clone(), subject, when, activity: place.clone() };
    let mut mails = vec![mail(line("Please sign"), "when the signature is requested".to_owned())];
    if let Some(days) = request.for_purpose(Purpose::Reminder) {
        let when = format!("after {days} days, unless it is signed");
        mails.push(mail(line("Please remember to sign"), when));
    }
    mails.push(mail(line("Signed by all"), "when it is signed".to_owned()));
    mails
}

/// The mails of a case in JSON.
fn of_case<'a>(request: &Request<'_, '_, 'a>, case: &CaseSite<'a>, place: &(String, String)) -> Vec<MailView> {
    let described = &case.case;
    let name = described.name.known().filter(|(node, name)| case.may_show(*node) && !name.is_empty());
    let name = name.map(|(_, name)| {
        let mut name = (*name).to_owned();
        request.subject.redactions.redact_text(&mut name);
        request.subject.texts().plain(&name)
    });
    let line = |what: &str| name.as_ref().map_or_else(|| what.to_owned(), |name| format!("{what}: {name}"));
    let mail = |to: String, what: &str, when: &str| MailView {
        to,
        subject: line(what),
        when: when.to_owned(),
        activity: place.clone(),
    };
    let (parties, creator) = (request.parties(case), "the creator of the case".to_owned());
    let mut mails = Vec::new();
    let reminds = described.remind_after_days.value().filter(|days| !days.is_blank());
    for party in &parties {
        if described.mails_request.value().unwrap_or(true) {
            mails.push(mail(party.clone(), "Please sign", "when the signature is requested"));
        }
        if let Some(days) = reminds {
            let when = format!("after {} days, unless it is signed", days.describe().trim_matches('"'));
            mails.push(mail(party.clone(), "Please remember to sign", &when));
        }
        if described.mails_finish_to_parties.is_true() {
            mails.push(mail(party.clone(), "Signed by all", "when all have signed"));
        }
    }
    if described.mails_finish_to_creator.is_true() {
        mails.push(mail(creator.clone(), "Signed by all", "when all have signed"));
    }
    if described.mails_reject.is_true() {
        mails.push(mail(creator, "Signing was refused", "when somebody refuses to sign"));
    }
    mails
}

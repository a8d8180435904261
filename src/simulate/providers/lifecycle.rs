//! The lifecycle of a case: parties are asked, act and are reminded, its status is looked up, and it expires.

use std::sync::Arc;

use jiff::SignedDuration;

use super::arguments::{Arguments, CallError, Output, Outputs, missing_of_kind};
use super::cases::{Case, Party, Status, Terms};
use crate::catalog::{Method, ParameterKind};
use crate::model::Assumption;
use crate::simulate::clock::{Due, Priority};
use crate::simulate::run::{Run, Timer};
use crate::simulate::scenario::{MailKind, SigningAction};
use crate::simulate::strings::quote;
use crate::simulate::subjects;
use crate::simulate::trace::{CaseEvent, Event};

/// Opens a case: asks its parties and plans its expiry. Returns its id.
pub(super) fn open(run: &mut Run<'_, '_>, terms: Terms, expire_after: Option<SignedDuration>) -> Arc<str> {
    let id: Arc<str> = run.generate_id().into();
    let parties = if terms.in_sequence { terms.parties.len().min(1) } else { terms.parties.len() };
    let name = Arc::clone(&terms.name);
    let index = run.cases.add(Arc::clone(&id), Case::new(Terms { requested_by: run.current(), ..terms }));
    note(run, CaseEvent::Created(name));
    for party in 0..parties {
        ask(run, index, party);
    }
    if let Some(after) = expire_after {
        run.plan_timer(after, Priority::Timeout, Timer::ExpireCase { case: index });
    }
    id
}

fn note(run: &mut Run<'_, '_>, event: CaseEvent) {
    run.note(Event::Case(Box::new(event)));
}

/// Asks a party to sign: sends the mail, and plans the party's action in the scenario.
fn ask(run: &mut Run<'_, '_>, case_index: usize, party_index: usize) {
    let now = run.clock.now();
    let Some(case) = run.cases.get_mut(case_index) else { return };
    let Some(progress) = case.progress.get_mut(party_index) else { return };
    if progress.asked.replace(now).is_none() {
        case.asked += 1;
    }
    let terms = Arc::clone(&case.terms);
    let Some(mail) = terms.parties.get(party_index).and_then(|party| party.mail.as_ref()) else { return };
    if terms.mails.request {
        run.send(mail, MailKind::SignRequest, &subject(subjects::SIGN, &terms.name));
    }
    let plan = run.plan;
    for &index in plan.index.signers(mail) {
        if let Some(signer) = plan.scenario.signing.get(index)
            && let Some(act) = run.used.signing(index, &signer.runs, case_index)
        {
            let order = u64::from(signer.mail.location.span.start);
            let timer = Timer::Sign { case: case_index, party: party_index, action: act.action };
            run.clock.plan(Due { at: now.after(act.after), priority: Priority::Person, order }, timer);
        }
    }
    if let Some(after) = terms.remind_after {
        run.plan_timer(after, Priority::Reminder, Timer::RemindParty { case: case_index, party: party_index });
    }
}

fn subject(what: &str, case: &str) -> Arc<str> {
    subjects::subject(what, case).into()
}

/// A party signs or rejects. Timers cannot be canceled, so this one may come after the case has ended,
/// and then does nothing.
pub fn act(run: &mut Run<'_, '_>, case_index: usize, party_index: usize, action: SigningAction) {
    let Some(case) = run.cases.get_mut(case_index) else { return };
    if case.status != Status::Sent {
        return;
    }
    let Some(progress) = case.progress.get_mut(party_index).filter(|progress| !progress.has_signed) else { return };
    let Some(who) = case.terms.parties.get(party_index).map(Party::label) else { return };
    match action {
        SigningAction::Reject => {
            case.status = Status::Rejected;
            note(run, CaseEvent::Rejected(who));
            notify_rejected(run, case_index);
        }
        SigningAction::Sign => {
            progress.has_signed = true;
            case.signed += 1;
            let is_last = case.signed == case.progress.len();
            // In sequence the parties are asked in their order.
            let next = Some(case.asked).filter(|next| case.terms.in_sequence && *next < case.progress.len());
            if is_last {
                case.status = Status::Finished;
            }
            note(run, CaseEvent::Signed(who));
            if is_last {
                note(run, CaseEvent::Finished);
                notify_finished(run, case_index);
            } else if let Some(next) = next {
                ask(run, case_index, next);
            }
        }
    }
}

fn notify_finished(run: &mut Run<'_, '_>, case_index: usize) {
    let Some(terms) = run.cases.get(case_index).map(|case| Arc::clone(&case.terms)) else { return };
    let parties = terms.parties.iter().filter(|_| terms.mails.finish_to_parties).filter_map(|it| it.mail.as_ref());
    let creator = terms.creator.as_ref().filter(|_| terms.mails.finish_to_creator);
    let subject = subject(subjects::SIGNED, &terms.name);
    for receiver in parties.chain(creator) {
        run.send(receiver, MailKind::Finished, &subject);
    }
}

fn notify_rejected(run: &mut Run<'_, '_>, case_index: usize) {
    let Some(terms) = run.cases.get(case_index).map(|case| Arc::clone(&case.terms)) else { return };
    if let Some(creator) = terms.creator.as_ref().filter(|_| terms.mails.reject) {
        run.send(creator, MailKind::Rejected, &subject(subjects::REFUSED, &terms.name));
    }
}

/// Reminds a party who has not signed.
pub fn remind(run: &mut Run<'_, '_>, case_index: usize, party_index: usize) {
    let Some(case) = run.cases.get(case_index) else { return };
    let Some(mail) = case.unsigned_mail(party_index).cloned() else { return };
    let subject = subject(subjects::SIGN_REMINDER, &case.terms.name);
    run.assume(Assumption::Reminder);
    run.send(&mail, MailKind::Reminder, &subject);
}

/// A case that is not finished or rejected expires.
pub fn expire(run: &mut Run<'_, '_>, case_index: usize) {
    let Some(case) = run.cases.get_mut(case_index).filter(|case| case.status == Status::Sent) else { return };
    case.status = Status::Expired;
    note(run, CaseEvent::Expired);
}

/// Looks up the status of a case.
pub fn status<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    // People and expiries of this instant come first. Reminders do not change the status: they wait for the people
    // whose answers an approval takes at this instant, and for its timeout.
    run.catch_up(Priority::Reminder);
    let Some(id) = arguments.of_kind(method, ParameterKind::CaseId) else {
        return Err(CallError::new(missing_of_kind(method, ParameterKind::CaseId)));
    };
    let text = id.text.as_str();
    let found = run.cases.by_id(text);
    let Some(case) = found else {
        return Err(id.error(format!("unknown case id {} in {}", quote(text), id.parameter())));
    };
    let status = case.status;
    let value = Arc::clone(case.status_text());
    match status {
        Status::Sent => run.assume(Assumption::Sent),
        Status::Expired => run.assume(Assumption::Expired),
        Status::Finished | Status::Rejected => {}
    }
    let mut outputs = Outputs::default();
    for output in method.outputs.iter().filter(|output| !output.statuses.is_empty()) {
        outputs.0.extend(output.name.as_ref().map(|name| Output::requested(name.as_str(), Arc::clone(&value))));
    }
    Ok(outputs)
}

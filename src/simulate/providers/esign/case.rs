//! A signing case and its parties.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::model::ActivityId;
use crate::simulate::clock::Instant;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// At least one party has not signed.
    Sent,
    /// All parties have signed.
    Finished,
    /// A party refused.
    Rejected,
    Expired,
}

#[derive(Debug, Clone)]
pub(super) struct Case {
    pub name: Arc<str>,
    pub parties: Vec<Party>,
    pub status: Status,
    /// A party is asked only when the one before has signed.
    pub in_sequence: bool,
    /// From the sign request of a party to the reminder.
    pub remind_after: Option<SignedDuration>,
    pub mails: Mails,
    /// The activity that created it.
    pub requested_by: Option<ActivityId>,
    /// The mail address of the person who orders.
    pub creator: Option<Arc<str>>,
    /// In the order of [`Status`]; shared with every lookup, of which a run has thousands.
    status_texts: [Arc<str>; 4],
}

/// Which mails a case sends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mails {
    pub request: bool,
    pub finish_to_parties: bool,
    pub finish_to_creator: bool,
    pub reject: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Party {
    pub name: Arc<str>,
    pub mail: Option<Arc<str>>,
    /// When it was asked to sign.
    pub asked: Option<Instant>,
    pub has_signed: bool,
}

impl Party {
    pub fn new(name: &str, mail: Option<&str>) -> Self {
        let mail = mail.map(str::trim).filter(|mail| !mail.is_empty()).map(Arc::from);
        Self { name: Arc::from(name), mail, asked: None, has_signed: false }
    }

    /// The name of the party in the trace.
    pub fn label(&self) -> Arc<str> {
        self.mail.as_ref().map_or_else(|| Arc::clone(&self.name), Arc::clone)
    }
}

impl Case {
    pub fn new(name: &str, parties: Vec<Party>, mails: Mails, creator: Option<&str>) -> Self {
        Self {
            name: Arc::from(name),
            parties,
            status: Status::Sent,
            in_sequence: false,
            remind_after: None,
            requested_by: None,
            mails,
            creator: creator.map(Arc::from),
            status_texts: ["Sent", "Finished", "Rejected", "Expired"].map(Arc::from),
        }
    }

    /// The status that a lookup returns.
    pub fn status_text(&self) -> &Arc<str> {
        let [sent, finished, rejected, expired] = &self.status_texts;
        match self.status {
            Status::Sent => sent,
            Status::Finished => finished,
            Status::Rejected => rejected,
            Status::Expired => expired,
        }
    }
}

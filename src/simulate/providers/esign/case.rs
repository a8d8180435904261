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

/// A case in a run. Copies share the requested terms.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub terms: Arc<Terms>,
    pub status: Status,
    /// In the order of [`Terms::parties`].
    pub progress: Vec<Progress>,
    /// How many parties were asked, and how many have signed.
    pub asked: usize,
    pub signed: usize,
}

/// A case as it was requested.
#[derive(Debug)]
pub(super) struct Terms {
    pub name: Arc<str>,
    pub parties: Vec<Party>,
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
    pub status_texts: [Arc<str>; 4],
}

/// Which mails a case sends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mails {
    pub request: bool,
    pub finish_to_parties: bool,
    pub finish_to_creator: bool,
    pub reject: bool,
}

#[derive(Debug)]
pub(super) struct Party {
    pub name: Arc<str>,
    pub mail: Option<Arc<str>>,
}

/// The progress of a party.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    /// When it was asked to sign.
    pub asked: Option<Instant>,
    pub has_signed: bool,
}

impl Party {
    pub fn new(name: &str, mail: Option<&str>) -> Self {
        let mail = mail.map(str::trim).filter(|mail| !mail.is_empty()).map(Arc::from);
        Self { name: Arc::from(name), mail }
    }

    /// The name of the party in the trace.
    pub fn label(&self) -> Arc<str> {
        self.mail.as_ref().map_or_else(|| Arc::clone(&self.name), Arc::clone)
    }
}

impl Terms {
    pub fn new(name: &str, parties: Vec<Party>, mails: Mails, creator: Option<&str>) -> Self {
        Self {
            name: Arc::from(name),
            parties,
            in_sequence: false,
            remind_after: None,
            requested_by: None,
            mails,
            creator: creator.map(Arc::from),
            status_texts: ["Sent", "Finished", "Rejected", "Expired"].map(Arc::from),
        }
    }
}

impl Case {
    /// A case whose parties have not been asked yet.
    pub fn new(terms: Terms) -> Self {
        let progress = vec![Progress::default(); terms.parties.len()];
        Self { terms: Arc::new(terms), status: Status::Sent, progress, asked: 0, signed: 0 }
    }

    pub fn parties(&self) -> impl Iterator<Item = (&Party, &Progress)> {
        self.terms.parties.iter().zip(&self.progress)
    }

    /// The mail address of a party that has not signed, while the case is open.
    pub fn unsigned_mail(&self, party: usize) -> Option<&Arc<str>> {
        let (party, progress) = self.parties().nth(party)?;
        party.mail.as_ref().filter(|_| self.status == Status::Sent && !progress.has_signed)
    }

    /// The status that a lookup returns.
    pub fn status_text(&self) -> &Arc<str> {
        let [sent, finished, rejected, expired] = &self.terms.status_texts;
        match self.status {
            Status::Sent => sent,
            Status::Finished => finished,
            Status::Rejected => rejected,
            Status::Expired => expired,
        }
    }
}

//! The signing cases of a run: what was requested, and how far each party is.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::common::collections::SharedMap;
use crate::model::ActivityId;
use crate::simulate::clock::Instant;

/// A party that was asked to sign and has done nothing.
#[derive(Debug, Clone)]
pub struct PendingParty {
    pub case: usize,
    pub party: usize,
    pub mail: Arc<str>,
    pub asked: Instant,
}

#[derive(Debug, Clone, Default)]
pub struct Cases {
    /// Copies of a run share unchanged cases.
    all: Vec<Arc<Case>>,
    by_id: SharedMap<Arc<str>, usize>,
}

impl Cases {
    /// Adds a case, and returns its index.
    pub(super) fn add(&mut self, id: Arc<str>, case: Case) -> usize {
        let index = self.all.len();
        self.by_id.insert(id, index);
        self.all.push(Arc::new(case));
        index
    }

    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Case> {
        self.all.get(index).map(Arc::as_ref)
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Case> {
        self.all.get_mut(index).map(Arc::make_mut)
    }

    /// The index of the case with an id.
    pub fn index_of(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Writes the part of a case that decides how it continues.
    pub fn write_state(&self, case: usize, key: &mut Vec<u8>) {
        let Some(case) = self.get(case) else { return };
        key.push(case.status as u8);
        for (party, progress) in case.parties() {
            key.push(u8::from(progress.has_signed) | u8::from(progress.asked.is_some()) << 1);
            key.extend_from_slice(party.mail.as_deref().unwrap_or_default().as_bytes());
            key.push(0);
        }
    }

    /// The activity that created a case.
    pub fn requested_by(&self, case: usize) -> Option<ActivityId> {
        self.all.get(case)?.terms.requested_by
    }

    /// Whether a case expired.
    pub fn has_expired(&self, case: usize) -> bool {
        self.all.get(case).is_some_and(|case| case.status == Status::Expired)
    }

    /// The names of the cases that are open, with the activities that created them.
    pub fn open(&self) -> impl Iterator<Item = (&str, Option<ActivityId>)> {
        let open = self.all.iter().filter(|case| case.status == Status::Sent);
        open.map(|case| (&*case.terms.name, case.terms.requested_by))
    }

    /// The sign requests in order: the case, the address, and the time.
    pub fn asked(&self) -> Vec<(usize, Arc<str>, Instant)> {
        let parties = self.all.iter().enumerate().flat_map(|(case, it)| it.parties().map(move |party| (case, party)));
        let mut asked: Vec<_> = parties
            .filter_map(|(case, (party, progress))| Some((case, Arc::clone(party.mail.as_ref()?), progress.asked?)))
            .collect();
        asked.sort_by_key(|(_, _, at)| *at);
        asked
    }

    /// Whether the status of a case can still change.
    pub fn is_open(&self, case: usize) -> bool {
        self.all.get(case).is_some_and(|case| case.status == Status::Sent)
    }

    /// The parties who were asked to sign and have not acted, by case and party, with the time of the request.
    pub fn pending(&self) -> Vec<PendingParty> {
        self.unsigned(|case| case.status == Status::Sent)
    }

    /// The parties who were asked to sign and did not act before the case expired.
    pub fn missed(&self) -> Vec<PendingParty> {
        self.unsigned(|case| case.status == Status::Expired)
    }

    fn unsigned(&self, of: impl Fn(&Case) -> bool) -> Vec<PendingParty> {
        let open = self.all.iter().enumerate().filter(|(_, case)| of(case));
        let parties = open.flat_map(|(index, case)| case.parties().enumerate().map(move |it| (index, it)));
        let unsigned = parties.filter_map(|(case, (index, (party, progress)))| {
            let asked = progress.asked.filter(|_| !progress.has_signed)?;
            Some(PendingParty { case, party: index, mail: Arc::clone(party.mail.as_ref()?), asked })
        });
        unsigned.collect()
    }

    pub(super) fn by_id(&self, id: &str) -> Option<&Case> {
        self.index_of(id).and_then(|index| self.get(index))
    }
}

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

//! The signing cases of a run.

use std::sync::Arc;

use super::case::{Case, Status};
use crate::collections::SharedMap;
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

/// The part of a case that decides how it continues.
pub struct CaseState<'c>(&'c Case);

impl CaseState<'_> {
    pub fn write(&self, key: &mut Vec<u8>) {
        key.push(self.0.status as u8);
        for (party, progress) in self.0.parties() {
            key.push(u8::from(progress.has_signed) | u8::from(progress.asked.is_some()) << 1);
            key.extend_from_slice(party.mail.as_deref().unwrap_or_default().as_bytes());
            key.push(0);
        }
    }
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

    /// The bytes of the cases, as far as a search counts them: of those that cannot change any more only a share.
    pub fn bytes(&self) -> usize {
        const SHARED: usize = 64;
        let of = |case: &Arc<Case>| match case.status {
            Status::Sent => SHARED + size_of::<Case>() + size_of_val(case.progress.as_slice()),
            _ => SHARED,
        };
        self.all.iter().map(of).sum()
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

    /// The part of a case that decides how it continues.
    pub fn state(&self, case: usize) -> Option<CaseState<'_>> {
        self.get(case).map(CaseState)
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

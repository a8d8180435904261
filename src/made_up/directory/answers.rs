//! The possible answers of a lookup in a made-up directory.

use super::answer::Answer;
use super::asked::AskedDirectory;
use super::asked_entry::MEMBER;
use super::complete::{Completion, close};
use crate::ldap::{Directory, Entry, Filter};
use crate::simulate::{LookedUp, Lookup};

/// A directory that was extended so that a lookup gets an answer.
pub(super) struct Answered {
    pub directory: AskedDirectory,
    /// By property, as the call returns them.
    outputs: Vec<String>,
}

impl AskedDirectory {
    /// The answers that are still possible, the usual first. None when earlier answers decide it, or when it can only
    /// fail: no entry can have this identity and match the filter.
    pub fn answers(&self, lookup: &Lookup<'_>) -> Vec<Answer> {
        self.possible(lookup).map(|(answer, _)| answer).collect()
    }

    /// As [`Self::answers`], but each directory is made up only when the iterator reaches it.
    pub(super) fn possible(&self, lookup: &Lookup<'_>) -> impl Iterator<Item = (Answer, Answered)> {
        let (first, others): (_, &[Answer]) = match self.answer(lookup, Answer::Full) {
            Some(full) if self.has_less_than(&full.directory) => {
                (Some((Answer::Full, full)), &[Answer::Empty, Answer::Two])
            }
            Some(_) => (None, &[]),
            // No group of entries that do not match is made up.
            None if lookup.of == LookedUp::Members => (None, &[]),
            None => (self.answer(lookup, Answer::Empty).map(|answered| (Answer::Empty, answered)), &[]),
        };
        let usual = first.as_ref().map(|(_, answered)| answered.outputs.clone());
        let others = others.iter().filter_map(move |other| {
            let answered = self.answer(lookup, *other)?;
            (usual.as_ref() != Some(&answered.outputs)).then_some((*other, answered))
        });
        first.into_iter().chain(others)
    }

    /// Adds the entries that give a lookup an answer; false when that is not possible.
    pub fn supply(&mut self, lookup: &Lookup<'_>, answer: Answer) -> bool {
        let answered = self.answer(lookup, answer);
        let is_possible = answered.is_some();
        if let Some(answered) = answered {
            *self = answered.directory;
        }
        is_possible
    }

    /// Whether a lookup can only fail, as no entry can match its filter or have its identity.
    pub fn only_fails(&self, lookup: &Lookup<'_>) -> bool {
        self.answer(lookup, Answer::Full).is_none() && self.possible(lookup).next().is_none()
    }

    fn answer(&self, lookup: &Lookup<'_>, answer: Answer) -> Option<Answered> {
        let filter = match lookup.filter {
            Some(text) => Some(Filter::parse(text).ok()?),
            None => None,
        };
        // A filter without attribute types would depend on all attributes.
        let tested = filter.as_ref().map_or_else(|| Some(Vec::new()), Filter::attribute_types)?;
        let mut next = self.clone();
        let start = next.find_or_add(lookup.identity)?;
        let mut is_new = false;
        let targets = match lookup.of {
            LookedUp::User => vec![start],
            LookedUp::Manager(levels) => vec![next.manager(start, levels)?],
            LookedUp::TopManager => vec![next.top(start)?],
            LookedUp::Members => {
                is_new = next.entries.get(start)?.is_open(MEMBER);
                next.members(start, answer)?
            }
        };
        for target in targets {
            let entry = next.entries.get(target)?;
            let completed = Completion::new(entry, &lookup.properties, filter.as_ref(), answer).apply(&next, target);
            match completed {
                Some(completed) => next = completed,
                // A known member that cannot match is left out.
                None if lookup.of == LookedUp::Members && !is_new => close(&mut next, target, &tested),
                None => return None,
            }
        }
        next.build()?;
        let outputs = outputs(next.directory(), lookup, filter.as_ref())?;
        Some(Answered { directory: next, outputs })
    }

    /// The members of a group; those of a new one are made up.
    fn members(&mut self, group: usize, answer: Answer) -> Option<Vec<usize>> {
        if let Some(names) = self.entries.get(group)?.values(MEMBER) {
            let known = names.iter().filter_map(|name| self.named(name)).collect();
            return (answer != Answer::Two).then_some(known);
        }
        let number = match answer {
            Answer::Full => 1,
            Answer::Empty => 0,
            Answer::Two => 2,
        };
        let names: Vec<String> = (0..number).filter_map(|_| self.add_linked(group, MEMBER)).collect();
        let members = names.iter().filter_map(|name| self.named(name)).collect();
        self.decide(group, MEMBER, names);
        Some(members)
    }
}

/// What a lookup returns for each property; `None` when it fails.
pub(super) fn outputs(directory: &Directory, lookup: &Lookup<'_>, filter: Option<&Filter>) -> Option<Vec<String>> {
    let entry = directory.find(lookup.identity).ok()?;
    let matches = |entry: &&Entry| filter.is_none_or(|filter| filter.matches(entry));
    let found = match lookup.of {
        LookedUp::User => vec![Some(entry).filter(matches)?],
        LookedUp::Manager(levels) => vec![directory.manager(entry, levels, false, &mut 0).ok().filter(matches)?],
        LookedUp::TopManager => vec![directory.manager(entry, 1, true, &mut 0).ok().filter(matches)?],
        LookedUp::Members => directory.members(entry).into_iter().filter(matches).collect(),
    };
    let joined = |property: &String| {
        let values = found.iter().filter_map(|entry| entry.joined(property)).filter(|value| !value.is_empty());
        values.collect::<Vec<_>>().join(";")
    };
    Some(lookup.properties.iter().map(joined).collect())
}

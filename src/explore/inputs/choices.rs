//! The alternatives of drop-downs.

use std::sync::Arc;

use super::alternatives::{MAX_ALTERNATIVES, Maker};
use super::candidate::Candidate;
use crate::ldap::{Directory, Entry};

impl<'m> Maker<'m, '_, '_> {
    /// Adds one item of each class that comparisons distinguish, two items together, and an entry of the directory.
    pub fn add_choices(&mut self, candidate: &mut Candidate<'m>, default: Option<String>) {
        let subject = candidate.subject.clone();
        let Some(properties) = subject.field.map(|field| field.properties()) else { return };
        let is_dynamic = properties.is_dynamic.value() == Some(true);
        let items = properties.items.get().map_or(&[][..], Vec::as_slice);
        let values = items.iter().filter_map(|item| item.value.value()).filter(|value| !value.is_empty());
        let mut items: Vec<String> = values.map(str::to_owned).collect();
        items.dedup();
        // A person may choose any item, but the usual choice is one that fits.
        items.sort_by_key(|item| !self.fits(subject.variable(), item));
        let mut texts: Vec<String> = default.into_iter().collect();
        texts.extend(items.iter().cloned());
        if is_dynamic {
            texts.extend(self.usual_entry());
        }
        let is_open = properties.is_restricted.value() != Some(true);
        let is_multiple = properties.is_multi_select.value() == Some(true);
        if is_open || is_dynamic || is_multiple {
            texts.extend(self.compared(&subject));
        }
        if is_open {
            texts.extend(self.made_up(&subject));
        }
        let accepted = self.acceptance.accepted(subject.field, texts);
        let mut texts = self.distinguished(subject.variable(), accepted.iter());
        if is_multiple && let [first, second, ..] = items.as_slice() {
            let joined = self.acceptance.accepted(subject.field, vec![format!("{first};{second}")]);
            let joined = joined.into_iter().filter(|joined| !texts.contains(joined));
            texts.extend(joined.take(MAX_ALTERNATIVES - texts.len().min(MAX_ALTERNATIVES)).collect::<Vec<_>>());
        }
        if is_dynamic && self.acceptance.directory.is_none() {
            let people = texts.iter().filter(|text| !items.contains(text) && !text.contains(';'));
            self.found.people.extend(people.cloned());
        }
        candidate.spare = accepted.into_iter().filter(|text| !is_dynamic && !texts.contains(text)).collect();
        candidate.texts = texts;
    }

    /// The identity of somebody in the directory; a made-up directory gets a new entry.
    fn usual_entry(&mut self) -> Option<String> {
        let Some(directory) = self.acceptance.directory else { return Some(self.values.account()) };
        let is_person = |entry: &&Arc<Entry>| entry.text("mail").is_some();
        let mut entries = directory.entries().iter().filter(is_person).chain(directory.entries());
        entries.find_map(|entry| identity(directory, entry))
    }
}

/// A text by which the directory finds an entry: the account name, otherwise the distinguished name.
fn identity(directory: &Directory, entry: &Entry) -> Option<String> {
    let names = [entry.text("sAMAccountName"), entry.text("uid"), Some(entry.dn_text())];
    let is_own = |name: &&str| directory.find(name).is_ok_and(|found| found.dn() == entry.dn());
    names.into_iter().flatten().find(is_own).map(str::to_owned)
}

//! A directory that is made up as it is asked: what was answered once, stays.
//!
//! Names follow from the question, never from what was asked before, so that runs that differ only in other lookups have
//! the same entries.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::asked_entry::{AskedEntry, MANAGER, MEMBER, next_label};
use super::properties::PropertyUses;
use crate::ldap::{Directory, Dn, Entry, LookupError};

/// Levels of managers that are made up.
const MAX_LEVELS: u32 = 20;

/// Entries by the names and links that earlier answers gave them.
#[derive(Debug, Clone)]
pub struct AskedDirectory {
    pub(super) entries: Vec<Arc<AskedEntry>>,
    /// What lookups see.
    pub(super) built: Arc<Built>,
    pub(super) uses: Arc<PropertyUses>,
}

/// A directory, and the entries that it was built from.
#[derive(Debug, Default)]
pub(super) struct Built {
    from: Vec<Arc<AskedEntry>>,
    pub(super) directory: Arc<Directory>,
}

impl AskedDirectory {
    /// A directory that only knows these identities.
    pub fn new(uses: PropertyUses, identities: &[String]) -> Self {
        let mut directory = Self { entries: Vec::new(), built: Arc::default(), uses: Arc::new(uses) };
        for identity in identities {
            let mut next = directory.clone();
            if next.find_or_add(identity).is_some() && next.build().is_some() {
                directory = next;
            }
        }
        directory
    }

    /// As lookups see it.
    pub fn directory(&self) -> &Arc<Directory> {
        &self.built.directory
    }

    /// `directory` of a scenario.
    pub fn json(&self) -> Value {
        let entries = self.entries.iter().map(|entry| {
            let mut object = Map::new();
            object.insert("dn".to_owned(), entry.dn().into());
            for attribute in entry.present() {
                let value = match attribute.values.as_slice() {
                    [only] => only.as_str().into(),
                    several => several.iter().map(String::as_str).collect::<Value>(),
                };
                object.insert(attribute.name.clone(), value);
            }
            Value::Object(object)
        });
        entries.collect()
    }

    /// What lookups with these identities can still show, or with any identity: the same bytes for the same entries,
    /// whatever else was asked, in whatever order.
    pub fn relevant(&self, identities: Option<&[&str]>) -> Vec<u8> {
        let mut reached: BTreeSet<usize> = BTreeSet::new();
        let mut open: Vec<usize> = match identities {
            None => (0..self.entries.len()).collect(),
            Some(identities) => identities.iter().filter_map(|identity| self.find(identity).ok()).collect(),
        };
        while let Some(index) = open.pop() {
            if let Some(entry) = self.entries.get(index).filter(|_| reached.insert(index)) {
                let links = [MANAGER, MEMBER].into_iter().filter_map(|link| entry.values(link)).flatten();
                open.extend(links.filter_map(|dn| self.named(dn)));
            }
        }
        let mut entries: Vec<&AskedEntry> =
            reached.into_iter().filter_map(|index| self.entries.get(index)).map(Arc::as_ref).collect();
        entries.sort_unstable_by(|one, other| one.dn().cmp(other.dn()));
        let mut bytes = Vec::new();
        let mut write = |text: &str, end: u8| {
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(end);
        };
        for entry in entries {
            write(entry.dn(), 0);
            write(&entry.label, 0);
            for (attribute_type, attribute) in &entry.attributes {
                write(attribute_type, 1);
                attribute.values.iter().for_each(|value| write(value, 2));
            }
            write("", 3);
        }
        bytes
    }

    fn find(&self, identity: &str) -> Result<usize, LookupError> {
        self.directory().position(identity)
    }

    /// The entry with a distinguished name.
    pub(super) fn named(&self, dn: &str) -> Option<usize> {
        self.with_key(&Dn::parse(dn)?)
    }

    fn with_key(&self, key: &Dn) -> Option<usize> {
        self.entries.iter().position(|entry| entry.key() == Some(key))
    }

    /// The entry that an identity names; `None` when none can have it, or several have.
    pub(super) fn find_or_add(&mut self, identity: &str) -> Option<usize> {
        match self.find(identity) {
            Ok(index) => return Some(index),
            Err(LookupError::Ambiguous) => return None,
            Err(LookupError::NotFound) => {}
        }
        let identity = identity.trim();
        (!identity.is_empty()).then(|| self.add(AskedEntry::of_identity(identity)))
    }

    /// Somebody whom an attribute of an entry names.
    pub(super) fn add_linked(&mut self, from: usize, kind: &str) -> Option<String> {
        let label = next_label(&self.entries.get(from)?.label, kind);
        let index = self.add(AskedEntry::of_label(label));
        self.entries.get(index).map(|entry| entry.dn().to_owned())
    }

    /// Adds an entry, with another name where its own is taken.
    pub(super) fn add(&mut self, mut entry: AskedEntry) -> usize {
        let label = entry.label.clone();
        let mut number = 2;
        while self.entries.iter().any(|known| known.label == entry.label) {
            entry.label = format!("{label}-{number}");
            number += 1;
        }
        if entry.dn().is_empty() {
            entry.set_dn(entry.usual_dn());
        }
        let dn = entry.dn().to_owned();
        let mut number = 2;
        while entry.key().is_some_and(|key| self.with_key(key).is_some()) {
            entry.set_dn(format!("OU={number},{dn}"));
            number += 1;
        }
        self.entries.push(Arc::new(entry));
        self.entries.len() - 1
    }

    pub(super) fn decide(&mut self, index: usize, attribute: &str, values: Vec<String>) {
        if let Some(entry) = self.entries.get_mut(index) {
            Arc::make_mut(entry).decide(attribute.to_owned(), attribute, values);
        }
    }

    /// The manager so many levels up; `None` when it was decided that there are fewer.
    pub(super) fn manager(&mut self, start: usize, levels: u32) -> Option<usize> {
        if levels > MAX_LEVELS {
            return None;
        }
        let mut current = start;
        for _ in 0..levels.max(1) {
            current = match self.entries.get(current)?.values(MANAGER) {
                Some(decided) => self.named(decided.first()?)?,
                None => self.add_manager(current)?,
            };
        }
        Some(current)
    }

    /// The manager without a manager.
    pub(super) fn top(&mut self, start: usize) -> Option<usize> {
        let mut current = start;
        for _ in 0..=self.entries.len() {
            let decided = self.entries.get(current)?.values(MANAGER).map(|names| names.first().cloned());
            current = match decided {
                Some(Some(manager)) => self.named(&manager)?,
                Some(None) if current == start => return None,
                Some(None) => return Some(current),
                None if current == start => self.add_manager(current)?,
                None => {
                    self.decide(current, MANAGER, Vec::new());
                    return Some(current);
                }
            };
        }
        None
    }

    fn add_manager(&mut self, of: usize) -> Option<usize> {
        let manager = self.add_linked(of, MANAGER)?;
        let index = self.named(&manager);
        self.decide(of, MANAGER, vec![manager]);
        index
    }

    /// Makes lookups see the entries; `None` when no directory can have them.
    pub(super) fn build(&mut self) -> Option<()> {
        let built = self.built.from.iter().zip(self.built.directory.entries());
        let mut built = built.map(Some).chain(std::iter::repeat(None));
        let entries: Option<Vec<Arc<Entry>>> = self
            .entries
            .iter()
            .map(|entry| match built.next().flatten() {
                Some((from, known)) if Arc::ptr_eq(from, entry) => Some(Arc::clone(known)),
                _ => entry.entry().map(Arc::new),
            })
            .collect();
        let directory = Arc::new(Directory::of_shared(entries?).ok()?);
        self.built = Arc::new(Built { from: self.entries.clone(), directory });
        Some(())
    }
}

//! A directory that is made up lookup by lookup. Answers never change later.
//!
//! Names depend only on the lookup, not on earlier ones, so that runs that differ in other lookups have the same
//! entries.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::asked_entry::{AskedEntry, MANAGER, MEMBER, next_label};
use super::properties::PropertyUses;
use crate::collections::SharedMap;
use crate::ldap::{Directory, Dn, LookupError};

/// Levels of managers that are made up.
const MAX_LEVELS: u32 = 20;

/// Attributes that identify an entry: no two entries have equal values.
const IDENTITIES: [&str; 4] = ["samaccountname", "uid", "objectguid", "entryuuid"];

/// The entries made up so far. Copies share common entries.
#[derive(Debug, Clone)]
pub struct AskedDirectory {
    pub(super) entries: Arc<Vec<Arc<AskedEntry>>>,
    by_dn: SharedMap<Dn, usize>,
    labels: SharedMap<Arc<str>, ()>,
    /// The values of [`IDENTITIES`] in lower case, with the entry that has one; `None` if several have it.
    identities: SharedMap<Arc<str>, Option<usize>>,
    /// The number of changes so far. Copies with equal numbers are equal.
    changes: usize,
    /// The directory that lookups see.
    built: Arc<Directory>,
    /// Entries that they see as they were before, or not at all.
    unbuilt: BTreeSet<usize>,
    pub(super) uses: Arc<PropertyUses>,
}

impl AskedDirectory {
    /// A directory that only knows these identities.
    pub fn new(uses: PropertyUses, identities: &[String]) -> Self {
        let mut directory = Self {
            entries: Arc::default(),
            by_dn: SharedMap::default(),
            labels: SharedMap::default(),
            identities: SharedMap::default(),
            changes: 0,
            built: Arc::default(),
            unbuilt: BTreeSet::new(),
            uses: Arc::new(uses),
        };
        for identity in identities {
            let mut next = directory.clone();
            if next.find_or_add(identity).is_some() && next.build().is_some() {
                directory = next;
            }
        }
        directory
    }

    /// As lookups see it.
    pub const fn directory(&self) -> &Arc<Directory> {
        &self.built
    }

    /// Whether a copy has something that this one lacks.
    pub(super) const fn has_less_than(&self, copy: &Self) -> bool {
        self.changes < copy.changes
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

    /// The entries that lookups with these identities, or any, can still show, as canonical bytes: they do not depend
    /// on other lookups or on their order.
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
        self.by_dn.get(key).copied()
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
        while self.labels.contains_key(entry.label.as_str()) {
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
        let index = self.entries.len();
        if let Some(key) = entry.key() {
            self.by_dn.insert(key.clone(), index);
        }
        self.labels.insert(entry.label.as_str().into(), ());
        for attribute in IDENTITIES {
            self.identify(index, entry.values(attribute).unwrap_or_default());
        }
        Arc::make_mut(&mut self.entries).push(Arc::new(entry));
        self.change(index);
        index
    }

    pub(super) fn decide(&mut self, index: usize, attribute: &str, values: Vec<String>) {
        self.decide_as(index, attribute, attribute, values);
    }

    /// Decides an attribute, with the name that it is asked for by. One that is decided stays.
    pub(super) fn decide_as(&mut self, index: usize, attribute: &str, name: &str, values: Vec<String>) {
        if !self.entries.get(index).is_some_and(|entry| entry.is_open(attribute)) {
            return;
        }
        if IDENTITIES.contains(&attribute) {
            self.identify(index, &values);
        }
        if let Some(entry) = Arc::make_mut(&mut self.entries).get_mut(index) {
            Arc::make_mut(entry).decide(attribute.to_owned(), name, values);
        }
        self.change(index);
    }

    fn change(&mut self, index: usize) {
        self.changes += 1;
        self.unbuilt.insert(index);
    }

    fn identify(&mut self, index: usize, identities: &[String]) {
        for identity in identities {
            let identity = in_lower_case(identity);
            match self.identities.get(identity.as_str()) {
                None => self.identities.insert(identity.into(), Some(index)),
                Some(known) if *known == Some(index) => {}
                Some(_) => self.identities.insert(identity.into(), None),
            }
        }
    }

    /// Whether no other entry has the account name or GUID of an entry.
    pub(super) fn is_unique(&self, index: usize) -> bool {
        let Some(entry) = self.entries.get(index) else { return false };
        let mut own = IDENTITIES.iter().filter_map(|attribute| entry.values(attribute)).flatten();
        own.all(|identity| self.identities.get(in_lower_case(identity).as_str()) == Some(&Some(index)))
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
        if self.unbuilt.is_empty() {
            return Some(());
        }
        let directory = Arc::make_mut(&mut self.built);
        // In order, because entries depend on earlier ones.
        for index in std::mem::take(&mut self.unbuilt) {
            directory.put(index, self.entries.get(index)?.entry()?).ok()?;
        }
        Some(())
    }
}

/// A string to compare without regard to case.
fn in_lower_case(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

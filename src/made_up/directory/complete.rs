//! Completes an entry so that a lookup with a filter gets an answer.

use std::collections::BTreeMap;

use super::answer::Answer;
use super::asked::AskedDirectory;
use super::asked_entry::{AskedEntry, MANAGER, MEMBER};
use super::properties::VARIANTS;
use crate::ldap::{Demand, Dn, Filter, attribute_type};

/// Ways to match a filter that are tried.
const MAX_WAYS: usize = 64;

/// The lookup and answer for which an entry is completed.
pub struct Completion<'c> {
    /// The requested attributes that are not decided yet: their types and names.
    open: Vec<(String, &'c str)>,
    /// The attribute types of the filter.
    tested: Vec<String>,
    filter: Option<&'c Filter>,
    ways: Vec<Vec<Demand>>,
    answer: Answer,
}

impl<'c> Completion<'c> {
    pub fn new(entry: &AskedEntry, properties: &'c [String], filter: Option<&'c Filter>, answer: Answer) -> Self {
        let mut open: Vec<(String, &str)> = Vec::new();
        for property in properties {
            let attribute = attribute_type(property).filter(|it| entry.is_open(it));
            if let Some(attribute) = attribute.filter(|it| open.iter().all(|(known, _)| known != it)) {
                open.push((attribute, property));
            }
        }
        let ways = filter.map_or_else(|| vec![Vec::new()], |filter| filter.demands(MAX_WAYS));
        let tested = filter.and_then(Filter::attribute_types).unwrap_or_default();
        Self { open, tested, filter, ways, answer }
    }

    /// The directory with the completed entry; `None` if it cannot match the filter.
    pub fn apply(&self, directory: &AskedDirectory, index: usize) -> Option<AskedDirectory> {
        // First with the usual values; then with values that the filter demands, or without those that it excludes.
        for is_strict in [true, false] {
            for way in &self.ways {
                for variant in 0..VARIANTS {
                    if let Some(found) = self.attempt(directory, index, way, variant, is_strict) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    fn attempt(
        &self,
        directory: &AskedDirectory,
        index: usize,
        way: &[Demand],
        variant: usize,
        is_strict: bool,
    ) -> Option<AskedDirectory> {
        let mut next = directory.clone();
        for (attribute, (name, values)) in demanded(way) {
            if next.entries.get(index)?.is_open(&attribute) {
                let values = if values.is_empty() { usual(&mut next, index, &attribute, variant)? } else { values };
                decide(&mut next, index, &attribute, &name, values)?;
            }
        }
        let is_given = |(attribute, _): &(String, _)| {
            next.entries
                .get(index)
                .is_some_and(|entry| entry.values(attribute).is_some_and(|values| !values.is_empty()))
        };
        if is_strict && self.answer == Answer::Empty && self.open.iter().any(is_given) {
            return None;
        }
        for (attribute, name) in &self.open {
            if next.entries.get(index)?.is_open(attribute) {
                let is_excluded = !is_strict && excludes(way, attribute);
                let is_empty = self.answer == Answer::Empty || is_excluded;
                let values = if is_empty { Vec::new() } else { usual(&mut next, index, attribute, variant)? };
                decide(&mut next, index, attribute, name, values)?;
            }
        }
        close(&mut next, index, &self.tested);
        let entry = next.entries.get(index)?;
        let matches = self.filter.is_none_or(|filter| entry.entry().is_some_and(|entry| filter.matches(&entry)));
        (matches && next.is_unique(index)).then_some(next)
    }
}

/// Decides that an entry lacks those of these attributes that are not decided.
pub fn close(directory: &mut AskedDirectory, index: usize, attributes: &[String]) {
    for attribute in attributes {
        directory.decide(index, attribute, Vec::new());
    }
}

/// Whether a way asks that an attribute does not have some value.
fn excludes(way: &[Demand], attribute: &str) -> bool {
    let excluded = way.iter().filter(|demand| !demand.holds).filter_map(|demand| demand.attribute.as_deref());
    excluded.filter_map(attribute_type).any(|excluded| excluded == attribute)
}

/// The attributes that must have a value, by type: name and values. Without values, any value will do.
fn demanded(way: &[Demand]) -> BTreeMap<String, (String, Vec<String>)> {
    let mut found: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for demand in way.iter().filter(|demand| demand.holds) {
        let Some(name) = &demand.attribute else { continue };
        // Every entry has an object class.
        if name == "objectclass" && demand.example.is_none() {
            continue;
        }
        let Some(attribute) = attribute_type(name) else { continue };
        let (_, values) = found.entry(attribute).or_insert_with(|| (name.clone(), Vec::new()));
        values.extend(demand.example.iter().filter(|example| !values.contains(example)).cloned().collect::<Vec<_>>());
    }
    found
}

/// The values that an attribute usually has.
fn usual(directory: &mut AskedDirectory, index: usize, attribute: &str, variant: usize) -> Option<Vec<String>> {
    if attribute == MANAGER || attribute == MEMBER {
        return Some(vec![directory.add_linked(index, attribute)?]);
    }
    let entry = directory.entries.get(index)?;
    Some(vec![directory.uses.value(entry, attribute, variant)])
}

/// Decides an attribute. Linked entries are added.
fn decide(
    directory: &mut AskedDirectory,
    index: usize,
    attribute: &str,
    name: &str,
    values: Vec<String>,
) -> Option<()> {
    if attribute == MANAGER || attribute == MEMBER {
        for dn in &values {
            let own = directory.entries.get(index)?.key();
            if Dn::parse(dn).is_none_or(|dn| Some(&dn) == own || dn.key().is_empty()) {
                return None;
            }
            if directory.named(dn).is_none() {
                directory.add(AskedEntry::of_identity(dn));
            }
        }
    }
    directory.decide_as(index, attribute, name, values);
    Some(())
}

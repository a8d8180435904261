//! The `[per-file-ignores]` of a configuration file, which may be part of several configurations.

use std::collections::BTreeMap;

use super::filter::SelectorIndex;
use super::outcome::{IgnoreIndex, Used};
use super::setup::Setup;
use crate::config::{PerFileIgnore, Placed};
use crate::project::ConfigFile;

/// An entry: the rules that do not report for the files of a pattern.
#[derive(Debug)]
pub(super) struct IgnoreEntry<'c> {
    pub pattern: &'c Placed,
    pub selectors: Vec<IgnoreSelector<'c>>,
}

#[derive(Debug)]
pub(super) struct IgnoreSelector<'c> {
    pub selector: &'c Placed,
    /// Its index in each configuration that has it.
    uses: Vec<IgnoreIndex>,
}

impl IgnoreSelector<'_> {
    /// Whether all its rules are enabled in some configuration.
    pub fn is_enabled(&self, setup: &Setup<'_>) -> bool {
        let is_enabled = |index: &IgnoreIndex| {
            setup.filters.get(index.config).is_some_and(|filter| filter.enables_all_of(index.selector))
        };
        self.uses.iter().any(is_enabled)
    }

    /// Whether it has ignored a finding.
    pub fn is_used(&self, used: &Used) -> bool {
        self.uses.iter().any(|index| used.ignores.contains(index))
    }
}

/// The entries of a file.
pub(super) fn ignores_of<'s>(setup: &Setup<'s>, file: &ConfigFile) -> Vec<IgnoreEntry<'s>> {
    let mut entries: BTreeMap<u32, IgnoreEntry<'s>> = BTreeMap::new();
    for file_use in &file.uses {
        let Some(config) = setup.project.configs.get(file_use.config) else { continue };
        let ignores = config.per_file_ignores.iter().enumerate();
        for (entry, ignore) in ignores.filter(|(_, ignore)| ignore.pattern.place.layer == file_use.layer) {
            let PerFileIgnore { pattern, selectors, .. } = ignore;
            let added = entries.entry(pattern.place.span.start);
            let added = added.or_insert_with(|| IgnoreEntry { pattern, selectors: Vec::new() });
            for (selector, placed) in selectors.iter().enumerate() {
                let index = IgnoreIndex { config: file_use.config, selector: SelectorIndex { entry, selector } };
                added.add(placed, index);
            }
        }
    }
    entries.into_values().collect()
}

impl<'c> IgnoreEntry<'c> {
    fn add(&mut self, selector: &'c Placed, index: IgnoreIndex) {
        match self.selectors.iter_mut().find(|known| known.selector.place.span == selector.place.span) {
            Some(known) => known.uses.push(index),
            None => self.selectors.push(IgnoreSelector { selector, uses: vec![index] }),
        }
    }
}

//! WF000: entries of `[per-file-ignores]` that match no file, or no finding.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use super::entries::{Problem, Repair};
use super::filter::SelectorIndex;
use super::options::Setup;
use super::outcome::{Checked, IgnoreIndex, Used};
use super::reach::Reach;
use crate::config::{PerFileIgnore, Placed, files_and_folders, is_selected_by_code, matched_by_files};
use crate::project::{ConfigFile, Service};
use crate::rules::find;
use crate::text::diagnostic::{FileId, Severity, quote};

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

    /// Whether it has ignored a finding, or may have: of a rule that did not run to its end.
    pub fn is_used(&self, used: &Used) -> bool {
        let selector = self.selector.value.as_str();
        let may_ignore = |code: &&'static str| is_selected_by_code(code, selector) || find(code, selector).is_some();
        self.uses.iter().any(|index| used.ignores.contains(index)) || used.incomplete_rules.iter().any(may_ignore)
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

fn patterns_of<'c>(entries: &[IgnoreEntry<'c>]) -> Vec<&'c str> {
    entries.iter().map(|entry| entry.pattern.value.as_str()).collect()
}

impl IgnoreEntry<'_> {
    /// Whether a selector has ignored nothing so far.
    fn is_open(&self, setup: &Setup<'_>, used: &Used) -> bool {
        self.selectors.iter().any(|selector| selector.is_enabled(setup) && !selector.is_used(used))
    }
}

/// Of several parts of a run, the first one judges the entries: lints the services of other parts that have files of an
/// entry with a selector that ignored nothing. Those parts report their findings.
pub(super) fn use_ignores_of_other_parts(
    setup: &Setup<'_>,
    check: impl Fn(&Service) -> Checked + Sync,
    used: &mut Used,
    unread: &mut BTreeSet<FileId>,
) {
    if setup.project.others.is_empty() || !setup.project.reports_the_rest() {
        return;
    }
    let reach = Reach::new(setup, unread);
    let entries = setup.project.config_files.iter().flat_map(|file| {
        let entries = ignores_of(setup, file);
        let matched = reach.files_of_ignores(file, &patterns_of(&entries));
        entries.into_iter().zip(matched)
    });
    let open = entries.filter(|(entry, _)| entry.is_open(setup, used));
    let files: BTreeSet<FileId> = open.flat_map(|(_, files)| files).collect();
    let has_file = |service: &&Service| service.files.iter().any(|file| files.contains(file));
    let services: Vec<&Service> = setup.project.others.iter().filter(has_file).collect();
    let checked: Vec<Checked> = services.par_iter().map(|service| check(service)).collect();
    for part in checked {
        used.ignores.extend(part.used.ignores);
        unread.extend(part.unreadable.into_iter().map(|(id, _)| id));
    }
}

/// The entries of a configuration file without effect.
pub(super) fn unused_ignores(setup: &Setup<'_>, file: &ConfigFile, used: &Used, reach: &Reach<'_>) -> Vec<Problem> {
    let entries = ignores_of(setup, file);
    if entries.is_empty() || !reach.reports_the_rest() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let patterns = patterns_of(&entries).into_iter().enumerate();
    let patterns = patterns.flat_map(|(index, pattern)| files_and_folders(pattern).map(move |it| (it, index)));
    let patterns: Vec<_> = patterns.collect();
    let matched = matched_by_files(folder, patterns.iter().map(|(pattern, index)| (pattern.as_ref(), *index)));
    let files = reach.files_of_ignores(file, &patterns_of(&entries));
    for ((index, IgnoreEntry { pattern, selectors }), files) in entries.iter().enumerate().zip(files) {
        let Placed { value: pattern, place } = pattern;
        if !reach.has_all_of(folder, pattern) {
            continue;
        }
        // An ignore of a disabled rule is judged by the runs that enable it.
        if !matched.contains(&index) && selectors.iter().all(|selector| selector.is_enabled(setup)) {
            problems.push(Problem {
                span: place.span,
                severity: Severity::Warning,
                message: format!("unused ignores for {}, no file matches", quote(pattern)),
                help: "correct the pattern, or remove it from `per-file-ignores`".to_owned(),
                repair: Some(Repair::Remove { title: format!("remove the ignores for {}", quote(pattern)) }),
            });
            continue;
        }
        let is_unused = |selector: &&IgnoreSelector<'_>| selector.is_enabled(setup) && !selector.is_used(used);
        for IgnoreSelector { selector, .. } in selectors.iter().filter(is_unused).filter(|_| !files.is_empty()) {
            problems.push(Problem {
                span: selector.place.span,
                severity: Severity::Warning,
                message: format!("unused ignore of {} for {}", quote(&selector.value), quote(pattern)),
                help: "remove it from `per-file-ignores`".to_owned(),
                repair: Some(Repair::Remove { title: "remove it from `per-file-ignores`".to_owned() }),
            });
        }
    }
    problems
}

//! Findings that are accepted: suppressed by the configuration, or listed in the baseline.

use std::path::Path;
use std::sync::Arc;

use super::baseline::Baseline;
use super::filter::is_always_reported;
use super::identities::Known;
use super::names::Names;
use super::options::Setup;
use super::outcome::{SuppressionIndex, Used};
use super::suppressions::Suppressions;
use crate::common::collections::HashMap;
use crate::document::Document;
use crate::lint::identity::{Counts, Identifier};
use crate::project::{File, Service, relative_name};
use crate::text::diagnostic::{Diagnostic, FileId};

/// Tells which findings of one service are accepted, and counts them.
pub(super) struct Accepted<'s> {
    /// Index of the configuration.
    config: usize,
    suppressions: Option<&'s Suppressions<'s>>,
    /// With its index.
    baseline: Option<(usize, &'s Baseline)>,
    /// Whether all findings are to be listed in the baseline.
    takes_all: bool,
    paths: HashMap<FileId, &'s Path>,
    documents: HashMap<FileId, &'s Document>,
    /// The names of the files in the baseline.
    names: HashMap<FileId, Arc<str>>,
    identifier: Identifier<'s>,
    /// The findings that are not new.
    known: Option<Known>,
    /// The names of the files in reports.
    report_names: HashMap<FileId, &'s str>,
    /// The number of findings of each identity so far.
    seen: Counts,
    pub suppressed: usize,
    pub baselined: usize,
}

impl<'s> Accepted<'s> {
    pub fn new(setup: &'s Setup<'_>, service: &Service, files: &[&'s File], known: Option<Known>) -> Self {
        let suppressions = setup.suppressions.get(service.config).filter(|suppressions| !suppressions.is_empty());
        let baselines = &setup.options.baselines;
        let baseline = baselines.of(service.config);
        let takes_all = baselines.are_written && baseline.is_some_and(|(_, baseline)| baseline.is_new);
        let name = |file: &File, baseline: &Baseline| -> Arc<str> {
            // Standard input without a file name has a display name, but no path.
            let has_path = file.source.path.is_absolute();
            let name =
                if has_path { relative_name(&file.source.path, baseline.folder()) } else { file.source.name.clone() };
            name.into()
        };
        Self {
            config: service.config,
            suppressions,
            baseline,
            takes_all,
            paths: files.iter().map(|file| (file.id, file.source.path.as_path())).collect(),
            documents: files.iter().filter_map(|file| Some((file.id, file.document()?.1))).collect(),
            names: baseline
                .iter()
                .flat_map(|(_, baseline)| files.iter().map(move |file| (file.id, name(file, baseline))))
                .collect(),
            identifier: Identifier::new(files),
            known,
            report_names: files.iter().map(|file| (file.id, file.source.name.as_str())).collect(),
            seen: Counts::new(),
            suppressed: 0,
            baselined: 0,
        }
    }

    /// Whether there is anything to accept findings by.
    pub const fn is_empty(&self) -> bool {
        self.suppressions.is_none() && self.baseline.is_none() && self.known.is_none()
    }

    /// Whether a finding is accepted. Suppressions come first, so that the baseline counts only the rest. Findings that
    /// are not new are counted in the same way.
    pub fn accepts(&mut self, diagnostic: &Diagnostic, used: &mut Used) -> bool {
        // Evaluated first, because it also counts what the others accept.
        let is_known = self.is_known(diagnostic);
        let is_suppressed = self.is_suppressed(diagnostic, used);
        let is_baselined = !is_suppressed && (self.is_baselined(diagnostic, used) || is_known);
        self.suppressed += usize::from(is_suppressed);
        self.baselined += usize::from(is_baselined);
        is_suppressed || is_baselined
    }

    /// Whether a finding is not new. Of more findings with one identity than were known, the first ones are not.
    fn is_known(&mut self, diagnostic: &Diagnostic) -> bool {
        if is_always_reported(diagnostic.code) {
            return false;
        }
        match &self.known {
            None => false,
            Some(Known::All) => true,
            Some(Known::Counted(known)) => {
                let name = self.report_names.get(&diagnostic.location.file).copied().unwrap_or_default();
                let identity = self.identifier.identify(diagnostic, name.into());
                let count = known.get(&identity).copied().unwrap_or(0);
                let seen = self.seen.entry(identity).or_default();
                *seen += 1;
                *seen <= count
            }
        }
    }

    fn is_suppressed(&self, diagnostic: &Diagnostic, used: &mut Used) -> bool {
        let Some(suppressions) = self.suppressions else { return false };
        let path = self.paths.get(&diagnostic.location.file);
        let document = self.documents.get(&diagnostic.location.file).filter(|_| suppressions.needs_names);
        let names = document.map(|document| Names::around(document, &diagnostic.location.pointer));
        let names = names.unwrap_or_default();
        let matching = path.map(|path| suppressions.matching(diagnostic, path, &names)).unwrap_or_default();
        let config = self.config;
        let is_suppressed = !matching.is_empty();
        used.suppressions.extend(matching.into_iter().map(|entry| SuppressionIndex { config, entry }));
        is_suppressed
    }

    /// Whether the baseline lists a finding, or is to list it. Of more findings with one identity than are listed, the
    /// first ones are accepted.
    fn is_baselined(&mut self, diagnostic: &Diagnostic, used: &mut Used) -> bool {
        let Some((index, baseline)) = self.baseline.filter(|_| !is_always_reported(diagnostic.code)) else {
            return false;
        };
        let name = self.names.get(&diagnostic.location.file).map_or_else(|| "".into(), Arc::clone);
        let identity = self.identifier.identify(diagnostic, name);
        let listed = baseline.count(&identity);
        let baselined = used.baselined.entry(index).or_default();
        let seen = baselined.get(&identity).copied().unwrap_or(0);
        let is_baselined = self.takes_all || seen < listed;
        if is_baselined {
            baselined.insert(identity, seen + 1);
        }
        is_baselined
    }
}

//! Findings that are accepted: suppressed by the configuration, or listed in the baseline.

use std::path::Path;

use super::filter::is_always_reported;
use super::outcome::{SuppressionIndex, Used};
use super::setup::Setup;
use crate::collections::HashMap;
use crate::diagnostic::{Diagnostic, FileId};
use crate::identity::Identifier;
use crate::project::{File, Service, relative_name};

impl Setup<'_> {
    pub(super) fn drop_suppressed(
        &self,
        service: &Service,
        files: &[&File],
        found: &mut Vec<Diagnostic>,
        used: &mut Used,
    ) {
        let config = service.config;
        let suppressions = self.suppressions.get(config).filter(|suppressions| !suppressions.is_empty());
        let Some(suppressions) = suppressions else { return };
        let paths: HashMap<FileId, &Path> = files.iter().map(|file| (file.id, file.source.path.as_path())).collect();
        found.retain(|diagnostic| {
            let path = paths.get(&diagnostic.location.file);
            let matching = path.map(|path| suppressions.matching(diagnostic, path)).unwrap_or_default();
            let is_kept = matching.is_empty();
            used.suppressions.extend(matching.into_iter().map(|entry| SuppressionIndex { config, entry }));
            is_kept
        });
    }

    /// Drops the findings that the baseline lists; all of them when they are to be listed in a new one. Of
    /// more findings with one identity than are listed, the first ones are dropped.
    pub(super) fn drop_baselined(
        &self,
        service: &Service,
        files: &[&File],
        found: &mut Vec<Diagnostic>,
        used: &mut Used,
    ) {
        let baselines = &self.options.baselines;
        let Some((index, baseline)) = baselines.of(service.config) else { return };
        let takes_all = baselines.are_written && baseline.is_new;
        let baselined = used.baselined.entry(index).or_default();
        let name = |file: &File| {
            // Standard input without a file name has a display name, but no path.
            let has_path = file.source.path.is_absolute();
            if has_path { relative_name(&file.source.path, baseline.folder()) } else { file.source.name.clone() }
        };
        let names: HashMap<FileId, String> = files.iter().map(|file| (file.id, name(file))).collect();
        let mut identifier = Identifier::new(files);
        found.retain(|diagnostic| {
            if is_always_reported(diagnostic.code) {
                return true;
            }
            let name = names.get(&diagnostic.location.file).cloned().unwrap_or_default();
            let identity = identifier.identify(diagnostic, name);
            let listed = baseline.count(&identity);
            let seen = baselined.get(&identity).copied().unwrap_or(0);
            if !takes_all && seen >= listed {
                return true;
            }
            baselined.insert(identity, seen + 1);
            false
        });
    }
}

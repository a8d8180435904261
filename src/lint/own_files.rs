//! The files of the user's own rules and of the modules that they import, in which problems may be.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::paths::clean;
use crate::project::{Project, relative_name};
use crate::text::diagnostic::FileId;
use crate::text::source::SourceFile;

/// By their ids, which follow those of configurations and baselines.
#[derive(Debug, Default)]
pub(super) struct OwnFiles(BTreeMap<FileId, SourceFile>);

impl OwnFiles {
    pub fn new(project: &Project, baselines: usize) -> Self {
        let mut texts: BTreeMap<PathBuf, &Arc<str>> = BTreeMap::new();
        for rules in project.configs.iter().flat_map(|config| &config.own_rules) {
            texts.extend(rules.files().map(|rule| (rule.path.clone(), &rule.text)));
            texts.extend(rules.modules.iter().map(|(file, text)| (clean(&rules.folder.join(file)), text)));
        }
        let first = project.config_files.len() + baselines;
        let file = |(index, (path, text)): (usize, (PathBuf, &Arc<str>))| {
            let name = relative_name(&path, &project.current);
            (project.id_of_other(first + index), SourceFile::new(path, name, Arc::clone(text)))
        };
        Self(texts.into_iter().enumerate().map(file).collect())
    }

    pub fn find(&self, path: &Path) -> Option<(FileId, &SourceFile)> {
        self.0.iter().find(|(_, source)| source.path == path).map(|(id, source)| (*id, source))
    }

    /// The texts of those that are needed.
    pub fn sources(&self, needed: &BTreeSet<FileId>) -> BTreeMap<FileId, SourceFile> {
        let needed = self.0.iter().filter(|(id, _)| needed.contains(id));
        needed.map(|(id, source)| (*id, source.clone())).collect()
    }
}

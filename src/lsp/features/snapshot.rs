//! The files of a service at one moment.

use std::path::Path;

use super::analysis::ServiceAnalysis;
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::facts::AnalyzedService;
use crate::project::{File, ServiceModel};
use crate::simulate::is_scenario;
use crate::simulate::scenario::ScenarioSyntax;
use crate::source::Span;
use crate::suggest::Suggester;

/// The files of one service as an editor has them: unsaved texts in place of files.
#[derive(Clone, Copy)]
pub struct Snapshot<'a> {
    /// The documents, and the files that should be, sorted by id.
    pub files: &'a [&'a File],
    /// The last versions, with the same ids, of those in `files` that are invalid now and once were documents.
    pub last_good: &'a [&'a File],
    pub config: &'a Config,
    /// The analysis of the files, if other questions are about them, too.
    pub analysis: Option<&'a ServiceAnalysis>,
    /// The scenarios of the service and its configuration files.
    pub others: &'a [OtherFile<'a>],
}

/// A file beside the documents. It is a scenario or a configuration by its name.
#[derive(Debug, Clone, Copy)]
pub struct OtherFile<'a> {
    /// Not that of a document of the service.
    pub id: FileId,
    pub path: &'a Path,
    pub text: &'a str,
    /// The documents of the other services that a configuration is about, which a renaming does not change.
    pub shared_with: &'a [&'a File],
}

/// A place in a file of the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileSpan {
    pub file: FileId,
    pub span: Span,
}

impl OtherFile<'_> {
    /// The syntax of a scenario; `None` of a configuration.
    pub fn scenario_syntax(&self) -> Option<ScenarioSyntax> {
        let is_configuration = |syntax: &ScenarioSyntax| *syntax == ScenarioSyntax::Toml && !is_scenario(self.path);
        ScenarioSyntax::of(self.path).filter(|syntax| !is_configuration(syntax))
    }
}

impl<'a> Snapshot<'a> {
    /// Calls a function with the analysis of the documents as they are.
    pub fn analyze<T>(&self, ask: impl FnOnce(&AnalyzedService<'_>) -> T) -> T {
        match self.analysis.and_then(ServiceAnalysis::get) {
            Some(analyzed) => analyzed.ask(ask),
            None => analyze(self.files.to_vec(), self.config, ask),
        }
    }

    /// Calls a function with the analysis of the documents as they last could be read.
    pub fn analyze_last_good<T>(&self, ask: impl FnOnce(&AnalyzedService<'_>) -> T) -> T {
        if self.last_good.is_empty() {
            return self.analyze(ask);
        }
        let last_good = |file: &&'a File| {
            let good = self.last_good.iter().copied().find(|good| good.id == file.id && file.document().is_none());
            good.unwrap_or(file)
        };
        analyze(self.files.iter().map(last_good).collect(), self.config, ask)
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> Option<&'a str> {
        let document = self.files.iter().find(|known| known.id == file).map(|file| &*file.source.text);
        document.or_else(|| self.others.iter().find(|other| other.id == file).map(|other| other.text))
    }
}

/// Scripts are parsed, but do not run.
fn analyze<T>(files: Vec<&File>, config: &Config, ask: impl FnOnce(&AnalyzedService<'_>) -> T) -> T {
    let suggester = Suggester::default();
    let model = ServiceModel::new(&files, config);
    ask(&AnalyzedService::new(files, config, &model, &suggester, None))
}

//! The files of a service at one moment, and their analysis, which several questions share.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use self_cell::self_cell;

use crate::config::Config;
use crate::diagnostic::FileId;
use crate::facts::AnalyzedService;
use crate::project::{File, Project, ServiceModel};
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
    pub last_valid: &'a [&'a File],
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
    pub fn analyze_last_valid<T>(&self, ask: impl FnOnce(&AnalyzedService<'_>) -> T) -> T {
        if self.last_valid.is_empty() {
            return self.analyze(ask);
        }
        let last_valid = |file: &&'a File| {
            let last_valid = self
                .last_valid
                .iter()
                .copied()
                .find(|last_valid| last_valid.id == file.id && file.document().is_none());
            last_valid.unwrap_or(file)
        };
        analyze(self.files.iter().map(last_valid).collect(), self.config, ask)
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

/// The files of a service, and their analysis from the first question on that needs it.
pub struct ServiceAnalysis {
    documents: Documents,
    analyzed: OnceCell<Option<Analyzed>>,
}

#[derive(Clone)]
struct Documents {
    project: Arc<Project>,
    /// Index of the configuration.
    config: usize,
    files: Arc<[File]>,
}

struct Texts {
    documents: Documents,
    suggester: Suggester,
}

self_cell!(
    struct Modeled {
        owner: Texts,
        #[covariant]
        dependent: ServiceModel,
    }
);

self_cell!(
    struct Analyzed {
        owner: Modeled,
        #[not_covariant]
        dependent: AnalyzedService,
    }
);

impl ServiceAnalysis {
    /// The files are sorted by id; the configuration is given by its index.
    pub fn new(project: Arc<Project>, config: usize, files: Arc<[File]>) -> Self {
        Self { documents: Documents { project, config, files }, analyzed: OnceCell::new() }
    }

    pub fn files(&self) -> &Arc<[File]> {
        &self.documents.files
    }

    /// `None` without such a configuration.
    fn get(&self) -> Option<&Analyzed> {
        self.analyzed.get_or_init(|| Analyzed::of(self.documents.clone())).as_ref()
    }
}

impl Analyzed {
    /// Scripts are parsed, but do not run.
    fn of(documents: Documents) -> Option<Self> {
        let texts = Texts { documents, suggester: Suggester::default() };
        let modeled = Modeled::try_new(texts, |Texts { documents, .. }| {
            let files: Vec<&File> = documents.files.iter().collect();
            Ok::<_, ()>(ServiceModel::new(&files, documents.config().ok_or(())?))
        });
        let analyzed = Self::try_new(modeled.ok()?, |modeled| {
            let Texts { documents, suggester } = modeled.borrow_owner();
            let (files, config) = (documents.files.iter().collect(), documents.config().ok_or(())?);
            Ok::<_, ()>(AnalyzedService::new(files, config, modeled.borrow_dependent(), suggester, None))
        });
        analyzed.ok()
    }

    fn ask<T>(&self, ask: impl FnOnce(&AnalyzedService<'_>) -> T) -> T {
        self.with_dependent(|_, service| ask(service))
    }
}

impl Documents {
    fn config(&self) -> Option<&Config> {
        self.project.configs.get(self.config)
    }
}

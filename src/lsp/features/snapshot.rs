//! The files of a service at one moment, and their analysis, which several questions share.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use self_cell::self_cell;

use crate::config::Config;
use crate::facts::AnalyzedService;
use crate::project::{File, Project, ServiceModel};
use crate::simulate::is_scenario;
use crate::simulate::scenario::ScenarioSyntax;
use crate::text::diagnostic::FileId;
use crate::text::source::{SourceFile, Span};
use crate::text::suggest::Suggester;

/// The files of one service as an editor has them: unsaved texts in place of files.
pub struct Snapshot {
    pub service: Rc<ServiceAnalysis>,
    /// The last versions, with the same ids, of the files of the service that are invalid now and once were documents.
    pub last_valid: Vec<File>,
    /// The scenarios of the service and its configuration files.
    pub others: Vec<OtherFile>,
    /// The documents of the other services that its configuration is about, which a renaming does not change.
    pub shared: Vec<File>,
}

/// A file beside the documents. It is a scenario or a configuration by its name.
#[derive(Debug, Clone)]
pub struct OtherFile {
    /// Not that of a document of the service.
    pub id: FileId,
    pub source: SourceFile,
}

/// A place in a file of the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileSpan {
    pub file: FileId,
    pub span: Span,
}

impl OtherFile {
    /// The syntax of a scenario; `None` of a configuration.
    pub fn scenario_syntax(&self) -> Option<ScenarioSyntax> {
        let is_configuration =
            |syntax: &ScenarioSyntax| *syntax == ScenarioSyntax::Toml && !is_scenario(&self.source.path);
        ScenarioSyntax::of(&self.source.path).filter(|syntax| !is_configuration(syntax))
    }
}

impl Snapshot {
    /// Calls a function with the analysis of the documents as they are.
    pub fn analyze<T>(&self, ask: impl FnOnce(&AnalyzedService<'_>) -> T) -> T {
        self.service.analyzed().with_dependent(|_, service| ask(service))
    }

    /// Calls a function with the analysis of the documents as they last could be read.
    pub fn analyze_last_valid<T>(&self, ask: impl FnOnce(&AnalyzedService<'_>) -> T) -> T {
        if self.last_valid.is_empty() {
            return self.analyze(ask);
        }
        let last_valid = |file: &File| {
            let last_valid = self.last_valid.iter().find(|valid| valid.id == file.id && file.document().is_none());
            last_valid.unwrap_or(file).clone()
        };
        let files = self.service.files().iter().map(last_valid).collect();
        let service =
            ServiceAnalysis::new(Arc::clone(&self.service.documents.project), self.service.documents.config, files);
        service.analyzed().with_dependent(|_, service| ask(service))
    }

    /// All files.
    pub fn sources(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        let documents = self.service.files().iter().map(|file| (file.id, &file.source));
        documents.chain(self.others.iter().map(|other| (other.id, &other.source)))
    }

    pub fn source(&self, file: FileId) -> Option<&SourceFile> {
        self.sources().find(|(known, _)| *known == file).map(|(_, source)| source)
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> Option<&str> {
        Some(&*self.source(file)?.text)
    }
}

/// The files of a service, and their analysis from the first question on that needs it.
pub struct ServiceAnalysis {
    documents: Documents,
    analyzed: OnceCell<Analyzed>,
}

#[derive(Clone)]
struct Documents {
    project: Arc<Project>,
    /// Index of the configuration.
    config: usize,
    files: Arc<[File]>,
}

impl Documents {
    fn config(&self) -> &Config {
        static DEFAULT: LazyLock<Config> = LazyLock::new(Config::default);
        self.project.configs.get(self.config).unwrap_or(&DEFAULT)
    }
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

    /// Scripts are parsed, but do not run.
    fn analyzed(&self) -> &Analyzed {
        self.analyzed.get_or_init(|| {
            let texts = Texts { documents: self.documents.clone(), suggester: Suggester::default() };
            let modeled = Modeled::new(texts, |Texts { documents, .. }| {
                ServiceModel::new(&documents.files.iter().collect::<Vec<_>>(), documents.config())
            });
            Analyzed::new(modeled, |modeled| {
                let Texts { documents, suggester } = modeled.borrow_owner();
                let files = documents.files.iter().collect();
                AnalyzedService::new(files, documents.config(), modeled.borrow_dependent(), suggester, None)
            })
        })
    }
}

//! The analysis of the documents of a service, which several questions share.

use std::cell::OnceCell;
use std::sync::Arc;

use self_cell::self_cell;

use crate::config::Config;
use crate::facts::AnalyzedService;
use crate::project::{File, Project, ServiceModel};
use crate::suggest::Suggester;

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
    pub(super) struct Analyzed {
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
    pub(super) fn get(&self) -> Option<&Analyzed> {
        self.analyzed.get_or_init(|| analyze(self.documents.clone())).as_ref()
    }
}

impl Analyzed {
    pub fn ask<T>(&self, ask: impl FnOnce(&AnalyzedService<'_>) -> T) -> T {
        self.with_dependent(|_, service| ask(service))
    }
}

/// Scripts are parsed, but do not run.
fn analyze(documents: Documents) -> Option<Analyzed> {
    let texts = Texts { documents, suggester: Suggester::default() };
    let modeled = Modeled::try_new(texts, |Texts { documents, .. }| {
        let files: Vec<&File> = documents.files.iter().collect();
        Ok::<_, ()>(ServiceModel::new(&files, documents.config().ok_or(())?))
    });
    let analyzed = Analyzed::try_new(modeled.ok()?, |modeled| {
        let Texts { documents, suggester } = modeled.borrow_owner();
        let (files, config) = (documents.files.iter().collect(), documents.config().ok_or(())?);
        Ok::<_, ()>(AnalyzedService::new(files, config, modeled.borrow_dependent(), suggester, None))
    });
    analyzed.ok()
}

impl Documents {
    fn config(&self) -> Option<&Config> {
        self.project.configs.get(self.config)
    }
}

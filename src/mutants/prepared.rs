//! Prepares the trials before any scenario runs: the workflows of a run, and their versions in a git revision.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::change::{Site, WorkflowChange, edited, hash};
use super::changed::changed;
use crate::config::Config;
use crate::document::{Document, Limits};
use crate::files::read::FileKey;
use crate::lint::{Linter, Options};
use crate::model::{Lowering, Workflow};
use crate::project::{self, Content, OldProject, Overrides, Project, Service};
use crate::redaction::Redactions;
use crate::schema::DocumentKind;
use crate::simulate::{self, Loaded, LoadedScenario, Session};
use crate::text::diagnostic::FileId;
use crate::text::source::SourceFile;
use crate::text::suggest::Suggester;

/// The input of a run.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// The request for the scenarios.
    pub scenarios: &'r simulate::Request,
    pub loaded: &'r Loaded,
    pub sources: &'r BTreeMap<FileId, SourceFile>,
    /// The git revision of `--since`: only activities that differ from it are mutated.
    pub since: Option<&'r str>,
    /// This program's executable, which is started again to run scripts.
    pub program: &'r Path,
    /// The current day in UTC, for suppressions that expire.
    pub today: Date,
}

/// The documents of a run as lint sees them.
pub struct Prepared {
    pub(super) project: Project,
    pub(super) old: Option<OldProject>,
    pub(super) options: Options,
    /// For each workflow of the scenarios, its file in the project and its sensitive values.
    pub(super) workflows: BTreeMap<FileId, (FileId, Redactions)>,
    /// The names of the other workflows, which are not changed.
    pub without_scenarios: Vec<String>,
}

impl Prepared {
    /// # Errors
    /// An invalid configuration, no such revision, or an error of git.
    pub fn new(request: &Request<'_>, pool: &ThreadPool) -> Result<Self, String> {
        let (project, old) = find(request)?;
        let options =
            Options { today: Some(request.today), program: Some(request.program.to_path_buf()), ..Options::default() };
        let ids: BTreeMap<&Path, FileId> = project.files().collect();
        let run: BTreeSet<usize> = request.loaded.scenarios.iter().map(|scenario| scenario.workflow).collect();
        let run = run.into_iter().filter_map(|index| request.loaded.documents.get(index));
        let run = run.filter_map(|document| {
            let path = request.sources.get(&document.file)?.path.as_path();
            Some((document.file, *ids.get(path)?))
        });
        let run: Vec<(FileId, FileId)> = run.collect();
        let linter = Linter::new(&project, &options)?;
        let redacted = |&(file, id): &(FileId, FileId)| (file, (id, redactions(&linter, id)));
        let workflows = pool.install(|| run.par_iter().map(redacted).collect());
        let with_scenarios: BTreeSet<FileId> = run.into_iter().map(|(_, id)| id).collect();
        let others = |service: &Service| other_workflows(&project, service, &with_scenarios);
        let mut without_scenarios: Vec<String> =
            pool.install(|| project.services.par_iter().flat_map(others).collect());
        without_scenarios.sort();
        without_scenarios.dedup();
        drop(linter);
        Ok(Self { project, old, options, workflows, without_scenarios })
    }

    /// Whether a file is read for the run.
    pub fn reads(&self, file: &FileKey) -> bool {
        self.project.reads(file)
    }

    /// Redacts the excerpts of reports like those of findings.
    pub fn redact(&self, sources: &mut BTreeMap<FileId, SourceFile>) {
        for (file, (id, redactions)) in &self.workflows {
            if let Some(source) = sources.get_mut(file) {
                source.hidden = redactions.spans(*id).to_vec();
            }
        }
    }
}

/// Finds the documents of the folders of a request, and of the services of its scenarios.
fn find(request: &Request<'_>) -> Result<(Project, Option<OldProject>), String> {
    let simulate::Request { current, paths, config, boundary, .. } = request.scenarios;
    let folders = paths.iter().filter(|path| current.join(path).is_dir()).cloned();
    let workflows = request.loaded.scenarios.iter().filter_map(|scenario| {
        let document = request.loaded.documents.get(scenario.workflow)?;
        Some(request.sources.get(&document.file)?.path.clone())
    });
    let workflows: BTreeSet<PathBuf> = workflows.collect();
    let found = project::Request {
        current: current.clone(),
        paths: folders.chain(workflows).collect(),
        config: config.clone(),
        boundary: boundary.clone(),
        ..project::Request::default()
    };
    match request.since {
        None => project::find(&found).map(|project| (project, None)).map_err(|error| error.0),
        Some(revision) => project::find_since(&found, revision).map(|(project, old)| (project, Some(old))),
    }
}

fn redactions(linter: &Linter<'_>, file: FileId) -> Redactions {
    let service = linter.project().services.iter().find(|service| service.files.contains(&file));
    service.map_or_else(Redactions::default, |service| linter.redactions(service, &Overrides::new()))
}

fn other_workflows(project: &Project, service: &Service, known: &BTreeSet<FileId>) -> Vec<String> {
    if service.files.iter().all(|file| known.contains(file)) {
        return Vec::new();
    }
    let read = project.read(service, &Overrides::new());
    let others = read.files.into_iter().filter(|file| file.reported && !known.contains(&file.id));
    let workflows = others.filter(|file| matches!(file.content, Content::Document(DocumentKind::Workflow, _)));
    workflows.map(|file| file.source.name).collect()
}

/// A workflow, and the scenarios that run it.
pub struct Target<'t> {
    pub session: &'t Session<'t>,
    pub site: Site<'t>,
    /// Of the session.
    pub file: FileId,
    pub source: &'t SourceFile,
    pub config: &'t Config,
    /// In the order of their files.
    pub scenarios: Vec<&'t LoadedScenario>,
    /// Of the text.
    hash: u128,
}

impl<'t> Target<'t> {
    /// The workflows that scenarios of a session run, in the order of their files.
    pub fn of_session(session: &'t Session<'t>, sources: &'t BTreeMap<FileId, SourceFile>) -> Vec<Self> {
        let mut targets: BTreeMap<FileId, Self> = BTreeMap::new();
        for scenario in session.scenarios() {
            let Some(named) = session.documents(scenario) else { continue };
            let Some(source) = sources.get(&named.file) else { continue };
            let site = Site { document: named.document, workflow: named.workflow };
            let target = targets.entry(named.file).or_insert_with(|| {
                let (file, config, hash) = (named.file, named.config, hash(&source.text));
                Self { session, site, file, source, config, scenarios: Vec::new(), hash }
            });
            target.scenarios.push(scenario);
        }
        targets.into_values().collect()
    }

    /// The text with a change; `None` if that changes nothing.
    pub fn with(&self, change: &WorkflowChange) -> Option<Changed> {
        let text = edited(&self.source.text, &change.edits)?;
        let hash = hash(&text);
        (hash != self.hash).then(|| Changed { text: text.into(), hash })
    }

    /// A text read as the workflow of this file.
    pub fn parse(&self, text: &Arc<str>) -> Option<Document> {
        let document =
            Document::parse(Arc::clone(text), Limits { depth: self.config.max_depth, ..Limits::default() }).ok()?;
        let root = document.resolve(&self.site.document.pointer(self.site.document.root()))?;
        Some(document.with_root(root))
    }

    pub fn lower<'d>(&'d self, document: &'d Document, suggester: &'d Suggester) -> Workflow<'d> {
        Workflow::lower(Lowering { document, types: &self.config.types, suggester })
    }

    /// Whether each activity has changed since the file had another text, by its id. All have if that was not the
    /// workflow.
    pub fn changed_since(&self, old: Option<&str>) -> Vec<bool> {
        let all = vec![true; self.site.workflow.activities.len()];
        let Some(old) = old else { return all };
        // Git may convert line ends.
        let bytes = |text: &'_ str| text.bytes().filter(|&byte| byte != b'\r').collect::<Vec<_>>();
        if bytes(old) == bytes(&self.source.text) {
            return vec![false; all.len()];
        }
        let Some(document) = self.parse(&Arc::from(old)) else { return all };
        let suggester = Suggester::default();
        let workflow = self.lower(&document, &suggester);
        changed(&self.site, &Site { document: &document, workflow: &workflow })
    }
}

/// The text of a changed workflow.
pub struct Changed {
    pub text: Arc<str>,
    pub hash: u128,
}

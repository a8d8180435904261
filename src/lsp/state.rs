//! The state of the server: open documents, findings, and waiting requests.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use gen_lsp_types::{MessageType, ShowMessageNotification, ShowMessageParams};

use super::client::Client;
use super::convert::{Converter, Item, Items};
use super::document_uri::DocumentUri;
use super::documents::{Documents, is_config, may_be_document};
use super::features::ServiceAnalysis;
use super::known_workflows::KnownWorkflows;
use super::load::Scope;
use super::outbox::Outbox;
use super::pending::{Known, Pending};
use super::queue::{Lane, Outcome, ServicePlace, Worker};
use super::root::{Revision, Root, ServiceState, TYPING};
use super::run::Runs;
use super::settings::Settings;
use crate::lint::Checked;
use crate::own_rules::OwnRunner;
use crate::project::{Contents, File, Overrides, Service};
use crate::rules::{REGISTRY, Rule, own_rules};
use crate::script::Evaluator;
use crate::simulate::is_scenario;

pub struct Server {
    pub outbox: Outbox,
    pub client: Client,
    pub settings: Settings,
    pub documents: Documents,
    pub roots: Vec<Root>,
    /// The open scenarios.
    pub scenarios: BTreeMap<DocumentUri, Revision>,
    pub found: BTreeMap<Origin, Items>,
    /// The service that was asked about last, for more questions about this version of it.
    pub asked: RefCell<Option<(ServicePlace, Rc<ServiceAnalysis>)>>,
    /// The documents whose findings may have changed since they were last compared with those of the client.
    pub changed: BTreeSet<DocumentUri>,
    /// The open documents whose drawings may have changed since the client was told.
    pub redrawn: BTreeSet<DocumentUri>,
    /// The number of changes that the client has told of.
    pub edits: u64,
    /// The number of results, those that are shown early included.
    pub results: u64,
    pub quick: Worker<Self>,
    pub scripts: Worker<Self>,
    /// Runs scripts, and remembers how they end.
    pub evaluator: Evaluator,
    /// Runs the user's own rules.
    pub own_rules: OwnRunner,
    /// Runs that the client has asked for.
    pub runs: Runs,
    /// The results that the client has.
    pub known: Known,
    /// The requests that the client has to repeat.
    pub stale: Stale,
    /// The workflows of scenarios that were read.
    pub scenario_workflows: KnownWorkflows,
    /// Requests that wait for findings.
    pub pending: Pending,
    /// The folder of the process, for documents that are not files.
    pub current: PathBuf,
    /// Messages that the user has seen.
    shown: BTreeSet<String>,
    /// The number of the next root.
    next_root: u64,
}

/// The origin of findings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A service of a root.
    Service(u64, usize),
    /// Problems of the configurations of a root.
    Problems(u64),
    /// Errors in the configurations of a root.
    Errors(u64),
    Scenario(DocumentUri),
}

/// Which answers that the client has may be out of date.
#[derive(Debug, Default, Clone, Copy)]
pub struct Stale {
    pub hints: bool,
    pub lenses: bool,
}

impl Stale {
    pub const ALL: Self = Self { hints: true, lenses: true };
}

impl Server {
    pub fn new(
        outbox: Outbox,
        [quick, scripts]: [Worker<Self>; 2],
        runs: Runs,
        evaluator: Evaluator,
        current: PathBuf,
    ) -> Self {
        Self {
            outbox,
            client: Client::default(),
            settings: Settings::default(),
            documents: Documents::default(),
            roots: Vec::new(),
            scenarios: BTreeMap::new(),
            found: BTreeMap::new(),
            asked: RefCell::default(),
            changed: BTreeSet::new(),
            redrawn: BTreeSet::new(),
            edits: 0,
            results: 1,
            quick,
            scripts,
            own_rules: OwnRunner::new(evaluator.share()),
            evaluator,
            runs,
            known: Known::default(),
            stale: Stale::default(),
            scenario_workflows: KnownWorkflows::default(),
            pending: Pending::default(),
            current,
            shown: BTreeSet::new(),
            next_root: 0,
        }
    }

    /// Takes over the result of a job.
    pub fn finish(&mut self, lane: Lane, outcome: Outcome<Self>) {
        let worker = match lane {
            Lane::Quick => &mut self.quick,
            Lane::Scripts => &mut self.scripts,
        };
        worker.running = None;
        self.results += 1;
        outcome(self);
    }

    pub fn add_root(&mut self, scope: Scope, now: Instant) {
        self.next_root += 1;
        self.roots.push(Root::new(self.next_root, scope, now));
    }

    /// The rules of wflint, and the user's own of all roots.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        let loaded = self.roots.iter().filter_map(|root| root.loaded.as_ref());
        REGISTRY.iter().chain(loaded.flat_map(|loaded| &loaded.project.configs).flat_map(own_rules))
    }

    /// Forgets roots and their findings.
    pub fn remove_roots(&mut self, is_gone: impl Fn(&Root) -> bool) {
        let gone: Vec<u64> = self.roots.iter().filter(|root| is_gone(root)).map(|root| root.id).collect();
        self.roots.retain(|root| !gone.contains(&root.id));
        self.asked.take();
        self.forget_found(|root| gone.contains(&root));
    }

    /// Forgets the findings of roots.
    pub fn forget_found(&mut self, is_gone: impl Fn(u64) -> bool) {
        let found = std::mem::take(&mut self.found);
        for (origin, items) in found {
            if origin.root().is_some_and(&is_gone) {
                self.changed.extend(items.into_keys());
            } else {
                self.found.insert(origin, items);
            }
        }
    }

    /// Replaces the findings of an origin.
    pub fn set_found(&mut self, origin: Origin, items: Items) {
        self.changed.extend(items.keys().cloned());
        if let Some(before) = self.found.insert(origin, items) {
            self.changed.extend(before.into_keys());
        }
    }

    /// Remembers the texts of open documents that are valid, and what was found in them.
    pub fn remember_valid(&mut self, texts: &[(DocumentUri, Arc<str>)], checked: &Arc<Checked>) {
        for (uri, text) in texts {
            if let Some(document) = self.documents.get_mut(uri) {
                document.last_valid = Some(Arc::clone(text));
                document.last_checked = Some(Arc::clone(checked));
            }
        }
    }

    /// Shows a message, unless it was shown before.
    pub fn show_once(&mut self, message: &str) {
        if self.shown.insert(message.to_owned()) {
            let params = ShowMessageParams { kind: MessageType::Warning, message: message.to_owned() };
            self.outbox.notify::<ShowMessageNotification>(&params);
        }
    }

    /// The root that a document belongs to: the innermost folder of the workspace, or a separate one.
    pub fn root_index(&self, uri: &DocumentUri) -> Option<usize> {
        let path = match uri {
            DocumentUri::Other(uri) => {
                return self.roots.iter().position(|root| matches!(&root.scope, Scope::Unnamed(own) if own == uri));
            }
            DocumentUri::File(path) => path,
        };
        let depth = |root: &Root| match &root.scope {
            Scope::Folder(folder) if path.starts_with(folder) => Some(folder.components().count() + 1),
            Scope::Loose(_) if root.has_inside(path) => Some(0),
            _ => None,
        };
        let inside = self.roots.iter().enumerate().filter_map(|(index, root)| Some((depth(root)?, index)));
        inside.max().map(|(_, index)| index)
    }

    /// The root and the service of a document.
    pub fn service(&self, uri: &DocumentUri) -> Option<(&Root, usize)> {
        let root = self.roots.get(self.root_index(uri)?)?;
        Some((root, root.service_of(uri)?))
    }

    /// What was found in the service of a document.
    pub fn checked(&self, uri: &DocumentUri) -> Option<Arc<Checked>> {
        let (root, service) = self.service(uri)?;
        root.loaded.as_ref()?.services.get(service)?.checked.clone()
    }

    /// Whether it is known to which service a document belongs, and with which files.
    pub fn is_placed(&self, uri: &DocumentUri) -> bool {
        let root = self.root_index(uri).and_then(|index| self.roots.get(index));
        root.is_none_or(|root| root.is_current() || root.is_waiting() && root.service_of(uri).is_some())
    }

    /// The texts of the open documents of a root.
    pub fn open_contents(&self, root: &Root) -> Overrides {
        let open = self.documents.iter();
        let contents =
            open.filter_map(|(uri, document)| Some((root.file_of(uri)?, Contents::Text(Arc::clone(&document.text)))));
        contents.collect()
    }

    /// Reads an open document, or a file of a project.
    pub fn read_file(&self, uri: &DocumentUri) -> Option<File> {
        let (root, service) = self.service(uri)?;
        let (loaded, file) = (root.loaded.as_ref()?, root.file_of(uri)?);
        let config = loaded.project.services.get(service)?.config;
        let only = Service { files: vec![file], config };
        loaded.read(&only, &self.open_contents(root)).files.pop()
    }

    pub fn service_mut(&mut self, uri: &DocumentUri) -> Option<&mut ServiceState> {
        let index = self.root_index(uri)?;
        let root = self.roots.get_mut(index)?;
        let service = root.service_of(uri)?;
        root.loaded.as_mut()?.services.get_mut(service)
    }

    /// A document was opened, changed or closed: schedules again what depends on it.
    pub fn touch(&mut self, uri: &DocumentUri, now: Instant, is_typing: bool) {
        let at = if is_typing { now + TYPING } else { now };
        self.changed.insert(uri.clone());
        // Hints in a document depend on the others of its service.
        self.stale.hints |= self.documents.iter().any(|(open, _)| open != uri);
        self.stale.lenses |= uri.path().is_some_and(is_scenario);
        if let Some(path) = uri.path() {
            for root in self.roots.iter_mut().filter(|root| root.is_configured_by(path)) {
                root.revision.touch(at);
            }
        }
        match self.service_mut(uri) {
            Some(service) => service.touch(now, is_typing),
            None => {
                let may_be_document = self.documents.get(uri).is_some_and(|document| may_be_document(uri, document));
                if let Some(root) = self.root_index(uri).filter(|_| may_be_document)
                    && let Some(root) = self.roots.get_mut(root)
                {
                    root.revision.touch(at);
                }
            }
        }
        self.touch_scenarios(at);
    }

    /// Scenarios depend on the documents that they name.
    pub fn touch_scenarios(&mut self, at: Instant) {
        self.scenarios.values_mut().for_each(|revision| revision.touch(at));
    }

    /// Whether all services of a root are linted: for the workspace, or for the problems of a configuration.
    pub fn is_whole(&self, root: &Root) -> bool {
        let is_folder = matches!(root.scope, Scope::Folder(_));
        is_folder && self.settings.workspace_diagnostics
            || self.documents.iter().any(|(uri, _)| uri.path().is_some_and(|path| root.is_configured_by(path)))
    }

    /// Whether the findings of a document can be shown: they are up to date, maybe without the results of slow scripts.
    pub fn is_ready(&self, uri: &DocumentUri) -> bool {
        self.is_found(uri, ServiceState::is_shown, |root| self.has_problems(root) || root.is_early())
    }

    /// Whether the findings of a document are up to date and complete.
    pub fn is_complete(&self, uri: &DocumentUri) -> bool {
        self.is_found(uri, ServiceState::is_current, |root| self.has_problems(root))
    }

    fn is_found(
        &self,
        uri: &DocumentUri,
        is_service: impl Fn(&ServiceState) -> bool,
        is_configuration: impl Fn(&Root) -> bool,
    ) -> bool {
        if !self.scenarios.get(uri).is_none_or(Revision::is_current) {
            return false;
        }
        let path = uri.path();
        let configured = || self.roots.iter().filter(|root| path.is_some_and(|path| root.is_configured_by(path)));
        if configured().any(|root| !root.is_current() || !is_configuration(root)) {
            return false;
        }
        let Some(root) = self.root_index(uri).and_then(|index| self.roots.get(index)) else { return true };
        let Some(loaded) = root.loaded.as_ref().filter(|_| root.is_current()) else {
            // Other files are never linted.
            return path.is_some_and(|path| is_scenario(path) && !crate::project::is_json(path));
        };
        let service = root.service_of(uri).and_then(|service| loaded.services.get(service));
        service.is_none_or(is_service)
    }

    /// Whether the problems of the configurations are known, where they are wanted.
    fn has_problems(&self, root: &Root) -> bool {
        !self.is_whole(root) || root.loaded.as_ref().is_some_and(|loaded| loaded.problems.is_current())
    }

    /// The findings of a document, in order.
    pub fn items(&self, uri: &DocumentUri) -> Vec<&Item> {
        let service = self.service(uri).map(|(root, service)| Origin::Service(root.id, service));
        let of_roots = self.roots.iter().flat_map(|root| {
            // They are those of the services as they were before until all scripts were run.
            let problems = self.has_problems(root).then_some(Origin::Problems(root.id));
            [Some(Origin::Errors(root.id)), problems].into_iter().flatten()
        });
        // Rules of the user's own fail in their files, in any service.
        let is_script = uri.path().and_then(Path::extension).is_some_and(|it| it == "js" || it == "mjs");
        let all = self.found.keys().filter(|origin| is_script && matches!(origin, Origin::Service(..))).cloned();
        let origins = service.into_iter().chain(all).chain(of_roots).chain([Origin::Scenario(uri.clone())]);
        let mut items: Vec<&Item> = Vec::new();
        for item in origins.filter_map(|origin| self.found.get(&origin)?.get(uri)).flatten() {
            // Several roots may have one configuration, and several services one rule.
            let is_known =
                || (is_config(uri) || is_script) && items.iter().any(|known| known.diagnostic == item.diagnostic);
            if !is_known() {
                items.push(item);
            }
        }
        items
    }

    /// A converter for the findings of a root.
    pub fn converter(&self, root: &Root) -> Converter {
        let unnamed = match &root.scope {
            Scope::Unnamed(uri) => Some(uri.clone()),
            _ => None,
        };
        Converter { encoding: self.client.encoding, uris: Arc::new(self.documents.uris()), unnamed }
    }
}

impl Origin {
    /// The root that it belongs to.
    pub const fn root(&self) -> Option<u64> {
        match self {
            Self::Service(root, _) | Self::Problems(root) | Self::Errors(root) => Some(*root),
            Self::Scenario(_) => None,
        }
    }
}

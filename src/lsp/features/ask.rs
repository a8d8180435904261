//! Answers questions about a place in a document, with the current texts of its service.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use gen_lsp_types::{Location, Position, Range, TextDocumentPositionParams};

use super::snapshot::{FileSpan, OtherFile, ServiceAnalysis, Snapshot};
use crate::config::Config;
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::queue::ServicePlace;
use crate::lsp::root::{LoadedRoot, Root};
use crate::lsp::state::Server;
use crate::project::{Contents, File, Overrides, Service};
use crate::simulate::is_scenario;
use crate::text::diagnostic::FileId;
use crate::text::source::{SourceFile, Span};

/// A question about a place, in a service that the document belongs to.
pub struct Ask<'s> {
    pub server: &'s Server,
    uri: &'s DocumentUri,
    file: FileId,
    position: Position,
    config: &'s Config,
    snapshot: Snapshot,
}

impl<'s> Ask<'s> {
    /// The first answer about a place in the services that its document is about.
    pub fn first<T>(
        server: &Server,
        place: &TextDocumentPositionParams,
        answer: impl Fn(Ask<'_>) -> Option<T>,
    ) -> Option<T> {
        let uri = DocumentUri::of(&place.text_document.uri.0);
        Ask::all(server, &uri, place.position).into_iter().find_map(answer)
    }

    /// The services that a document is about: its own, that of a scenario's workflow, or all of a configuration.
    pub fn all(server: &'s Server, uri: &'s DocumentUri, position: Position) -> Vec<Self> {
        let ask = |(root, service)| Self::new(server, (uri, position), root, service);
        if let Some(own) = server.service(uri) {
            return ask(own).into_iter().collect();
        }
        let Some(path) = uri.path() else { return Vec::new() };
        if is_scenario(path) {
            let workflow = server.scenario_workflows.of(path, &server.documents).map(DocumentUri::File);
            return workflow.and_then(|workflow| ask(server.service(&workflow)?)).into_iter().collect();
        }
        let configured = server.roots.iter().filter(|root| root.is_configured_by(path));
        let services = configured.flat_map(|root| {
            let services = root.loaded.as_ref().map_or(0, |loaded| loaded.services.len());
            (0..services).map(move |service| (root, service))
        });
        let asked = services.filter_map(ask);
        asked.filter(|asked| asked.config.files.iter().any(|file| file == path)).collect()
    }

    fn new(
        server: &'s Server,
        (uri, position): (&'s DocumentUri, Position),
        root: &'s Root,
        index: usize,
    ) -> Option<Self> {
        let loaded = root.loaded.as_ref()?;
        let project = &*loaded.project;
        let service: &Service = project.services.get(index)?;
        let config = project.configs.get(service.config)?;
        let read = read(server, root, loaded, index)?;
        let last_valid = last_valid(server, root, service, read.files());
        let unsaved = server.documents.unsaved();
        let documents: Vec<&Path> = read.files().iter().map(|file| file.source.path.as_path()).collect();
        let is_about = |path: &Path| {
            let workflow = server.scenario_workflows.of(path, &server.documents);
            workflow.is_some_and(|workflow| documents.contains(&workflow.as_path()))
        };
        let scenarios = loaded.scenarios.iter().map(PathBuf::as_path);
        let scenarios = scenarios.chain(server.scenarios.keys().filter_map(DocumentUri::path));
        let scenarios: BTreeSet<&Path> = scenarios.filter(|path| is_about(path)).collect();
        let configs = config.layers.iter().map(|layer| layer.path.as_path());
        let first = u32::try_from(project.files().count()).ok()?;
        let texts = scenarios.into_iter().chain(configs).filter_map(|path| Some((path, unsaved.read(path).ok()?)));
        let source = |path: &Path, text: String| SourceFile::new(path.to_path_buf(), String::new(), text.into());
        let others = (first..).zip(texts);
        let others =
            others.map(|(id, (path, text))| OtherFile { id: FileId(id), source: source(path, text) }).collect();
        let snapshot = Snapshot { service: read, last_valid, others, shared: Vec::new() };
        let is_it = |path: &Path| uri.path() == Some(path) || uri.path().is_none() && !path.is_absolute();
        let file = snapshot.sources().find(|(_, source)| is_it(&source.path))?.0;
        Some(Self { server, uri, file, position, config, snapshot })
    }

    /// Adds the documents of the other services that share its configuration.
    pub fn with_shared(mut self) -> Self {
        let own: Vec<FileId> = self.snapshot.service.files().iter().map(|file| file.id).collect();
        for root in &self.server.roots {
            let Some(loaded) = &root.loaded else { continue };
            let open = self.server.open_contents(root);
            for service in &loaded.project.services {
                let config = loaded.project.configs.get(service.config);
                let is_same = config.is_some_and(|config| std::ptr::eq(config, self.config));
                if is_same && !service.files.iter().any(|file| own.contains(file)) {
                    self.snapshot.shared.extend(loaded.read(service, &open).files);
                }
            }
        }
        self
    }

    /// The answer to a question about the file and the offset.
    pub fn answer<T>(&self, question: impl FnOnce(&Snapshot, FileId, u32) -> T) -> Option<T> {
        let offset = u32::try_from(self.server.client.encoding.offset(self.text()?, self.position)).ok()?;
        Some(question(&self.snapshot, self.file, offset))
    }

    /// The text of the document that was asked about.
    pub fn text(&self) -> Option<&str> {
        self.snapshot.text(self.file)
    }

    /// A file, as the client knows it.
    pub fn source(&self, file: FileId) -> Option<(DocumentUri, &SourceFile)> {
        let source = self.snapshot.source(file)?;
        let uri = if source.path.is_absolute() { DocumentUri::File(source.path.clone()) } else { self.uri.clone() };
        Some((uri, source))
    }

    /// Places as the client knows them.
    pub fn locations(&self, places: &[FileSpan]) -> Vec<Location> {
        let mut locations = Vec::with_capacity(places.len());
        for of_file in places.chunk_by(|a, b| a.file == b.file) {
            let Some((uri, source)) = of_file.first().and_then(|place| self.source(place.file)) else {
                continue;
            };
            let uri = self.server.documents.uri_as_written(&uri);
            let range = |place: &FileSpan| self.server.client.encoding.range(source, place.span);
            locations.extend(of_file.iter().map(|place| Location { uri: uri.clone().into(), range: range(place) }));
        }
        locations
    }

    /// A place in the document that was asked about.
    pub fn range(&self, span: Span) -> Option<Range> {
        Some(self.server.client.encoding.range(self.snapshot.source(self.file)?, span))
    }
}

/// The files of a document's service, with the id of the document.
pub fn documents_of(server: &Server, uri: &DocumentUri) -> Option<(Snapshot, FileId)> {
    let (root, index) = server.service(uri)?;
    let loaded = root.loaded.as_ref()?;
    let read = read(server, root, loaded, index)?;
    let last_valid = last_valid(server, root, loaded.project.services.get(index)?, read.files());
    Some((Snapshot { service: read, last_valid, others: Vec::new(), shared: Vec::new() }, root.file_of(uri)?))
}

/// The files of a service, with their analysis if there were questions about this version before.
fn read(server: &Server, root: &Root, loaded: &LoadedRoot, index: usize) -> Option<Rc<ServiceAnalysis>> {
    let (service, state) = (loaded.project.services.get(index)?, loaded.services.get(index)?);
    let place = ServicePlace { root: root.id, loaded: root.revision.checked, service: index, text: state.lint.text };
    let mut asked = server.asked.borrow_mut();
    if let Some((known, read)) = &*asked
        && *known == place
    {
        return Some(Rc::clone(read));
    }
    let files = loaded.read(service, &server.open_contents(root)).files.into();
    let read = Rc::new(ServiceAnalysis::new(Arc::clone(&loaded.project), service.config, files));
    *asked = Some((place, Rc::clone(&read)));
    Some(read)
}

/// The last versions of the open files that are invalid now.
fn last_valid(server: &Server, root: &Root, service: &Service, read: &[File]) -> Vec<File> {
    let mut contents = Overrides::new();
    for file in read.iter().filter(|file| file.document().is_none()) {
        let document = server.documents.get(&root.uri_of(&file.source.path));
        if let Some(text) = document.and_then(|document| document.last_valid.clone()) {
            contents.insert(file.id, Contents::Text(text));
        }
    }
    let project = root.loaded.as_ref().map(|loaded| &loaded.project);
    let only = Service { files: contents.keys().copied().collect(), config: service.config };
    project.map(|project| project.read(&only, &contents).files).unwrap_or_default()
}

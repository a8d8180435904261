//! Which job comes next, and what its result changes.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::convert::{Item, Items};
use super::document_uri::DocumentUri;
use super::documents::may_be_document;
use super::job::{Done, Failed, Job, Lane, LintJob, Running, ScenarioJob, ServicePlace};
use super::load::{Load, Loaded, Scope};
use super::root::{LoadedRoot, Root, ServiceState};
use super::state::{Origin, ScenarioState, Server, Stale};
use crate::cancellation::Cancellation;
use crate::config::FILE_NAME;
use crate::lint::Checked;
use crate::project::{ConfigSource, File, Overrides};
use crate::simulate;

/// Starts the next jobs, if none runs, and cancels lints of old versions.
pub fn start_next(server: &mut Server, now: Instant) {
    for Running { linted, cancellation } in
        [&server.quick, &server.scripts].into_iter().filter_map(|it| it.running.as_ref())
    {
        if linted.is_some_and(|place| !is_current(server, place)) {
            cancellation.cancel();
        }
    }
    if server.quick.running.is_none() {
        let job = load_job(server, now)
            .or_else(|| lint_job(server, now, Lane::Quick))
            .or_else(|| scenario_job(server, now))
            .or_else(|| problems_job(server));
        if let Some(job) = job {
            server.quick.start(job);
        }
    }
    if server.scripts.running.is_none()
        && let Some(job) = lint_job(server, now, Lane::Scripts)
    {
        server.scripts.start(job);
    }
}

/// Shows the findings so far of services whose scripts take long.
pub fn show_early(server: &mut Server, now: Instant) {
    for (root, service, at) in wanted(server, ServiceState::next_early) {
        let loaded = server.roots.get_mut(root).and_then(|root| root.loaded.as_mut());
        if at <= now
            && let Some(state) = loaded.and_then(|loaded| loaded.services.get_mut(service))
        {
            state.is_early = true;
            server.has_progressed = true;
        }
    }
}

/// Whether a service is as it was.
fn is_current(server: &Server, place: ServicePlace) -> bool {
    let is_it = |root: &&Root| root.id == place.root && root.generation == place.generation && root.is_current();
    let root = server.roots.iter().find(is_it).and_then(|root| root.loaded.as_ref());
    root.and_then(|loaded| loaded.services.get(place.service)).is_some_and(|state| state.revision == place.revision)
}

/// The time of the next task, unless a message or the end of a job comes first.
pub fn next_time(server: &Server) -> Option<Instant> {
    let times = |next| wanted(server, next).into_iter().map(|(_, _, at)| at);
    let quick = next_quick(server).filter(|_| server.quick.running.is_none());
    let scripts = times(ServiceState::next_scripts).filter(|_| server.scripts.running.is_none());
    quick.into_iter().chain(scripts).chain(times(ServiceState::next_early)).min()
}

/// When the next job that takes little time may begin.
pub fn next_quick(server: &Server) -> Option<Instant> {
    let roots = server.roots.iter().filter_map(|root| root.due);
    let services = wanted(server, ServiceState::next_lint).into_iter().map(|(_, _, at)| at);
    let scenarios = server.scenarios.values().filter(|scenario| scenario.read_revision != scenario.revision);
    roots.chain(services).chain(scenarios.map(|scenario| scenario.due)).min()
}

/// The services with a pending task, as indices of roots and services. Those with open documents come first, then those
/// with documents that the client asks about.
fn wanted(server: &Server, next: fn(&ServiceState) -> Option<Instant>) -> Vec<(usize, usize, Instant)> {
    let next = |root: usize, service: usize| {
        let state = server.roots.get(root).filter(|root| root.is_current())?;
        Some((root, service, next(state.loaded.as_ref()?.services.get(service)?)?))
    };
    let pulled = server.pending.documents.iter().map(|pull| &pull.uri);
    let asked = pulled.chain(server.pending.requests.iter().filter_map(|waiting| waiting.uri.as_ref()));
    let open = server.documents.iter().map(|(uri, _)| uri).chain(asked).filter_map(|uri| {
        let root = server.root_index(uri)?;
        next(root, server.roots.get(root)?.service_of(uri)?)
    });
    let mut wanted: Vec<_> = open.collect();
    for (index, root) in server.roots.iter().enumerate().filter(|(_, root)| server.is_whole(root)) {
        let services = root.loaded.as_ref().map_or(0, |loaded| loaded.services.len());
        wanted.extend((0..services).filter_map(|service| next(index, service)));
    }
    wanted
}

fn load_job(server: &mut Server, now: Instant) -> Option<Job> {
    let index = server.roots.iter().position(|root| root.due.is_some_and(|due| due <= now))?;
    let open = server.documents.iter();
    let root = server.roots.get(index)?;
    let paths = open.filter_map(|(uri, document)| {
        uri.path().filter(|path| root.has_inside(path) && may_be_document(uri, document))
    });
    let folders = &server.client.folders;
    let (current, text) = match &root.scope {
        Scope::Folder(folder) | Scope::Loose(folder) => (folder.clone(), None),
        Scope::Unnamed(uri) => {
            let document = server.documents.get(&DocumentUri::Other(uri.clone()))?;
            (folders.first().unwrap_or(&server.current).clone(), Some(Arc::clone(&document.text)))
        }
    };
    let load = Load {
        scope: root.scope.clone(),
        current,
        paths: paths.map(Path::to_path_buf).collect(),
        text,
        unsaved: server.documents.unsaved(),
        configuration: server.settings.configuration.clone(),
        choices: server.settings.choices(),
        unsafe_fixes: server.settings.unsafe_fixes,
        last_valid: root.last_valid.clone(),
    };
    let root = server.roots.get_mut(index)?;
    root.due = None;
    root.is_loading = true;
    Some(Job::Load { root: root.id, load: Box::new(load) })
}

fn lint_job(server: &Server, now: Instant, lane: Lane) -> Option<Job> {
    let next = match lane {
        Lane::Quick => ServiceState::next_lint,
        Lane::Scripts => ServiceState::next_scripts,
    };
    let (root, service, _) = wanted(server, next).into_iter().find(|(_, _, at)| *at <= now)?;
    let root = server.roots.get(root)?;
    let LoadedRoot { project, options, services, .. } = root.loaded.as_ref()?;
    let state = services.get(service)?;
    let asked = server.asked.borrow();
    let is_asked =
        |place: &ServicePlace| (place.root, place.generation, place.service) == (root.id, root.generation, service);
    let asked = asked.as_ref().filter(|(place, _)| is_asked(place)).map(|(_, read)| read.files());
    let read_before = Arc::clone(asked.unwrap_or(&state.read));
    let evaluator = || match lane {
        Lane::Quick => server.evaluator.without_runs(),
        Lane::Scripts => server.evaluator.share(),
    };
    Some(Job::Lint(Box::new(LintJob {
        place: ServicePlace { root: root.id, generation: root.generation, service, revision: state.revision },
        project: Arc::clone(project),
        options: Arc::clone(options),
        disk: state.disk.clone(),
        read_before,
        scripts: Arc::clone(&state.scripts),
        open: server.open_contents(root),
        evaluator: server.settings.run_scripts.then(evaluator),
        cancellation: Cancellation::default(),
        converter: server.converter(root),
    })))
}

fn scenario_job(server: &Server, now: Instant) -> Option<Job> {
    let is_due = |state: &ScenarioState| state.read_revision != state.revision && state.due <= now;
    let (uri, state) = server.scenarios.iter().find(|(_, state)| is_due(state))?;
    let (path, document) = (uri.path()?, server.documents.get(uri)?);
    let root = server.roots.get(server.root_index(uri)?)?;
    let request = &root.loaded.as_ref().filter(|_| root.is_current())?.request;
    Some(Job::Scenario(Box::new(ScenarioJob {
        uri: uri.clone(),
        revision: state.revision,
        path: path.to_path_buf(),
        text: Arc::clone(&document.text),
        request: simulate::Request {
            current: request.current.clone(),
            paths: vec![path.to_path_buf()],
            config: request.config.clone(),
            boundary: request.boundary.clone(),
            unsaved: server.documents.unsaved(),
        },
        converter: server.converter(root),
    })))
}

fn problems_job(server: &Server) -> Option<Job> {
    let is_due = |root: &&Root| {
        let is_missing = root.loaded.as_ref().is_some_and(|loaded| !loaded.has_problems);
        is_missing && root.is_current() && server.is_whole(root)
    };
    server.roots.iter().filter(is_due).find_map(|root| {
        let loaded = root.loaded.as_ref()?;
        let (project, options) = (Arc::clone(&loaded.project), Arc::clone(&loaded.options));
        let (parts, converter) = (loaded.parts()?, server.converter(root));
        Some(Job::Problems { root: root.id, project, options, parts, converter })
    })
}

/// Takes over the result of a job. One of an old version is dropped.
pub fn finish(server: &mut Server, lane: Lane, done: Done, now: Instant) {
    server.worker(lane).running = None;
    server.has_progressed = true;
    match done {
        Done::Loaded { root, loaded } => set_loaded(server, root, *loaded, now),
        Done::Linted { place, checked, items, is_complete, disk, read, last_valid, note } => {
            server.remember_valid(last_valid);
            if let Some(note) = note {
                server.show_once(&note);
            }
            set_linted(server, place, Some((checked, disk, read)), items, is_complete, now);
        }
        Done::Problems { root, items } => set_problems(server, root, items),
        Done::Scenario { uri, revision, items } => set_scenario(server, uri, revision, items),
        Done::Canceled => {}
        Done::Failed(failed) => match failed {
            Failed::Load(root) => set_failed(server, root, now),
            Failed::Lint(place) => set_linted(server, place, None, Items::new(), true, now),
            Failed::Problems(root) => set_problems(server, root, Items::new()),
            Failed::Scenario(uri, revision) => set_scenario(server, uri, revision, Items::new()),
        },
    }
}

fn set_loaded(server: &mut Server, id: u64, loaded: Loaded, now: Instant) {
    let Some(root) = server.roots.iter_mut().find(|root| root.id == id) else { return };
    let mut errors = Items::new();
    let mut unseen: Vec<String> = Vec::new();
    for error in &loaded.errors {
        let path = error.path.clone().unwrap_or_else(|| match &loaded.request.config {
            ConfigSource::File(path) => path.clone(),
            _ => loaded.request.current.join(FILE_NAME),
        });
        let text = server.documents.unsaved().read(&path).unwrap_or_default();
        let diagnostic = error.diagnostic(&text, server.client.encoding);
        let uri = DocumentUri::File(path);
        if server.documents.get(&uri).is_none() {
            unseen.push(error.reason.clone());
        }
        errors.entry(uri).or_default().push(Item { diagnostic, fix: None, finding: None });
    }
    root.set_loaded(loaded, now);
    server.stale = Stale::ALL;
    server.forget_found(|root| root == id);
    server.changed.extend(server.documents.iter().map(|(uri, _)| uri.clone()));
    server.set_found(Origin::Errors(id), errors);
    for error in unseen {
        server.show_once(&error);
    }
    server.touch_scenarios(now);
}

/// Requests that wait for a folder that cannot be loaded are answered from its last version, or as if it were empty.
fn set_failed(server: &mut Server, id: u64, now: Instant) {
    let Some(root) = server.roots.iter_mut().find(|root| root.id == id) else { return };
    let folder = match &root.scope {
        Scope::Folder(folder) | Scope::Loose(folder) => folder.clone(),
        Scope::Unnamed(_) => server.current.clone(),
    };
    root.is_loading = false;
    if root.loaded.is_none() {
        root.set_loaded(Loaded::empty(folder.clone()), now);
    }
    server.changed.extend(server.documents.iter().map(|(uri, _)| uri.clone()));
    server.touch_scenarios(now);
    server.show_once(&format!("cannot load {}: internal error", folder.display()));
}

fn set_linted(
    server: &mut Server,
    place: ServicePlace,
    result: Option<(Arc<Checked>, Overrides, Arc<[File]>)>,
    items: Items,
    is_complete: bool,
    now: Instant,
) {
    let root = server.roots.iter_mut().find(|root| root.id == place.root && root.generation == place.generation);
    let Some(loaded) = root.filter(|root| root.is_current()).and_then(|root| root.loaded.as_mut()) else { return };
    let Some(state) = loaded.services.get_mut(place.service) else { return };
    if let Some((_, _, read)) = &result {
        state.read = Arc::clone(read);
    }
    if state.revision != place.revision {
        return;
    }
    loaded.has_problems = false;
    state.checked_revision = place.revision;
    state.is_complete = is_complete;
    state.is_early = false;
    // The time for the scripts begins now if the lint took longer than the pause.
    state.scripts_from = state.scripts_from.max(now);
    let (checked, disk) = result.map_or_else(|| (Arc::default(), None), |(checked, disk, _)| (checked, Some(disk)));
    (state.checked, state.disk) = (Some(checked), disk);
    let files = loaded.project.services.get(place.service).map(|service| service.files.clone()).unwrap_or_default();
    let paths: Vec<_> =
        files.iter().filter_map(|&file| Some(loaded.project.name_and_path(file)?.1.to_path_buf())).collect();
    server.changed.extend(paths.into_iter().map(DocumentUri::File).filter(|uri| server.documents.get(uri).is_some()));
    server.set_found(Origin::Service(place.root, place.service), items);
}

fn set_problems(server: &mut Server, id: u64, items: Items) {
    let root = server.roots.iter_mut().find(|root| root.id == id);
    if let Some(loaded) = root.filter(|root| root.is_current()).and_then(|root| root.loaded.as_mut())
        && loaded.parts().is_some()
    {
        loaded.has_problems = true;
        server.set_found(Origin::Problems(id), items);
    }
}

fn set_scenario(server: &mut Server, uri: DocumentUri, revision: u64, items: Items) {
    if let Some(state) = server.scenarios.get_mut(&uri)
        && state.revision == revision
    {
        state.read_revision = revision;
        server.changed.insert(uri.clone());
        server.set_found(Origin::Scenario(uri), items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::job::Worker;
    use crate::lsp::outbox::Outbox;
    use crate::lsp::run::Runs;
    use crate::script::Evaluator;

    #[test]
    fn nothing_waits_for_a_folder_that_cannot_be_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let (jobs, started) = std::sync::mpsc::channel();
        let workers = [jobs.clone(), jobs].map(Worker::new);
        let outbox = Outbox::new(std::io::sink(), || {});
        let runs = Runs::new("wflint".into(), Arc::new(drop));
        let evaluator = Evaluator::new("wflint".into());
        let mut server = Server::new(outbox, workers, runs, evaluator, folder.path().to_path_buf());
        let now = Instant::now();
        server.add_root(Scope::Folder(folder.path().to_path_buf()), now);
        let uri = DocumentUri::File(folder.path().join("a.json"));
        start_next(&mut server, now);
        assert!(matches!(started.try_recv(), Ok(Job::Load { root: 1, .. })));
        assert!(!server.is_placed(&uri) && !server.is_ready(&uri));
        finish(&mut server, Lane::Quick, Done::Failed(Failed::Load(1)), now);
        assert!(server.is_placed(&uri) && server.is_ready(&uri));
        start_next(&mut server, now);
        assert!(started.try_recv().is_err(), "it is not loaded again before something changes");
    }
}

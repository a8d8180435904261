//! Which job comes next, and what its result changes: folders are loaded, services linted, first without their scripts,
//! scenarios read, and configurations checked.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::convert::{Converter, Item, Items};
use super::document_uri::DocumentUri;
use super::documents::may_be_document;
use super::load::{Load, Loaded, Scope};
use super::queue::{Job, Lane, ServicePlace, Task};
use super::root::{LoadedRoot, Revision, Root, ServiceState};
use super::state::{Origin, Server, Stale};
use crate::common::cancellation::Cancellation;
use crate::config::{Config, FILE_NAME};
use crate::fix;
use crate::lint::{Checked, LastLint, Linter};
use crate::own_rules::OwnRunner;
use crate::project::{ConfigSource, File, Overrides};
use crate::report::visible;
use crate::rules::CONFIG_PROBLEM;
use crate::script::Evaluator;
use crate::simulate::{self, Session};
use crate::text::diagnostic::FileId;
use crate::text::suggest::Suggester;

/// Starts the next jobs, if none runs, and cancels lints of old versions.
pub fn start_next(server: &mut Server, now: Instant) {
    for task in [&server.quick, &server.scripts].into_iter().filter_map(|worker| worker.running.as_ref()) {
        if let Task::Latest(place, cancellation) = task
            && !is_latest(server, *place)
        {
            cancellation.cancel();
        }
    }
    if server.quick.running.is_none() {
        let job = load_job(server, now)
            .or_else(|| lint_job(server, now, Lane::Quick))
            .or_else(|| scenario_job(server, now))
            .or_else(|| problems_job(server));
        if let Some(job) = job {
            server.quick.push(job);
        }
    }
    if server.scripts.running.is_none()
        && let Some(job) = lint_job(server, now, Lane::Scripts)
    {
        server.scripts.push(job);
    }
}

/// Shows the findings so far of services whose scripts take long.
pub fn show_early(server: &mut Server, now: Instant) {
    for (root, service, at) in wanted(server, ServiceState::next_early) {
        let loaded = server.roots.get_mut(root).and_then(|root| root.loaded.as_mut());
        if let Some(state) = loaded.and_then(|loaded| loaded.services.get_mut(service)).filter(|_| at <= now) {
            state.early.finish(state.early.text);
            server.results += 1;
        }
    }
}

/// Whether a service is as it was.
fn is_latest(server: &Server, place: ServicePlace) -> bool {
    let is_it = |root: &&Root| root.id == place.root && root.revision.checked == place.loaded && root.is_current();
    let loaded = server.roots.iter().find(is_it).and_then(|root| root.loaded.as_ref());
    loaded.and_then(|loaded| loaded.services.get(place.service)).is_some_and(|state| state.lint.text == place.text)
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
    let roots = server.roots.iter().filter_map(|root| root.revision.next());
    let services = wanted(server, ServiceState::next_lint).into_iter().map(|(_, _, at)| at);
    roots.chain(services).chain(server.scenarios.values().filter_map(Revision::next)).min()
}

/// The services with a pending task, as indices of roots and services. Those with open documents come first, then those
/// with documents that the client asks about.
fn wanted(server: &Server, next: fn(&ServiceState) -> Option<Instant>) -> Vec<(usize, usize, Instant)> {
    let next = |root: usize, service: usize| {
        let state = server.roots.get(root).filter(|root| root.is_current())?;
        Some((root, service, next(state.loaded.as_ref()?.services.get(service)?)?))
    };
    let open = server.documents.iter().map(|(uri, _)| uri).chain(server.pending.uris()).filter_map(|uri| {
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

fn load_job(server: &Server, now: Instant) -> Option<Job<Server>> {
    let root = server.roots.iter().find(|root| root.revision.is_due(now))?;
    let paths = server.documents.iter().filter_map(|(uri, document)| {
        uri.path().filter(|path| root.has_inside(path) && may_be_document(uri, document)).map(Path::to_path_buf)
    });
    let (current, text) = match &root.scope {
        Scope::Folder(folder) | Scope::Loose(folder) => (folder.clone(), None),
        Scope::Unnamed(uri) => {
            let document = server.documents.get(&DocumentUri::Other(uri.clone()))?;
            let current = server.client.folders.first().unwrap_or(&server.current);
            (current.clone(), Some(Arc::clone(&document.text)))
        }
    };
    let load = Load {
        scope: root.scope.clone(),
        current,
        paths: paths.collect(),
        text,
        unsaved: server.documents.unsaved(),
        configuration: server.settings.configuration.clone(),
        choices: server.settings.choices(),
        unsafe_fixes: server.settings.unsafe_fixes,
        last_valid: root.last_valid.clone(),
    };
    let (id, text) = (root.id, root.revision.text);
    let finish = move |server: &mut Server, loaded: Option<Loaded>| match loaded {
        Some(loaded) => set_loaded(server, id, text, loaded),
        None => set_failed(server, id, text),
    };
    Some(Job::new(Task::Background, move || Some(load.run()), finish).with_parts())
}

fn set_loaded(server: &mut Server, id: u64, text: u64, loaded: Loaded) {
    let now = Instant::now();
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
        errors.entry(uri).or_default().push(Item { diagnostic, fix: None, alternatives: Vec::new(), finding: None });
    }
    root.set_loaded(text, loaded, now);
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
fn set_failed(server: &mut Server, id: u64, text: u64) {
    let now = Instant::now();
    let Some(root) = server.roots.iter_mut().find(|root| root.id == id) else { return };
    let folder = match &root.scope {
        Scope::Folder(folder) | Scope::Loose(folder) => folder.clone(),
        Scope::Unnamed(_) => server.current.clone(),
    };
    if root.loaded.is_none() {
        root.set_loaded(text, Loaded::empty(folder.clone()), now);
    }
    root.revision.checked = text;
    server.changed.extend(server.documents.iter().map(|(uri, _)| uri.clone()));
    server.touch_scenarios(now);
    server.show_once(&format!("cannot load {}: internal error", folder.display()));
}

/// The result of a lint.
struct Linted {
    checked: Arc<Checked>,
    items: Items,
    /// Whether all scripts were run.
    is_complete: bool,
    disk: Overrides,
    read: Arc<[File]>,
    /// The texts of open documents that are valid.
    valid: Vec<(DocumentUri, Arc<str>)>,
    notes: Vec<String>,
}

fn lint_job(server: &Server, now: Instant, lane: Lane) -> Option<Job<Server>> {
    let next = match lane {
        Lane::Quick => ServiceState::next_lint,
        Lane::Scripts => ServiceState::next_scripts,
    };
    let (root, service, _) = wanted(server, next).into_iter().find(|(_, _, at)| *at <= now)?;
    let root = server.roots.get(root)?;
    let LoadedRoot { project, options, services, .. } = root.loaded.as_ref()?;
    let state = services.get(service)?;
    let place = ServicePlace { root: root.id, loaded: root.revision.checked, service, text: state.lint.text };
    let asked = server.asked.borrow();
    let asked = asked.as_ref().filter(|(asked, _)| ServicePlace { text: place.text, ..*asked } == place);
    let read_before = Arc::clone(asked.map_or(&state.read, |(_, read)| read.files()));
    let evaluator = || match lane {
        Lane::Quick => server.evaluator.without_runs(),
        Lane::Scripts => server.evaluator.share(),
    };
    let own_rules = server.settings.own_rules.then(|| server.own_rules.with_evaluator(evaluator()));
    let evaluator = server.settings.run_scripts.then(evaluator);
    let (project, options, scripts) = (Arc::clone(project), Arc::clone(options), Arc::clone(&state.parsed));
    let (disk, open, converter) = (state.disk.clone(), server.open_contents(root), server.converter(root));
    let cancellation = Cancellation::default();
    let task = Task::Latest(place, cancellation.clone());
    let run = move || {
        let service = project.services.get(place.service)?;
        let disk = disk.unwrap_or_else(|| project.contents(service));
        let mut overrides = disk.clone();
        let open_files: Vec<FileId> = open.keys().copied().collect();
        overrides.extend(open);
        let read: Arc<[File]> = project.read_again(service, &overrides, &read_before).files.into();
        let last = LastLint::of(service, Arc::clone(&read));
        let linter = Linter::new(&project, &options).ok()?.with_evaluator(evaluator).with_scripts(scripts);
        let linter = linter.with_own_rules(own_rules).with_last(last.into()).with_cancellation(cancellation.clone());
        let checked = fix::check(&linter, service, &overrides);
        if linter.is_canceled() {
            return None;
        }
        let items = converter.items(checked.diagnostics.iter().map(Box::as_ref), &checked.omitted, &checked.sources);
        let valid = read.iter().filter(|file| open_files.contains(&file.id) && file.document().is_some());
        let valid = valid.map(|file| (converter.document_uri(&file.source.path), Arc::clone(&file.source.text)));
        let valid = valid.collect();
        let evaluators = || linter.evaluator().into_iter().chain(linter.own_rules().map(OwnRunner::evaluator));
        let is_complete = !evaluators().any(Evaluator::has_missed);
        let note = linter.evaluator().and_then(Evaluator::note);
        let mut notes: Vec<String> = note.into_iter().chain(linter.own_rules().and_then(OwnRunner::failure)).collect();
        // A rule that did not run must not look as if it had found nothing, and its file may not be open.
        let failed = checked.diagnostics.iter().filter(|found| found.code == CONFIG_PROBLEM.code);
        let failed = failed.map(|found| found.message.clone()).chain(linter.problems_of_own_rules());
        notes.extend(failed.map(|message| visible(&message).into_owned()));
        Some(Linted { checked: Arc::new(checked), items, is_complete, disk, read, valid, notes })
    };
    let finish = move |server: &mut Server, linted: Option<Linted>| set_linted(server, place, linted);
    Some(Job::new(task, run, finish))
}

/// A lint that has failed counts as one without findings; one that was canceled is of an old revision.
fn set_linted(server: &mut Server, place: ServicePlace, linted: Option<Linted>) {
    let now = Instant::now();
    if let Some(linted) = &linted {
        server.remember_valid(&linted.valid, &linted.checked);
        for note in &linted.notes {
            server.show_once(note);
        }
    }
    let root = server.roots.iter_mut().find(|root| root.id == place.root && root.revision.checked == place.loaded);
    let Some(loaded) = root.filter(|root| root.is_current()).and_then(|root| root.loaded.as_mut()) else { return };
    let Some(state) = loaded.services.get_mut(place.service) else { return };
    if let Some(linted) = &linted {
        state.read = Arc::clone(&linted.read);
    }
    let is_complete = linted.as_ref().is_none_or(|linted| linted.is_complete);
    if !state.set_linted(place.text, is_complete, now) {
        return;
    }
    loaded.problems.touch(now);
    let (checked, disk, items) = linted.map_or_else(
        || (Arc::default(), None, Items::new()),
        |Linted { checked, disk, items, .. }| (checked, Some(disk), items),
    );
    (state.checked, state.disk) = (Some(checked), disk);
    let files = loaded.project.services.get(place.service).map(|service| service.files.clone()).unwrap_or_default();
    let paths: Vec<_> =
        files.iter().filter_map(|&file| Some(loaded.project.name_and_path(file)?.1.to_path_buf())).collect();
    server.changed.extend(paths.into_iter().map(DocumentUri::File).filter(|uri| server.documents.get(uri).is_some()));
    server.set_found(Origin::Service(place.root, place.service), items);
}

fn scenario_job(server: &Server, now: Instant) -> Option<Job<Server>> {
    let (uri, revision) = server.scenarios.iter().find(|(_, revision)| revision.is_due(now))?;
    let (uri, revision) = (uri.clone(), revision.text);
    let (path, document) = (uri.path()?.to_path_buf(), server.documents.get(&uri)?);
    let root = server.roots.get(server.root_index(&uri)?)?;
    let request = &root.loaded.as_ref().filter(|_| root.is_current())?.request;
    let (text, converter) = (Arc::clone(&document.text), server.converter(root));
    let mut request = simulate::Request {
        current: request.current.clone(),
        paths: vec![path.clone()],
        config: request.config.clone(),
        boundary: request.boundary.clone(),
        unsaved: server.documents.unsaved(),
    };
    let run = move || {
        let mut loaded = simulate::load_unsaved(&path, &text, &request);
        if loaded.is_err() {
            // The errors are shown in the configuration file.
            request.config = ConfigSource::Isolated;
            loaded = simulate::load_unsaved(&path, &text, &request);
        }
        loaded.ok().map(|loaded| scenario_items(&loaded, &converter))
    };
    let finish = move |server: &mut Server, items: Option<Items>| {
        if server.scenarios.get_mut(&uri).is_some_and(|known| known.finish(revision)) {
            server.changed.insert(uri.clone());
            server.set_found(Origin::Scenario(uri), items.unwrap_or_default());
        }
    };
    Some(Job::new(Task::Background, run, finish))
}

/// The problems of a scenario: its own errors, and names that its documents do not have.
fn scenario_items(loaded: &simulate::Loaded, converter: &Converter) -> Items {
    let (suggester, fallback) = (Suggester::default(), Config::default());
    let session = Session::new(loaded, &suggester, &fallback);
    let mut problems: Vec<_> = loaded.problems.iter().chain(session.problems()).cloned().collect();
    problems.sort_by_key(|problem| (problem.location.file, problem.location.span));
    converter.items(&problems, &[], &loaded.sources)
}

/// Looks for problems of configurations, when all services are linted.
fn problems_job(server: &Server) -> Option<Job<Server>> {
    let is_due = |root: &&Root| root.is_current() && server.is_whole(root);
    server.roots.iter().filter(is_due).find_map(|root| {
        let loaded = root.loaded.as_ref().filter(|loaded| !loaded.problems.is_current())?;
        let (project, options) = (Arc::clone(&loaded.project), Arc::clone(&loaded.options));
        let (parts, converter) = (loaded.parts()?, server.converter(root));
        let own_rules = server.settings.own_rules.then(|| server.own_rules.with_evaluator(server.evaluator.share()));
        let run = move || {
            let linter = Linter::new(&project, &options).ok()?.with_own_rules(own_rules);
            let outcome = linter.problems(parts.iter().map(|part| &**part));
            Some(converter.items(outcome.diagnostics.iter().map(Box::as_ref), &outcome.omitted, &outcome.sources))
        };
        let (id, revision) = (root.id, loaded.problems.text);
        let finish = move |server: &mut Server, items: Option<Items>| {
            let root = server.roots.iter_mut().find(|root| root.id == id).filter(|root| root.is_current());
            if root.and_then(|root| root.loaded.as_mut()).is_some_and(|loaded| loaded.problems.finish(revision)) {
                server.set_found(Origin::Problems(id), items.unwrap_or_default());
            }
        };
        Some(Job::new(Task::Background, run, finish).with_parts())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::outbox::Outbox;
    use crate::lsp::queue::Worker;
    use crate::lsp::run::Runs;

    #[test]
    fn nothing_waits_for_a_folder_that_cannot_be_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let (jobs, started) = std::sync::mpsc::channel();
        let workers = [jobs.clone(), jobs].map(Worker::new);
        let outbox = Outbox::new(std::io::sink(), || {});
        let runs = Runs::new("wflint".as_ref(), |_, _| {});
        let evaluator = Evaluator::new("wflint".into());
        let mut server = Server::new(outbox, workers, runs, evaluator, folder.path().to_path_buf());
        let now = Instant::now();
        server.add_root(Scope::Folder(folder.path().to_path_buf()), now);
        let uri = DocumentUri::File(folder.path().join("a.json"));
        start_next(&mut server, now);
        assert!(started.try_recv().is_ok());
        assert!(!server.is_placed(&uri) && !server.is_ready(&uri));
        server.finish(Lane::Quick, Box::new(|server| set_failed(server, 1, 1)));
        assert!(server.is_placed(&uri) && server.is_ready(&uri));
        start_next(&mut server, now);
        assert!(started.try_recv().is_err(), "it is not loaded again before something changes");
    }
}

//! The picture that is served, in its versions, and what can be played of the workflow.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lsp_server::RequestId;

use crate::common::collections::HashMap;
use crate::files::read::Unsaved;
use crate::lint::Checked;
use crate::lsp::{Asked, Encoding, Order, Picture, PictureAnswer, PlaysOrder, Report, Runs, Wanted, Work};
use crate::page::Plays;
use crate::text::source::SourceFile;

/// The workflow as it is in its file.
pub(super) struct Look {
    pub source: SourceFile,
    pub checked: Checked,
    /// `None` if it is invalid JSON.
    pub picture: Option<Picture>,
}

pub(super) struct Live {
    state: Mutex<State>,
    changed: Condvar,
    collector: Collector,
}

struct State {
    /// Counts changes, from 1.
    version: i64,
    now: Result<Arc<Look>, String>,
    /// The last one that has a picture.
    drawn: Arc<Look>,
    /// With the version that they are of.
    plays: Option<(i64, Arc<Plays>)>,
}

impl Live {
    /// The first look has a picture.
    pub fn new(first: Look, collector: Collector) -> Self {
        let first = Arc::new(first);
        let state = State { version: 1, now: Ok(Arc::clone(&first)), drawn: first, plays: None };
        Self { state: Mutex::new(state), changed: Condvar::new(), collector }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a look shows what is served already.
    pub fn is_same(&self, look: &Look) -> bool {
        self.state()
            .now
            .as_ref()
            .is_ok_and(|now| now.source.text == look.source.text && now.checked.diagnostics == look.checked.diagnostics)
    }

    /// Takes over a new version: a look, or why there is none.
    pub fn set(&self, look: Result<Look, String>) {
        let mut state = self.state();
        state.version += 1;
        state.now = look.map(Arc::new);
        if let Ok(now) = &state.now
            && now.picture.is_some()
        {
            state.drawn = Arc::clone(now);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// The version after another one, as soon as there is one; `None` if there is none for this time.
    pub fn version_after(&self, known: i64, patience: Duration) -> Option<i64> {
        let waited = self.changed.wait_timeout_while(self.state(), patience, |state| state.version <= known);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        Some(state.version).filter(|version| *version > known)
    }

    /// The picture with folded Sequences; of a workflow that is invalid JSON now, the last one.
    ///
    /// # Errors
    /// Why there is none.
    pub fn answer(&self, folded: &[String]) -> Result<PictureAnswer, String> {
        let (version, now, drawn) = {
            let state = self.state();
            (state.version, state.now.clone()?, Arc::clone(&state.drawn))
        };
        let asked = Asked {
            version: Some(version),
            source: &now.source,
            checked: &now.checked,
            encoding: Encoding::Utf16,
            position: None,
            folded,
        };
        let picture = drawn.picture.as_ref().ok_or("invalid JSON")?;
        Ok(picture.answer(&asked))
    }

    /// What can be played of the version that is drawn.
    ///
    /// # Errors
    /// Why it could not be collected.
    pub fn plays(&self) -> Result<Arc<Plays>, String> {
        let (version, drawn, plays) = {
            let state = self.state();
            (state.version, Arc::clone(&state.drawn), state.plays.clone())
        };
        if let Some((_, plays)) = plays.filter(|(known, _)| *known == version) {
            return Ok(plays);
        }
        let data = self.collector.collect(&drawn.source.text)?;
        let plays = Arc::new(Plays::read(&data).ok_or("nothing to play: no workflow found")?);
        self.state().plays = Some((version, Arc::clone(&plays)));
        Ok(plays)
    }
}

/// Collects what can be played, in a process of its own.
pub(super) struct Collector {
    runs: Mutex<Runs>,
    waiting: Waiting,
    next: AtomicI32,
    /// The current folder.
    folder: PathBuf,
    order: PlaysOrder,
    runs_scripts: bool,
}

/// Who waits for the end of which run.
type Waiting = Arc<Mutex<HashMap<RequestId, Sender<Report>>>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Collector {
    pub fn new(program: &Path, folder: PathBuf, order: PlaysOrder, runs_scripts: bool) -> Self {
        let waiting = Waiting::default();
        let ended = Arc::clone(&waiting);
        let runs = Runs::new(program, move |id, report| {
            if let Some(sender) = lock(&ended).remove(&id) {
                // Nobody waits any more.
                let _ = sender.send(report);
            }
        });
        Self { runs: Mutex::new(runs), waiting, next: AtomicI32::new(1), folder, order, runs_scripts }
    }

    /// The data of the workflow's page, with this text in place of the file.
    fn collect(&self, text: &Arc<str>) -> Result<String, String> {
        let id = RequestId::from(self.next.fetch_add(1, Ordering::Relaxed));
        let (sender, report) = channel();
        lock(&self.waiting).insert(id.clone(), sender);
        let order = Order {
            id: id.clone(),
            folder: self.folder.clone(),
            work: Work::Plays(self.order.clone()),
            unsaved: Unsaved::texts([(self.order.workflow.clone(), Arc::clone(text))]),
            runs_scripts: self.runs_scripts,
            wanted: Wanted::Report { shows_message: false },
        };
        let started = lock(&self.runs).start(order);
        let report = started.map(|()| report.recv());
        lock(&self.runs).end(&id);
        lock(&self.waiting).remove(&id);
        let report = report.map_err(|failure| failure.message)?;
        report.map_err(|_| "the run has ended unexpectedly".to_owned())?.result.map_err(|failure| failure.message)
    }
}

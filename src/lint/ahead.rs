//! Scripts that run on a thread of their own, while services that need none of them are checked.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;

use super::check::Modeled;
use super::pool;
use super::service::ReadService;
use crate::facts::{requested_scripts, script_limits, scripts};
use crate::script::Evaluator;
use crate::script::evaluation::{OwnedRequest, ScriptLimits};
use crate::script::syntax::ParsedScripts;

/// The bytes of services that wait: of their documents, and of what the thread needs; a further service is checked at once.
const MAX_BYTES: usize = 16 << 20;

/// Runs scripts ahead. It only fills the evaluator: what that does not know when a service is checked runs then.
pub(super) struct Ahead<'l> {
    evaluator: &'l Evaluator,
    parsed: &'l ParsedScripts,
    /// To the thread.
    queue: Sender<Scripts>,
    /// With their numbers in the project.
    waiting: WaitingServices<(usize, ReadService<'l>)>,
    bytes: AtomicUsize,
}

/// The scripts of a service.
struct Scripts {
    requests: Vec<OwnedRequest>,
    limits: ScriptLimits,
    is_done: IsDone,
}

/// Whether the thread is done with the scripts of a service, or is to leave them out.
type IsDone = Arc<AtomicBool>;

/// Services that wait for the thread, in about the order in which it runs their scripts.
pub(super) struct WaitingServices<S>(Mutex<VecDeque<(S, IsDone)>>);

impl<'l> Ahead<'l> {
    /// Starts the thread; `None` if it cannot be started.
    pub fn start<'s>(scope: &'s Scope<'s, 'l>, evaluator: &'l Evaluator, parsed: &'l ParsedScripts) -> Option<Self> {
        let (queue, scripts) = mpsc::channel();
        pool::thread().spawn_scoped(scope, move || run(evaluator, &scripts)).ok()?;
        let waiting = WaitingServices(Mutex::default());
        Some(Self { evaluator, parsed, queue, waiting, bytes: AtomicUsize::default() })
    }

    /// Sends the scripts of a service to the thread, if the service is to wait: not all results are known, and there is room.
    pub fn begin(&self, service: &Modeled<'_>, bytes: usize) -> Option<IsDone> {
        let (config, model) = (service.config(), service.model());
        let mut activities = model.workflows.iter().flat_map(|document| &document.workflow.activities);
        let has_room = || self.has_room(bytes) && self.evaluator.has_room();
        if !config.evaluate_scripts || !activities.any(|activity| activity.code().is_some()) || !has_room() {
            return None;
        }
        let scripts = scripts(model, Some(self.parsed));
        let requests = requested_scripts(model, config, &scripts).map(|script| OwnedRequest::new(&script.request));
        let requests: Vec<OwnedRequest> = requests.collect();
        if requests.iter().all(|request| self.evaluator.knows(request)) {
            return None;
        }
        let bytes = bytes + requests.iter().map(OwnedRequest::memory).sum::<usize>();
        if !self.has_room(bytes) {
            return None;
        }
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let (limits, is_done) = (script_limits(config), IsDone::default());
        self.queue.send(Scripts { requests, limits, is_done: Arc::clone(&is_done) }).ok()?;
        Some(is_done)
    }

    /// Several threads may exceed the limit by one service each.
    fn has_room(&self, bytes: usize) -> bool {
        self.bytes.load(Ordering::Relaxed).saturating_add(bytes) <= MAX_BYTES
    }

    /// Lets a service wait.
    pub fn keep(&self, number: usize, mut service: ReadService<'l>, is_done: IsDone) {
        // They would take more memory than the documents.
        service.forget_models();
        self.waiting.lock().push_back(((number, service), is_done));
    }

    /// The services that wait. The thread ends after the scripts that it has.
    pub fn finish(self) -> WaitingServices<(usize, ReadService<'l>)> {
        self.waiting
    }
}

impl<S> WaitingServices<S> {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(S, IsDone)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Takes at most so many of those whose scripts have run. Without one, it takes the last one from the thread.
    pub fn take(&self, most: usize) -> Vec<S> {
        let mut waiting = self.lock();
        let mut taken = Vec::new();
        for _ in 0..waiting.len() {
            let Some((service, is_done)) = waiting.pop_front() else { break };
            if taken.len() < most && is_done.load(Ordering::Relaxed) {
                taken.push(service);
            } else {
                waiting.push_back((service, is_done));
            }
        }
        if taken.is_empty()
            && let Some((last, is_done)) = waiting.pop_back()
        {
            is_done.store(true, Ordering::Relaxed);
            taken.push(last);
        }
        taken
    }
}

fn run(evaluator: &Evaluator, queue: &Receiver<Scripts>) {
    for Scripts { requests, limits, is_done } in queue {
        let mut evaluator = evaluator.for_service(limits);
        for request in requests.iter().take_while(|_| !is_done.load(Ordering::Relaxed)) {
            evaluator.evaluate(&request.request());
        }
        is_done.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_whose_scripts_have_run_are_taken_first() {
        let are_done: Vec<IsDone> = (0..6).map(|_| IsDone::default()).collect();
        let waiting = WaitingServices(Mutex::new((0..6).zip(are_done.iter().cloned()).collect()));
        for done in [1, 2, 4] {
            are_done[done].store(true, Ordering::Relaxed);
        }
        assert_eq!((waiting.take(2), waiting.take(2)), (vec![1, 2], vec![4]));
        assert_eq!((waiting.take(2), waiting.len()), (vec![5], 2));
        assert!(are_done[5].load(Ordering::Relaxed) && !are_done[3].load(Ordering::Relaxed), "only 5 is left out");
        assert_eq!((waiting.take(2), waiting.take(2), waiting.take(2)), (vec![3], vec![0], Vec::new()));
    }
}

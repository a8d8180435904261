//! What a lint leaves for the next one of the same project: what has not changed is not parsed, lowered or checked again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::outcome::Checked;
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::facts::KnownService;
use crate::project::{File, Service, ServiceFiles};

/// Bytes of the documents that are kept, and of base versions of these; further services are linted from the beginning.
const MAX_BYTES: usize = 64 << 20;
/// What a service or file counts at least: much is kept of a small one, too.
const MIN_BYTES: usize = 1 << 10;

/// What the last lint of a service has left.
#[derive(Debug, Clone, Default)]
pub struct LastService {
    /// Its files, sorted by id.
    pub(super) files: Arc<[File]>,
    pub(super) known: Arc<KnownService>,
    /// The result, if that is known and the next lint would have the same one for the same files.
    pub(super) checked: Option<Arc<Checked>>,
}

/// What the last lint of a project has left.
#[derive(Debug, Default)]
pub struct LastLint(Mutex<Services>);

#[derive(Debug)]
struct Services {
    /// By the first file of each.
    by_file: HashMap<FileId, LastService>,
    /// Of their documents.
    bytes: usize,
    /// The limit of these.
    max_bytes: usize,
}

impl Default for Services {
    fn default() -> Self {
        Self { by_file: HashMap::default(), bytes: 0, max_bytes: MAX_BYTES }
    }
}

impl LastService {
    pub const fn new(files: Arc<[File]>, known: Arc<KnownService>) -> Self {
        Self { files, known, checked: None }
    }

    /// With the files as they were read again; without the result if one of them has changed.
    pub(super) fn with_read(self, read: &ServiceFiles) -> Self {
        let is_same = |(before, now): (&File, &File)| before.is_copy_of(now);
        let are_same = self.files.len() == read.files.len() && self.files.iter().zip(&read.files).all(is_same);
        let checked = self.checked.filter(|_| are_same && read.unreadable.is_empty());
        Self { files: read.files.as_slice().into(), known: self.known, checked }
    }

    fn bytes(&self) -> usize {
        MIN_BYTES + self.files.iter().map(|file| file.bytes().max(MIN_BYTES)).sum::<usize>()
    }
}

impl LastLint {
    /// What is known of a single service, however large.
    pub fn of(service: &Service, last: &LastService) -> Self {
        let lint = Self(Mutex::new(Services { max_bytes: usize::MAX, ..Services::default() }));
        lint.keep(service, last);
        lint
    }

    /// What is known of a service; nothing of a new one.
    pub(super) fn get(&self, service: &Service) -> LastService {
        let last = service.files.first().and_then(|file| self.lock().by_file.get(file).cloned());
        last.unwrap_or_default()
    }

    /// Keeps what is known of a service, if there is room.
    pub(super) fn keep(&self, service: &Service, last: &LastService) {
        let Some(&file) = service.files.first() else { return };
        let services = &mut *self.lock();
        services.bytes -= services.by_file.remove(&file).map_or(0, |before| before.bytes());
        if services.bytes + last.bytes() <= services.max_bytes {
            services.bytes += last.bytes();
            services.by_file.insert(file, last.clone());
        }
    }

    /// Keeps the result of a service, if the next lint has the same one.
    pub(super) fn keep_result(&self, service: &Service, checked: &Checked) {
        let Some(file) = service.files.first().filter(|_| checked.is_repeatable) else { return };
        if let Some(last) = self.lock().by_file.get_mut(file) {
            last.checked = Some(Arc::new(checked.clone()));
        }
    }

    /// Forgets the results: the next lint would have others for the same files.
    pub fn forget_results(&self) {
        self.lock().by_file.values_mut().for_each(|last| last.checked = None);
    }

    /// Forgets the results, and where rules have found nothing.
    pub fn forget_findings(&self) {
        for last in self.lock().by_file.values_mut() {
            (last.known, last.checked) = (Arc::default(), None);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Services> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

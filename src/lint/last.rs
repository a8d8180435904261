//! What a lint leaves for the next one of the same project: files that have not changed are not parsed and lowered again, and a
//! service without a changed file keeps its findings.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::outcome::Checked;
use crate::common::collections::HashMap;
use crate::project::{File, Service, ServiceFiles};
use crate::text::diagnostic::FileId;

/// Bytes of the documents that are kept; further services are read again.
const MAX_BYTES: usize = 64 << 20;

/// What the last lint of a service has left.
#[derive(Debug, Clone, Default)]
pub(super) struct LastService {
    /// Its files, sorted by id.
    pub files: Arc<[File]>,
    /// The result, if that is known and the next lint would have the same one for the same files.
    pub checked: Option<Arc<Checked>>,
}

/// What the last lint of a project has left.
#[derive(Debug, Default)]
pub struct LastLint(Mutex<Services>);

#[derive(Debug, Default)]
struct Services {
    /// By the first file of each.
    by_file: HashMap<FileId, LastService>,
    /// Of their documents.
    bytes: usize,
}

impl LastService {
    /// With the files as they were read again; without the result if one of them has changed.
    pub fn with_read(self, read: &ServiceFiles) -> Self {
        let is_same = |(before, now): (&File, &File)| before.is_copy_of(now);
        let are_same = self.files.len() == read.files.len() && self.files.iter().zip(&read.files).all(is_same);
        let checked = self.checked.filter(|_| are_same && read.unreadable.is_empty());
        Self { files: read.files.as_slice().into(), checked }
    }

    fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.source.text.len()).sum()
    }
}

impl LastLint {
    /// With the files of a single service.
    pub fn of(service: &Service, files: Arc<[File]>) -> Self {
        let lint = Self::default();
        lint.keep(service, LastService { files, checked: None });
        lint
    }

    /// What is known of a service; nothing of a new one.
    pub(super) fn get(&self, service: &Service) -> LastService {
        service.files.first().and_then(|file| self.lock().by_file.get(file).cloned()).unwrap_or_default()
    }

    /// Keeps what is known of a service, if there is room.
    pub(super) fn keep(&self, service: &Service, last: LastService) {
        let Some(&file) = service.files.first() else { return };
        let services = &mut *self.lock();
        services.bytes -= services.by_file.remove(&file).map_or(0, |before| before.bytes());
        if services.bytes + last.bytes() <= MAX_BYTES {
            services.bytes += last.bytes();
            services.by_file.insert(file, last);
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

    fn lock(&self) -> MutexGuard<'_, Services> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

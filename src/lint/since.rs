//! Findings that are not new: with `--since`, those that a git revision had.

use std::sync::OnceLock;

use super::identities::{History, Known};
use super::linter::Linter;
use super::options::Options;
use crate::lint::identity::Counts;
use crate::project::{File, OldProject, Service, ServiceFiles};

/// Lints the services of a revision, each at most once, and only if it has changed.
pub(super) struct Since<'p> {
    old: &'p OldProject,
    linter: Linter<'p>,
    /// By service of the revision.
    counts: Vec<OnceLock<Result<Counts, String>>>,
}

impl<'p> Since<'p> {
    pub fn new(old: &'p OldProject, options: &'p Options) -> Result<Self, String> {
        let counts = old.project.services.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { old, linter: Linter::new(&old.project, options)?, counts })
    }

    fn read(&self, service: &Service) -> Result<ServiceFiles, String> {
        Ok(self.old.project.read(service, &self.old.contents(service)?))
    }

    /// Whether a service has the documents that it had. Line ends do not count: git may convert them.
    fn is_unchanged(&self, service: &Service, read: &ServiceFiles, old: &Service) -> Result<bool, String> {
        if service.config != old.config || service.files.len() != old.files.len() {
            return Ok(false);
        }
        let before = self.read(old)?;
        let is_same = |(file, old): (&File, &File)| {
            self.old.old_of(file.id) == Some(old.id)
                && file.source.name == old.source.name
                && without_cr(&file.source.text).eq(without_cr(&old.source.text))
        };
        Ok(read.files.len() == before.files.len() && read.files.iter().zip(&before.files).all(is_same))
    }

    fn counts(&self, index: usize) -> Result<&Counts, String> {
        const NONE: &Counts = &Counts::new();
        let (Some(service), Some(counts)) = (self.old.project.services.get(index), self.counts.get(index)) else {
            return Ok(NONE);
        };
        let counts = counts.get_or_init(|| {
            let read = self.read(service)?;
            Ok(self.linter.counts(service, &read, |file| self.old.name(file).to_owned()))
        });
        counts.as_ref().map_err(Clone::clone)
    }
}

impl History for Since<'_> {
    fn known(&self, service: &Service, read: &ServiceFiles) -> Result<Known, String> {
        let old: Vec<usize> = self.old.services_of(service).into_iter().collect();
        if let [index] = old.as_slice()
            && let Some(old) = self.old.project.services.get(*index)
            && self.is_unchanged(service, read, old)?
        {
            return Ok(Known::All);
        }
        let mut all = Counts::new();
        for index in old {
            for (identity, count) in self.counts(index)? {
                *all.entry(identity.clone()).or_default() += count;
            }
        }
        Ok(Known::Counted(all))
    }
}

fn without_cr(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(|&byte| byte != b'\r')
}

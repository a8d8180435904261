//! The services of both sides: those of the same folder are compared, and others may have been moved.

use std::collections::BTreeMap;

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::documents::{Pair, ServiceDocument};
use super::relocated::relocated;
use super::result::{Diff, ServiceChange, ServiceDiff};
use super::service::{OpenService, compare_documents, document_pairs};
use super::side::{Side, SideService};
use crate::schema::DocumentKind;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The services of two folders.
    Folders,
    /// Two documents, whatever their names.
    Documents,
}

/// Compares two sides. Needs the stack of the threads of [`crate::lint::pool`].
pub fn compare(old: &Side, new: &Side, mode: Mode, pool: &ThreadPool) -> Diff {
    let mut diff = Diff::default();
    diff.unreadable.extend(old.project.unreadable.iter().chain(&new.project.unreadable).cloned());
    pool.install(|| match mode {
        Mode::Folders => Folders { diff: &mut diff }.compare(old, new),
        Mode::Documents => documents(old, new, &mut diff),
    });
    // A file that stands on both sides, such as one of a folder that is compared with itself, is named once.
    diff.unreadable.dedup();
    diff
}

/// What comes of a folder that is on both sides.
struct FolderResult<'s> {
    services: Vec<ServiceDiff>,
    noise: usize,
    unreadable: Vec<String>,
    has_documents: bool,
    removed: Option<(&'s str, OpenService<'s>)>,
    added: Option<(&'s str, OpenService<'s>)>,
}

struct Folders<'f> {
    diff: &'f mut Diff,
}

impl Folders<'_> {
    fn compare(mut self, old: &Side, new: &Side) {
        let mut services: BTreeMap<&str, (Option<SideService<'_>>, Option<SideService<'_>>)> = BTreeMap::new();
        for (name, service) in old.services() {
            services.entry(name).or_default().0 = Some(service);
        }
        for (name, service) in new.services() {
            services.entry(name).or_default().1 = Some(service);
        }
        let services: Vec<_> = services.into_iter().collect();
        let results: Vec<FolderResult<'_>> =
            services.into_par_iter().map(|(name, (old, new))| of_folder(name, old, new)).collect();
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        for result in results {
            self.add(result.services, result.noise, result.unreadable);
            self.diff.has_documents |= result.has_documents;
            removed.extend(result.removed);
            added.extend(result.added);
        }
        self.of_one_side(&removed, &added);
        self.diff.services.sort_by(|one, other| one.service.cmp(&other.service));
    }

    fn add(&mut self, services: Vec<ServiceDiff>, noise: usize, unreadable: Vec<String>) {
        self.diff.services.extend(services);
        self.diff.noise += noise;
        self.diff.unreadable.extend(unreadable);
    }

    /// Services in folders that the other side lacks.
    fn of_one_side(&mut self, removed: &[(&str, OpenService<'_>)], added: &[(&str, OpenService<'_>)]) {
        let pairs = relocated(removed.iter().map(|(_, service)| service), added.iter().map(|(_, service)| service));
        for &(before, after) in &pairs {
            let (Some((from, old)), Some((to, new))) = (removed.get(before), added.get(after)) else { continue };
            let compared = compare_documents(&old.read, &new.read, &document_pairs(old, new));
            let service = ServiceDiff {
                service: (*to).to_owned(),
                change: ServiceChange::Moved((*from).to_owned()),
                documents: new.names(),
                changes: compared.changes,
            };
            self.add(vec![service], compared.noise, Vec::new());
        }
        let whole = |name: &str, service: &OpenService<'_>, change| ServiceDiff {
            service: name.to_owned(),
            change,
            documents: service.names(),
            changes: Vec::new(),
        };
        for (index, (name, service)) in removed.iter().enumerate() {
            if !pairs.iter().any(|pair| pair.0 == index) {
                self.add(vec![whole(name, service, ServiceChange::Removed)], 0, Vec::new());
            }
        }
        for (index, (name, service)) in added.iter().enumerate() {
            if !pairs.iter().any(|pair| pair.1 == index) {
                self.add(vec![whole(name, service, ServiceChange::Added)], 0, Vec::new());
            }
        }
    }
}

fn of_folder<'s>(name: &'s str, old: Option<SideService<'s>>, new: Option<SideService<'s>>) -> FolderResult<'s> {
    let (mut old, mut new) = (old.map(OpenService::new), new.map(OpenService::new));
    let mut unreadable = Vec::new();
    for service in old.iter_mut().chain(&mut new) {
        unreadable.append(&mut service.unreadable);
    }
    let has_documents = |service: &OpenService<'_>| service.has_documents();
    let (old, new) = (old.filter(has_documents), new.filter(has_documents));
    let mut result = FolderResult {
        services: Vec::new(),
        noise: 0,
        unreadable,
        has_documents: old.is_some() || new.is_some(),
        removed: None,
        added: None,
    };
    match (old, new) {
        (Some(old), Some(new)) => {
            let compared = compare_documents(&old.read, &new.read, &document_pairs(&old, &new));
            result.noise = compared.noise;
            if !compared.changes.is_empty() {
                let (service, documents) = (name.to_owned(), new.names());
                let (change, changes) = (ServiceChange::Changed, compared.changes);
                result.services.push(ServiceDiff { service, change, documents, changes });
            }
        }
        (old, new) => {
            result.removed = old.filter(OpenService::is_readable).map(|old| (name, old));
            result.added = new.filter(OpenService::is_readable).map(|new| (name, new));
        }
    }
    result
}

/// Compares two documents, each of which is alone on its side.
fn documents(old: &Side, new: &Side, diff: &mut Diff) {
    let (Some((_, old)), Some((_, new))) = (old.services().next(), new.services().next()) else { return };
    let (mut old, mut new) = (OpenService::new(old), OpenService::new(new));
    diff.has_documents = true;
    diff.unreadable.append(&mut old.unreadable);
    diff.unreadable.append(&mut new.unreadable);
    let (before, after) = (old.documents(), new.documents());
    let (Some((_, before)), Some((_, after))) = (before.first(), after.first()) else { return };
    if before.kind != after.kind {
        let [before, after] = [before.kind, after.kind].map(word);
        diff.unreadable.push(format!("cannot compare a {before} with a {after}"));
        return;
    }
    let pairs: [Pair<'_>; 1] = [(Some::<ServiceDocument<'_>>(*before), Some(*after))];
    let compared = compare_documents(&old.read, &new.read, &pairs);
    diff.noise = compared.noise;
    if !compared.changes.is_empty() {
        let (service, documents) = (".".to_owned(), new.names());
        let (change, changes) = (ServiceChange::Changed, compared.changes);
        diff.services.push(ServiceDiff { service, change, documents, changes });
    }
}

const fn word(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Workflow => "workflow",
        DocumentKind::Form => "form",
        DocumentKind::SigningCase => "signing case",
    }
}

//! Compares the services of both sides: those of the same folder, and those that moved to another folder.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::canonical::Renames;
use super::matching::{Places, pairs_of_best};
use super::orders::{Exploration, compare_orders};
use super::result::{Change, Diff, Orders, ServiceChange, ServiceDiff};
use super::service::{OpenService, compare_documents, document_pairs};
use super::side::{Pair, ServiceDocument, Side, SideService};
use super::texts::Texts;
use super::tree::{Interner, Shape, Tree};
use crate::common::collections::HashMap;
use crate::schema::DocumentKind;

/// What the two sides are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The services of two folders.
    Folders,
    /// Two documents, whatever their names.
    Documents,
}

/// Two sides, and how they are compared.
pub struct Comparison<'c> {
    pub old: &'c Side,
    pub new: &'c Side,
    pub mode: Mode,
    /// `None` leaves out what orders can do.
    pub exploration: Option<Exploration<'c>>,
    pub pool: &'c ThreadPool,
}

/// Compares two sides.
pub fn compare(comparison: &Comparison<'_>) -> Diff {
    let Comparison { old, new, mode, exploration, pool } = *comparison;
    let mut diff = Diff::default();
    diff.unreadable.extend(old.project.unreadable.iter().chain(&new.project.unreadable).cloned());
    pool.install(|| match mode {
        Mode::Folders => Folders { diff: &mut diff, exploration }.compare(old, new),
        Mode::Documents => documents(old, new, &mut diff),
    });
    // A file that is on both sides, as when a folder is compared with itself, is listed once.
    diff.unreadable.dedup();
    diff
}

/// The result for a folder that is on both sides.
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
    exploration: Option<Exploration<'f>>,
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
        let exploration = self.exploration;
        let results: Vec<FolderResult<'_>> =
            services.into_par_iter().map(|(name, both)| of_folder(name, both, exploration)).collect();
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
                orders: orders(old, new, &compared.places, self.exploration),
                changes: compared.changes,
            };
            self.add(vec![service], compared.noise, Vec::new());
        }
        for (index, (name, service)) in removed.iter().enumerate() {
            if !pairs.iter().any(|pair| pair.0 == index) {
                self.add(vec![whole_service(name, service, ServiceChange::Removed)], 0, Vec::new());
            }
        }
        for (index, (name, service)) in added.iter().enumerate() {
            if !pairs.iter().any(|pair| pair.1 == index) {
                self.add(vec![whole_service(name, service, ServiceChange::Added)], 0, Vec::new());
            }
        }
    }
}

/// What the changes of a service mean for its orders; `None` for one without a workflow.
fn orders(
    old: &OpenService<'_>,
    new: &OpenService<'_>,
    places: &Places,
    exploration: Option<Exploration<'_>>,
) -> Option<Orders> {
    let has_workflow = old.has_workflow() || new.has_workflow();
    let texts = Texts { old: &old.read, new: &new.read };
    let exploration = exploration.filter(|_| has_workflow)?;
    Some(compare_orders(old.read.at, new.read.at, places, exploration, &|text| texts.name(text).into_string()))
}

fn of_folder<'s>(
    name: &'s str,
    (old, new): (Option<SideService<'s>>, Option<SideService<'s>>),
    exploration: Option<Exploration<'_>>,
) -> FolderResult<'s> {
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
                let orders = orders(&old, &new, &compared.places, exploration);
                result.services.push(changed(name, &new, compared.changes, orders));
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
    let open = [old, new].map(|side| side.services().next().map(|(_, service)| OpenService::new(service)));
    let [mut old, mut new] = open;
    diff.has_documents = old.is_some() || new.is_some();
    for service in old.iter_mut().chain(&mut new) {
        diff.unreadable.append(&mut service.unreadable);
    }
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (old, new) => {
            let is_added = new.is_some();
            let change = if is_added { ServiceChange::Added } else { ServiceChange::Removed };
            let whole = old.or(new).filter(OpenService::is_readable);
            diff.services.extend(whole.map(|service| whole_service(".", &service, change)));
            return;
        }
    };
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
        diff.services.push(changed(".", &new, compared.changes, None));
    }
}

/// A service that was added or removed.
fn whole_service(name: &str, service: &OpenService<'_>, change: ServiceChange) -> ServiceDiff {
    let documents = service.names();
    ServiceDiff { service: name.to_owned(), change, documents, changes: Vec::new(), orders: None }
}

fn changed(name: &str, new: &OpenService<'_>, changes: Vec<Change>, orders: Option<Orders>) -> ServiceDiff {
    let (change, documents) = (ServiceChange::Changed, new.names());
    ServiceDiff { service: name.to_owned(), change, documents, changes, orders }
}

const fn word(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Workflow => "workflow",
        DocumentKind::Form => "form",
        DocumentKind::SigningCase => "signing case",
    }
}

/// An activity that more services than this share, by type and name, identifies none of them.
const MAX_COMMON: usize = 64;

/// The workflow of a service, with numbers in place of strings.
struct Workflow {
    /// The contents of the outermost activities.
    wholes: Vec<u32>,
    /// By type and name of activities: how many there are.
    names: HashMap<u32, usize>,
    activities: usize,
}

/// The services that are the same, as their indices: each in one pair at most.
pub(super) fn relocated<'s>(
    removed: impl Iterator<Item = &'s OpenService<'s>>,
    added: impl Iterator<Item = &'s OpenService<'s>>,
) -> Vec<(usize, usize)> {
    let mut interner = Interner::default();
    let mut workflows = |services: &mut dyn Iterator<Item = &'s OpenService<'s>>| {
        services.map(|service| workflow(service, &mut interner)).collect::<Vec<_>>()
    };
    let old = workflows(&mut removed.into_iter());
    let new = workflows(&mut added.into_iter());
    let mut by_name: HashMap<u32, Vec<usize>> = HashMap::default();
    for (index, workflow) in new.iter().enumerate() {
        for name in workflow.iter().flat_map(|workflow| workflow.names.keys()) {
            by_name.entry(*name).or_default().push(index);
        }
    }
    let mut scored = Vec::new();
    for (before, old) in old.iter().enumerate() {
        let Some(old) = old else { continue };
        let mut common: HashMap<usize, usize> = HashMap::default();
        for (name, number) in &old.names {
            let holders = by_name.get(name).filter(|holders| holders.len() <= MAX_COMMON);
            for &after in holders.into_iter().flatten() {
                let other = new.get(after).and_then(Option::as_ref).and_then(|new| new.names.get(name));
                *common.entry(after).or_default() += other.copied().unwrap_or_default().min(*number);
            }
        }
        for (after, common) in common {
            let Some(new) = new.get(after).and_then(Option::as_ref) else { continue };
            let is_equal = old.wholes == new.wholes;
            let all = old.activities.max(new.activities);
            if is_equal || common * 2 > all {
                let score = if is_equal { usize::MAX } else { common * 1_000_000 / all.max(1) };
                scored.push((Reverse(score), before, after));
            }
        }
    }
    scored.sort_unstable();
    pairs_of_best(scored.into_iter().map(|(_, before, after)| (before, after)))
}

/// The workflows of a service as one; `None` without activities.
fn workflow(service: &OpenService<'_>, interner: &mut Interner) -> Option<Workflow> {
    let mut found = Workflow { wholes: Vec::new(), names: HashMap::default(), activities: 0 };
    for (_, document) in service.documents().iter().filter(|(_, document)| document.kind == DocumentKind::Workflow) {
        let tree = Tree::new(document.document, Shape::Activities, &Renames::default(), interner);
        found.wholes.extend(tree.children(None).filter_map(|root| tree.item(root)).map(|item| item.whole));
        found.activities += tree.items.len();
        for item in &tree.items {
            let name = interner.number(format!("{:?} {:?}", item.type_name, item.name));
            *found.names.entry(name).or_default() += 1;
        }
    }
    (found.activities > 0).then_some(found)
}

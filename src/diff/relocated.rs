//! Finds services that moved to another folder: their workflow is equal, or shares most activities.

use std::cmp::Reverse;

use super::renames::Renames;
use super::service::OpenService;
use super::tree::{Interner, Shape, Tree};
use crate::collections::HashMap;
use crate::schema::DocumentKind;

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
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (_, before, after) in scored {
        if !pairs.iter().any(|pair| pair.0 == before || pair.1 == after) {
            pairs.push((before, after));
        }
    }
    pairs
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

//! Every key of every example is broken in turn: removed, renamed, given another type, duplicated,
//! swapped with the next one. The findings are pinned, so that a change of the rules that turns one
//! fault into several findings, or into none, is noticed.
//!
//! A line of the snapshot is a kind of key, wherever it occurs. Of each kind the first one of every
//! example is broken, or every one when `WFLINT_BREAK=all` is set (which takes minutes, and prints
//! the differences).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::linted::lint_texts;
use crate::support::snapshot::settings;
use crate::support::tree::{Layout, Tree};
use insta::assert_snapshot;

const CHANGES: [&str; 5] = ["remove", "rename", "retype", "twice", "swap"];
const SERVICES: [&str; 5] = ["approval", "sign-upload", "sign-local-file", "sign-json", "sign-directory"];

/// A key to break, with the service and document that it is in.
struct Spot {
    service: usize,
    document: usize,
    slot: usize,
    kind: String,
}

type Service = Vec<(String, Tree)>;

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn findings_of_each_broken_member_match_their_snapshot() {
    let services: Vec<Service> = SERVICES.iter().map(|name| read(name)).collect();
    let spots = spots(&services, std::env::var_os("WFLINT_BREAK").is_some());
    assert!(spots.len() > 400, "members are found: {}", spots.len());
    let findings: Mutex<BTreeMap<String, BTreeMap<usize, BTreeSet<String>>>> = Mutex::default();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(spot) = spots.get(next.fetch_add(1, Ordering::Relaxed)) {
            for change in 0..CHANGES.len() {
                let Some(found) = break_one(&services[spot.service], spot, change) else { continue };
                let mut findings = findings.lock().unwrap();
                findings.entry(spot.kind.clone()).or_default().entry(change).or_default().insert(found);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let mut lines = String::new();
    for (kind, changes) in findings.into_inner().unwrap() {
        let changes: Vec<String> = changes
            .into_iter()
            .map(|(change, found)| {
                format!("{}: {}", CHANGES[change], found.into_iter().collect::<Vec<_>>().join(" or "))
            })
            .collect();
        let _ = writeln!(lines, "{kind}\n    {}", changes.join("; "));
    }
    settings().bind(|| assert_snapshot!("breakage", lines));
}

/// The documents of an example.
fn read(service: &str) -> Service {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(service);
    let mut documents: Service = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, Tree::parse(&std::fs::read_to_string(path).unwrap()))
        })
        .collect();
    documents.sort_by(|a, b| a.0.cmp(&b.0));
    documents
}

fn spots(services: &[Service], all: bool) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (service, documents) in services.iter().enumerate() {
        let mut seen = BTreeSet::new();
        for (document, (_, tree)) in documents.iter().enumerate() {
            let mut kinds = Vec::new();
            name_slots(tree, "", &mut kinds);
            for (slot, kind) in kinds.into_iter().enumerate() {
                if seen.insert(kind.clone()) || all {
                    spots.push(Spot { service, document, slot, kind });
                }
            }
        }
    }
    spots
}

/// The name of each slot of a tree, in the order of [`Tree::slots`].
fn name_slots(tree: &Tree, around: &str, kinds: &mut Vec<String>) {
    match tree {
        Tree::Plain(_) | Tree::Text(_) => {}
        Tree::List(items) => {
            for item in items {
                let own = match type_of(item) {
                    Some(type_name) if around.ends_with("activities") || around.ends_with("fields") => {
                        type_name.to_owned()
                    }
                    _ => format!("{around}[]"),
                };
                kinds.push(own.clone());
                name_slots(item, &own, kinds);
            }
        }
        Tree::Object(members) => {
            for (name, value) in members {
                let own = if around.is_empty() { name.clone() } else { format!("{around}.{name}") };
                kinds.push(own.clone());
                name_slots(value, &own, kinds);
            }
        }
    }
}

fn type_of(tree: &Tree) -> Option<&str> {
    let Tree::Object(members) = tree else { return None };
    members.iter().find_map(|(name, value)| match value {
        Tree::Text(text) if name == "type" => Some(text.as_str()),
        _ => None,
    })
}

/// The findings in a service with one key broken; `None` when it cannot be broken this way.
fn break_one(service: &Service, spot: &Spot, change: usize) -> Option<String> {
    let mut tree = service[spot.document].1.clone();
    let (around, index) = tree.slot(spot.slot)?;
    match (CHANGES[change], around) {
        ("remove", Tree::List(items)) => drop(items.remove(index)),
        ("remove", Tree::Object(members)) => drop(members.remove(index)),
        ("rename", Tree::Object(members)) => members[index].0.push('X'),
        ("twice", Tree::List(items)) => items.insert(index, items[index].clone()),
        ("twice", Tree::Object(members)) => members.insert(index, members[index].clone()),
        ("swap", Tree::List(items)) if index + 1 < items.len() => items.swap(index, index + 1),
        ("swap", Tree::Object(members)) if index + 1 < members.len() => {
            let value = members[index].1.clone();
            members[index].1 = std::mem::replace(&mut members[index + 1].1, value);
        }
        ("retype", around) => {
            let value = around.child(index)?;
            *value = match value {
                Tree::Text(_) => Tree::plain(5),
                Tree::Plain(_) => Tree::List(Vec::new()),
                Tree::List(_) | Tree::Object(_) => Tree::plain(true),
            };
        }
        _ => return None,
    }
    let texts: Vec<(String, String)> = service
        .iter()
        .enumerate()
        .map(|(index, (name, other))| {
            let tree = if index == spot.document { &tree } else { other };
            (name.clone(), tree.write(Layout::PLAIN))
        })
        .collect();
    let files: Vec<(&str, &[u8])> = texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let linted = lint_texts(&files, 1);
    let codes: Vec<String> = linted.codes();
    Some(if codes.is_empty() { "-".to_owned() } else { codes.join("+") })
}

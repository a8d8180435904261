//! The changes of a service that is on both sides.

use super::canonical::Renames;
use super::matching::{Matching, Places};
use super::result::Change;
use super::side::{Pair, ServiceDocument, SideService, file_name, pairs};
use super::texts::{ReadService, Texts};
use super::tree::{Interner, Shape, Tree};
use super::tree_changes::{Context, Trees, tree_changes};
use super::variables::{self, case_changes, variable_changes, variables};
use crate::common::collections::HashSet;
use crate::project::{Content, File, lost_document};
use crate::schema::DocumentKind;

/// A service of one side, read.
pub(super) struct OpenService<'s> {
    pub read: ReadService<'s>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// The paths below the service of files that could not be read, or are not documents.
    pub broken: HashSet<String>,
}

impl<'s> OpenService<'s> {
    pub fn new(at: SideService<'s>) -> Self {
        let read = at.read();
        let mut unreadable: Vec<String> = read.unreadable.iter().map(|(_, reason)| reason.clone()).collect();
        let below = |id| at.project.name_and_path(id).map(|(_, path)| at.name_below(path));
        let mut broken: HashSet<String> = read.unreadable.iter().filter_map(|(id, _)| below(*id)).collect();
        for file in &read.files {
            if let Some(reason) = problem(file) {
                unreadable.push(format!("cannot read {}: {reason}", file.source.name));
                broken.extend(below(file.id));
            }
        }
        Self { read: ReadService::new(at, read.files), unreadable, broken }
    }

    /// The documents with their paths below the service.
    pub fn documents(&self) -> Vec<(String, ServiceDocument<'_>)> {
        let documents = self.read.files.iter().filter_map(|file| {
            let (kind, document) = file.document()?;
            Some((self.read.at.name_below(&file.source.path), ServiceDocument { kind, file, document }))
        });
        documents.filter(|(name, _)| !self.broken.contains(name)).collect()
    }

    /// Whether it has documents, or files that should be documents.
    pub fn has_documents(&self) -> bool {
        !self.broken.is_empty() || self.read.files.iter().any(|file| file.document().is_some())
    }

    pub fn has_workflow(&self) -> bool {
        let mut documents = self.read.files.iter().filter_map(|file| file.document());
        documents.any(|(kind, _)| kind == DocumentKind::Workflow)
    }

    pub fn is_readable(&self) -> bool {
        self.broken.is_empty()
    }

    /// The file names of its workflows; without any, of its documents.
    pub fn names(&self) -> Vec<String> {
        let documents = self.documents();
        let has_workflow = documents.iter().any(|(_, document)| document.kind == DocumentKind::Workflow);
        let wanted = documents.iter().filter(|(_, document)| !has_workflow || document.kind == DocumentKind::Workflow);
        wanted.map(|(_, document)| file_name(&document.file.source.name).to_owned()).collect()
    }
}

/// Why a file holds no document that can be compared.
fn problem(file: &File) -> Option<String> {
    match &file.content {
        Content::Document(..) => file.duplicate_key(),
        Content::Resembling(..) | Content::Unrelated(_) => lost_document(file).map(str::to_owned),
        Content::Invalid(error) => {
            let place = file.source.position(error.offset);
            Some(format!("invalid JSON at line {}, column {}", place.line, place.column))
        }
        Content::OtherEncoding(_) | Content::NotUtf8(_) => Some("not encoded in UTF-8".to_owned()),
        Content::TooLarge(limit) => Some(format!("larger than {} MiB", limit >> 20)),
    }
}

/// The result of comparing the documents of a service.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub changes: Vec<Change>,
    /// How many files differ in bytes alone.
    pub noise: usize,
    /// The new places of the activities.
    pub places: Places,
}

/// The pairs of documents of both sides, without those that cannot be read on one of them.
pub(super) fn document_pairs<'s>(old: &'s OpenService<'_>, new: &'s OpenService<'_>) -> Vec<Pair<'s>> {
    let readable = |service: &'s OpenService<'_>, other: &OpenService<'_>| {
        let documents = service.documents().into_iter();
        documents.filter(|(name, _)| !other.broken.contains(name)).collect::<Vec<_>>()
    };
    pairs(readable(old, new), readable(new, old))
}

/// Compares the documents of a service.
pub(super) fn compare_documents(old: &ReadService<'_>, new: &ReadService<'_>, pairs: &[Pair<'_>]) -> Compared {
    let differs = |(old, new): &&Pair<'_>| match (old, new) {
        (Some(old), Some(new)) => old.file.source.text != new.file.source.text,
        _ => true,
    };
    let different: Vec<&Pair<'_>> = pairs.iter().filter(differs).collect();
    let mut places = Places::default();
    for (old, new) in pairs {
        if let (Some(old), Some(new)) = (old, new)
            && old.file.source.text == new.file.source.text
        {
            places.add_equal(old.file, new.file);
        }
    }
    if different.is_empty() {
        return Compared { places, ..Compared::default() };
    }
    let texts = Texts { old, new };
    let of_old: Vec<ServiceDocument<'_>> = pairs.iter().filter_map(|pair| pair.0).collect();
    let of_new: Vec<ServiceDocument<'_>> = pairs.iter().filter_map(|pair| pair.1).collect();
    let of_variables = variables::pairs(&variables(&of_old), &variables(&of_new));
    let renames = variables::renames(&of_variables);
    let mut changes = Vec::new();
    for &&(old, new) in &different {
        let context = Context::new(texts, old, new);
        match old.or(new).map(|document| document.kind) {
            Some(DocumentKind::Workflow) => {
                compare_trees(&context, &renames, Shape::Activities, &mut places, &mut changes);
            }
            Some(DocumentKind::Form) => compare_trees(&context, &renames, Shape::Fields, &mut places, &mut changes),
            _ => case_changes(&context, &renames, &mut changes),
        }
    }
    variable_changes(texts, &renames, &of_variables, &mut changes);
    changes.shrink_to_fit();
    // Activities first, then variables, fields and cases.
    changes.sort_by_key(|change| change.what);
    let is_noise = |pair: &&&Pair<'_>| matches!(pair, (Some(_), Some(_))) && !has_change(pair, &changes);
    let noise = different.iter().filter(is_noise).count();
    Compared { changes, noise, places }
}

/// Whether a change has a place in one of two documents.
fn has_change(pair: &Pair<'_>, changes: &[Change]) -> bool {
    let is_in = |name: &Option<String>, document: Option<ServiceDocument<'_>>| {
        document.is_some_and(|document| name.as_ref() == Some(&document.file.source.name))
    };
    changes.iter().any(|change| {
        let files = &change.files;
        change.old.is_some() && is_in(&files.old, pair.0) || change.new.is_some() && is_in(&files.new, pair.1)
    })
}

fn compare_trees(
    context: &Context<'_>,
    renames: &Renames,
    shape: Shape,
    places: &mut Places,
    changes: &mut Vec<Change>,
) {
    let Some(either) = context.new.or(context.old) else { return };
    let mut interner = Interner::default();
    let none = Renames::default();
    let empty = || Tree::empty(either.document, shape);
    let old = context.old.map_or_else(empty, |old| Tree::new(old.document, shape, renames, &mut interner));
    let new = context.new.map_or_else(empty, |new| Tree::new(new.document, shape, &none, &mut interner));
    drop(interner);
    let matching = Matching::new(&old, &new);
    if let (Some(before), Some(after), Shape::Activities) = (context.old, context.new, shape) {
        places.add((before.file, &old), (after.file, &new), &matching);
    }
    tree_changes(context, renames, &Trees { old: &old, new: &new, matching: &matching }, changes);
}

//! Pairs the documents of both sides of a service: by name, or by kind if only one is left.

use crate::document::Document;
use crate::project::File;
use crate::schema::DocumentKind;

/// A document of one side of a service.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServiceDocument<'s> {
    pub kind: DocumentKind,
    pub file: &'s File,
    pub document: &'s Document,
}

/// A document on both sides, or on one.
pub(super) type Pair<'s> = (Option<ServiceDocument<'s>>, Option<ServiceDocument<'s>>);

/// The pairs of both sides, whose documents have names below their services, in the order of the new side.
pub(super) fn pairs<'s>(
    old: Vec<(String, ServiceDocument<'s>)>,
    new: Vec<(String, ServiceDocument<'s>)>,
) -> Vec<Pair<'s>> {
    let (mut old, mut pairs): (Vec<_>, Vec<Pair<'s>>) = (old.into_iter().map(Some).collect(), Vec::new());
    for (name, document) in new {
        let is_same = |other: &&mut Option<(String, ServiceDocument<'s>)>| matches!(other, Some((own, other)) if *own == name && other.kind == document.kind);
        let same = old.iter_mut().find(is_same).and_then(Option::take);
        pairs.push((same.map(|(_, document)| document), Some(document)));
    }
    for kind in [DocumentKind::Workflow, DocumentKind::Form, DocumentKind::SigningCase] {
        let is_kind = |document: Option<ServiceDocument<'_>>| document.is_some_and(|document| document.kind == kind);
        let mut left = old.iter_mut().filter(|other| is_kind(other.as_ref().map(|(_, document)| *document)));
        let mut open = pairs.iter_mut().filter(|(old, new)| old.is_none() && is_kind(*new));
        if let (Some(one), None, Some(other), None) = (left.next(), left.next(), open.next(), open.next()) {
            other.0 = one.take().map(|(_, document)| document);
        }
    }
    pairs.extend(old.into_iter().flatten().map(|(_, document)| (Some(document), None)));
    pairs
}

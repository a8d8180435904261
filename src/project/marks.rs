//! The keys that mark a document.

use crate::model::case_key;
use crate::schema::DocumentKind;

/// The key of the array that marks each kind of document; the first kind that matches wins.
pub const MARKS: [(&str, DocumentKind); 3] = [
    ("activities", DocumentKind::Workflow),
    ("fields", DocumentKind::Form),
    (case_key::PARTIES, DocumentKind::SigningCase),
];

//! `WF0`: the document as JSON.

pub mod config_problem;
pub mod document_too_deep;
pub mod duplicate_member;
pub mod editor_warning;
pub mod invalid_json;
pub mod misplaced_children;
pub mod newer_version_available;
pub mod schema_violation;
pub mod unknown_activity_type;
pub mod unknown_document;
pub mod unknown_member;

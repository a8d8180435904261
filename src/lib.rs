//! A linter and simulator for workflow and form documents.

pub mod catalog;
pub mod cli;
pub(crate) mod collections;
pub mod config;
pub mod diagnostic;
pub mod document;
pub mod fix;
pub mod graph;
pub mod identity;
pub mod ldap;
pub mod lint;
pub mod locale;
pub mod mail;
pub mod model;
pub mod personal_id;
pub mod project;
pub mod report;
pub mod rules;
pub mod schema;
pub mod script;
pub mod simulate;
pub mod source;
pub mod suggest;
pub mod toml_file;
pub mod uri;
pub mod write;

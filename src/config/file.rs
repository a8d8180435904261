//! The format of the file: its keys, and the checks of their values.

use std::collections::BTreeMap;
use std::ops::Bound;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use toml::Spanned;

use super::accept_mutant::AcceptMutantEntry;
use super::explore::ExploreEntry;
use super::law::LawEntry;
use super::layers::Invalid;
use super::pattern::{MAX_PATTERNS_BYTES, WILDCARDS, compile};
use super::service::ServiceFileEntry;
use super::settings::{DeclaredActivity, FailOn, FormatOptions, within};
use super::suppress::SuppressEntry;
use crate::common::limits::{MAX_DEPTH, MAX_FILE_MIB};
use crate::document::is_pointer;
use crate::text::diagnostic::Severity;

/// The keys of a configuration file, all optional.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct ConfigFile {
    /// The address of the schema, for editors.
    #[serde(rename = "$schema", skip_serializing)]
    pub _schema: IgnoredAny,
    pub extend: Option<Spanned<String>>,
    pub select: Option<Spanned<Vec<Spanned<String>>>>,
    pub ignore: Vec<Spanned<String>>,
    pub exclude: Vec<Spanned<String>>,
    pub fail_on: Option<FailOn>,
    pub catalogs: Vec<Spanned<String>>,
    pub system_variables: Vec<String>,
    pub baseline: Option<Spanned<String>>,
    pub rules: Vec<Spanned<String>>,
    pub rule: BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, toml::Value>>,
    pub settings: toml::Table,
    pub documents: DocumentsEntry,
    pub types: TypesEntry,
    pub severity: BTreeMap<Spanned<String>, Level>,
    pub per_file_ignores: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
    pub suppress: Vec<Spanned<SuppressEntry>>,
    pub service: Vec<Spanned<ServiceFileEntry>>,
    pub limits: LimitsEntry,
    pub scripts: ScriptsEntry,
    pub fmt: FormatOptions,
    pub explore: ExploreEntry,
    pub law: Vec<Spanned<LawEntry>>,
    pub accept_mutant: Vec<Spanned<AcceptMutantEntry>>,
}

/// `[documents]`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct DocumentsEntry {
    pub roots: Option<Spanned<Vec<Spanned<String>>>>,
}

/// `[types]`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct TypesEntry {
    pub activities: BTreeMap<String, DeclaredActivity>,
    pub fields: Vec<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Level {
    Error,
    Warning,
    Info,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => Self::Error,
            Level::Warning => Self::Warning,
            Level::Info => Self::Info,
        }
    }
}

/// `[limits]`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct LimitsEntry {
    #[serde(deserialize_with = "min_poll_seconds")]
    pub min_poll_seconds: f64,
    #[serde(deserialize_with = "script_seconds")]
    pub script_seconds: f64,
    #[serde(deserialize_with = "max_file_mib")]
    pub max_file_mib: u32,
    #[serde(deserialize_with = "max_depth")]
    pub max_depth: usize,
    pub max_activities: Option<usize>,
    pub max_nesting: Option<usize>,
    pub max_branches: Option<usize>,
}

impl Default for LimitsEntry {
    fn default() -> Self {
        Self {
            min_poll_seconds: 30.0,
            script_seconds: 2.0,
            max_file_mib: MAX_FILE_MIB,
            max_depth: MAX_DEPTH,
            max_activities: None,
            max_nesting: None,
            max_branches: None,
        }
    }
}

fn min_poll_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    within(deserializer, 0.0.., "`limits.min-poll-seconds` of 0 or more")
}

fn script_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    // At most a day, as in scenarios.
    let range = (Bound::Excluded(0.0), Bound::Included(86_400.0));
    within(deserializer, range, "`limits.script-seconds` above 0 and at most 86400")
}

fn max_file_mib<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    within(deserializer, 1..=1024, "`limits.max-file-mib` from 1 to 1024")
}

fn max_depth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, 1..=256, "`limits.max-depth` from 1 to 256")
}

/// `[scripts]`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct ScriptsEntry {
    pub evaluate: bool,
}

impl Default for ScriptsEntry {
    fn default() -> Self {
        Self { evaluate: true }
    }
}

/// The patterns and pointers that are not valid.
pub(super) fn check(file: &ConfigFile) -> Vec<Invalid> {
    let forms = file.service.iter().flat_map(|service| &service.get_ref().forms);
    let services = file.law.iter().filter_map(|law| law.get_ref().services.as_ref()).flat_map(Spanned::get_ref);
    let patterns = file.exclude.iter().chain(file.per_file_ignores.keys()).chain(forms).chain(services);
    let (mut bytes, mut problems) = (0, Vec::new());
    for pattern in patterns {
        let written = pattern.get_ref();
        if let Err(reason) = compile(written) {
            problems.push(Invalid::new(pattern, reason));
        }
        bytes += if written.contains(WILDCARDS) { written.len() } else { 0 };
        if bytes > MAX_PATTERNS_BYTES {
            let reason = format!("more than {} KiB of patterns with wildcards", MAX_PATTERNS_BYTES >> 10);
            problems.push(Invalid::new(pattern, reason));
            break;
        }
    }
    if let Some(roots) = file.documents.roots.as_ref().filter(|roots| roots.get_ref().is_empty()) {
        let reason = "`roots` has no pointer; remove it, or add some, such as `\"\"` for a document without a wrapper";
        problems.push(Invalid::new(roots, reason));
    }
    for root in file.documents.roots.iter().flat_map(Spanned::get_ref) {
        let pointer = root.get_ref();
        if !is_pointer(pointer) {
            let help =
                if pointer.starts_with('/') { "write `~` as `~0`" } else { "begin it with `/`, such as `/data`" };
            problems.push(Invalid::new(root, format!("invalid JSON Pointer `{pointer}`; {help}")));
        }
    }
    problems
}

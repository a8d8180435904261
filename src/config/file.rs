//! The format of the file: its keys, and the checks of their values.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::accept_mutant::AcceptMutantEntry;
use super::explore::ExploreEntry;
use super::law_entry::LawEntry;
use super::merge::REMOVAL;
use super::pattern::glob;
use super::services::ServiceFileEntry;
use super::settings::{ConfigPlace, DeclaredActivity, FailOn, FormatOptions, Suppression, SuppressionKind, span};
use crate::diagnostic::Severity;
use crate::document::is_pointer;
use crate::limits::{MAX_DEPTH, MAX_FILE_MIB};

/// The keys of a configuration file, all optional.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct ConfigFile {
    pub extend: Option<Spanned<String>>,
    pub select: Option<Spanned<Vec<Spanned<String>>>>,
    pub ignore: Vec<Spanned<String>>,
    pub exclude: Vec<Spanned<String>>,
    pub fail_on: Option<FailOn>,
    pub catalogs: Vec<Spanned<String>>,
    pub system_variables: Vec<Spanned<String>>,
    pub baseline: Option<Spanned<String>>,
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
    pub fields: Vec<Spanned<String>>,
}

/// As in scenarios.
const MAX_SCRIPT_SECONDS: f64 = 86_400.0;

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

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct SuppressEntry {
    pub rule: Option<Spanned<String>>,
    pub law: Option<Spanned<String>>,
    pub file: String,
    pub activity: Option<String>,
    pub pointer: Option<String>,
    pub reason: String,
    pub until: Option<Spanned<toml::value::Datetime>>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct LimitsEntry {
    pub min_poll_seconds: f64,
    pub script_seconds: f64,
    pub max_file_mib: u32,
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

/// Why a value is invalid, and where.
pub(super) struct ValueError {
    pub at: ValuePlace,
    pub reason: String,
}

/// Where a value is in the file.
pub(super) enum ValuePlace {
    /// Of a key of a table.
    Key(&'static str, &'static str),
    At(Range<usize>),
}

pub(super) fn check(file: &ConfigFile) -> Result<(), ValueError> {
    let limits = &file.limits;
    let error = |table, key, expected: &str, found: &dyn Display| {
        let reason = format!("expected `{table}.{key}` {expected}, found {found}");
        Err(ValueError { at: ValuePlace::Key(table, key), reason })
    };
    if !(1..=1024).contains(&limits.max_file_mib) {
        return error("limits", "max-file-mib", "from 1 to 1024", &limits.max_file_mib);
    }
    if !(1..=256).contains(&limits.max_depth) {
        return error("limits", "max-depth", "from 1 to 256", &limits.max_depth);
    }
    if !(limits.script_seconds > 0.0 && limits.script_seconds <= MAX_SCRIPT_SECONDS) {
        let expected = format!("above 0 and at most {MAX_SCRIPT_SECONDS}");
        return error("limits", "script-seconds", &expected, &limits.script_seconds);
    }
    if limits.min_poll_seconds.is_nan() || limits.min_poll_seconds < 0.0 {
        return error("limits", "min-poll-seconds", "of 0 or more", &limits.min_poll_seconds);
    }
    // The maximum of `JSON.stringify`.
    if file.fmt.indent > 10 {
        return error("fmt", "indent", "from 0 to 10", &file.fmt.indent);
    }
    let form_patterns = file.service.iter().flat_map(|service| &service.get_ref().forms);
    let patterns = file.exclude.iter().chain(file.per_file_ignores.keys()).chain(form_patterns);
    for pattern in patterns {
        let compiled = glob(pattern.get_ref().trim_start_matches(REMOVAL));
        compiled.map_err(|reason| ValueError { at: ValuePlace::At(pattern.span()), reason })?;
    }
    check_roots(file)
}

/// Each entry of `documents.roots` is a JSON Pointer.
fn check_roots(file: &ConfigFile) -> Result<(), ValueError> {
    for root in file.documents.roots.iter().flat_map(Spanned::get_ref) {
        let written = root.get_ref();
        let pointer = written.strip_prefix(REMOVAL).unwrap_or(written);
        if !is_pointer(pointer) {
            let help =
                if pointer.starts_with('/') { "write `~` as `~0`" } else { "begin it with `/`, such as `/data`" };
            let reason = format!("invalid JSON Pointer `{written}`; {help}");
            return Err(ValueError { at: ValuePlace::At(root.span()), reason });
        }
    }
    Ok(())
}

/// Why a suppression is invalid, and where.
pub(super) struct SuppressionError {
    pub at: Range<usize>,
    pub reason: &'static str,
}

/// Reads an entry. `layer` is the number of its file among those of the configuration.
pub(super) fn suppression(entry: Spanned<SuppressEntry>, layer: usize) -> Result<Suppression, SuppressionError> {
    let at = entry.span();
    let SuppressEntry { rule, law, file, activity, pointer, reason, until } = entry.into_inner();
    let error = |reason| Err(SuppressionError { at: at.clone(), reason });
    let (name, kind) = match (rule, law) {
        (Some(rule), None) => (rule, SuppressionKind::Rule),
        (None, Some(law)) => (law, SuppressionKind::Law),
        (None, None) => return error("missing key `rule` or `law` in a suppression"),
        (Some(_), Some(law)) => {
            let reason = "`rule` and `law` in one suppression; write an entry for each";
            return Err(SuppressionError { at: law.span(), reason });
        }
    };
    if activity.is_none() && pointer.is_none() {
        return error("missing key `activity` or `pointer` in a suppression");
    }
    if pointer.as_ref().is_some_and(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
        return error("invalid `pointer` of a suppression: it must begin with `/`");
    }
    if reason.trim().is_empty() {
        return error("empty `reason` of a suppression");
    }
    let place = |range: &Range<usize>| ConfigPlace { layer, span: span(range) };
    let name_place = place(&name.span());
    let until_place = until.as_ref().map_or(name_place, |until| place(&until.span()));
    let until = until.map(|until| {
        date(until.get_ref())
            .ok_or(SuppressionError { at: until.span(), reason: "invalid `until`: expected a date such as 2027-01-01" })
    });
    Ok(Suppression {
        kind,
        name: name.into_inner(),
        file,
        activity,
        pointer,
        // Not kept for rules: there may be very many, and no report shows their reasons.
        reason: if kind == SuppressionKind::Law { reason } else { String::new() },
        until: until.transpose()?,
        place: place(&at),
        name_place,
        until_place,
    })
}

/// The date of a TOML value that has no time.
fn date(value: &toml::value::Datetime) -> Option<Date> {
    let date = value.date.filter(|_| value.time.is_none())?;
    Date::new(date.year.try_into().ok()?, date.month.try_into().ok()?, date.day.try_into().ok()?).ok()
}

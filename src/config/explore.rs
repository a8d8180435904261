//! `[explore]`: the choices that `wflint explore` makes, and its limits.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::law::BuiltInLaw;
use super::merge::REMOVAL;
use super::settings::Placed;
use crate::limits::MAX_EXPLORED_STATES;
use crate::suggest;

/// As it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct ExploreEntry {
    pub max_states: Spanned<usize>,
    pub fields: BTreeMap<Spanned<String>, Spanned<Vec<Spanned<String>>>>,
    pub assume: Choices,
    pub directory: Option<Spanned<String>>,
    pub skip_laws: Vec<Spanned<String>>,
}

impl Default for ExploreEntry {
    fn default() -> Self {
        Self {
            max_states: Spanned::new(0..0, MAX_EXPLORED_STATES),
            fields: BTreeMap::new(),
            assume: Choices::default(),
            directory: None,
            skip_laws: Vec::new(),
        }
    }
}

/// `[explore]`, ready for use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExploreSettings {
    /// Of one service.
    pub max_states: usize,
    /// The values to try, by field of an order form.
    pub fields: Vec<(Placed, Vec<String>)>,
    pub assume: Choices,
    /// An LDIF file that answers lookups; the path is relative to the folder of the file that has it.
    pub directory: Option<Placed>,
    /// The built-in laws to check.
    pub laws: Vec<BuiltInLaw>,
}

/// The settings that do not depend on the file that has them.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(super) struct PlainExplore {
    max_states: usize,
    assume: Choices,
}

impl Default for PlainExplore {
    fn default() -> Self {
        Self { max_states: MAX_EXPLORED_STATES, assume: Choices::default() }
    }
}

impl ExploreSettings {
    pub(super) fn new(
        fields: BTreeMap<String, (Placed, Vec<Placed>)>,
        directory: Option<Placed>,
        skipped: &[Placed],
        plain: &PlainExplore,
    ) -> Self {
        let skipped: Vec<BuiltInLaw> = skipped.iter().filter_map(|law| built_in(&law.value)).collect();
        let texts = |values: Vec<Placed>| values.into_iter().map(|value| value.value).collect();
        Self {
            max_states: plain.max_states,
            fields: fields.into_values().map(|(field, values)| (field, texts(values))).collect(),
            assume: plain.assume,
            directory,
            laws: BuiltInLaw::ALL.into_iter().filter(|law| !skipped.contains(law)).collect(),
        }
    }
}

/// The choices that are made in runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Choices {
    /// Calls also fail.
    pub failures: bool,
    /// Directory lookups also return entries without the properties.
    pub empty_lookups: bool,
    /// People who are asked may also never act.
    pub never_acts: bool,
}

impl Default for Choices {
    fn default() -> Self {
        Self { failures: true, empty_lookups: true, never_acts: true }
    }
}

/// Why a setting is invalid, and where.
pub(super) struct ExploreError {
    pub at: Range<usize>,
    pub reason: String,
}

/// The first invalid setting.
pub(super) fn check(explore: &ExploreEntry) -> Result<(), ExploreError> {
    if *explore.max_states.get_ref() == 0 {
        let reason = "expected `explore.max-states` of 1 or more, found 0".to_owned();
        return Err(ExploreError { at: explore.max_states.span(), reason });
    }
    for (field, values) in &explore.fields {
        if values.get_ref().is_empty() {
            return Err(ExploreError {
                at: values.span(),
                reason: format!("no values of field `{}`", field.get_ref()),
            });
        }
    }
    for name in &explore.skip_laws {
        let written = name.get_ref();
        let written = written.strip_prefix(REMOVAL).unwrap_or(written);
        if built_in(written).is_none() {
            let names = BuiltInLaw::ALL.map(BuiltInLaw::name);
            let reason = match suggest::nearest(written, names) {
                Some(near) => format!("unknown built-in law `{written}`; did you mean `{near}`?"),
                None => format!("unknown built-in law `{written}`; expected one of `{}`", names.join("`, `")),
            };
            return Err(ExploreError { at: name.span(), reason });
        }
    }
    Ok(())
}

/// The built-in law with this name.
fn built_in(name: &str) -> Option<BuiltInLaw> {
    BuiltInLaw::ALL.into_iter().find(|law| law.name() == name)
}

//! `[explore]`: the choices that `wflint explore` makes, and its limits.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use toml::Spanned;

use super::law::BuiltInLaw;
use super::layers::{Invalid, Places};
use super::settings::{Placed, within};
use crate::common::limits::MAX_EXPLORED_STATES;
use crate::text::suggest;

/// As it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct ExploreEntry {
    #[serde(deserialize_with = "max_states")]
    max_states: usize,
    fields: BTreeMap<Spanned<String>, Spanned<Vec<String>>>,
    assume: Choices,
    directory: Option<Spanned<String>>,
    skip_laws: Vec<Spanned<String>>,
}

impl Default for ExploreEntry {
    fn default() -> Self {
        Self {
            max_states: MAX_EXPLORED_STATES,
            fields: BTreeMap::new(),
            assume: Choices::default(),
            directory: None,
            skip_laws: Vec::new(),
        }
    }
}

fn max_states<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, 1.., "`explore.max-states` of 1 or more")
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

impl ExploreEntry {
    /// The settings; unknown laws are left out.
    pub fn settings(&self, places: Places<'_>) -> ExploreSettings {
        let fields = self.fields.iter();
        let skipped: Vec<&str> = self.skip_laws.iter().map(|name| name.get_ref().as_str()).collect();
        ExploreSettings {
            max_states: self.max_states,
            fields: fields.map(|(field, values)| (places.placed(field), values.get_ref().clone())).collect(),
            assume: self.assume,
            directory: self.directory.as_ref().map(|directory| places.placed(directory)),
            laws: BuiltInLaw::ALL.into_iter().filter(|law| !skipped.contains(&law.name())).collect(),
        }
    }

    /// Fields without values, and laws that do not exist.
    pub fn check(&self) -> Vec<Invalid> {
        let without = self.fields.iter().filter(|(_, values)| values.get_ref().is_empty());
        let problem = |(field, values): (&Spanned<String>, &Spanned<Vec<String>>)| {
            Invalid::new(values, format!("no values of field `{}`", field.get_ref()))
        };
        let mut problems: Vec<Invalid> = without.map(problem).collect();
        let names = BuiltInLaw::ALL.map(BuiltInLaw::name);
        for law in &self.skip_laws {
            let written = law.get_ref().as_str();
            if !names.contains(&written) {
                let help = match suggest::nearest(written, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("expected one of `{}`", names.join("`, `")),
                };
                problems.push(Invalid::new(law, format!("unknown built-in law `{written}`; {help}")));
            }
        }
        problems
    }
}

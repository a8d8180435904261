//! `[[accept-mutant]]`: changes of workflows that no scenario has to notice.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::layers::{Invalid, Places};
use super::pattern::{WILDCARDS, compile, glob, matched_by_files};
use super::settings::ConfigPlace;
use crate::document::is_pointer;
use crate::files::paths::clean;

/// A kind of change of a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mutation {
    /// The condition of an If or a While is negated.
    NegateCondition,
    /// The body of an If or a While is dropped.
    EmptyBody,
    DropActivity,
    /// Two neighbors are swapped.
    SwapActivities,
    /// The text of a Status, an Assign or a static parameter is changed.
    ChangeText,
    /// A bound parameter is not set.
    UnsetParameter,
    ToggleStopOnError,
}

impl Mutation {
    /// In the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::NegateCondition,
        Self::EmptyBody,
        Self::DropActivity,
        Self::SwapActivities,
        Self::ChangeText,
        Self::UnsetParameter,
        Self::ToggleStopOnError,
    ];

    /// The name in reports and in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NegateCondition => "negate-condition",
            Self::EmptyBody => "empty-body",
            Self::DropActivity => "drop-activity",
            Self::SwapActivities => "swap-activities",
            Self::ChangeText => "change-text",
            Self::UnsetParameter => "unset-parameter",
            Self::ToggleStopOnError => "toggle-stop-on-error",
        }
    }
}

/// An entry as it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct AcceptMutantEntry {
    file: Spanned<String>,
    activity: Option<String>,
    pointer: Option<Spanned<String>>,
    mutation: Option<Mutation>,
    reason: Spanned<String>,
}

/// Accepts every change that it matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedMutant {
    /// The folder of the file that has the entry.
    pub folder: PathBuf,
    /// A path or pattern of workflows, relative to the folder.
    pub file: String,
    /// The name of the nearest activity around the change.
    pub activity: Option<String>,
    /// The pointer of the change, or of a value around it.
    pub pointer: Option<String>,
    /// `None` for all.
    pub mutation: Option<Mutation>,
    pub reason: String,
    /// The whole entry.
    pub place: ConfigPlace,
}

impl AcceptedMutant {
    /// Whether it is about a workflow, by its absolute path.
    pub fn is_about(&self, workflow: &Path) -> bool {
        if !self.file.contains(WILDCARDS) {
            return clean(&self.folder.join(&self.file)) == workflow;
        }
        let inside = workflow.strip_prefix(&self.folder);
        inside.is_ok_and(|inside| glob(&self.file).is_ok_and(|pattern| pattern.is_match(inside)))
    }

    /// The only file that it is about; `None` for a pattern.
    pub fn path(&self) -> Option<PathBuf> {
        (!self.file.contains(WILDCARDS)).then(|| clean(&self.folder.join(&self.file)))
    }

    /// Whether some file has the name, or matches the pattern.
    pub fn has_file(&self) -> bool {
        match self.path() {
            Some(path) => path.is_file(),
            None => !matched_by_files(&self.folder, [(self.file.as_str(), ())]).is_empty(),
        }
    }
}

pub(super) fn accepted_mutant(
    entry: &Spanned<AcceptMutantEntry>,
    places: Places<'_>,
) -> Result<AcceptedMutant, Invalid> {
    let AcceptMutantEntry { file, activity, pointer, mutation, reason } = entry.get_ref();
    compile(file.get_ref()).map_err(|reason| Invalid::new(file, reason))?;
    if activity.is_none() && pointer.is_none() {
        return Err(Invalid::new(entry, "missing key `activity` or `pointer` in an accepted mutant"));
    }
    if let Some(pointer) = pointer.as_ref().filter(|pointer| !is_pointer(pointer.get_ref())) {
        let reason = format!("invalid JSON Pointer `{}` of an accepted mutant", pointer.get_ref());
        return Err(Invalid::new(pointer, reason));
    }
    if reason.get_ref().trim().is_empty() {
        return Err(Invalid::new(reason, "empty `reason` of an accepted mutant"));
    }
    Ok(AcceptedMutant {
        folder: places.folder_of(entry).to_path_buf(),
        file: file.get_ref().clone(),
        activity: activity.clone(),
        pointer: pointer.as_ref().map(|pointer| pointer.get_ref().clone()),
        mutation: *mutation,
        reason: reason.get_ref().clone(),
        place: places.of(&entry.span()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_are_read() {
        for mutation in Mutation::ALL {
            assert_eq!(serde_json::to_value(mutation).unwrap(), mutation.name());
        }
    }

    #[test]
    fn files_are_named_or_matched_below_the_folder() {
        let accepted = |file: &str| AcceptedMutant {
            folder: "/a/b".into(),
            file: file.to_owned(),
            activity: None,
            pointer: None,
            mutation: None,
            reason: "known".to_owned(),
            place: ConfigPlace::default(),
        };
        for (file, workflow, wanted) in [
            ("c/w.json", "/a/b/c/w.json", true),
            ("./c/../w.json", "/a/b/w.json", true),
            ("../w.json", "/a/w.json", true),
            ("w.json", "/a/b/c/w.json", false),
            ("**/*.json", "/a/b/c/w.json", true),
            ("*/w.json", "/a/b/c/w.json", true),
            ("**/*.json", "/a/w.json", false),
        ] {
            assert_eq!(accepted(file).is_about(Path::new(workflow)), wanted, "{file} {workflow}");
        }
        assert_eq!(accepted("../w.json").path(), Some("/a/w.json".into()));
        assert_eq!(accepted("*.json").path(), None);
    }
}

//! `[[suppress]]` entries with `law`: breaks of laws that are accepted.

use std::path::{Path, PathBuf};

use jiff::civil::Date;

use crate::config::{Config, ConfigPlace, Suppression};
use crate::project::clean_path;
use crate::rules::CONFIG_PROBLEM;
use crate::simulate::quote;
use crate::text::diagnostic::{Diagnostic, FileId, Location, Severity, activity_name};

/// The entries of a configuration, and which of them have accepted a break.
#[derive(Debug)]
pub struct Accepted {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    suppression: Suppression,
    path: PathBuf,
    is_expired: bool,
    is_used: bool,
}

/// An entry that accepts nothing: a warning, as WF000.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawProblem {
    /// In the file of the configuration with the number `place.layer`.
    pub place: ConfigPlace,
    pub message: String,
    pub help: &'static str,
}

impl Accepted {
    /// Without `today`, no entry expires.
    pub fn new(config: &Config, today: Option<Date>) -> Self {
        let entries = config.law_suppressions.iter().map(|suppression| Entry {
            path: clean_path(Path::new(&suppression.file), config.folder_of(suppression.place)).0,
            is_expired: suppression.until.is_some_and(|until| today.is_some_and(|today| today > until)),
            suppression: suppression.clone(),
            is_used: false,
        });
        Self { entries: entries.collect() }
    }

    /// The reason of the first entry that accepts that a law is broken: at an activity with this name, in a workflow
    /// with this absolute path. `pointer` is that of the break.
    pub fn accept(&mut self, law: &str, workflow: &Path, activity: Option<&str>, pointer: &str) -> Option<&str> {
        let activity = activity.map(activity_name);
        let mut reason = None;
        for entry in &mut self.entries {
            if entry.matches(law, workflow, activity.as_deref(), pointer) {
                entry.is_used = true;
                reason = reason.or(Some(entry.suppression.reason.as_str()));
            }
        }
        reason
    }

    /// The entries that accepted nothing, or are expired, of those for which `is_judged` holds: their law was checked,
    /// and the service with their workflow was explored completely, or the file is gone.
    pub fn problems(&self, is_judged: impl Fn(&str, &Path) -> bool) -> Vec<LawProblem> {
        let judged = self.entries.iter().filter(|entry| is_judged(&entry.suppression.name, &entry.path));
        judged.filter_map(Entry::problem).collect()
    }
}

impl Entry {
    fn matches(&self, law: &str, workflow: &Path, activity: Option<&str>, pointer: &str) -> bool {
        let Suppression { name, activity: wanted, pointer: around, .. } = &self.suppression;
        let is_around = |around: &String| {
            pointer.strip_prefix(around.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        !self.is_expired
            && name == law
            && self.path == workflow
            && wanted.as_ref().is_none_or(|wanted| Some(&*activity_name(wanted)) == activity)
            && around.as_ref().is_none_or(is_around)
    }

    fn problem(&self) -> Option<LawProblem> {
        let Suppression { name, file, until, .. } = &self.suppression;
        let subject = format!("law {} in {}", quote(name), quote(file));
        if let Some(until) = until.filter(|_| self.is_expired) {
            let message = format!("suppression of {subject} expired on {until}");
            let help = "remove the suppression, or set a later `until`";
            return Some(LawProblem { place: self.suppression.until_place, message, help });
        }
        let (reason, help) = if self.path.is_file() {
            ("", "remove it, or correct its `activity` or `pointer`")
        } else {
            (", no such file", "remove it, or correct its `file`")
        };
        let message = format!("unused suppression of {subject}{reason}");
        (!self.is_used).then_some(LawProblem { place: self.suppression.place, message, help })
    }
}

impl LawProblem {
    /// As a finding in the configuration file.
    pub fn diagnostic(self, file: FileId) -> Diagnostic {
        let location = Location { file, pointer: String::new(), span: self.place.span };
        let (code, name) = (CONFIG_PROBLEM.code, CONFIG_PROBLEM.name);
        let found = Diagnostic::new(code, name, Severity::Warning, self.message, location);
        Diagnostic { help: Some(self.help.into()), ..found }
    }
}

//! The scenarios of `wflint explore --write`: which runs, their files, and the text in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::names::Names;
use super::yaml;
use crate::common::collections::{HashMap, HashSet};
use crate::explore::{BrokenLaw, Explored, ExploredEnd, ExploredService, cover};
use crate::files::paths::{clean, clean_path, relative_name};
use crate::files::read::read_up_to;
use crate::report::{end_reasons, visible};
use crate::simulate::Covered;
use crate::text::diagnostic::FileId;
use crate::text::source::SourceFile;
use crate::text::truncate;

/// The first line of a scenario that `wflint explore` has written.
const ORIGIN: &str = "Written by `wflint explore --write`.";
/// The keys with paths. A file that is submitted need not exist.
const PATHS: [&str; 3] = ["workflow", "form", "directory"];
/// Characters of the comment that says how the order ends.
const MAX_COMMENT: usize = 200;

/// A scenario file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExploredScenario {
    /// The path of the file below the folder, with `/`; its name is one component of a path on every system.
    pub file: String,
    pub text: String,
    pub workflow: FileId,
    /// What its run takes, of what was looked for; empty unless it was taken for what it covers.
    pub reaches: BTreeSet<Covered>,
}

/// What is made of the runs that were found.
#[derive(Debug, Clone, Copy)]
pub struct ScenarioChoice<'r> {
    /// The folder that the scenarios are for, absolute: their paths are relative to it.
    pub folder: &'r Path,
    pub current: &'r Path,
    /// A folder, absolute: scenarios keep the folders of their services below it. Without it, all are in one folder.
    pub common: Option<&'r Path>,
    /// As few runs as reach everything that was looked for, instead of one for each end.
    pub covers: bool,
    /// No scenario gets the name of a file in the folder, unless the file is the same.
    pub keeps_files: bool,
    /// The runs that break laws as well.
    pub breaks_laws: bool,
}

/// Whether a file was written by `wflint explore`, by its first bytes.
pub fn is_explored_scenario(start: &[u8]) -> bool {
    start.starts_with(format!("# {ORIGIN}").as_bytes())
}

/// Bytes of a file that [`is_explored_scenario`] needs.
pub const ORIGIN_BYTES: u64 = 64;

/// The scenarios for all services, with different names on every system.
pub fn explored_scenarios(
    explored: &Explored,
    sources: &BTreeMap<FileId, SourceFile>,
    choice: ScenarioChoice<'_>,
) -> Vec<ExploredScenario> {
    let mut writing = Writing { names: HashMap::default(), sources, choice, scenarios: Vec::new() };
    for service in &explored.services {
        let mut known: HashSet<&Value> = HashSet::default();
        if choice.covers {
            let runs: Vec<_> = service.candidates.iter().map(|run| &run.reaches).collect();
            for run in cover(&runs).into_iter().filter_map(|index| service.candidates.get(index)) {
                known.insert(&run.end.scenario);
                writing.add_end(service, &run.end, None, &run.reaches);
            }
        } else {
            for (end, reason) in service.ends.iter().zip(end_reasons(service)) {
                known.insert(&end.scenario);
                writing.add_end(service, end, Some(&reason), &BTreeSet::new());
            }
        }
        let broken = explored.laws.iter().flat_map(|law| law.broken().map(move |broken| (law, broken)));
        for (law, broken) in broken.filter(|(_, broken)| choice.breaks_laws && broken.workflow == service.workflow) {
            let Some(scenario) = broken.scenario.as_ref().filter(|scenario| known.insert(*scenario)) else { continue };
            writing.add_broken(service, &law.name, broken, scenario);
        }
    }
    writing.scenarios
}

struct Writing<'r> {
    /// By folder.
    names: HashMap<String, Names>,
    sources: &'r BTreeMap<FileId, SourceFile>,
    choice: ScenarioChoice<'r>,
    scenarios: Vec<ExploredScenario>,
}

impl Writing<'_> {
    fn add_end(
        &mut self,
        service: &ExploredService,
        end: &ExploredEnd,
        reason: Option<&str>,
        reaches: &BTreeSet<Covered>,
    ) {
        let status = end.status.as_deref().map(|status| service.masker.apply(status));
        let comment = reason.map_or_else(String::new, |reason| format!("{}: {reason}", end.ending.word()));
        let (below, folder) = self.folder(service);
        let text = self.text(service, &comment, &end.scenario, &folder);
        let choice = self.choice;
        // What cannot be read is an error when it is written.
        let is_free = |file: &str| {
            let read = || read_up_to(&folder.join(file), text.len() as u64);
            !choice.keeps_files || read().map_or(true, |bytes| bytes == text.as_bytes())
        };
        let names = self.names.entry(below.clone()).or_default();
        let file = below + &names.of_end(end, status.as_deref(), is_free);
        self.scenarios.push(ExploredScenario { file, text, workflow: service.workflow, reaches: reaches.clone() });
    }

    fn add_broken(&mut self, service: &ExploredService, law: &str, broken: &BrokenLaw, scenario: &Value) {
        let (below, folder) = self.folder(service);
        let file = below.clone() + &self.names.entry(below).or_default().of_law(law);
        let comment = format!("breaks {law}: {}", service.masker.apply(&broken.message));
        let text = self.text(service, &comment, scenario, &folder);
        let reaches = BTreeSet::new();
        self.scenarios.push(ExploredScenario { file, text, workflow: service.workflow, reaches });
    }

    /// The folder of a service.
    fn origin(&self, service: &ExploredService) -> PathBuf {
        let workflow =
            self.sources.get(&service.workflow).map(|source| clean_path(&source.path, self.choice.current).0);
        workflow.as_deref().and_then(Path::parent).unwrap_or(self.choice.current).to_path_buf()
    }

    /// The folder for the scenarios of a service: below that of all, with a `/` at its end, and its path.
    fn folder(&self, service: &ExploredService) -> (String, PathBuf) {
        let origin = self.origin(service);
        let below = self.choice.common.and_then(|common| origin.strip_prefix(common).ok());
        let steps = below.into_iter().flat_map(|below| below.iter());
        let name = steps.map(|step| step.to_string_lossy().into_owned() + "/").collect();
        let folder = below.map_or_else(|| self.choice.folder.to_path_buf(), |below| self.choice.folder.join(below));
        (name, folder)
    }

    fn text(&self, service: &ExploredService, comment: &str, scenario: &Value, to: &Path) -> String {
        let scenario = rebased(scenario, &self.origin(service), to);
        let mut text = format!("# {ORIGIN}\n");
        if !comment.is_empty() {
            let _ = writeln!(text, "# {}", shown(comment));
        }
        text + &yaml::document(&scenario)
    }
}

/// A comment in one line.
pub(super) fn shown(comment: &str) -> String {
    visible(&truncate(comment, MAX_COMMENT)).into_owned()
}

/// A scenario whose paths are relative to one folder, with paths relative to another. Both are absolute.
fn rebased(scenario: &Value, from: &Path, to: &Path) -> Value {
    let mut scenario = scenario.clone();
    for key in PATHS {
        // A directory may also be an array of entries.
        if let Some(Value::String(path)) = scenario.get_mut(key) {
            *path = relative_name(&clean(&from.join(path.as_str())), to);
        }
    }
    scenario
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_are_relative_to_the_new_folder() {
        let scenario = json!({
            "workflow": "order.workflow.json", "form": "../forms/order.form.json", "directory": "people.ldif",
            "submit": { "form": "a.json", "Document": { "file": "contract.pdf" } },
        });
        let moved = rebased(&scenario, Path::new("/home/me/sign"), Path::new("/home/me/tests/explored"));
        assert_eq!(
            moved,
            json!({
                "workflow": "../../sign/order.workflow.json", "form": "../../forms/order.form.json",
                "directory": "../../sign/people.ldif",
                "submit": { "form": "a.json", "Document": { "file": "contract.pdf" } },
            })
        );
        let inline = json!({ "workflow": "a.json", "directory": [{ "dn": "CN=A" }] });
        assert_eq!(rebased(&inline, Path::new("/a"), Path::new("/a")), inline);
    }
}

//! `[[accept-mutant]]` entries: which survivors they accept, and which entries accept none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::config::{AcceptedMutant, Config, Layer, Mutation};
use crate::files::toml_file::error_at;
use crate::project::{Project, relative_name};
use crate::text::diagnostic::{activity_name, quote};
use crate::text::source::Span;

/// The file of an entry, and its place there.
type Place<'c> = (&'c Path, Span);

/// The entries of all configurations that have accepted something.
#[derive(Default)]
pub struct Used<'c> {
    places: BTreeSet<Place<'c>>,
}

/// The entries that are about one workflow.
pub struct Entries<'c> {
    entries: Vec<(Place<'c>, &'c AcceptedMutant)>,
}

impl<'c> Entries<'c> {
    /// `workflow` is an absolute path.
    pub fn about(config: &'c Config, workflow: &Path) -> Self {
        let entries = config.accepted_mutants.iter().filter(|entry| entry.is_about(workflow));
        Self { entries: entries.filter_map(|entry| Some((place(layer(config, entry)?, entry), entry))).collect() }
    }

    /// The reason of the first entry that accepts a survivor.
    pub fn accept(
        &self,
        mutation: Mutation,
        activity: Option<&str>,
        pointer: &str,
        used: &mut Used<'c>,
    ) -> Option<String> {
        let is_around = |around: &String| {
            pointer.strip_prefix(around.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_matched = |entry: &AcceptedMutant| {
            entry.mutation.is_none_or(|wanted| wanted == mutation)
                && entry.activity.as_ref().is_none_or(|wanted| Some(&*activity_name(wanted)) == activity)
                && entry.pointer.as_ref().is_none_or(is_around)
        };
        let mut reason = None;
        for (place, entry) in self.entries.iter().filter(|(_, entry)| is_matched(entry)) {
            used.places.insert(*place);
            reason = reason.or(Some(entry.reason.clone()));
        }
        reason
    }
}

impl Used<'_> {
    /// A warning for each entry that accepted nothing, if this run can judge it: all of its workflows were tried, or do
    /// not exist.
    pub fn warnings(&self, project: &Project) -> Vec<String> {
        let entries = project.configs.iter().flat_map(|config| {
            let placed = |entry| layer(config, entry).map(|layer| ((place(layer, entry)), (layer, entry)));
            config.accepted_mutants.iter().filter_map(placed)
        });
        let unused: BTreeMap<Place<'_>, (&Layer, &AcceptedMutant)> =
            entries.filter(|(place, (_, entry))| !self.places.contains(place) && is_judged(project, entry)).collect();
        let warning = |(layer, entry): (&Layer, &AcceptedMutant)| {
            let (reason, help) = if entry.has_file() {
                ("", "remove it, or correct its `activity`, `pointer` or `mutation`")
            } else {
                (", no such file", "remove it, or correct its `file`")
            };
            let message = format!("unused accepted mutant in {}{reason}; {help}", quote(&entry.file));
            let name = relative_name(&layer.path, &project.current);
            error_at(&name, &layer.text, entry.place.span.start as usize, &message).0
        };
        unused.into_values().map(warning).collect()
    }
}

fn layer<'c>(config: &'c Config, entry: &AcceptedMutant) -> Option<&'c Layer> {
    config.layers.get(entry.place.layer)
}

fn place<'c>(layer: &'c Layer, entry: &AcceptedMutant) -> Place<'c> {
    (&layer.path, entry.place.span)
}

fn is_judged(project: &Project, entry: &AcceptedMutant) -> bool {
    let Some(path) = entry.path() else {
        let start = entry.file.split(['*', '?', '[', '{', '\\']).next().unwrap_or_default();
        let folder: PathBuf = entry.folder.join(start.rsplit_once('/').map_or("", |(folder, _)| folder));
        return project.was_walked(&folder);
    };
    !path.is_file()
        || project.was_walked(&path)
        || project.files().any(|(known, id)| known == path && project.is_reported(id))
}

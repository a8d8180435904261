//! Joins the lists of a configuration to those of the files that it extends.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::file::ConfigFile;
use super::merge::{REMOVAL, join, placed, placed_one};
use super::settings::{ConfigPlace, PerFileIgnore, Placed, ServiceEntry, span};
use crate::collections::HashMap;
use crate::diagnostic::Severity;

/// The merged lists of all files; each entry keeps its place.
#[derive(Default)]
pub(super) struct Lists {
    /// With the place of the last array; `None` without any.
    pub select: Option<(Vec<Placed>, ConfigPlace)>,
    /// By selector.
    pub severity: BTreeMap<String, (Placed, Severity)>,
    pub services: Vec<ServiceEntry>,
    pub baseline: Option<(PathBuf, ConfigPlace)>,
    pub ignore: Vec<Placed>,
    pub exclude: Vec<Placed>,
    pub catalogs: Vec<Placed>,
    pub system_variables: Vec<Placed>,
    pub fields: Vec<Placed>,
    /// With the place of the last array; `None` without any.
    pub roots: Option<(Vec<Placed>, ConfigPlace)>,
    pub per_file_ignores: Vec<PerFileIgnore>,
    /// The values to try, by field.
    pub explored_fields: BTreeMap<String, (Placed, Vec<Placed>)>,
    pub explored_directory: Option<Placed>,
    pub skipped_laws: Vec<Placed>,
    /// Removals that match no inherited entry.
    pub unused: Vec<Placed>,
}

impl Lists {
    /// Adds the lists of a file: `layer` is its number, and `folder` its folder.
    pub fn add(&mut self, file: &ConfigFile, layer: usize, folder: &Path) {
        for (selector, level) in &file.severity {
            let place = ConfigPlace { layer, span: span(&selector.span()) };
            let value = selector.get_ref().clone();
            self.severity.insert(value.clone(), (Placed { value, place }, Severity::from(*level)));
        }
        self.services.extend(file.service.iter().map(|service| service.get_ref().entry(folder, layer)));
        if let Some(path) = &file.baseline {
            let Placed { value, place } = placed_one(path, layer);
            self.baseline = Some((folder.join(value), place));
        }
        let mut unused = Vec::new();
        for (list, own) in [
            (&mut self.ignore, &file.ignore),
            (&mut self.exclude, &file.exclude),
            (&mut self.catalogs, &file.catalogs),
            (&mut self.system_variables, &file.system_variables),
            (&mut self.fields, &file.types.fields),
            (&mut self.skipped_laws, &file.explore.skip_laws),
        ] {
            unused.extend(join_placed(list, own, layer));
        }
        for (list, own) in [(&mut self.select, &file.select), (&mut self.roots, &file.documents.roots)] {
            let Some(own) = own else { continue };
            let place = ConfigPlace { layer, span: span(&own.span()) };
            let (list, last) = list.get_or_insert_with(|| (Vec::new(), place));
            *last = place;
            unused.extend(join_placed(list, own.get_ref(), layer));
        }
        for (field, own) in &file.explore.fields {
            let name = placed_one(field, layer);
            let (_, values) = self.explored_fields.entry(field.get_ref().clone()).or_insert_with(|| (name, Vec::new()));
            unused.extend(join_placed(values, own.get_ref(), layer));
        }
        self.unused.extend(unused);
        if let Some(directory) = &file.explore.directory {
            self.explored_directory = Some(placed_one(directory, layer));
        }
        let mut inherited: HashMap<String, Vec<usize>> = HashMap::default();
        for (index, entry) in self.per_file_ignores.iter().enumerate() {
            inherited.entry(entry.pattern.value.clone()).or_default().push(index);
        }
        for (pattern, own) in &file.per_file_ignores {
            let inherited = inherited.get(pattern.get_ref()).map_or(&[][..], Vec::as_slice);
            self.add_ignores(pattern, own, layer, inherited);
        }
        // One that is empty as written is reported when its pattern matches nothing.
        self.per_file_ignores.retain(|entry| !entry.selectors.is_empty() || entry.is_empty);
    }

    /// Adds an entry of `[per-file-ignores]`. It stays apart from the inherited ones of the same pattern, whose folder
    /// may be another one; but it takes selectors out of these, whose indices are `inherited`.
    fn add_ignores(&mut self, pattern: &Spanned<String>, own: &[Spanned<String>], layer: usize, inherited: &[usize]) {
        let is_removal = |entry: &Spanned<String>| entry.get_ref().starts_with(REMOVAL);
        for removal in placed(own, layer).into_iter().filter(|entry| entry.value.starts_with(REMOVAL)) {
            let mut is_used = false;
            for &index in inherited {
                let Some(entry) = self.per_file_ignores.get_mut(index) else { continue };
                let before = entry.selectors.len();
                join(&mut entry.selectors, vec![removal.clone()], |entry| Some(&entry.value));
                is_used |= entry.selectors.len() < before;
            }
            if !is_used {
                self.unused.push(removal);
            }
        }
        if own.is_empty() || !own.iter().all(is_removal) {
            let mut selectors = placed(own, layer);
            selectors.retain(|entry| !entry.value.starts_with(REMOVAL));
            let pattern = placed_one(pattern, layer);
            self.per_file_ignores.push(PerFileIgnore { pattern, selectors, is_empty: own.is_empty() });
        }
    }
}

fn join_placed(list: &mut Vec<Placed>, own: &[Spanned<String>], layer: usize) -> Vec<Placed> {
    join(list, placed(own, layer), |entry| Some(&entry.value))
}

//! Maps the places of activities from the old side to the new one.

use super::matching::Matching;
use super::tree::Tree;
use crate::collections::HashMap;
use crate::diagnostic::{FileId, Location};
use crate::project::File;

/// The places of activities that are on both sides.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Documents that are equal.
    equal: HashMap<FileId, FileId>,
    /// By document and pointer.
    activities: HashMap<(FileId, String), (FileId, String)>,
}

impl Places {
    pub fn add_equal(&mut self, old: &File, new: &File) {
        self.equal.insert(old.id, new.id);
    }

    pub fn add(&mut self, old: (&File, &Tree<'_>), new: (&File, &Tree<'_>), matching: &Matching) {
        for (index, found) in matching.new_of.iter().enumerate() {
            let pair = found.and_then(|found| Some((old.1.item(index)?, new.1.item(found)?)));
            if let Some((before, after)) = pair {
                let place = |file: &File, tree: &Tree<'_>, node| (file.id, tree.document.pointer(node));
                self.activities.insert(place(old.0, old.1, before.node), place(new.0, new.1, after.node));
            }
        }
    }

    /// The place on the new side of an activity of the old one.
    pub fn now(&self, location: &Location) -> Option<Location> {
        if let Some(&file) = self.equal.get(&location.file) {
            return Some(Location { file, ..location.clone() });
        }
        let (file, pointer) = self.activities.get(&(location.file, location.pointer.clone()))?;
        Some(Location { file: *file, pointer: pointer.clone(), span: location.span })
    }
}

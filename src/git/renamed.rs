//! Files that were renamed since a commit: those of the index as git finds them, and those of the working tree, which git
//! would find if they were added.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::command::ObjectId;
use super::repository::Repository;
use crate::common::collections::HashMap;
use crate::common::limits::MAX_FILE_BYTES;
use crate::files::read::read_up_to;

/// Maximum number of new files that are compared with those that are gone.
const MAX_NEW_FILES: usize = 1000;

impl Repository {
    /// The new paths of wanted files of a commit, by their old ones, below the root.
    pub fn renamed(
        &self,
        commit: &ObjectId,
        is_wanted: impl Fn(&Path) -> bool + Copy,
    ) -> Result<BTreeMap<PathBuf, PathBuf>, String> {
        let is_there = |path: &Path| self.root().join(path).exists();
        let mut renamed: BTreeMap<PathBuf, PathBuf> = self.renames(commit)?.into_iter().collect();
        renamed.retain(|_, new| is_there(new));
        let is_gone = |path: &Path| is_wanted(path) && !is_there(path) && !renamed.contains_key(path);
        let gone = self.tree(commit, is_gone)?.files;
        if gone.is_empty() {
            return Ok(renamed);
        }
        let mut new_files = self.untracked(is_wanted)?;
        new_files.truncate(MAX_NEW_FILES);
        if new_files.is_empty() {
            return Ok(renamed);
        }
        let blobs = self.blobs()?;
        for (old, id) in gone {
            let before = blobs.read(&id, MAX_FILE_BYTES)?;
            let rated = new_files.iter().enumerate().filter_map(|(at, new)| {
                let now = read_up_to(&self.root().join(new), MAX_FILE_BYTES).ok()?;
                Some((similarity(&before, &now)?, at))
            });
            if let Some((_, at)) = rated.max() {
                renamed.insert(old, new_files.remove(at));
            }
        }
        Ok(renamed)
    }
}

/// How many of a thousand lines two files share, if it is at least half, as git wants it.
fn similarity(before: &[u8], now: &[u8]) -> Option<usize> {
    let lines = |bytes: &[u8]| {
        let mut lines: HashMap<Vec<u8>, usize> = HashMap::default();
        for line in bytes.split(|&byte| byte == b'\n') {
            *lines.entry(line.trim_ascii_end().to_vec()).or_default() += 1;
        }
        lines
    };
    let (before, now) = (lines(before), lines(now));
    let shared: usize = before.iter().map(|(line, count)| now.get(line).copied().unwrap_or(0).min(*count)).sum();
    let all = before.values().sum::<usize>().max(now.values().sum());
    Some(shared * 1000 / all.max(1)).filter(|rate| *rate >= 500)
}

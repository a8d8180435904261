//! What a run lints or simulates, with which configuration, and which part of it (`--shard`).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use crate::config::Config;
use crate::files::boundary::Boundary;
use crate::files::read::Unsaved;

/// Where the configuration comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ConfigSource {
    /// The nearest `wflint.toml` at or above the folder of each file.
    #[default]
    Nearest,
    File(PathBuf),
    /// The defaults; configuration files are ignored.
    Isolated,
}

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The current folder, absolute; names in reports are relative to it.
    pub current: PathBuf,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Documents that are not read from files; when there are any, `paths` is ignored.
    pub buffers: Vec<Buffer>,
    /// Reads no other documents of a service: `buffers` are all there are.
    pub in_memory: bool,
    /// Skips named files that hold no document.
    pub skip_unrelated: bool,
    /// Leaves out named files and folders that `exclude` matches.
    pub force_exclude: bool,
    pub config: ConfigSource,
    /// By their paths: configurations that hold in place of those that cannot be loaded.
    pub good_configs: Arc<BTreeMap<PathBuf, Arc<Config>>>,
    /// Limits which files a configuration may name.
    pub boundary: Boundary,
    /// Files that are not saved yet. Documents in walked folders that are not on the disk are found as if they were; for
    /// those on the disk see [`super::Overrides`].
    pub unsaved: Unsaved,
    /// The part of the services that is linted; all when `None`.
    pub shard: Option<Shard>,
}

/// A document that is not read from a file, such as standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    /// The file that it replaces; without one it is a service of its own.
    pub path: Option<PathBuf>,
    pub bytes: Arc<[u8]>,
    /// Whether more follows, which was not read.
    pub is_cut: bool,
}

impl Buffer {
    pub fn new(path: Option<PathBuf>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { path, bytes: bytes.into(), is_cut: false }
    }
}

/// One of several parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `count`.
    index: u32,
    count: u32,
}

impl FromStr for Shard {
    type Err = &'static str;

    /// Reads `2/4`, the second of four parts.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| if text.starts_with('+') { None } else { text.parse().ok() };
        let numbers = text.split_once('/').and_then(|(index, count)| Some((number(index)?, number(count)?)));
        let Some((index, count)) = numbers else { return Err("expected a part and the number of parts, such as 1/4") };
        if (1..=count).contains(&index) {
            Ok(Self { index, count })
        } else {
            Err("the part is not between 1 and the number of parts")
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl Shard {
    /// Which part it is, from 1.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The number of parts.
    pub const fn count(self) -> u32 {
        self.count
    }

    /// Whether it is the part that reports findings outside of services.
    pub const fn is_first(self) -> bool {
        self.index == 1
    }

    /// Splits services, each with its number of files, into those of this part and those of the others, both in their
    /// order. The parts have about the same number of files; the sizes of files do not count, since they differ between
    /// machines with other line ends.
    pub(super) fn split<S>(self, services: Vec<S>, files: impl Fn(&S) -> usize) -> (Vec<S>, Vec<S>) {
        // Greedy: the largest service goes to the part with the fewest files (longest processing time first).
        let sizes: Vec<usize> = services.iter().map(files).collect();
        let mut by_size: Vec<(usize, usize)> = sizes.into_iter().enumerate().collect();
        by_size.sort_by_key(|&(_, size)| Reverse(size));
        let parts = services.len().min(self.count as usize);
        let mut loads: BinaryHeap<Reverse<(usize, usize)>> = (1..=parts).map(|part| Reverse((0, part))).collect();
        let mut is_own = vec![false; services.len()];
        for (at, size) in by_size {
            let Some(Reverse((load, part))) = loads.pop() else { break };
            loads.push(Reverse((load + size, part)));
            if let Some(is_own) = is_own.get_mut(at) {
                *is_own = part == self.index as usize;
            }
        }
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (service, is_own) in services.into_iter().zip(is_own) {
            if is_own { own.push(service) } else { others.push(service) }
        }
        (own, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_and_number_of_parts_are_read() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, count: 4 }));
        assert_eq!("4294967295/4294967295".parse::<Shard>().unwrap().to_string(), "4294967295/4294967295");
        for wrong in
            ["", "/", "1", "1/", "/2", "x", "0/4", "5/4", "0/0", "-1/4", "+1/4", " 1/4", "1/4 ", "1/4/4", "1.0/4"]
        {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_are_balanced_and_each_service_is_in_one() {
        for (all, count, wanted) in [
            (&[2, 3, 4, 5][..], 2, vec![vec![2, 5], vec![3, 4]]),
            (&[1, 1, 1, 1, 4], 2, vec![vec![4], vec![1, 1, 1, 1]]),
            (&[1, 2], 4, vec![vec![2], vec![1], vec![], vec![]]),
            (&[], 2, vec![vec![], vec![]]),
        ] {
            let part = |index| Shard { index, count }.split(all.to_vec(), |&size| size);
            assert_eq!((1..=count).map(|index| part(index).0).collect::<Vec<_>>(), wanted);
            let (own, others) = part(1);
            assert_eq!(own.len() + others.len(), all.len());
        }
    }

    #[test]
    fn more_parts_than_services_need_no_memory() {
        let (own, others) = Shard { index: u32::MAX, count: u32::MAX }.split(vec![1], |&size| size);
        assert_eq!((own.len(), others.len()), (0, 1));
    }
}

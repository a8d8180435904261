//! Coverage by line: a line counts when the name of an activity begins on it; and the tracefile of it, as `man geninfo` of
//! LCOV describes it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::simulate::{Branch, Count, Coverage};
use crate::text::source::Span;

/// The coverage of a workflow.
pub(super) struct FileCoverage {
    /// Relative to the current folder.
    pub name: String,
    /// By number, from 1.
    pub lines: BTreeMap<u32, Line>,
}

/// The activities whose names begin on a line.
#[derive(Default)]
pub(super) struct Line {
    /// How often the activities on the line began, in total.
    pub hits: u64,
    /// The activities with branches, in document order.
    pub blocks: Vec<Block>,
}

/// The branches of an activity.
pub(super) struct Block {
    /// Whether the activity ever began.
    pub has_begun: bool,
    /// How often each branch was taken.
    pub branches: Vec<u64>,
}

impl FileCoverage {
    /// `line_of` says on which line a place begins.
    pub fn new(name: String, workflow: &Coverage<'_>, line_of: impl Fn(Span) -> u32) -> Self {
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        for activity in workflow.activities() {
            let line = lines.entry(line_of(workflow.name_span(activity))).or_default();
            let times = workflow.times_begun(activity.id);
            line.hits = line.hits.saturating_add(times);
            let branches: Vec<u64> =
                Branch::of(activity).iter().map(|branch| workflow.times_taken(activity.id, *branch)).collect();
            if !branches.is_empty() {
                line.blocks.push(Block { has_begun: times > 0, branches });
            }
        }
        Self { name, lines }
    }

    pub fn line_count(&self) -> Count {
        Count { covered: self.lines.values().filter(|line| line.hits > 0).count(), all: self.lines.len() }
    }

    pub fn branch_count(&self) -> Count {
        self.lines.values().map(Line::branch_count).fold(Count::default(), |all, line| all + line)
    }
}

impl Line {
    pub fn branch_count(&self) -> Count {
        let branches = || self.blocks.iter().flat_map(|block| &block.branches);
        Count { covered: branches().filter(|times| **times > 0).count(), all: branches().count() }
    }
}

pub(super) fn write(files: &[FileCoverage], out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        writeln!(out, "TN:\nSF:{}", file.name)?;
        for (number, line) in &file.lines {
            for (index, block) in line.blocks.iter().enumerate() {
                for (branch, times) in block.branches.iter().enumerate() {
                    let taken = if block.has_begun { times.to_string() } else { "-".to_owned() };
                    writeln!(out, "BRDA:{number},{index},{branch},{taken}")?;
                }
            }
        }
        let (branches, lines) = (file.branch_count(), file.line_count());
        writeln!(out, "BRF:{}\nBRH:{}", branches.all, branches.covered)?;
        for (number, line) in &file.lines {
            writeln!(out, "DA:{number},{}", line.hits)?;
        }
        writeln!(out, "LF:{}\nLH:{}\nend_of_record", lines.all, lines.covered)?;
    }
    Ok(())
}

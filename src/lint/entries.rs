//! The fixes of WF000: entries that match nothing are removed from configurations and baselines.

use std::collections::{BTreeMap, BTreeSet};

use super::baseline::Baseline;
use crate::config::Entries;
use crate::document::{Document, Editor, Limits, NodeId, removal_of};
use crate::text::diagnostic::{Applicability, Edit, FileId, Fix, Severity};
use crate::text::source::Span;

/// What is wrong with an entry of a configuration or a baseline.
pub(super) struct Problem {
    /// Where an entry with a repair begins.
    pub span: Span,
    pub severity: Severity,
    pub message: String,
    pub help: String,
    /// `None` where the entry needs a decision.
    pub repair: Option<Repair>,
}

/// How an entry that matches nothing is repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Repair {
    /// The removal of an entry of a configuration. A name in it may be mistyped, and somebody has written why it is there, so
    /// it is unsafe although the platform does not read the file.
    Remove { title: String },
    /// The number of findings that an entry of a baseline still lists; without any, it is removed. wflint has written it, so
    /// it is safe.
    Count(usize),
}

/// The fixes of the problems of one file.
#[derive(Debug, Default)]
pub(super) struct EntryFixes {
    /// By the place of the entry.
    pub by_place: BTreeMap<Span, Fix>,
    /// The edits of all of them together.
    pub together: Vec<Edit>,
}

impl EntryFixes {
    /// Those that leave a file that says the same apart from the entries.
    pub fn new(file: FileId, text: &str, problems: &[Problem]) -> Self {
        let repairs: Vec<(Span, &Repair)> =
            problems.iter().filter_map(|problem| Some((problem.span, problem.repair.as_ref()?))).collect();
        let fixes = match repairs.first() {
            None => return Self::default(),
            Some((_, Repair::Remove { .. })) => of_config(file, text, &repairs),
            Some((_, Repair::Count(_))) => of_baseline(file, text, &repairs),
        };
        fixes.unwrap_or_default()
    }
}

fn of_config(file: FileId, text: &str, repairs: &[(Span, &Repair)]) -> Option<EntryFixes> {
    let entries = Entries::new(text)?;
    let starts =
        |spans: &mut dyn Iterator<Item = Span>| -> BTreeSet<usize> { spans.map(|it| it.start as usize).collect() };
    let all = starts(&mut repairs.iter().map(|(span, _)| *span));
    let together = entries.ranges(&all);
    if !entries.is_only_without(&together, &all) {
        return None;
    }
    let edits = |ranges: Vec<std::ops::Range<usize>>| -> Vec<Edit> {
        let edit = |range| Edit { file, span: Span::of_range(&range), new_text: String::new() };
        ranges.into_iter().map(edit).collect()
    };
    let fix = |&(span, repair): &(Span, &Repair)| {
        let Repair::Remove { title } = repair else { return None };
        let edits = edits(entries.ranges(&starts(&mut std::iter::once(span))));
        Some((span, Fix { applicability: Applicability::Unsafe, title: title.clone(), edits }))
    };
    Some(EntryFixes { by_place: repairs.iter().filter_map(fix).collect(), together: edits(together) })
}

fn of_baseline(file: FileId, text: &str, repairs: &[(Span, &Repair)]) -> Option<EntryFixes> {
    let document = Document::parse(text, Limits::default()).ok()?;
    let entries = document.elements(document.member(document.root(), "findings")?);
    let by_place: BTreeMap<Span, NodeId> = entries.map(|entry| (document.span(entry), entry)).collect();
    let mut together = Editor::new(&document, file);
    let mut fix = |&(span, repair): &(Span, &Repair)| {
        let (&entry, Repair::Count(left)) = (by_place.get(&span)?, repair) else { return None };
        let (title, edits) = if *left == 0 {
            together.remove(entry);
            ("remove the entry".to_owned(), removal_of(&document, file, entry).into_iter().collect())
        } else {
            let count = document.member(entry, "count")?;
            together.replace(count, *left);
            let edit = Edit { file, span: document.span(count), new_text: left.to_string() };
            (format!("set `count` to {left}"), vec![edit])
        };
        Some((span, Fix { applicability: Applicability::Safe, title, edits }))
    };
    let by_place = repairs.iter().filter_map(&mut fix).collect();
    let together = together.finish();
    let mut after = text.to_owned();
    for edit in together.iter().rev() {
        after.replace_range(edit.span.range(), &edit.new_text);
    }
    Baseline::parse(std::path::PathBuf::new(), &after).ok()?;
    Some(EntryFixes { by_place, together })
}

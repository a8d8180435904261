//! The result of a run.

use std::collections::{BTreeMap, BTreeSet};

use super::filter::SelectorIndex;
use super::identities::Identities;
use crate::lint::identity::Counts;
use crate::project::{File, Shard};
use crate::script::Confinement;
use crate::text::diagnostic::{Applicability, Diagnostic, Edit, FileId, Severity};
use crate::text::source::SourceFile;

/// Numbers of files and findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Documents that were reported on.
    pub files: usize,
    /// Files that hold no document.
    pub skipped: usize,
    pub errors: usize,
    pub warnings: usize,
    pub infos: usize,
    /// Findings with a safe fix.
    pub fixable: usize,
    /// Findings with an unsafe fix.
    pub unsafely_fixable: usize,
    /// Findings that were fixed; they are not counted elsewhere.
    pub fixed: usize,
    /// Files that fixes changed.
    pub fixed_files: usize,
    /// Findings that `[[suppress]]` entries hide.
    pub suppressed: usize,
    /// Findings that the baseline lists.
    pub baselined: usize,
    /// Findings that are counted, but not listed.
    pub hidden: usize,
    /// The user's own rules that were to run in a service, but were not.
    pub rules_not_run: usize,
}

/// Findings of one rule in one file that are counted, but not listed: there are too many (SECURITY.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omitted {
    pub file: FileId,
    pub code: &'static str,
    /// The rule's name.
    pub name: &'static str,
    pub severity: Severity,
    /// At least 1.
    pub count: usize,
}

#[derive(Debug, Default)]
pub struct Outcome {
    /// The files with findings, and those that findings point to.
    pub sources: BTreeMap<FileId, SourceFile>,
    /// Sorted by file, place and code.
    pub diagnostics: Vec<Box<Diagnostic>>,
    /// Sorted by file and code. The summary counts them.
    pub omitted: Vec<Omitted>,
    pub summary: Summary,
    /// What could not be read, with the reason; everything else was linted.
    pub unreadable: Vec<String>,
    /// Whether one of the user's own rules could not be run, or not to its end.
    pub has_failed_rules: bool,
    /// Messages about the run that are not findings.
    pub notes: Vec<String>,
    /// How the process that ran scripts was confined; `None` if no script was run.
    pub confinement: Option<Confinement>,
    /// The new entries of each baseline, if baselines are written.
    pub baselines: Vec<Counts>,
    /// The edits of configurations and baselines that remove all entries that their findings offer to remove: these lie
    /// beside each other, so that the edits of single ones cannot be joined.
    pub removals: BTreeMap<FileId, Vec<Edit>>,
    /// The part of a run that was linted; `None` for the whole.
    pub shard: Option<Shard>,
}

/// The result of one service. After the trial of fixes, it keeps only the files that a report needs.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The files with findings, and those that findings point to.
    pub sources: BTreeMap<FileId, SourceFile>,
    /// The findings that are reported, sorted by file, place and code.
    pub diagnostics: Vec<Box<Diagnostic>>,
    /// The identities of all findings, reported or not. `None` if no finding has a fix, or not all findings are known.
    pub identities: Option<Box<Identities>>,
    /// All files, sorted by id, for the trial of fixes, which parses only what they change in documents. Empty after it,
    /// if no finding has a fix, and if the service is large.
    pub files: Vec<File>,
    pub omitted: Vec<Omitted>,
    pub(super) notes: Vec<String>,
    pub summary: Summary,
    /// What could not be read, with the reason.
    pub unreadable: Vec<(FileId, String)>,
    pub(super) used: Used,
    /// Whether one of the user's own rules did not run to its end.
    pub(super) has_failed_rules: bool,
    /// Whether another lint of the same documents has the same result.
    pub(super) is_repeatable: bool,
}

/// The entries of configurations and the baseline that had an effect.
#[derive(Clone, Debug, Default)]
pub(super) struct Used {
    pub suppressions: BTreeSet<SuppressionIndex>,
    pub ignores: BTreeSet<IgnoreIndex>,
    /// The findings that each baseline lists, or will list.
    pub baselined: BTreeMap<usize, Counts>,
    /// The user's own rules that did not find all that they may find.
    pub incomplete_rules: BTreeSet<&'static str>,
    /// Where configurations list services: the files that hold workflows, or should.
    pub workflows: BTreeSet<FileId>,
}

impl Used {
    pub fn add(&mut self, other: Self) {
        self.suppressions.extend(other.suppressions);
        self.ignores.extend(other.ignores);
        self.workflows.extend(other.workflows);
        self.incomplete_rules.extend(other.incomplete_rules);
        for (baseline, mut counts) in other.baselined {
            self.baselined.entry(baseline).or_default().append(&mut counts);
        }
    }
}

/// A `[[suppress]]` entry: the index of its configuration, and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SuppressionIndex {
    pub config: usize,
    pub entry: usize,
}

/// A selector in `[per-file-ignores]`, with the index of its configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct IgnoreIndex {
    pub config: usize,
    pub selector: SelectorIndex,
}

impl Checked {
    /// The number of reported errors of each rule, by code.
    pub fn errors(&self) -> BTreeMap<&'static str, usize> {
        let listed = self.diagnostics.iter().map(|diagnostic| (diagnostic.code, diagnostic.severity, 1));
        let omitted = self.omitted.iter().map(|omitted| (omitted.code, omitted.severity, omitted.count));
        let mut errors = BTreeMap::new();
        for (code, _, count) in listed.chain(omitted).filter(|(_, severity, _)| *severity == Severity::Error) {
            *errors.entry(code).or_default() += count;
        }
        errors
    }
}

impl Outcome {
    /// Drops findings, in the summary too.
    pub fn drop_fixed(&mut self, is_fixed: impl Fn(&Diagnostic) -> bool) {
        let fixed: Vec<_> = self.diagnostics.extract_if(.., |diagnostic| is_fixed(diagnostic)).collect();
        self.summary.subtract(Summary::of(&fixed));
    }

    /// Keeps the findings of this severity or a greater one. The summary still counts the others.
    pub fn hide_below(&mut self, severity: Severity) {
        let before = self.diagnostics.len();
        self.diagnostics.retain(|diagnostic| diagnostic.severity >= severity);
        self.summary.hidden += before - self.diagnostics.len();
    }
}

impl Summary {
    /// Counts findings.
    pub(super) fn of(diagnostics: &[Box<Diagnostic>]) -> Self {
        let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        let mut summary = Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            ..Self::default()
        };
        summary.count_fixes(diagnostics);
        summary
    }

    /// Counts findings that are not listed.
    pub(super) fn count_omitted(&mut self, omitted: &[Omitted]) {
        for Omitted { severity, count, .. } in omitted {
            *match severity {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
                Severity::Info => &mut self.infos,
            } += count;
        }
    }

    pub(crate) fn count_fixes(&mut self, diagnostics: &[Box<Diagnostic>]) {
        let count = |wanted| {
            let fixes = diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
            fixes.filter(|fix| fix.applicability == wanted).count()
        };
        self.fixable = count(Applicability::Safe);
        self.unsafely_fixable = count(Applicability::Unsafe);
    }

    pub(super) const fn add(&mut self, other: Self) {
        self.files += other.files;
        self.skipped += other.skipped;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
        self.fixable += other.fixable;
        self.unsafely_fixable += other.unsafely_fixable;
        self.fixed += other.fixed;
        self.fixed_files += other.fixed_files;
        self.suppressed += other.suppressed;
        self.baselined += other.baselined;
        self.hidden += other.hidden;
        // They are the same in most services.
        self.rules_not_run =
            if self.rules_not_run > other.rules_not_run { self.rules_not_run } else { other.rules_not_run };
    }

    /// Of findings that are fixed.
    const fn subtract(&mut self, fixed: Self) {
        self.errors -= fixed.errors;
        self.warnings -= fixed.warnings;
        self.infos -= fixed.infos;
        self.fixable -= fixed.fixable;
        self.unsafely_fixable -= fixed.unsafely_fixable;
    }
}

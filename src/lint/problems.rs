//! WF000: entries of a configuration or baseline that match nothing, have expired, or name no rule.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::baseline::Baseline;
use super::filter::{Filter, SelectorIndex, is_always_reported, selectors};
use super::outcome::{IgnoreIndex, Outcome, Summary, SuppressionIndex, Used};
use super::reach::Reach;
use super::setup::Setup;
use super::suppress::SuppressionEntry;
use crate::config::{Config, matched_by_files};
use crate::diagnostic::{Diagnostic, FileId, Location, Severity, quote};
use crate::identity::{Counts, Identity};
use crate::project::relative_name;
use crate::rules::CONFIG_PROBLEM;
use crate::source::{SourceFile, Span};
use crate::suggest;
use crate::text::count;

struct Problem {
    span: Span,
    severity: Severity,
    message: String,
    help: String,
}

/// The file that problems are in: a configuration, or a baseline.
struct ProblemFile<'f> {
    /// Of the configuration; baselines come after the last one.
    index: usize,
    path: &'f Path,
    text: &'f Arc<str>,
    /// Whether `[severity]` does not apply.
    keeps_severity: bool,
}

/// Adds the problems to an outcome; and when baselines are written, what they are to list: also the old
/// entries that this run cannot judge.
pub(super) fn add(setup: &Setup<'_>, unread: &BTreeSet<FileId>, used: Used, outcome: &mut Outcome) {
    let reach = Reach::new(setup, unread);
    let before = outcome.diagnostics.len();
    // A run on one document from standard input reports no findings in other files.
    if !setup.options.only_reported {
        add_of_configs(setup, &used, &reach, outcome);
    }
    add_of_baselines(setup, used, &reach, outcome);
    let added = outcome.diagnostics.get(before..).unwrap_or_default();
    outcome.summary.add(Summary::of(added));
}

fn add_of_baselines(setup: &Setup<'_>, mut used: Used, reach: &Reach<'_>, outcome: &mut Outcome) {
    let baselines = &setup.options.baselines;
    for (at, baseline) in baselines.all.iter().enumerate() {
        let mut found = used.baselined.remove(&at).unwrap_or_default();
        if baselines.are_written {
            let kept = baseline.entries().filter(|(identity, _)| !reach.covers(baseline, identity));
            found.extend(kept.map(|(identity, entry)| (identity.clone(), entry.count)));
            outcome.baselines.push(found);
            continue;
        }
        let filter = setup.filters.get(baselines.config_of(at)).filter(|_| !setup.options.only_reported);
        let Some(filter) = filter else { continue };
        let severity = if baselines.are_strict { Severity::Error } else { Severity::Info };
        let problems = stale_entries(baseline, &found, severity, reach);
        let index = setup.project.configs.len() + at;
        let keeps_severity = baselines.are_strict;
        let file = ProblemFile { index, path: &baseline.path, text: &baseline.text, keeps_severity };
        report(setup, &file, filter, problems, outcome);
    }
}

fn add_of_configs(setup: &Setup<'_>, used: &Used, reach: &Reach<'_>, outcome: &mut Outcome) {
    let configs = setup.project.configs.iter().zip(&setup.filters).zip(&setup.suppressions);
    for (index, ((config, filter), suppressions)) in configs.enumerate() {
        let Some(path) = &config.path else { continue };
        let mut problems = Vec::new();
        for (at, entry) in suppressions.entries.iter().enumerate() {
            let entry_index = suppressions.first_equal(at);
            let is_used = used.suppressions.contains(&SuppressionIndex { config: index, entry: entry_index });
            problems.extend(suppression_problem(entry, is_used, filter, reach));
        }
        problems.extend(unused_ignores(config, index, filter, used, reach));
        let file = ProblemFile { index, path, text: &config.text, keeps_severity: false };
        report(setup, &file, filter, problems, outcome);
    }
}

fn suppression_problem(entry: &SuppressionEntry, is_used: bool, filter: &Filter, reach: &Reach<'_>) -> Option<Problem> {
    let SuppressionEntry { suppression, rule, path, is_expired } = entry;
    let Some(rule) = rule else {
        if !reach.reports_the_rest() {
            return None;
        }
        let suggestion = suggest::did_you_mean(&suppression.rule, selectors());
        return Some(Problem {
            span: suppression.rule_span,
            severity: Severity::Error,
            message: format!("unknown rule {} in a suppression", quote(&suppression.rule)),
            help: format!("use the code or name of one rule from `wflint rules`{suggestion}"),
        });
    };
    let is_judged = reach.has_file(path) && filter.admits(rule.code, path, |_| {});
    let subject = || format!("{} in {}", rule.code, quote(&suppression.file));
    match suppression.until {
        Some(until) if *is_expired && is_judged => Some(Problem {
            span: suppression.until_span,
            severity: Severity::Warning,
            message: format!("suppression of {} expired on {until}", subject()),
            help: "fix the finding and remove the suppression, or set a later `until`".to_owned(),
        }),
        _ if is_used || !is_judged => None,
        _ => {
            let (reason, keys) =
                if path.is_file() { ("", "`activity` or `pointer`") } else { (", no such file", "`file`") };
            Some(Problem {
                span: suppression.span,
                severity: Severity::Warning,
                message: format!("unused suppression of {}{reason}", subject()),
                help: format!("remove it, or correct its {keys}"),
            })
        }
    }
}

fn unused_ignores(config: &Config, index: usize, filter: &Filter, used: &Used, reach: &Reach<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    if config.per_file_ignores.is_empty() {
        return problems;
    }
    let patterns: Vec<&str> = config.per_file_ignores.iter().map(|ignore| ignore.pattern.as_str()).collect();
    let (matched, looked_at) = (matched_by_files(&config.folder, &patterns), reach.ignores(index));
    for (entry, ignore) in config.per_file_ignores.iter().enumerate() {
        let pattern = &ignore.pattern;
        if !looked_at.judges(entry) || !reach.has_all_of(&config.folder, pattern) {
            continue;
        }
        let is_enabled = |selector| filter.enables_all_of(SelectorIndex { entry, selector });
        if !matched.contains(&entry) && (0..ignore.selectors.len()).all(is_enabled) {
            problems.push(Problem {
                span: ignore.pattern_span,
                severity: Severity::Warning,
                message: format!("unused ignores for {}, no file matches", quote(pattern)),
                help: "correct the pattern, or remove it from `per-file-ignores`".to_owned(),
            });
            continue;
        }
        if !looked_at.has(entry) {
            continue;
        }
        for (selector, spanned) in ignore.selectors.iter().enumerate() {
            let selector = SelectorIndex { entry, selector };
            // An ignore of a disabled rule is judged by the runs that enable it.
            if filter.enables_all_of(selector) && !used.ignores.contains(&IgnoreIndex { config: index, selector }) {
                problems.push(Problem {
                    span: spanned.span,
                    severity: Severity::Warning,
                    message: format!("unused ignore of {} for {}", quote(&spanned.selector), quote(pattern)),
                    help: "remove it from `per-file-ignores`".to_owned(),
                });
            }
        }
    }
    problems
}

/// The entries of which fewer findings occur than they list.
fn stale_entries(baseline: &Baseline, found: &Counts, severity: Severity, reach: &Reach<'_>) -> Vec<Problem> {
    let problem = |identity: &Identity, listed: usize, span| {
        let left = found.get(identity).copied().unwrap_or_default();
        if left >= listed || !reach.covers(baseline, identity) {
            return None;
        }
        let place = identity.around.last().map_or_else(String::new, |name| format!(" at {}", quote(name)));
        let (rule, file) = (&identity.rule, quote(&identity.file));
        let reason = if is_always_reported(rule) {
            "is always reported".to_owned()
        } else if left > 0 {
            format!("occurs {}, not {listed}", count(left, "time"))
        } else {
            "no longer occurs".to_owned()
        };
        Some(Problem {
            span,
            severity,
            message: format!("stale baseline entry: {rule}{place} in {file} {reason}"),
            help: "update the baseline with `--write-baseline`".to_owned(),
        })
    };
    baseline.entries().filter_map(|(identity, entry)| problem(identity, entry.count, entry.span)).collect()
}

/// Adds the problems of one file, unless its configuration excludes WF000.
fn report(
    setup: &Setup<'_>,
    in_file: &ProblemFile<'_>,
    filter: &Filter,
    problems: Vec<Problem>,
    outcome: &mut Outcome,
) {
    if problems.is_empty() || !filter.admits(CONFIG_PROBLEM.code, in_file.path, |_| {}) {
        return;
    }
    let file = setup.project.id_of_other(in_file.index);
    let name = relative_name(in_file.path, &setup.project.current);
    outcome.sources.insert(file, SourceFile::new(in_file.path.to_path_buf(), name, Arc::clone(in_file.text)));
    for Problem { span, severity, message, help } in problems {
        let mut diagnostic = Diagnostic {
            code: CONFIG_PROBLEM.code,
            name: CONFIG_PROBLEM.name,
            severity,
            message,
            location: Location { file, pointer: String::new(), span },
            also: None,
            activity: None,
            help: Some(help),
            related: Vec::new(),
            fix: None,
        };
        if !in_file.keeps_severity {
            filter.set_severity(&mut diagnostic);
        }
        outcome.diagnostics.push(diagnostic);
    }
}

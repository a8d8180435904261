//! WF000: entries of a configuration or baseline that match nothing, have expired, or name no rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::baseline::{Baseline, BaselineEntry};
use super::entries::{EntryFixes, Problem, Repair};
use super::filter::{Filter, is_always_reported};
use super::options::Setup;
use super::outcome::{Omitted, Outcome, Summary, SuppressionIndex, Used};
use super::reach::Reach;
use super::suppressions::SuppressionEntry;
use super::unused_ignores::unused_ignores;
use crate::common::limits::MAX_FINDINGS;
use crate::config::{Placed, SELECTORS, ServiceEntry};
use crate::lint::identity::{Counts, Identity};
use crate::project::{ConfigFile, ConfigFileUse, is_json, relative_name};
use crate::rules::CONFIG_PROBLEM;
use crate::text::diagnostic::{Diagnostic, FileId, Location, Severity, quote};
use crate::text::source::SourceFile;
use crate::text::suggest;
use crate::text::{count, list};

/// The file that problems are in: a configuration, or a baseline.
struct ProblemFile<'f> {
    /// Of the configuration file; baselines come after the last one.
    index: usize,
    path: &'f Path,
    text: &'f Arc<str>,
    /// Whether `[severity]` does not apply.
    keeps_severity: bool,
}

/// Adds the problems to an outcome. If baselines are written, also adds their entries, including old ones that this run
/// cannot judge.
pub(super) fn add(setup: &Setup<'_>, unread: &BTreeSet<FileId>, used: Used, outcome: &mut Outcome) {
    let reach = Reach::new(setup, unread);
    let (before, omitted_before) = (outcome.diagnostics.len(), outcome.omitted.len());
    // A run on one document from standard input, or on some lines, does not report all findings.
    if setup.options.judges_entries() {
        add_of_configs(setup, &used, &reach, outcome);
    }
    add_of_baselines(setup, used, &reach, outcome);
    let added = outcome.diagnostics.get(before..).unwrap_or_default();
    outcome.summary.add(Summary::of(added));
    outcome.summary.count_omitted(outcome.omitted.get(omitted_before..).unwrap_or_default());
}

fn add_of_baselines(setup: &Setup<'_>, mut used: Used, reach: &Reach<'_>, outcome: &mut Outcome) {
    let baselines = &setup.options.baselines;
    for (at, baseline) in baselines.all.iter().enumerate() {
        let mut found = used.baselined.remove(&at).unwrap_or_default();
        if baselines.are_written {
            let is_kept = |identity: &Identity| {
                used.incomplete_rules.contains(&*identity.rule) || !reach.covers(baseline, identity)
            };
            let kept = baseline.entries().filter(|(identity, _)| is_kept(identity));
            found.extend(kept.map(|(identity, entry)| (identity.clone(), entry.count)));
            outcome.baselines.push(found);
            continue;
        }
        let filter = setup.filters.get(baselines.config_of(at)).filter(|_| setup.options.judges_entries());
        let Some(filter) = filter else { continue };
        let severity = if baselines.are_strict { Severity::Error } else { Severity::Info };
        let problems = stale_entries(baseline, &found, severity, (reach, &used.incomplete_rules));
        let index = setup.project.config_files.len() + at;
        let keeps_severity = baselines.are_strict;
        let file = ProblemFile { index, path: &baseline.path, text: &baseline.text, keeps_severity };
        report(setup, &file, filter, problems, outcome);
    }
}

fn add_of_configs(setup: &Setup<'_>, used: &Used, reach: &Reach<'_>, outcome: &mut Outcome) {
    for (index, file) in setup.project.config_files.iter().enumerate() {
        let Some(filter) = setup.filters.get(file.first_config()) else { continue };
        let mut problems = unused_suppressions(setup, file, used, reach);
        problems.extend(unused_ignores(setup, file, used, reach));
        problems.extend(unused_removals(setup, file));
        problems.extend(unused_workflows(setup, file, used, reach));
        if is_only_extended(setup, file) {
            // Folders outside of the run may extend it too.
            for problem in &mut problems {
                problem.repair = None;
            }
        }
        let file = ProblemFile { index, path: &file.path, text: &file.text, keeps_severity: false };
        report(setup, &file, filter, problems, outcome);
    }
}

/// Whether a file is only part of configurations that extend it.
fn is_only_extended(setup: &Setup<'_>, file: &ConfigFile) -> bool {
    let is_last = |it: &ConfigFileUse| {
        setup.project.configs.get(it.config).is_some_and(|config| it.layer + 1 == config.layers.len())
    };
    !file.uses.iter().any(is_last)
}

/// Entries such as `!WF110` that remove nothing. The inherited entries are the same in every configuration.
fn unused_removals(setup: &Setup<'_>, file: &ConfigFile) -> Vec<Problem> {
    let of_file = file.uses.first().filter(|_| setup.project.reports_the_rest());
    let of_file = of_file.and_then(|first| Some((setup.project.configs.get(first.config)?, first.layer)));
    let Some((config, layer)) = of_file else { return Vec::new() };
    let removals = config.unused_removals.iter().filter(|removal| removal.place.layer == layer);
    let problem = |removal: &Placed| Problem {
        span: removal.place.span,
        severity: Severity::Warning,
        message: format!("unused {}, no such entry is inherited", quote(&removal.value)),
        help: "remove it, or correct its name".to_owned(),
        repair: Some(Repair::Remove { title: format!("remove {}", quote(&removal.value)) }),
    };
    removals.map(problem).collect()
}

/// The workflows of `[[service]]` entries that have no effect, as far as the run can judge them.
fn unused_workflows(setup: &Setup<'_>, file: &ConfigFile, used: &Used, reach: &Reach<'_>) -> Vec<Problem> {
    // The entries are the same in each configuration that the file is part of.
    let first = file.uses.first().and_then(|first| Some((setup.project.configs.get(first.config)?, first.layer)));
    let Some((config, layer)) = first else { return Vec::new() };
    let problem = |service: &ServiceEntry| {
        let workflow = service.workflow.as_ref().filter(|workflow| workflow.place.layer == layer)?;
        let reason = reason_of_unused(setup, file, service, used, reach)?;
        let (path, name) = (quote(&workflow.value), quote(&service.name));
        Some(Problem {
            span: workflow.place.span,
            severity: Severity::Warning,
            message: format!("unused workflow {path} of service {name}, {reason}"),
            help: "correct the path, or remove the entry".to_owned(),
            repair: None,
        })
    };
    config.services.iter().filter_map(problem).collect()
}

/// Why the workflow of a service has no effect, if it has none and the run can tell. One that is excluded or ignored has an
/// effect when it is named.
fn reason_of_unused(
    setup: &Setup<'_>,
    file: &ConfigFile,
    service: &ServiceEntry,
    used: &Used,
    reach: &Reach<'_>,
) -> Option<&'static str> {
    let (project, path) = (setup.project, service.workflow_path()?);
    let reported = reach.reported(&path);
    if project.has_nearest_configs && is_outside(setup, file, &path) {
        let is_walked = |folder| reach.reports_the_rest() && project.was_walked(folder);
        let is_judged = reported.is_some() || file.path.parent().is_some_and(is_walked);
        return is_judged.then_some("outside of the folder of the configuration");
    }
    match reach.config_of(&path) {
        Some(config) if file.uses.iter().all(|file_use| file_use.config != config) => {
            reported.map(|_| "another configuration applies to it")
        }
        Some(_) => reported.filter(|id| !used.workflows.contains(id)).map(|_| "not a workflow"),
        None => {
            let is_judged = reach.reports_the_rest() && project.was_walked(&path);
            (is_judged && !is_json(&path)).then_some("not a `.json` file")
        }
    }
}

/// Whether a configuration file that is the nearest one of some files is none of this path. A file that others extend may
/// have the services of their folders.
fn is_outside(setup: &Setup<'_>, file: &ConfigFile, path: &Path) -> bool {
    let configs = || file.uses.iter().filter_map(|it| Some((setup.project.configs.get(it.config)?, it.layer)));
    configs().any(|(config, layer)| layer + 1 == config.layers.len())
        && !configs().any(|(config, _)| path.starts_with(&config.folder))
}

fn unused_suppressions(setup: &Setup<'_>, file: &ConfigFile, used: &Used, reach: &Reach<'_>) -> Vec<Problem> {
    // The entries of the file, in each configuration that it is part of.
    let entries = |file_use: &ConfigFileUse| {
        let suppressions = setup.suppressions.get(file_use.config)?;
        let entries = suppressions.entries.iter().enumerate();
        let of_file = entries.filter(|(_, entry)| entry.suppression.place.layer == file_use.layer);
        Some((file_use.config, suppressions, of_file.collect::<Vec<_>>()))
    };
    let uses: Vec<_> = file.uses.iter().filter_map(entries).collect();
    let Some((first, _, listed)) = uses.first() else { return Vec::new() };
    let problem = |(number, (_, entry)): (usize, &(usize, &SuppressionEntry<'_>))| {
        let is_used = uses.iter().any(|(config, suppressions, entries)| {
            entries.get(number).is_some_and(|&(at, _)| {
                let entry = suppressions.first_equal(at);
                used.suppressions.contains(&SuppressionIndex { config: *config, entry })
            })
        });
        let of_path = reach.config_of(&entry.path).filter(|config| uses.iter().any(|(known, ..)| known == config));
        let filter = setup.filters.get(of_path.unwrap_or(*first))?;
        let may_be_used = entry.rule.is_some_and(|rule| used.incomplete_rules.contains(rule.code));
        suppression_problem(entry, is_used || may_be_used, filter, reach)
    };
    listed.iter().enumerate().filter_map(problem).collect()
}

fn suppression_problem(
    entry: &SuppressionEntry<'_>,
    is_used: bool,
    filter: &Filter,
    reach: &Reach<'_>,
) -> Option<Problem> {
    let SuppressionEntry { suppression, rule, path, is_expired } = entry;
    let Some(rule) = rule else {
        if !reach.reports_the_rest() {
            return None;
        }
        let suggestion = suggest::did_you_mean(&suppression.name, SELECTORS.iter().copied());
        return Some(Problem {
            span: suppression.name_place.span,
            severity: Severity::Error,
            message: format!("unknown rule {} in a suppression", quote(&suppression.name)),
            help: format!("use the code or name of one rule from `wflint rules`{suggestion}"),
            repair: None,
        });
    };
    let is_selected = reach.has_file(path) && filter.least(rule.code, path, |_| {}).is_some();
    let is_judged = is_selected && (filter.reports_all(rule.code, path) || !path.is_file());
    let subject = || format!("{} in {}", rule.code, quote(&suppression.file));
    match suppression.until {
        Some(until) if *is_expired && is_selected => Some(Problem {
            span: suppression.until_place.span,
            severity: Severity::Warning,
            message: format!("suppression of {} expired on {until}", subject()),
            help: "fix the finding and remove the suppression, or set a later `until`".to_owned(),
            repair: None,
        }),
        _ if is_used || !is_judged => None,
        _ => {
            let keys = [
                (suppression.activity.is_some(), "`activity`"),
                (suppression.variable.is_some(), "`variable`"),
                (suppression.field.is_some(), "`field`"),
                (suppression.parameter.is_some(), "`parameter`"),
                (suppression.pointer.is_some(), "`pointer`"),
            ];
            let keys: Vec<&str> = keys.into_iter().filter(|(is_there, _)| *is_there).map(|(_, key)| key).collect();
            let (reason, keys) =
                if path.is_file() { ("", list(&keys, "or")) } else { (", no such file", "`file`".to_owned()) };
            Some(Problem {
                span: suppression.place.span,
                severity: Severity::Warning,
                message: format!("unused suppression of {}{reason}", subject()),
                help: format!("remove it, or correct its {keys}"),
                repair: Some(Repair::Remove { title: "remove the suppression".to_owned() }),
            })
        }
    }
}

/// The entries of which fewer findings occur than they list.
fn stale_entries(
    baseline: &Baseline,
    found: &Counts,
    severity: Severity,
    (reach, incomplete): (&Reach<'_>, &BTreeSet<&'static str>),
) -> Vec<Problem> {
    let problem = |(identity, entry): (&Identity, &BaselineEntry)| {
        let &BaselineEntry { count: listed, span, is_repeated } = entry;
        let left = found.get(identity).copied().unwrap_or_default();
        if left >= listed || incomplete.contains(&*identity.rule) || !reach.covers(baseline, identity) {
            return None;
        }
        let place = identity.place.around.last().map_or_else(String::new, |name| format!(" at {}", quote(name)));
        let (rule, file) = (&*identity.rule, quote(&identity.place.file));
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
            repair: (!is_repeated).then_some(Repair::Count(left)),
        })
    };
    baseline.entries().filter_map(problem).collect()
}

/// Adds the problems of one file, the first ones listed and the others counted, unless its configuration excludes WF000.
fn report(
    setup: &Setup<'_>,
    in_file: &ProblemFile<'_>,
    filter: &Filter,
    mut problems: Vec<Problem>,
    outcome: &mut Outcome,
) {
    if problems.is_empty() || filter.least(CONFIG_PROBLEM.code, in_file.path, |_| {}).is_none() {
        return;
    }
    let file = setup.project.id_of_other(in_file.index);
    let name = relative_name(in_file.path, &setup.project.current);
    outcome.sources.insert(file, SourceFile::new(in_file.path.to_path_buf(), name, Arc::clone(in_file.text)));
    problems.sort_by_key(|problem| problem.span);
    let set = filter.severity(CONFIG_PROBLEM.code).filter(|_| !in_file.keeps_severity);
    let mut omitted: BTreeMap<Severity, usize> = BTreeMap::new();
    for problem in problems.drain(problems.len().min(MAX_FINDINGS)..) {
        *omitted.entry(set.unwrap_or(problem.severity)).or_default() += 1;
    }
    let (code, name) = (CONFIG_PROBLEM.code, CONFIG_PROBLEM.name);
    let omitted = omitted.into_iter().map(|(severity, count)| Omitted { file, code, name, severity, count });
    outcome.omitted.extend(omitted);
    let EntryFixes { mut by_place, together } = EntryFixes::new(file, in_file.text, &problems);
    if !together.is_empty() {
        outcome.removals.insert(file, together);
    }
    for Problem { span, severity, message, help, repair } in problems {
        let location = Location { file, pointer: String::new(), span };
        let found = Diagnostic::new(code, name, set.unwrap_or(severity), message, location);
        let fix = repair.and_then(|_| by_place.remove(&span)).map(Box::new);
        let help = Some(help).filter(|help| fix.as_ref().is_none_or(|fix| fix.title != *help)).map(Into::into);
        outcome.diagnostics.push(Box::new(Diagnostic { help, fix, ..found }));
    }
}

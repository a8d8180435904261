//! WF000: what of a configuration or a baseline matches nothing, is past its date, or names no rule.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::filter::{Filter, known_words};
use super::linter::{Linter, Used};
use super::suppress::Entry;
use super::{Baseline, Known, Outcome, Summary};
use crate::collections::HashMap;
use crate::config::{Config, glob};
use crate::diagnostic::{Diagnostic, FileId, Location, Severity, quote};
use crate::identity::Identity;
use crate::project::relative_name;
use crate::rules::CONFIG_PROBLEM;
use crate::source::{SourceFile, Span};
use crate::suggest;

/// Adds the problems to an outcome, and to what it says a baseline is to list all that this run
/// cannot judge.
pub(super) fn add(linter: &Linter<'_>, unread: &BTreeSet<FileId>, used: Used, outcome: &mut Outcome) {
    let reach = Reach::new(linter, unread);
    let before = outcome.diagnostics.len();
    // Those who ask about one text hear nothing about other files.
    if !linter.options.only_reported {
        let configs = linter.project.configs.iter().zip(&linter.filters).zip(&linter.suppressions);
        for (number, ((config, filter), suppressions)) in configs.enumerate() {
            let mut found = Vec::new();
            for (at, entry) in suppressions.entries.iter().enumerate() {
                let is_used = used.suppressions.contains(&(number, at));
                found.extend(judge_suppression(entry, is_used, filter, &reach));
            }
            found.extend(judge_ignores(config, number, filter, &used, &reach));
            if let Some(path) = &config.path {
                report(linter, number, (path, &config.text), filter, found, outcome);
            }
        }
    }
    match &linter.options.known {
        Known::Nothing => {}
        Known::Listed(baseline) => {
            if let Some(filter) = linter.filters.first().filter(|_| !linter.options.only_reported) {
                let found = judge_baseline(baseline, &used, linter, &reach);
                let number = linter.project.configs.len();
                report(linter, number, (&baseline.path, &baseline.text), filter, found, outcome);
            }
        }
        Known::Everything(old) => {
            outcome.known = used.known;
            let kept = old.entries().filter(|(identity, ..)| !can_judge(old, identity, linter, &reach));
            outcome.known.extend(kept.map(|(identity, count, _)| (identity.clone(), count)));
        }
    }
    let added = outcome.diagnostics.get(before..).unwrap_or_default();
    outcome.summary.add(Summary::of(added, false));
}

/// What is wrong with an entry: the place, the severity, the message, the help.
type Problem = (Span, Severity, String, String);

fn judge_suppression(entry: &Entry, is_used: bool, filter: &Filter, reach: &Reach<'_>) -> Option<Problem> {
    let Entry { suppression, rule, path, is_over } = entry;
    let Some(rule) = rule else {
        let said = format!("{} names no rule, so this suppresses nothing", quote(&suppression.rule));
        let near = suggest::did_you_mean(&suppression.rule, known_words());
        let help = format!("name one rule by its code or name; `wflint rules` lists them{near}");
        return Some((suppression.rule_span, Severity::Error, said, help));
    };
    let is_judged = reach.has_file(path) && filter.admits(rule.code, path, |_| {});
    let what = || format!("{} in {}", rule.code, quote(&suppression.file));
    match suppression.until {
        Some(until) if *is_over && is_judged => Some((
            suppression.until_span,
            Severity::Warning,
            format!("the suppression of {} ended on {until}", what()),
            "cure what it suppressed, or look at it again and give it a later day; or remove it".to_owned(),
        )),
        _ if is_used || !is_judged => None,
        _ => Some((
            suppression.span,
            Severity::Warning,
            format!("there is no finding of {} that this suppresses", what()),
            "remove it; or, if the finding has moved, say where it is now".to_owned(),
        )),
    }
}

fn judge_ignores(config: &Config, number: usize, filter: &Filter, used: &Used, reach: &Reach<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, ignore) in config.per_file_ignores.iter().enumerate() {
        if !reach.has_all_of(&config.folder, &ignore.pattern) || !reach.has_any_of(number, config, &ignore.pattern) {
            continue;
        }
        for (word_at, (word, span)) in ignore.rules.iter().enumerate() {
            let key = (at, word_at);
            if filter.selects_all_of(key) && !used.ignores.contains(&(number, key)) {
                let said = format!("{} has nothing to ignore in {}", quote(word), quote(&ignore.pattern));
                let help = "remove it from `per-file-ignores`".to_owned();
                problems.push((*span, Severity::Warning, said, help));
            }
        }
    }
    problems
}

fn judge_baseline(baseline: &Baseline, used: &Used, linter: &Linter<'_>, reach: &Reach<'_>) -> Vec<Problem> {
    let stale = baseline
        .entries()
        .filter(|(identity, ..)| !used.known.contains_key(*identity) && can_judge(baseline, identity, linter, reach));
    let problem = |identity: &Identity, span| {
        let place = identity.around.last().map_or_else(String::new, |name| format!(" at {}", quote(name)));
        let said = format!("{}{place} in {} is known, but no longer there", identity.rule, quote(&identity.file));
        (span, Severity::Warning, said, "write the baseline anew with `--write-baseline`".to_owned())
    };
    stale.map(|(identity, _, span)| problem(identity, span)).collect()
}

/// Whether this run would have found what an entry of a baseline lists.
fn can_judge(baseline: &Baseline, identity: &Identity, linter: &Linter<'_>, reach: &Reach<'_>) -> bool {
    let (path, _) = crate::project::clean_path(Path::new(&identity.file), baseline.folder());
    let filter = linter.filters.get(reach.config_of(&path));
    reach.has_file(&path) && filter.is_some_and(|filter| filter.admits(&identity.rule, &path, |_| {}))
}

/// Adds the problems of one file.
fn report(
    linter: &Linter<'_>,
    number: usize,
    (path, text): (&PathBuf, &std::sync::Arc<str>),
    filter: &Filter,
    problems: Vec<Problem>,
    outcome: &mut Outcome,
) {
    if problems.is_empty() || !filter.admits(CONFIG_PROBLEM.code, path, |_| {}) {
        return;
    }
    let file = linter.project.id_of_other(number);
    let name = relative_name(path, &linter.project.current);
    outcome.sources.insert(file, SourceFile::new(path.clone(), name, text.clone()));
    for (span, severity, message, help) in problems {
        let mut diagnostic = Diagnostic {
            code: CONFIG_PROBLEM.code,
            name: CONFIG_PROBLEM.name,
            severity,
            message,
            location: Location { file, pointer: String::new(), span },
            activity: None,
            help: Some(help),
            related: Vec::new(),
            fix: None,
        };
        filter.set_severity(&mut diagnostic);
        outcome.diagnostics.push(diagnostic);
    }
}

/// What a run has looked at: an entry is judged only when every file that it can match is.
struct Reach<'r> {
    linter: &'r Linter<'r>,
    /// By path: the configuration, and whether its findings were looked for and are reported.
    files: HashMap<&'r Path, (usize, bool)>,
    is_complete: bool,
}

impl<'r> Reach<'r> {
    fn new(linter: &'r Linter<'_>, unread: &BTreeSet<FileId>) -> Self {
        let project = linter.project;
        let configs: HashMap<FileId, usize> =
            project.services.iter().flat_map(|service| service.files.iter().map(|&id| (id, service.config))).collect();
        let files = project.files().map(|(path, id)| {
            let config = configs.get(&id).copied().unwrap_or(0);
            (path, (config, project.is_reported(id) && !unread.contains(&id)))
        });
        let is_complete = unread.is_empty() && project.unreadable.is_empty();
        Self { linter, files: files.collect(), is_complete }
    }

    fn config_of(&self, path: &Path) -> usize {
        self.files.get(path).map_or(0, |&(config, _)| config)
    }

    /// Whether a file was looked at; or is gone from a folder that was.
    fn has_file(&self, path: &Path) -> bool {
        match self.files.get(path) {
            Some(&(_, was_read)) => was_read,
            None => self.linter.project.was_walked(path) && !path.exists(),
        }
    }

    /// Whether any file of a pattern was looked at: one for files to come is no mistake.
    fn has_any_of(&self, number: usize, config: &Config, pattern: &str) -> bool {
        let Ok(pattern) = glob(pattern) else { return false };
        self.files.iter().any(|(path, &(config_of, was_read))| {
            let is_match = || pattern.is_match(path.strip_prefix(&config.folder).unwrap_or(path));
            was_read && config_of == number && is_match()
        })
    }

    /// Whether all files of a pattern were looked at.
    fn has_all_of(&self, folder: &Path, pattern: &str) -> bool {
        let is_plain = |part: &&str| !part.contains(['*', '?', '[', '{', '\\']);
        let plain: PathBuf = pattern.split('/').take_while(is_plain).collect();
        let base = folder.join(&plain);
        if plain == Path::new(pattern) {
            return self.has_file(&base);
        }
        self.is_complete && self.linter.project.was_walked(&base)
    }
}

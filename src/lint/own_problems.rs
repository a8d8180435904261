//! WF000 for the user's own rules: those that cannot be loaded, with options that they do not have, and those that did not
//! run to their end. These are errors whatever is selected, ignored or suppressed: a run in which a rule did not run must not
//! pass.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::options::Setup;
use super::outcome::{Outcome, Summary};
use super::own::FailedRule;
use crate::config::{Config, ConfigPlace, OwnRule, OwnRules};
use crate::files::paths::clean;
use crate::own_rules::engine::RuleProblem;
use crate::own_rules::{LoadedRules, OwnRunner, merged};
use crate::project::relative_name;
use crate::redaction::Redactions;
use crate::rules::{CONFIG_PROBLEM, own_rule};
use crate::text::diagnostic::{Diagnostic, FileId, Label, Location, Severity};
use crate::text::source::{SourceFile, Span};

/// The problems of rules that did not run to their end in a service.
pub(super) fn of_runs(setup: &Setup<'_>, failed: &[FailedRule], redactions: &Redactions) -> Vec<Box<Diagnostic>> {
    let problem = |failed: &FailedRule| {
        let message = format!("rule {} failed: {}", failed.code, failed.problem.message);
        let mut found = located(setup, &failed.rules, failed.code, message, &failed.problem)?;
        found.related = failed.at.iter().map(|at| Label { location: at.location.clone(), ..at.clone() }).collect();
        redactions.redact(&mut found);
        Some(Box::new(found))
    };
    failed.iter().filter_map(problem).collect()
}

/// Drops what fails in the same way in each service, before a node is visited.
pub(super) fn drop_repeated(outcome: &mut Outcome) {
    let mut seen = BTreeSet::new();
    let before = outcome.diagnostics.len();
    outcome.diagnostics.retain(|found| {
        let is_of_rule = found.code == CONFIG_PROBLEM.code && found.related.is_empty();
        let place = || (found.location.file, found.location.span, found.message.clone());
        !is_of_rule || seen.insert(place())
    });
    outcome.summary.errors -= before - outcome.diagnostics.len();
}

/// Adds the problems of rules that cannot be loaded, and of their options.
pub(super) fn add(setup: &Setup<'_>, runner: Option<&OwnRunner>, outcome: &mut Outcome) {
    let mut found: Vec<Diagnostic> = Vec::new();
    for config in &setup.project.configs {
        for rules in &config.own_rules {
            for (rule, reason) in &rules.taken {
                let problem = RuleProblem { file: rule.file.clone(), ..problem(reason.clone()) };
                let help = Some("give its files another code and name".to_owned());
                found.extend(located(setup, rules, rule.code, reason.clone(), &RuleProblem { help, ..problem }));
            }
            found.extend(rules.unexported.iter().filter_map(|rule| unexported(setup, rules, rule)));
            if let Some(loaded) = runner.and_then(|runner| runner.load(rules)) {
                of_loaded(setup, config, rules, &loaded, &mut found);
            }
        }
    }
    if let Some(failure) = runner.and_then(OwnRunner::failure) {
        outcome.notes.push(failure);
        outcome.has_failed_rules = true;
    }
    // Several configurations may extend the one that names a rule, and the first part of several reports its problems.
    let mut seen = BTreeSet::new();
    found.retain(|found| seen.insert((found.location.file, found.location.span, found.message.clone())));
    found.retain(|_| setup.project.reports_the_rest());
    outcome.has_failed_rules |= found.iter().any(|found| found.severity == Severity::Error);
    let files: BTreeSet<FileId> = found.iter().map(|found| found.location.file).collect();
    outcome.sources.extend(setup.own_files.sources(&files));
    for (index, file) in setup.project.config_files.iter().enumerate() {
        let id = setup.project.id_of_other(index);
        if files.contains(&id) {
            let name = relative_name(&file.path, &setup.project.current);
            let source = || SourceFile::new(file.path.clone(), name, Arc::clone(&file.text));
            outcome.sources.entry(id).or_insert_with(source);
        }
    }
    let found: Vec<Box<Diagnostic>> = found.into_iter().map(Box::new).collect();
    outcome.summary.add(Summary::of(&found));
    outcome.diagnostics.extend(found);
}

/// A file that looks like a rule: nobody should believe that it runs.
fn unexported(setup: &Setup<'_>, rules: &OwnRules, rule: &OwnRule) -> Option<Diagnostic> {
    let message = format!("{} is not a rule, it has no `export default`", rule.file);
    let help = Some("export the rule, or rename a module".to_owned());
    let problem = RuleProblem { file: rule.file.clone(), help, ..problem(String::new()) };
    let found = located(setup, rules, rule.code, message, &problem)?;
    Some(Diagnostic { severity: Severity::Info, ..found })
}

fn of_loaded(setup: &Setup<'_>, config: &Config, rules: &OwnRules, loaded: &LoadedRules, found: &mut Vec<Diagnostic>) {
    for (rule, loaded) in rules.rules.iter().zip(&loaded.rules) {
        match loaded {
            Err(problem) => {
                let message = format!("cannot load rule {}: {}", rule.code, problem.message);
                found.extend(located(setup, rules, rule.code, message, problem));
            }
            Ok(meta) => {
                own_rule(rule, Some(meta.severity));
                let problems = merged(rule.code, meta, &config.rule_options).err().into_iter().flatten();
                let problems = problems.filter_map(|problem| {
                    let location = in_config(setup, config, problem.place)?;
                    Some(Diagnostic { help: Some(problem.help.into()), ..diagnostic(problem.message, location) })
                });
                found.extend(problems);
            }
        }
    }
}

fn problem(message: String) -> RuleProblem {
    RuleProblem { file: String::new(), line: None, column: None, message, help: None, at: None }
}

fn diagnostic(message: String, location: Location) -> Diagnostic {
    Diagnostic::new(CONFIG_PROBLEM.code, CONFIG_PROBLEM.name, Severity::Error, message, location)
}

fn in_config(setup: &Setup<'_>, config: &Config, place: ConfigPlace) -> Option<Location> {
    let layer = config.layers.get(place.layer)?;
    let index = setup.project.config_files.iter().position(|file| file.path == layer.path)?;
    Some(Location { file: setup.project.id_of_other(index), pointer: String::new(), span: place.span })
}

/// A problem at its place in the file of a rule, or of a module.
fn located(
    setup: &Setup<'_>,
    rules: &OwnRules,
    code: &str,
    message: String,
    problem: &RuleProblem,
) -> Option<Diagnostic> {
    let own = rules.rules.iter().find(|rule| rule.code == code).map(|rule| rule.path.clone());
    let named = setup.own_files.find(&clean(&rules.folder.join(&problem.file)));
    let (file, source) = named.or_else(|| setup.own_files.find(&own?))?;
    let location = Location { file, pointer: String::new(), span: span(source, problem.line, problem.column) };
    let help = problem.help.clone().unwrap_or_else(|| format!("correct it; `wflint rules --test {code}` tries it"));
    Some(Diagnostic { help: Some(help.into()), ..diagnostic(message, location) })
}

/// The word, or else the character, at a line and column, both from 1.
fn span(source: &SourceFile, line: Option<u32>, column: Option<u32>) -> Span {
    let Some(line) = line else { return Span::default() };
    let start = source.line_start(line) as usize;
    let rest = source.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let before = column.map_or(0, |column| column.saturating_sub(1) as usize);
    let before: usize = rest.chars().take(before).map(char::len_utf8).sum();
    let after = rest.get(before..).unwrap_or_default();
    let word = after.find(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$');
    let length = match word {
        Some(0) => after.chars().next().map_or(0, char::len_utf8),
        Some(length) => length,
        None => after.len(),
    };
    Span::of_range(&(start + before..start + before + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_line_and_column() {
        let source = SourceFile::new("a.js".into(), "a.js".to_owned(), "const ä = 1;\r\n  thröw (x);\n".into());
        let text = |line, column| {
            let span = span(&source, line, column);
            source.text.get(span.start as usize..span.end as usize).unwrap().to_owned()
        };
        assert_eq!(text(Some(1), Some(7)), "ä");
        assert_eq!(text(Some(2), Some(3)), "thröw");
        assert_eq!(text(Some(2), Some(9)), "(");
        assert_eq!(text(Some(2), Some(99)), "");
        assert_eq!(text(Some(9), None), "");
        assert_eq!(text(Some(2), None), " ");
        assert_eq!(text(None, Some(3)), "");
    }
}

//! `wflint rules --test`: the examples of the pages of the user's own rules.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::own::{chosen, config};
use crate::cli::world::{Exit, Failure, World, print_line, print_note, print_path};
use crate::config::{FILE_NAME, OwnRule};
use crate::files::boundary::Boundary;
use crate::files::paths::canonicalize;
use crate::files::write::create;
use crate::fix::{self, Fixed};
use crate::lint::{self, Choice, Linter, Options, Outcome};
use crate::own_rules::examples::{Example, Expected, complete, examples};
use crate::project::{self, Request, relative_name};
use crate::report::visible;
use crate::rules::CONFIG_PROBLEM;
use crate::text::count;
use crate::text::diagnostic::Diagnostic;

pub(super) fn run(words: &[String], world: &mut World<'_>) -> Result<Exit, Failure> {
    let config = config(world)?;
    let rules = chosen(&config, words)?;
    let (mut tried, mut wrong, mut tested) = (0, 0, 0);
    for rule in rules {
        let Some(page) = &rule.page else {
            let name = relative_name(&rule.path.with_extension("md"), &world.current);
            print_note(world, &format!("warning: {} has no page; write {name}", rule.code), "  ")?;
            continue;
        };
        let (number, differences) =
            Tested { rule, program: &world.program, current: &world.current }.differences(page)?;
        tested += 1;
        tried += number;
        wrong += differences.len();
        let name = relative_name(&rule.path.with_extension("md"), &world.current);
        for (line, difference) in differences {
            for (index, text) in difference.lines().enumerate() {
                let text = if index == 0 { format!("{name}:{line}: {text}") } else { format!("  {text}") };
                print_path(world, &text)?;
            }
        }
    }
    let (examples, rules) = (count(tried, "example"), count(tested, "rule"));
    if wrong == 0 {
        let verb = if tried == 1 { "passes" } else { "pass" };
        print_line(world, &format!("{examples} of {rules} {verb}."), "")?;
        return Ok(Exit::Clean);
    }
    print_line(world, &format!("{} in {examples} of {rules}.", count(wrong, "difference")), "")?;
    Ok(Exit::Findings)
}

/// A difference, and the line of the page that it is about.
type Difference = (u32, String);

/// A rule that is tested.
struct Tested<'t> {
    rule: &'t OwnRule,
    /// Of the sandbox.
    program: &'t Path,
    /// The current folder.
    current: &'t Path,
}

impl Tested<'_> {
    /// The number of examples in the page, and what differs.
    fn differences(&self, page: &str) -> Result<(usize, Vec<Difference>), Failure> {
        let examples = match examples(page) {
            Ok(examples) => examples,
            Err(error) => return Ok((0, vec![(error.line, error.message)])),
        };
        let code = self.rule.code;
        let mut found = Vec::new();
        let is_reported = |example: &Example| example.findings.iter().any(|finding| finding.code == code);
        if !examples.iter().any(is_reported) {
            found.push((1, format!("no example of the page is reported by {code}")));
        }
        if examples.iter().all(is_reported) {
            found.push((1, format!("no example of the page is fine for {code}")));
        }
        // A rule that cannot be loaded fails in each example.
        let mut failures = BTreeSet::new();
        for example in &examples {
            let (differences, failed) = self.differences_of(example)?;
            let failed = failed.into_iter().filter(|failure| failures.insert(failure.clone()));
            let all = failed.chain(differences).map(|text| format!("example `{}`: {text}", example.title));
            found.extend(all.map(|text| (example.line, text)));
        }
        Ok((examples.len(), found))
    }

    /// What differs in an example, and why the rule did not run to its end.
    fn differences_of(&self, example: &Example) -> Result<(Vec<String>, Vec<String>), Failure> {
        let folder = tempfile::tempdir().map_err(|error| Failure::Message(error.to_string()))?;
        let path = canonicalize(folder.path()).map_err(|error| Failure::Message(error.to_string()))?;
        let files = if example.bare { example.files.clone() } else { complete(&example.files, &[]) };
        self.write(&path, &files)?;
        let named = files.iter().map(|(name, _)| name).filter(|name| name.ends_with(".json") && example.named);
        let mut paths: Vec<_> = named.map(Into::into).collect();
        if paths.is_empty() {
            paths.push(".".into());
        }
        let request = Request { current: path, paths, boundary: Boundary::lifted(), ..Request::default() };
        let ran = lint::on_pool(None, || self.lint(&request)).and_then(|ran| ran);
        let mut outcome = match ran {
            Ok(outcome) => outcome,
            Err(reason) => return Ok((vec![reason], Vec::new())),
        };
        let (failed, diagnostics) = outcome.diagnostics.into_iter().partition(|found| {
            let source = outcome.sources.get(&found.location.file);
            found.code == CONFIG_PROBLEM.code && source.is_some_and(|source| !source.path.starts_with(&request.current))
        });
        outcome.diagnostics = diagnostics;
        let failed: Vec<Box<Diagnostic>> = failed;
        let failed = failed.iter().map(|found| self.failure(found, &outcome)).collect();
        let mut differences = unexpected(&example.findings, &outcome);
        if !example.fixed.is_empty() {
            let wanted = complete(&example.files, &example.fixed);
            let after = |choices: Vec<Choice>| {
                let fixed = lint::on_pool(None, || self.fixed(&request, choices)).and_then(|fixed| fixed);
                fixed.map_or_else(|reason| vec![reason], |fixed| unlike(&wanted, &with_changes(&files, fixed)))
            };
            // Those of the rule, or those of all rules.
            let own = vec![Choice::Select(self.rule.code.to_owned())];
            if !after(own).is_empty() {
                let unlike = after(Vec::new());
                differences.extend((!unlike.is_empty()).then(|| self.withheld(&outcome)).into_iter().flatten());
                differences.extend(unlike);
            }
        }
        Ok((differences, failed))
    }

    /// Why fixes of the rule are not offered.
    fn withheld(&self, outcome: &Outcome) -> Vec<String> {
        let own = outcome.diagnostics.iter().filter(|found| found.code == self.rule.code);
        let reason = |found: &Diagnostic| {
            let reason = found.fix_withheld.as_deref()?;
            Some(format!("no fix of {} {}, it {}", found.code, visible(&found.location.pointer), visible(reason)))
        };
        own.filter_map(|found| reason(found)).collect()
    }

    /// A failure of the rule, at its place in the file.
    fn failure(&self, found: &Diagnostic, outcome: &Outcome) -> String {
        let place = outcome.sources.get(&found.location.file).map_or_else(String::new, |source| {
            let position = source.position(found.location.span.start);
            format!("{}:{}:{}: ", relative_name(&source.path, self.current), position.line, position.column)
        });
        format!("{place}{}", visible(&found.message))
    }

    /// Writes an example. Its configuration names this rule alone.
    fn write(&self, folder: &Path, files: &[(String, String)]) -> Result<(), Failure> {
        let text = files.iter().find(|(name, _)| name == FILE_NAME).map_or("", |(_, text)| text);
        // TOML reads strings of JSON.
        let rules = serde_json::json!([self.rule.path.to_string_lossy()]);
        let config = (FILE_NAME.to_owned(), format!("rules = {rules}\n{text}"));
        let files = files.iter().filter(|(name, _)| name != FILE_NAME).chain([&config]);
        for (name, text) in files {
            let path = folder.join(name);
            let boundary = Boundary::below(vec![folder.to_path_buf()]);
            boundary.check_target(&path, folder).map_err(|error| Failure::Message(format!("{name}: {error}")))?;
            create(&path, text.as_bytes())
                .map_err(|error| Failure::Message(format!("cannot write {name}: {error}")))?;
        }
        Ok(())
    }

    fn options(&self, choices: Vec<Choice>) -> Options {
        let program = Some(self.program.to_path_buf());
        Options { choices, program, unsafe_fixes: true, ..Options::default() }
    }

    fn lint(&self, request: &Request) -> Result<Outcome, String> {
        let project = project::find(request).map_err(|error| error.0)?;
        Ok(fix::lint(&Linter::new(&project, &self.options(Vec::new()))?))
    }

    /// The documents that fixes have changed.
    fn fixed(&self, request: &Request, choices: Vec<Choice>) -> Result<Vec<(String, String)>, String> {
        let project = project::find(request).map_err(|error| error.0)?;
        let Fixed { changes, .. } = fix::fix(&Linter::new(&project, &self.options(choices))?, |_| Ok(()));
        Ok(changes.into_iter().map(|change| (change.name, change.after.to_string())).collect())
    }
}

/// The findings that are not expected, and those that are and were not found.
fn unexpected(wanted: &[Expected], outcome: &Outcome) -> Vec<String> {
    let mut open: Vec<&Diagnostic> = outcome.diagnostics.iter().map(Box::as_ref).collect();
    let mut differences = Vec::new();
    for expected in wanted {
        match open.iter().position(|found| matches(expected, found, outcome)) {
            Some(index) => drop(open.remove(index)),
            None => differences.push(format!("not found: {}", written(expected))),
        }
    }
    differences.extend(open.iter().map(|found| {
        let pointer = if found.location.pointer.is_empty() { "(root)" } else { &found.location.pointer };
        let place = format!("{} {} {}", found.code, file_name(found, outcome), visible(pointer));
        let help = found.help.as_ref().map_or_else(String::new, |help| format!("\n{}", visible(help)));
        format!("not expected: {place}\n{}{help}", visible(&found.message))
    }));
    differences.extend(outcome.unreadable.iter().chain(&outcome.notes).cloned());
    differences
}

fn matches(expected: &Expected, found: &Diagnostic, outcome: &Outcome) -> bool {
    let source = outcome.sources.get(&found.location.file);
    let span = found.location.span;
    let covered = || source.and_then(|source| source.text.get(span.start as usize..span.end as usize));
    expected.code == found.code
        && expected.pointer == found.location.pointer
        && expected.severity.is_none_or(|severity| severity == found.severity)
        && expected.file.as_ref().is_none_or(|file| *file == file_name(found, outcome))
        && expected.covered.as_ref().is_none_or(|text| covered() == Some(text.as_str()))
}

fn file_name<'o>(found: &Diagnostic, outcome: &'o Outcome) -> &'o str {
    outcome.sources.get(&found.location.file).map_or("", |source| source.name.as_str())
}

fn written(expected: &Expected) -> String {
    let pointer = if expected.pointer.is_empty() { "(root)" } else { &expected.pointer };
    let severity = expected.severity.map(|severity| severity.word());
    let parts = [severity, expected.file.as_deref(), Some(pointer), expected.covered.as_deref()];
    let parts: Vec<&str> = std::iter::once(expected.code.as_str()).chain(parts.into_iter().flatten()).collect();
    parts.join(" ")
}

/// Files with those that fixes have changed.
fn with_changes(files: &[(String, String)], mut changed: Vec<(String, String)>) -> Vec<(String, String)> {
    let unchanged = files.iter().filter(|(name, _)| !changed.iter().any(|(changed, _)| changed == name)).cloned();
    let unchanged: Vec<(String, String)> = unchanged.collect();
    changed.extend(unchanged);
    changed
}

/// The documents that differ from those that are wanted after fixes.
fn unlike(wanted: &[(String, String)], found: &[(String, String)]) -> Vec<String> {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).ok();
    let difference = |(name, wanted): &(String, String)| {
        let (_, found) = found.iter().find(|(found, _)| found == name)?;
        let differs = name.ends_with(".json") && parsed(found) != parsed(wanted);
        differs.then(|| format!("{name} becomes\n{}", visible(found)))
    };
    wanted.iter().filter_map(difference).collect()
}

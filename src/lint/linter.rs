//! The linter of a project, with its optional parts.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::check::{Found, Means, Modeled};
use super::filter::Filter;
use super::identities::History;
use super::last::{LastLint, LastService};
use super::options::{Options, Setup};
use super::outcome::{Checked, Outcome, Used};
use super::unused_ignores::use_ignores_of_other_parts;
use super::{own_problems, problems};
use crate::common::cancellation::Cancellation;
use crate::common::collections::HashMap;
use crate::common::limits::MAX_FINDINGS;
use crate::facts::{AnalyzedService, Context};
use crate::lint::identity::{Counts, Identifier};
use crate::own_rules::OwnRunner;
use crate::project::{File, Overrides, Project, Service, ServiceFiles, ServiceModel};
use crate::redaction::Redactions;
use crate::script::Evaluator;
use crate::script::syntax::ParsedScripts;
use crate::text::diagnostic::{Diagnostic, FileId, Severity};
use crate::text::suggest::Suggester;

/// Lints the services of a project.
pub struct Linter<'p> {
    pub(super) setup: Setup<'p>,
    evaluator: Option<Evaluator>,
    /// Runs the user's own rules; `None` runs none.
    own_rules: Option<OwnRunner>,
    /// Scripts that are not parsed again.
    pub(super) parsed: Arc<ParsedScripts>,
    /// What the last lint has left.
    pub(super) last: Option<Arc<LastLint>>,
    cancellation: Cancellation,
    /// The history of `--since`.
    pub(super) past: Option<Box<dyn History + Send + 'p>>,
}

/// The sensitive values of a service, which reports hide.
pub fn redactions(project: &Project, service: &Service, overrides: &Overrides) -> Redactions {
    let Some(config) = project.configs.get(service.config) else { return Redactions::default() };
    let read = project.read(service, overrides);
    let files: Vec<&File> = read.files.iter().collect();
    let suggester = Suggester::default();
    let model = ServiceModel::new(&files, config);
    let service = AnalyzedService::new(files.clone(), config, &model, &suggester, None);
    let sources = files.iter().map(|file| (file.id, &file.source));
    Redactions::new(Context::new(&service).sensitive_values(), sources)
}

impl<'p> Linter<'p> {
    pub fn new(project: &'p Project, options: &'p Options) -> Result<Self, String> {
        let evaluator = options.program.clone().map(Evaluator::new);
        let own_rules = evaluator.as_ref().map(|evaluator| OwnRunner::new(evaluator.share()));
        let (setup, cancellation) = (Setup::new(project, options)?, Cancellation::default());
        Ok(Self { setup, evaluator, own_rules, parsed: Arc::default(), last: None, cancellation, past: None })
    }

    /// Fails when the options of the command line leave no rule and no error was found: such a run would pass whatever the
    /// documents hold. A document that cannot be linted is an error whatever is selected.
    pub fn check_rules(&self, outcome: &Outcome) -> Result<(), String> {
        if outcome.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Ok(());
        }
        self.setup.filters.iter().try_for_each(Filter::check_rules)
    }

    /// Replaces the evaluator of scripts; `None` runs no script.
    #[must_use]
    pub fn with_evaluator(self, evaluator: Option<Evaluator>) -> Self {
        Self { evaluator, ..self }
    }

    /// Replaces what runs the user's own rules; `None` runs none.
    #[must_use]
    pub fn with_own_rules(self, own_rules: Option<OwnRunner>) -> Self {
        Self { own_rules, ..self }
    }

    /// Shares the scripts that were parsed before: new ones are added.
    #[must_use]
    pub fn with_scripts(self, parsed: Arc<ParsedScripts>) -> Self {
        Self { parsed, ..self }
    }

    /// Uses what the last lint of the project has left, and leaves what the next one can use.
    #[must_use]
    pub fn with_last(self, last: Arc<LastLint>) -> Self {
        Self { last: Some(last), ..self }
    }

    /// Makes the work cancelable. The results of canceled work are meaningless.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Self {
        let evaluator = self.evaluator.map(|evaluator| evaluator.with_cancellation(cancellation.clone()));
        let own_rules = self.own_rules.map(|own_rules| own_rules.with_cancellation(cancellation.clone()));
        Self { evaluator, own_rules, cancellation, ..self }
    }

    /// What the last lint has left of a service, if it left anything.
    pub(super) fn last_of(&self, service: &Service) -> Option<LastService> {
        self.last.as_ref().map(|last| last.get(service))
    }

    /// Keeps the result of a service for the next lint, if it only depends on the documents.
    pub(super) fn keep_result(&self, service: &Service, checked: &Checked) {
        if let Some(last) = self.last.as_ref().filter(|_| self.past.is_none()) {
            last.keep_result(service, checked);
        }
    }

    pub fn is_canceled(&self) -> bool {
        self.cancellation.is_canceled()
    }

    pub const fn evaluator(&self) -> Option<&Evaluator> {
        self.evaluator.as_ref()
    }

    pub const fn own_rules(&self) -> Option<&OwnRunner> {
        self.own_rules.as_ref()
    }

    /// What is wrong with the user's own rules before they visit a document, in a line each.
    pub fn problems_of_own_rules(&self) -> Vec<String> {
        let mut outcome = Outcome::default();
        own_problems::add(&self.setup, self.own_rules(), &mut outcome);
        outcome.diagnostics.into_iter().map(|found| found.message).collect()
    }

    /// The problems of configurations, the user's own rules and baselines, by the results of all services.
    pub fn problems<'c>(&self, parts: impl IntoIterator<Item = &'c Checked>) -> Outcome {
        let mut outcome = Outcome::default();
        let mut used = Used::default();
        let mut unread = BTreeSet::new();
        for part in parts {
            used.add(part.used.clone());
            unread.extend(part.unreadable.iter().map(|(id, _)| *id));
        }
        problems::add(&self.setup, &unread, used, &mut outcome);
        own_problems::add(&self.setup, self.own_rules(), &mut outcome);
        outcome
    }

    /// Reports only findings that the past did not have.
    pub(super) fn with_past(self, past: Box<dyn History + Send + 'p>) -> Self {
        Self { past: Some(past), ..self }
    }

    pub const fn project(&self) -> &'p Project {
        self.setup.project
    }

    pub const fn options(&self) -> &'p Options {
        self.setup.options
    }

    /// What is found in the documents of each service.
    pub(super) fn check_models(&self, services: Vec<Modeled<'_>>) -> Vec<Found> {
        let scripts = Some(&*self.parsed);
        let timing = self.setup.options.timing.as_deref();
        let (evaluator, own_rules) = (self.evaluator(), self.own_rules());
        let means = Means { evaluator, own_rules, scripts, timing, cancellation: &self.cancellation };
        means.check(services)
    }

    /// The sensitive values of a service, which reports hide.
    pub fn redactions(&self, service: &Service, overrides: &Overrides) -> Redactions {
        redactions(self.setup.project, service, overrides)
    }

    /// The number of findings of each identity in a service, reported or not. `name` names the files.
    pub(super) fn counts(&self, service: &Service, read: &ServiceFiles, name: impl Fn(FileId) -> String) -> Counts {
        let Setup { project, filters, .. } = &self.setup;
        let mut counts = Counts::new();
        let (Some(config), Some(filter)) = (project.configs.get(service.config), filters.get(service.config)) else {
            return counts;
        };
        let files: Vec<&File> = read.files.iter().collect();
        let Found { mut diagnostics, .. } = self.try_check(&files, config, (Some(filter), filter), MAX_FINDINGS);
        sort(&mut diagnostics);
        let mut identifier = Identifier::new(&files);
        let mut count = |diagnostic: &Diagnostic| {
            let identity = identifier.identify(diagnostic, name(diagnostic.location.file).into());
            *counts.entry(identity).or_default() += 1;
        };
        for diagnostic in &diagnostics {
            count(diagnostic);
        }
        counts
    }

    /// Merges the results of the services, and adds the problems of the configurations and the baseline.
    pub fn finish(&self, parts: Vec<Checked>) -> Outcome {
        let notes: Vec<String> = self.evaluator.iter().filter_map(Evaluator::note).collect();
        let confinement = self.evaluator.as_ref().and_then(Evaluator::confinement);
        let (unreadable, shard) = (self.setup.project.unreadable.clone(), self.setup.project.shard);
        let mut outcome = Outcome { unreadable, notes, confinement, shard, ..Outcome::default() };
        let mut used = Used::default();
        let mut unread = BTreeSet::new();
        for part in parts {
            outcome.sources.extend(part.sources);
            outcome.diagnostics.extend(part.diagnostics);
            outcome.omitted.extend(part.omitted);
            outcome.notes.extend(part.notes);
            outcome.summary.add(part.summary);
            outcome.has_failed_rules |= part.has_failed_rules;
            used.add(part.used);
            for (id, reason) in part.unreadable {
                unread.insert(id);
                outcome.unreadable.push(reason);
            }
        }
        own_problems::drop_repeated(&mut outcome);
        outcome.omitted.sort_by_key(|omitted| (omitted.file, omitted.code, omitted.severity));
        // Very many services may be checked before their results are used.
        let check = |service: &Service| Checked { files: Vec::new(), ..self.check(service, &Overrides::new()) };
        use_ignores_of_other_parts(&self.setup, check, &mut used, &mut unread);
        problems::add(&self.setup, &unread, used, &mut outcome);
        own_problems::add(&self.setup, self.own_rules(), &mut outcome);
        // Findings are sorted by file name: ids follow the names of documents, but those of configurations
        // come after them. Each name gets a rank first, so that names are compared only once per file.
        let mut names: Vec<(&str, FileId)> =
            outcome.sources.iter().map(|(&id, source)| (source.name.as_str(), id)).collect();
        names.sort_unstable();
        let ranks: HashMap<FileId, usize> = names.iter().enumerate().map(|(rank, &(_, id))| (id, rank)).collect();
        outcome.diagnostics.sort_by(|a, b| {
            let rank = |diagnostic: &Diagnostic| ranks.get(&diagnostic.location.file);
            rank(a).cmp(&rank(b)).then_with(|| order(a).cmp(&order(b)))
        });
        outcome
    }
}

/// Sorts findings, and drops equal ones: a script may create several equal values in one line, with one finding for
/// each.
pub(super) fn sort(diagnostics: &mut Vec<Box<Diagnostic>>) {
    diagnostics.sort_by(|a, b| order(a).cmp(&order(b)));
    diagnostics.dedup_by(|a, b| (a.code, &a.location, &a.message) == (b.code, &b.location, &b.message));
}

/// The order of findings in a report: by file, offset, code; then whatever tells them apart.
fn order(diagnostic: &Diagnostic) -> impl Ord {
    let location = &diagnostic.location;
    (location.file, location.span.start, diagnostic.code, location.span.end, diagnostic.message.as_str())
}

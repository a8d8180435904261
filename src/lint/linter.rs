//! Linting one service at a time, and putting the parts together.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::accepted::Accepted;
use super::counted::{Counted, document, find};
use super::filter::{Filter, SelectorIndex};
use super::known::History;
use super::options::Options;
use super::outcome::{Checked, IgnoreIndex, Outcome, Summary, Used};
use super::scope::in_scope;
use super::setup::Setup;
use super::{other_parts, problems};
use crate::cancellation::Cancellation;
use crate::collections::HashMap;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, FileId, MAX_LISTED, Severity};
use crate::facts::{AnalyzedService, Context, Reusable};
use crate::graph::KnownPaths;
use crate::identity::{Counts, Identifier, Identity};
use crate::project::{Content, File, Overrides, Project, Service, ServiceFiles, ServiceModel};
use crate::redaction::Redactions;
use crate::rules::{self, Resolved, RuleFindings, SCHEMA_VIOLATION};
use crate::script::Evaluator;
use crate::script::syntax::ParsedScripts;
use crate::suggest::Suggester;
use crate::timing::{Part, Timing};

/// Lints the services of a project.
pub struct Linter<'p> {
    setup: Setup<'p>,
    evaluator: Option<Evaluator>,
    /// Files that were read before, sorted by id.
    read_before: Arc<[File]>,
    reusable: Reusable,
    cancellation: Cancellation,
    /// For what is not new.
    past: Option<Box<dyn History + Send + 'p>>,
}

impl<'p> Linter<'p> {
    /// # Errors
    /// A selector that matches no rule, with its place.
    pub fn new(project: &'p Project, options: &'p Options) -> Result<Self, String> {
        let evaluator = options.program.clone().map(Evaluator::new);
        let (setup, cancellation) = (Setup::new(project, options)?, Cancellation::default());
        Ok(Self {
            setup,
            evaluator,
            read_before: Arc::default(),
            reusable: Reusable::default(),
            cancellation,
            past: None,
        })
    }

    /// Fails when the options of the command line leave no rule and no error was found: such a run would pass whatever the
    /// documents hold. A document that cannot be linted is an error whatever is selected.
    ///
    /// # Errors
    /// Which options leave no rule.
    pub fn check_rules(&self, outcome: &Outcome) -> Result<(), String> {
        if outcome.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Ok(());
        }
        self.setup.filters.iter().try_for_each(Filter::check_rules)
    }

    /// With this evaluator in place of its own; without one no script is run.
    #[must_use]
    pub fn with_evaluator(self, evaluator: Option<Evaluator>) -> Self {
        Self { evaluator, ..self }
    }

    /// With files that it does not read again where their texts are shared with its overrides, sorted by id.
    #[must_use]
    pub fn with_files(self, read_before: Arc<[File]>) -> Self {
        Self { read_before, ..self }
    }

    /// With scripts that it does not parse again, to which it adds those that it parses.
    #[must_use]
    pub fn with_scripts(self, parsed_before: Arc<ParsedScripts>) -> Self {
        let reusable = Reusable { scripts: Some(parsed_before), ..self.reusable };
        Self { reusable, ..self }
    }

    /// With paths of workflows of this project that it does not explore again, to which it adds those that it explores.
    #[must_use]
    pub fn with_paths(self, explored_before: Arc<KnownPaths>) -> Self {
        let reusable = Reusable { paths: Some(explored_before), ..self.reusable };
        Self { reusable, ..self }
    }

    /// As it is, but its work can be canceled: then its results mean nothing.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Self {
        let evaluator = self.evaluator.map(|evaluator| evaluator.with_cancellation(cancellation.clone()));
        Self { evaluator, cancellation, ..self }
    }

    pub fn is_canceled(&self) -> bool {
        self.cancellation.is_canceled()
    }

    pub const fn evaluator(&self) -> Option<&Evaluator> {
        self.evaluator.as_ref()
    }

    /// The problems of configurations and baselines, by the results of all services.
    pub fn problems<'c>(&self, parts: impl IntoIterator<Item = &'c Checked>) -> Outcome {
        let mut outcome = Outcome::default();
        let mut used = Used::default();
        let mut unread = BTreeSet::new();
        for part in parts {
            used.add(&part.used);
            unread.extend(part.unreadable.iter().map(|(id, _)| *id));
        }
        problems::add(&self.setup, &unread, used, &mut outcome);
        outcome
    }

    /// Reports only what is not known from the past.
    pub(super) fn with_past(self, past: Box<dyn History + Send + 'p>) -> Self {
        Self { past: Some(past), ..self }
    }

    pub const fn project(&self) -> &'p Project {
        self.setup.project
    }

    pub const fn options(&self) -> &'p Options {
        self.setup.options
    }

    /// Reads and checks a service.
    pub fn check(&self, service: &Service, overrides: &Overrides) -> Checked {
        self.check_listing(service, overrides, MAX_LISTED)
    }

    /// As [`Self::check`], but lists so many findings of one rule in one file.
    pub fn check_listing(&self, service: &Service, overrides: &Overrides, max_listed: usize) -> Checked {
        let project = self.setup.project;
        let name = || service.files.first().and_then(|&id| project.name_and_path(id)).map_or("", |(name, _)| name);
        let timing = self.setup.options.timing.as_deref();
        let check = || self.check_service(service, overrides, max_listed);
        Timing::measure(timing, Part::Service, || name().to_owned(), check)
    }

    fn check_service(&self, service: &Service, overrides: &Overrides, max_listed: usize) -> Checked {
        let Setup { project, options, filters, .. } = &self.setup;
        let (Some(config), Some(filter)) = (project.configs.get(service.config), filters.get(service.config)) else {
            return Checked::default();
        };
        let mut read = project.read_again(service, overrides, &self.read_before);
        let known = self.past.as_ref().map(|past| past.known(service, &read)).transpose();
        let known = known.unwrap_or_else(|reason| {
            read.unreadable.extend(service.files.first().map(|&file| (file, reason)));
            None
        });
        let files: Vec<&File> = read.files.iter().collect();
        let mut used = Used::default();
        let mut first = None;
        let mut check = |files: &[&File], used: &mut Used| {
            let mut found = self.check_files(files, config, Some(filter), max_listed, |selector| {
                used.ignores.insert(IgnoreIndex { config: service.config, selector });
            });
            let diagnostics = std::mem::take(&mut found.diagnostics);
            // The first check is that of all files.
            first.get_or_insert(found);
            diagnostics
        };
        let mut diagnostics = in_scope(&files, options.only_reported, |files| check(files, &mut used));
        let Found { counted, redactions, notes, .. } = first.unwrap_or_default();
        for diagnostic in &mut diagnostics {
            redactions.redact(diagnostic);
        }
        sort(&mut diagnostics);
        let mut accepted = Accepted::new(&self.setup, service, &files, known);
        diagnostics.retain(|diagnostic| !accepted.accepts(diagnostic, &mut used));
        let omitted = counted.omitted(&files, filter, &mut accepted, &mut used);
        if options.fingerprints {
            add_fingerprints(&mut diagnostics, &files);
        }
        // Such a file has a finding, but was not checked: a run that found nothing else fails.
        let is_skipped = |content: &&Content| matches!(content, Content::Resembling(..));
        let reported = files.iter().filter(|file| file.reported).map(|file| &file.content);
        let mut summary = Summary {
            files: reported.clone().filter(|content| !is_skipped(content)).count(),
            skipped: read.skipped + reported.filter(|content| is_skipped(content)).count(),
            suppressed: accepted.suppressed,
            baselined: accepted.baselined,
            ..Summary::of(&diagnostics)
        };
        summary.count_omitted(&omitted);
        drop(accepted);
        let of_listed = diagnostics.iter().flat_map(|diagnostic| places(diagnostic));
        let needed: BTreeSet<FileId> = of_listed.chain(omitted.iter().map(|omitted| omitted.file)).collect();
        let sources = read.files.into_iter().filter(|file| needed.contains(&file.id));
        let sources = sources.map(|mut file| {
            file.source.hidden = redactions.spans(file.id).to_vec();
            (file.id, file.source)
        });
        let sources = sources.collect();
        Checked { sources, diagnostics, omitted, notes, summary, unreadable: read.unreadable, used }
    }

    /// Calls a function with the identities of all findings of all rules in a service, reported or not, and returns those
    /// of the findings `wanted`. `None` when a file with one of these holds no document. Files are named as in reports.
    pub fn identities(
        &self,
        service: &Service,
        overrides: &Overrides,
        wanted: &[&Diagnostic],
        mut each: impl FnMut(Identity),
    ) -> Option<Vec<Identity>> {
        let project = self.setup.project;
        let config = project.configs.get(service.config)?;
        let read = project.read_again(service, overrides, &self.read_before);
        let files: Vec<&File> = read.files.iter().collect();
        let is_document = |id| files.iter().any(|file| file.id == id && matches!(file.content, Content::Document(..)));
        let changed = wanted.iter().flat_map(|diagnostic| diagnostic.edited_files());
        if !wanted.iter().map(|diagnostic| diagnostic.location.file).chain(changed).all(is_document) {
            return None;
        }
        let mut identifier = Identifier::new(&files);
        let mut identify = |diagnostic: &Diagnostic| {
            let name = project.name_and_path(diagnostic.location.file).map_or("", |(name, _)| name);
            identifier.identify(diagnostic, name.to_owned())
        };
        let found = self.check_files(&files, config, None, MAX_LISTED, |_| {});
        for diagnostic in found.diagnostics {
            each(identify(&diagnostic));
        }
        for RuleFindings { stamp, findings } in found.counted.rules {
            for finding in findings {
                each(identify(&finding.to_diagnostic(&stamp, document(&files, finding.file))));
            }
        }
        Some(wanted.iter().map(|diagnostic| identify(diagnostic)).collect())
    }

    /// What reports about a service do not show.
    pub fn redactions(&self, service: &Service, overrides: &Overrides) -> Redactions {
        let project = self.setup.project;
        let Some(config) = project.configs.get(service.config) else { return Redactions::default() };
        let read = project.read(service, overrides);
        let files: Vec<&File> = read.files.iter().collect();
        let suggester = Suggester::default();
        let model = ServiceModel::new(&files, config, &suggester);
        let service = AnalyzedService::new(files.clone(), config, &model, &suggester, None);
        let sources = files.iter().map(|file| (file.id, &file.source));
        Redactions::new(Context::new(&service).sensitive_values(), sources)
    }

    /// How many findings of each identity a service has, reported or not; files are named by `name`.
    pub(super) fn counts(&self, service: &Service, read: &ServiceFiles, name: impl Fn(FileId) -> String) -> Counts {
        let Setup { project, filters, .. } = &self.setup;
        let mut counts = Counts::new();
        let (Some(config), Some(filter)) = (project.configs.get(service.config), filters.get(service.config)) else {
            return counts;
        };
        let files: Vec<&File> = read.files.iter().collect();
        let Found { mut diagnostics, counted, .. } = self.check_files(&files, config, Some(filter), MAX_LISTED, |_| {});
        sort(&mut diagnostics);
        let mut identifier = Identifier::new(&files);
        let mut count = |diagnostic: &Diagnostic| {
            let identity = identifier.identify(diagnostic, name(diagnostic.location.file));
            *counts.entry(identity).or_default() += 1;
        };
        for diagnostic in &diagnostics {
            count(diagnostic);
        }
        for (stamp, finding) in counted.into_findings() {
            count(&finding.to_diagnostic(&stamp, document(&files, finding.file)));
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
            used.add(&part.used);
            for (id, reason) in part.unreadable {
                unread.insert(id);
                outcome.unreadable.push(reason);
            }
        }
        outcome.omitted.sort_by_key(|omitted| (omitted.file, omitted.code, omitted.severity));
        let check = |service: &Service| self.check(service, &Overrides::new());
        other_parts::use_ignores(&self.setup, check, &mut used, &mut unread);
        problems::add(&self.setup, &unread, used, &mut outcome);
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

    /// The findings of one service that the filter admits. Every rule is
    /// checked even when it is not selected, so that the selection does not change which rule yields to
    /// which; the rules of the last stage yield to what is reported.
    fn check_files(
        &self,
        files: &[&File],
        config: &Config,
        filter: Option<&Filter>,
        max_listed: usize,
        mut ignored: impl FnMut(SelectorIndex),
    ) -> Found {
        let suggester = Suggester::default();
        let model = ServiceModel::new(files, config, &suggester);
        let evaluator = self.evaluator.as_ref().filter(|_| config.evaluate_scripts);
        let mut service = AnalyzedService::again(files.to_vec(), config, &model, &suggester, evaluator, &self.reusable);
        service.timing = self.setup.options.timing.as_deref();
        service.cancellation = Some(&self.cancellation);
        service.max_listed = max_listed;
        let notes = service.notes_on_violations();
        let context = Context::new(&service);
        let mut findings = rules::check(&context);
        let path = |id| find(files, id).map(|file| file.source.path.as_path());
        if let Some(filter) = filter {
            let mut admitted: HashMap<(FileId, &str), bool> = HashMap::default();
            findings.retain(|code, file| {
                *admitted
                    .entry((file, code))
                    .or_insert_with(|| path(file).is_none_or(|path| filter.admits(code, path, &mut ignored)))
            });
        }
        let redactions = if findings.are_listed() {
            let sources = files.iter().map(|file| (file.id, &file.source));
            Redactions::new(context.sensitive_values(), sources)
        } else {
            Redactions::default()
        };
        // Their memory is for the findings.
        drop(context);
        drop(service);
        let ServiceModel { violations, .. } = model;
        let Resolved { mut diagnostics, counted } = findings.into_resolved(|file| document(files, file));
        if let Some(filter) = filter {
            for diagnostic in &mut diagnostics {
                filter.set_severity(diagnostic);
            }
        }
        let mut is_admitted = |id: FileId| {
            path(id).zip(filter).is_none_or(|(path, filter)| filter.admits(SCHEMA_VIOLATION.code, path, &mut ignored))
        };
        let violations = violations.into_iter().filter(|(_, violations)| !violations.further.is_empty());
        let violations = violations.filter(|(file, _)| is_admitted(*file));
        let violations = violations.map(|(file, violations)| (file, violations.further.clone())).collect();
        Found { diagnostics, counted: Counted { rules: counted, violations }, redactions, notes }
    }
}

/// The findings of one service.
#[derive(Default)]
struct Found {
    diagnostics: Vec<Box<Diagnostic>>,
    counted: Counted,
    /// The values to redact.
    redactions: Redactions,
    /// What was not checked, for the user.
    notes: Vec<String>,
}

/// Sorts findings, and drops equal ones: a script may create several equal values in one line, with one finding for
/// each.
fn sort(diagnostics: &mut Vec<Box<Diagnostic>>) {
    diagnostics.sort_by(|a, b| order(a).cmp(&order(b)));
    diagnostics.dedup_by(|a, b| (a.code, &a.location, &a.message) == (b.code, &b.location, &b.message));
}

/// The order of findings in a report, within a file.
fn order(diagnostic: &Diagnostic) -> impl Ord {
    let location = &diagnostic.location;
    (location.file, location.span, diagnostic.code, diagnostic.message.as_str())
}

fn add_fingerprints(diagnostics: &mut [Box<Diagnostic>], files: &[&File]) {
    let names: HashMap<FileId, &str> = files.iter().map(|file| (file.id, file.source.name.as_str())).collect();
    let mut identifier = Identifier::new(files);
    for diagnostic in diagnostics {
        let name = names.get(&diagnostic.location.file).copied().unwrap_or_default();
        diagnostic.fingerprint = Some(identifier.identify(diagnostic, name.to_owned()).fingerprint());
    }
}

/// The files that a finding points to, or its fix changes.
fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = FileId> {
    let related = diagnostic.related.iter().chain(&diagnostic.flow).map(|label| label.location.file);
    std::iter::once(diagnostic.location.file).chain(related).chain(diagnostic.edited_files())
}

//! Linting one service: it is read, checked by all rules, and reported on.

use std::collections::{BTreeMap, BTreeSet};

use super::accepted::Accepted;
use super::check::{Found, Task};
use super::filter::{Filter, SelectorIndex, is_always_reported};
use super::identities::{Identities, Known, before_fixes, identify};
use super::last::LastService;
use super::linter::{Linter, sort};
use super::options::{Options, Setup};
use super::outcome::{Checked, IgnoreIndex, Omitted, Summary, Used};
use super::own_problems;
use crate::common::collections::HashMap;
use crate::common::limits::MAX_FINDINGS;
use crate::common::timing::{Part, Timing};
use crate::config::Config;
use crate::lint::identity::{Identifier, Identity};
use crate::project::{Content, File, Overrides, Service, ServiceFiles};
use crate::redaction::Redactions;
use crate::schema::DocumentKind;
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::source::SourceFile;
use crate::text::suggest::Suggester;

/// Findings of one rule in a service that are compared when a fix is tried. No fix is offered beside more.
const MAX_COMPARED: usize = 100 * MAX_FINDINGS;

/// Bytes of a service whose documents stay in memory for the trial of fixes, beside those that it parses.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// A service whose documents are in memory.
pub(super) struct ReadService<'l> {
    pub service: &'l Service,
    config: &'l Config,
    filter: &'l Filter,
    read: ServiceFiles,
    known: Option<Known>,
    /// What the last lint has left of it, with the files as they are now.
    last: Option<LastService>,
    suggester: Suggester,
}

impl ReadService<'_> {
    pub fn bytes(&self) -> usize {
        self.read.files.iter().map(|file| file.source.text.len()).sum()
    }

    /// The result of the last lint, if it is still the same.
    pub fn last_result(&self) -> Option<Checked> {
        self.last.as_ref()?.checked.as_deref().cloned()
    }

    pub fn task(&self, max_listed: usize) -> Task<'_> {
        let Self { config, filter, read, suggester, .. } = self;
        let files = read.files.iter().collect();
        Task { files, config, suggester, filter: Some(filter), selection: filter, max_listed, is_trial: false }
    }
}

impl Linter<'_> {
    /// Reads and checks a service.
    pub fn check(&self, service: &Service, overrides: &Overrides) -> Checked {
        self.check_listing(service, overrides, MAX_FINDINGS)
    }

    /// As [`Self::check`], with another limit of listed findings of one rule in one file.
    pub fn check_listing(&self, service: &Service, overrides: &Overrides, max_listed: usize) -> Checked {
        let project = self.setup.project;
        let name = || service.files.first().and_then(|&id| project.name_and_path(id)).map_or("", |(name, _)| name);
        let timing = self.setup.options.timing.as_deref();
        let check = || self.check_service(service, overrides, max_listed);
        Timing::measure(timing, Part::Service, || name().to_owned(), check)
    }

    fn check_service(&self, service: &Service, overrides: &Overrides, max_listed: usize) -> Checked {
        let Some(read) = self.read(service, overrides) else { return Checked::default() };
        let found = self.check_models(vec![read.task(max_listed).model()]).pop().unwrap_or_default();
        self.report(read, found, max_listed)
    }

    /// Reads the documents of a service.
    pub(super) fn read<'l>(&'l self, service: &'l Service, overrides: &Overrides) -> Option<ReadService<'l>> {
        let Setup { project, filters, .. } = &self.setup;
        let (config, filter) = (project.configs.get(service.config)?, filters.get(service.config)?);
        let last = self.last_of(service);
        let read_before = last.as_ref().map_or(&[][..], |last| &last.files);
        let mut read = project.read_again(service, overrides, read_before);
        let last = last.map(|last| last.with_read(&read));
        if let Some((lint, last)) = self.last.as_ref().zip(last.as_ref()) {
            lint.keep(service, last.clone());
        }
        let known = self.past.as_ref().map(|past| past.known(service, &read)).transpose();
        let known = known.unwrap_or_else(|reason| {
            read.unreadable.extend(service.files.first().map(|&file| (file, reason)));
            None
        });
        Some(ReadService { service, config, filter, read, known, last, suggester: Suggester::default() })
    }

    /// The result of a service, from the findings in all of its files.
    pub(super) fn report(&self, service: ReadService<'_>, found: Found, max_listed: usize) -> Checked {
        let options = self.setup.options;
        let ReadService { service, config, filter, read, known, .. } = service;
        let files: Vec<&File> = read.files.iter().collect();
        let mut used = used_before_findings(config, &files, &found);
        let mut use_ignores = |ignored: BTreeSet<SelectorIndex>| {
            let config = service.config;
            used.ignores.extend(ignored.into_iter().map(|selector| IgnoreIndex { config, selector }));
        };
        let identities = self.before_fixes(&found, &files, max_listed);
        let Found {
            diagnostics, omitted, redactions, notes, ignored, is_repeatable, failed_rules, rules_not_run, ..
        } = found;
        use_ignores(ignored);
        let mut diagnostics = in_scope(&files, options.only_reported, diagnostics, |rest| {
            let found = self.try_check(rest, config, (Some(filter), filter), max_listed);
            use_ignores(found.ignored);
            found.diagnostics
        });
        for diagnostic in &mut diagnostics {
            redactions.redact(diagnostic);
        }
        sort(&mut diagnostics);
        let elsewhere = drop_elsewhere(options, &files, &mut diagnostics);
        let mut accepted = Accepted::new(&self.setup, service, &files, known);
        diagnostics.retain(|diagnostic| !accepted.accepts(diagnostic, &mut used));
        let failed = own_problems::of_runs(&self.setup, &failed_rules, &redactions);
        let has_failed_rules = !failed.is_empty();
        // Another lint may run them.
        let runs_own_rules = rules_not_run == 0 || self.own_rules().is_none();
        let mut omitted = reported_beside(omitted, &diagnostics, &files, accepted.is_empty());
        diagnostics.extend(failed);
        omitted.retain(|_| options.spots.is_empty());
        if options.fingerprints {
            add_fingerprints(&mut diagnostics, &files);
        }
        let mut summary = Summary {
            suppressed: accepted.suppressed,
            baselined: accepted.baselined,
            hidden: elsewhere,
            rules_not_run,
            ..summary_of(&diagnostics, &files, read.skipped)
        };
        summary.count_omitted(&omitted);
        drop(accepted);
        let sources = self.sources(&files, &needed_files(&diagnostics, &omitted), &redactions);
        let keeps_files = has_fixes(&diagnostics) && are_small(&files);
        Checked {
            sources,
            files: if keeps_files { read.files } else { Vec::new() },
            diagnostics,
            identities: identities.map(Box::new),
            omitted,
            notes,
            summary,
            has_failed_rules,
            is_repeatable: is_repeatable && read.unreadable.is_empty() && runs_own_rules,
            unreadable: read.unreadable,
            used,
        }
    }

    /// The texts of these files, with what a report hides in them.
    fn sources(
        &self,
        files: &[&File],
        needed: &BTreeSet<FileId>,
        redactions: &Redactions,
    ) -> BTreeMap<FileId, SourceFile> {
        let sources = files.iter().filter(|file| needed.contains(&file.id)).map(|file| {
            let mut source = file.source.clone();
            source.hidden = redactions.spans(file.id).to_vec();
            (file.id, source)
        });
        sources.chain(self.setup.own_files.sources(needed)).collect()
    }

    /// The findings to compare with those after fixes, if the lint that tries a fix finds as many: it drops nothing.
    fn before_fixes(&self, found: &Found, files: &[&File], max_listed: usize) -> Option<Identities> {
        let is_comparable = !found.is_filtered && max_listed == MAX_FINDINGS && found.omitted.is_empty();
        if is_comparable { before_fixes(&found.diagnostics, files, self.setup.project) } else { None }
    }

    /// What is found in documents that may become a version of a service, above all by fixes: the findings that are
    /// wanted, and of the user's own rules what those that are selected find.
    pub(super) fn try_check(
        &self,
        files: &[&File],
        config: &Config,
        (filter, selection): (Option<&Filter>, &Filter),
        max_listed: usize,
    ) -> Found {
        let (files, suggester) = (files.to_vec(), &Suggester::default());
        let task = Task { files, config, suggester, filter, selection, max_listed, is_trial: true };
        self.check_models(vec![task.model()]).pop().unwrap_or_default()
    }

    /// Calls a function with all findings of all rules in a service and their identities, reported or not, and returns those
    /// of the findings `wanted`. `None` when a file with one of these holds no document. Files are named as in reports.
    /// Those of the files read before, sorted by id, or else of the last lint, that have not changed are not parsed again.
    pub fn identities(
        &self,
        service: &Service,
        overrides: &Overrides,
        read_before: &[File],
        wanted: &[&Diagnostic],
        each: impl FnMut(Identity, &Diagnostic),
    ) -> Option<Vec<Identity>> {
        let project = self.setup.project;
        let (config, selection) = (project.configs.get(service.config)?, self.setup.filters.get(service.config)?);
        let last = self.last_of(service).unwrap_or_default();
        let read_before = if read_before.is_empty() { &last.files } else { read_before };
        let read = project.read_again(service, overrides, read_before);
        let files: Vec<&File> = read.files.iter().collect();
        let is_document = |id| files.iter().any(|file| file.id == id && matches!(file.content, Content::Document(..)));
        // A file that cannot be read has no document before its fix; after it, it would be reported again.
        let wanted_in_documents = wanted.iter().filter(|diagnostic| !is_always_reported(diagnostic.code));
        let mut changed = wanted_in_documents.flat_map(|it| it.edited_files().chain([it.location.file]));
        if !changed.all(is_document) {
            return None;
        }
        let found = self.try_check(&files, config, (None, selection), MAX_COMPARED);
        if !found.omitted.is_empty() {
            return None;
        }
        Some(identify(&found.diagnostics, &files, project, wanted, each))
    }
}

/// Selects the findings in the named files, and those that these files cause in other files of the service.
///
/// A finding in another file is caused by the named files when it is not there without them, so the
/// other files are checked again on their own, and their findings are subtracted by rule and place.
fn in_scope(
    files: &[&File],
    only_reported: bool,
    mut found: Vec<Box<Diagnostic>>,
    check: impl FnOnce(&[&File]) -> Vec<Box<Diagnostic>>,
) -> Vec<Box<Diagnostic>> {
    let is_reported = |id: FileId| files.iter().any(|file| file.id == id && file.reported);
    if files.iter().all(|file| file.reported) {
        return found;
    }
    let mut without_named = HashMap::default();
    if !only_reported && found.iter().any(|diagnostic| !is_reported(diagnostic.location.file)) {
        let rest: Vec<&File> = files.iter().copied().filter(|file| !file.reported).collect();
        for diagnostic in check(&rest) {
            let key = (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer);
            *without_named.entry(key).or_insert(0usize) += 1;
        }
    }
    found.retain(|diagnostic| {
        if is_reported(diagnostic.location.file) {
            return true;
        }
        let key = (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer.clone());
        let left = without_named.get_mut(&key).filter(|count| **count > 0);
        let is_caused = left.map(|count| *count -= 1).is_none();
        is_caused && !only_reported
    });
    found
}

/// The files that a report of findings needs.
fn needed_files(diagnostics: &[Box<Diagnostic>], omitted: &[Omitted]) -> BTreeSet<FileId> {
    let of_listed = diagnostics.iter().flat_map(|diagnostic| places(diagnostic));
    of_listed.chain(omitted.iter().map(|omitted| omitted.file)).collect()
}

/// What is used whatever the findings are.
fn used_before_findings(config: &Config, files: &[&File], found: &Found) -> Used {
    let mut used = Used { incomplete_rules: found.incomplete_rules.clone(), ..Used::default() };
    if !config.services.is_empty() {
        used.workflows.extend(files.iter().filter(|file| may_be_workflow(&file.content)).map(|file| file.id));
    }
    used
}

fn has_fixes(diagnostics: &[Box<Diagnostic>]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.repairs().next().is_some())
}

fn summary_of(diagnostics: &[Box<Diagnostic>], files: &[&File], skipped: usize) -> Summary {
    // Such a file has a finding, but was not checked: a run that found nothing else fails.
    let is_skipped = |file: &&&File| matches!(file.content, Content::Resembling(..));
    let reported = || files.iter().filter(|file| file.reported);
    let resembling = reported().filter(is_skipped).count();
    Summary { files: reported().count() - resembling, skipped: skipped + resembling, ..Summary::of(diagnostics) }
}

/// Whether a file is a workflow, or broken.
const fn may_be_workflow(content: &Content) -> bool {
    match content {
        Content::Document(kind, _) => matches!(kind, DocumentKind::Workflow),
        Content::Unrelated(_) | Content::Resembling(..) => false,
        Content::Invalid(_) | Content::OtherEncoding(_) | Content::NotUtf8(_) | Content::TooLarge(_) => true,
    }
}

/// Those in reported files. Where findings may be accepted, these are accepted with those of their rule that are listed.
fn reported_beside(
    mut omitted: Vec<Omitted>,
    listed: &[Box<Diagnostic>],
    files: &[&File],
    accepts_none: bool,
) -> Vec<Omitted> {
    omitted.retain(|omitted| {
        files.iter().any(|file| file.id == omitted.file && file.reported)
            && (accepts_none || listed.iter().any(|diagnostic| diagnostic.code == omitted.code))
    });
    omitted
}

fn add_fingerprints(diagnostics: &mut [Box<Diagnostic>], files: &[&File]) {
    let names: HashMap<FileId, &str> = files.iter().map(|file| (file.id, file.source.name.as_str())).collect();
    let mut identifier = Identifier::new(files);
    for diagnostic in diagnostics {
        let name = names.get(&diagnostic.location.file).copied().unwrap_or_default();
        diagnostic.fingerprint = Some(identifier.identify(diagnostic, name.into()).fingerprint());
    }
}

/// Drops the findings outside of the named lines, and returns their number.
fn drop_elsewhere(options: &Options, files: &[&File], diagnostics: &mut Vec<Box<Diagnostic>>) -> usize {
    let all = diagnostics.len();
    let source = |id: FileId| files.iter().find(|file| file.id == id).map(|file| &file.source);
    diagnostics.retain(|it| source(it.location.file).is_none_or(|source| options.selects(source, it)));
    all - diagnostics.len()
}

/// Whether files are kept for the application of fixes: larger ones are read again.
fn are_small(files: &[&File]) -> bool {
    files.iter().map(|file| file.source.text.len()).sum::<usize>() <= MAX_KEPT_BYTES
}

/// The files that a finding points to, or its fix changes.
fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = FileId> {
    let related = diagnostic.related.iter().chain(&diagnostic.flow).map(|label| label.location.file);
    let edited = diagnostic.repairs().flat_map(|fix| &fix.edits).map(|edit| edit.file);
    std::iter::once(diagnostic.location.file).chain(related).chain(edited)
}

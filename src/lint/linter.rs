//! Linting one service at a time, and putting the parts together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::filter::{Filter, IgnoreWord};
use super::suppress::Suppressions;
use super::{Known, Options, Outcome, Summary, problems};
use crate::collections::HashMap;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, FileId};
use crate::facts::{AnalyzedService, Context};
use crate::identity::{Counts, Identifier, Identity};
use crate::project::{Content, File, Project, Service, ServiceModel, Texts, relative_name};
use crate::redaction::Redactions;
use crate::rules;
use crate::script::Evaluator;
use crate::source::SourceFile;
use crate::suggest::Suggester;

/// Lints the services of a project.
pub struct Linter<'p> {
    pub(super) project: &'p Project,
    pub(super) options: &'p Options,
    /// By configuration.
    pub(super) filters: Vec<Filter>,
    /// By configuration.
    pub(super) suppressions: Vec<Suppressions>,
    evaluator: Option<Evaluator>,
    /// What was not looked at, for the user.
    passed_over: Mutex<BTreeSet<String>>,
}

/// What was found in one service; of its files only those are kept that a report needs.
#[derive(Debug, Default)]
pub struct Checked {
    /// The files with findings, and those that findings point to.
    pub sources: BTreeMap<FileId, SourceFile>,
    /// The findings that are reported, by file, place and code.
    pub diagnostics: Vec<Diagnostic>,
    /// How many there are.
    pub summary: Summary,
    unreadable: Vec<(FileId, String)>,
    used: Used,
}

/// What of the configurations and the baseline a run made use of.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Suppressions: the configuration, and the number among its own.
    pub suppressions: BTreeSet<(usize, usize)>,
    /// Words of `per-file-ignores`, with the configuration.
    pub ignores: BTreeSet<(usize, IgnoreWord)>,
    /// Findings that were known.
    pub known: Counts,
}

impl<'p> Linter<'p> {
    /// A linter for a project.
    ///
    /// # Errors
    /// A choice of rules that names none, with where it was made.
    pub fn new(project: &'p Project, options: &'p Options) -> Result<Self, String> {
        let filter = |config| Filter::new(config, &options.choices);
        let filters = project.configs.iter().map(filter).collect::<Result<_, _>>()?;
        let suppressions = |config| Suppressions::new(config, options.today);
        let suppressions = project.configs.iter().map(suppressions).collect();
        let evaluator = options.program.clone().map(Evaluator::new);
        Ok(Self { project, options, filters, suppressions, evaluator, passed_over: Mutex::default() })
    }

    /// The project.
    pub const fn project(&self) -> &'p Project {
        self.project
    }

    /// How it lints.
    pub const fn options(&self) -> &'p Options {
        self.options
    }

    /// Reads and checks a service; files that have a text in `texts` with that one.
    pub fn check(&self, service: &Service, texts: &Texts) -> Checked {
        let (Some(config), Some(filter)) = (self.project.configs.get(service.config), self.filters.get(service.config))
        else {
            return Checked::default();
        };
        let read = self.project.read(service, texts);
        let files: Vec<&File> = read.files.iter().collect();
        let mut used = Used::default();
        let mut redactions = None;
        let mut check = |files: &[&File], used: &mut Used| {
            let (found, first) = self.check_files(files, config, Some(filter), |word| {
                used.ignores.insert((service.config, word));
            });
            // The first check is that of all files.
            redactions.get_or_insert(first);
            found
        };
        let mut diagnostics = asked_for(&files, self.options.only_reported, |files| check(files, &mut used));
        let redactions: Redactions = redactions.unwrap_or_default();
        for diagnostic in &mut diagnostics {
            redactions.redact(diagnostic);
        }
        diagnostics.sort_by(|a, b| order(a).cmp(&order(b)));
        // Of two parties that a script describes in one line the same may be told.
        diagnostics.dedup_by(|a, b| (a.code, &a.location, &a.message) == (b.code, &b.location, &b.message));
        let found = diagnostics.len();
        self.drop_suppressed(service, &files, &mut diagnostics, &mut used);
        let unsuppressed = diagnostics.len();
        self.drop_known(&files, &mut diagnostics, &mut used);
        let summary = Summary {
            files: files.iter().filter(|file| file.reported).count(),
            skipped: read.skipped,
            suppressed: found - unsuppressed,
            baselined: unsuppressed - diagnostics.len(),
            ..Summary::of(&diagnostics, self.options.unsafe_fixes)
        };
        let needed: BTreeSet<FileId> = diagnostics.iter().flat_map(places).collect();
        let sources = read.files.into_iter().filter(|file| needed.contains(&file.id));
        let sources = sources.map(|mut file| {
            file.source.hidden = redactions.spans(file.id).to_vec();
            (file.id, file.source)
        });
        let sources = sources.collect();
        Checked { sources, diagnostics, summary, unreadable: read.unreadable, used }
    }

    /// The identities of all that all rules find in a service, whatever is reported; files go by
    /// their names in reports. Then those of `wanted`. Nothing if a file of these holds no document.
    pub fn identities(
        &self,
        service: &Service,
        texts: &Texts,
        wanted: &[&Diagnostic],
    ) -> Option<(Counts, Vec<Identity>)> {
        let config = self.project.configs.get(service.config)?;
        let read = self.project.read(service, texts);
        let files: Vec<&File> = read.files.iter().collect();
        let is_document = |id| files.iter().any(|file| file.id == id && matches!(file.content, Content::Document(..)));
        if !wanted.iter().all(|diagnostic| is_document(diagnostic.location.file)) {
            return None;
        }
        let mut identifier = Identifier::new(&files);
        let mut identify = |diagnostic: &Diagnostic| {
            let name = self.project.name_and_path(diagnostic.location.file).map_or("", |(name, _)| name);
            identifier.identify(diagnostic, name.to_owned())
        };
        let mut counts = Counts::new();
        for diagnostic in self.check_files(&files, config, None, |_| {}).0 {
            *counts.entry(identify(&diagnostic)).or_default() += 1;
        }
        Some((counts, wanted.iter().map(|diagnostic| identify(diagnostic)).collect()))
    }

    fn drop_suppressed(&self, service: &Service, files: &[&File], found: &mut Vec<Diagnostic>, used: &mut Used) {
        let suppressions = self.suppressions.get(service.config).filter(|suppressions| !suppressions.is_empty());
        let Some(suppressions) = suppressions else { return };
        let paths: HashMap<FileId, &Path> = files.iter().map(|file| (file.id, file.source.path.as_path())).collect();
        found.retain(|diagnostic| {
            let path = paths.get(&diagnostic.location.file);
            let matching = path.map(|path| suppressions.matching(diagnostic, path)).unwrap_or_default();
            let is_free = matching.is_empty();
            used.suppressions.extend(matching.into_iter().map(|number| (service.config, number)));
            is_free
        });
    }

    fn drop_known(&self, files: &[&File], found: &mut Vec<Diagnostic>, used: &mut Used) {
        let baseline = match &self.options.known {
            Known::Nothing => return,
            Known::Listed(baseline) | Known::Everything(baseline) => baseline,
        };
        let takes_all = matches!(self.options.known, Known::Everything(_));
        let name = |file: &File| {
            // A text that stands for no file has a name, but no place.
            let has_place = file.source.path.is_absolute();
            if has_place { relative_name(&file.source.path, baseline.folder()) } else { file.source.name.clone() }
        };
        let names: HashMap<FileId, String> = files.iter().map(|file| (file.id, name(file))).collect();
        let mut identifier = Identifier::new(files);
        found.retain(|diagnostic| {
            let name = names.get(&diagnostic.location.file).cloned().unwrap_or_default();
            let identity = identifier.identify(diagnostic, name);
            let listed = baseline.count(&identity);
            let seen = used.known.get(&identity).copied().unwrap_or(0);
            if !takes_all && seen >= listed {
                return true;
            }
            used.known.insert(identity, seen + 1);
            false
        });
    }

    /// Puts the parts together, and adds what is wrong with the configurations and the baseline.
    pub fn finish(&self, parts: Vec<Checked>) -> Outcome {
        let mut notes: Vec<String> = self.evaluator.iter().filter_map(Evaluator::note).collect();
        notes.extend(self.passed_over.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned());
        let mut outcome = Outcome { unreadable: self.project.unreadable.clone(), notes, ..Outcome::default() };
        let mut used = Used::default();
        let mut unread = BTreeSet::new();
        for part in parts {
            outcome.sources.extend(part.sources);
            outcome.diagnostics.extend(part.diagnostics);
            outcome.summary.add(part.summary);
            used.suppressions.extend(part.used.suppressions);
            used.ignores.extend(part.used.ignores);
            used.known.extend(part.used.known);
            for (id, reason) in part.unreadable {
                unread.insert(id);
                outcome.unreadable.push(reason);
            }
        }
        problems::add(self, &unread, used, &mut outcome);
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

    /// The findings of one service that are to be reported; all of them without a filter. All rules
    /// are checked, so that which of them report does not change what gives way to what; the last ones
    /// give way to what is reported. With what is not to be shown of the documents.
    fn check_files(
        &self,
        files: &[&File],
        config: &Config,
        filter: Option<&Filter>,
        mut ignored: impl FnMut(IgnoreWord),
    ) -> (Vec<Diagnostic>, Redactions) {
        let suggester = Suggester::default();
        let model = ServiceModel::new(files, config, &suggester);
        let evaluator = self.evaluator.as_ref().filter(|_| config.evaluate_scripts);
        let service = AnalyzedService::new(files.to_vec(), config, &model, &suggester, evaluator);
        let passed_over = service.notes_on_long_scripts();
        if !passed_over.is_empty() {
            self.passed_over.lock().unwrap_or_else(PoisonError::into_inner).extend(passed_over);
        }
        let context = Context::new(&service);
        let mut findings = rules::check(&context);
        if let Some(filter) = filter {
            findings.retain(|diagnostic| {
                let file = context.file(diagnostic.location.file);
                file.is_none_or(|file| filter.admits(diagnostic.code, &file.source.path, &mut ignored))
            });
        }
        let mut found = findings.into_diagnostics(|file| context.document(file));
        if let Some(filter) = filter {
            for diagnostic in &mut found {
                filter.set_severity(diagnostic);
            }
        }
        if found.is_empty() {
            return (found, Redactions::default());
        }
        let sources = files.iter().map(|file| (file.id, &file.source));
        let redactions = Redactions::new(context.sensitive_values(), sources);
        (found, redactions)
    }
}

/// The order of findings in a report, within a file.
fn order(diagnostic: &Diagnostic) -> impl Ord {
    let location = &diagnostic.location;
    (location.file, location.span, diagnostic.code, diagnostic.message.as_str())
}

/// The files that a finding points to.
fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = FileId> {
    let related = diagnostic.related.iter().map(|label| &label.location);
    std::iter::once(&diagnostic.location).chain(related).map(|location| location.file)
}

/// The findings in the files that were asked for, and those in the service's other files that the
/// ones asked for cause: that are not there without them.
fn asked_for(
    files: &[&File],
    only_reported: bool,
    mut check: impl FnMut(&[&File]) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_reported = |id: FileId| files.iter().any(|file| file.id == id && file.reported);
    let mut found = check(files);
    if files.iter().all(|file| file.reported) {
        return found;
    }
    let mut without = HashMap::default();
    if !only_reported && found.iter().any(|diagnostic| !is_reported(diagnostic.location.file)) {
        let rest: Vec<&File> = files.iter().copied().filter(|file| !file.reported).collect();
        for diagnostic in check(&rest) {
            let key = (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer);
            *without.entry(key).or_insert(0usize) += 1;
        }
    }
    found.retain(|diagnostic| {
        if is_reported(diagnostic.location.file) {
            return true;
        }
        let key = (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer.clone());
        let known = without.get_mut(&key).filter(|count| **count > 0);
        known.map(|count| *count -= 1).is_none() && !only_reported
    });
    found
}

//! Tries all changes: whether the scenarios of a changed workflow, or lint, notice it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::accepted::{Entries, Used};
use super::change::WorkflowChange;
use super::changes::changes;
use super::prepared::{Prepared, Target};
use super::{Mutants, NOT_NOTICED, Survivor};
use crate::common::collections::HashMap;
use crate::config::Config;
use crate::lint::Linter;
use crate::project::{Contents, Overrides, Service};
use crate::simulate::{Replacement, Sandboxes, Session};
use crate::text::diagnostic::{FileId, Location, activity_name};
use crate::text::source::SourceFile;
use crate::text::suggest::Suggester;

/// Sees how far a run is.
pub trait TrialProgress: Sync {
    /// Called once, with the number of changed documents that are run.
    fn begin(&self, total: usize);

    /// Called after each of them, by any thread.
    fn step(&self);
}

/// A change, and the workflow that has it.
struct Mutant {
    target: usize,
    change: WorkflowChange,
}

impl Prepared {
    /// Tries the changes of the workflows of a session whose scenarios all pass. Returns with them a warning for each entry
    /// of a configuration that accepts nothing. The pool is one of [`crate::lint::pool`].
    ///
    /// # Errors
    /// An old version of a workflow that cannot be read, or a selector of a configuration that matches no rule.
    pub fn run<'t>(
        &'t self,
        session: &'t Session<'t>,
        sources: &'t BTreeMap<FileId, SourceFile>,
        program: &Path,
        pool: &ThreadPool,
        progress: &dyn TrialProgress,
    ) -> Result<(Mutants, Vec<String>), String> {
        let linter = Linter::new(&self.project, &self.options)?;
        let targets = Target::of_session(session, sources);
        let mutants = pool.install(|| self.mutants(&targets))?;
        let sandboxes = Sandboxes::with_memo(program);
        let verdicts = pool.install(|| {
            let errors = |target: &Target<'_>| Some(Errors::new(&linter, self.id_of(target)?, &target.source.text));
            let errors: Vec<Option<Errors<'_>>> = targets.par_iter().map(errors).collect();
            let judged = |mutant: &Mutant, text: &_| {
                let (target, errors) = (targets.get(mutant.target)?, errors.get(mutant.target)?.as_ref()?);
                Some(judge(target, text, errors, &sandboxes))
            };
            verdicts(&targets, &mutants, progress, judged)
        });
        Ok(self.result(&targets, mutants.iter().zip(verdicts)))
    }

    /// The file of a workflow in the project.
    fn id_of(&self, target: &Target<'_>) -> Option<FileId> {
        self.workflows.get(&target.file).map(|(id, _)| *id)
    }

    /// The changes to try, in the order of files and places.
    fn mutants(&self, targets: &[Target<'_>]) -> Result<Vec<Mutant>, String> {
        let of_target = |(index, target): (usize, &Target<'_>)| {
            let all = changes(&target.site);
            let Some(old) = &self.old else { return Ok(all.into_iter().map(|change| (index, change)).collect()) };
            let old_text = self.id_of(target).map_or(Ok(None), |id| old.old_text(id))?;
            let changed = target.changed_since(old_text.as_deref());
            let is_changed = |change: &WorkflowChange| {
                let mut activities = std::iter::once(change.activity).chain(change.other);
                activities.any(|id| changed.get(id.0 as usize).copied().unwrap_or_default())
            };
            Ok(all.into_iter().filter(is_changed).map(|change| (index, change)).collect())
        };
        let all: Result<Vec<Vec<(usize, WorkflowChange)>>, String> =
            targets.par_iter().enumerate().map(of_target).collect();
        Ok(all?.into_iter().flatten().map(|(target, change)| Mutant { target, change }).collect())
    }

    /// Counts the verdicts, and accepts survivors.
    fn result<'m>(
        &self,
        targets: &[Target<'_>],
        judged: impl Iterator<Item = (&'m Mutant, Option<Verdict>)>,
    ) -> (Mutants, Vec<String>) {
        let mut found = Mutants::default();
        let mut used = Used::default();
        let entries: Vec<Option<Entries<'_>>> =
            targets.iter().map(|target| Some(Entries::about(self.config_of(target)?, &target.source.path))).collect();
        for (mutant, verdict) in judged {
            match verdict {
                // The change changes nothing.
                None => {}
                Some(Verdict::Noticed) => found.noticed += 1,
                Some(Verdict::NoticedByLint) => {
                    found.noticed += 1;
                    found.noticed_by_lint += 1;
                }
                Some(Verdict::Survived) => {
                    let Some(target) = targets.get(mutant.target) else { continue };
                    let entries = entries.get(mutant.target).and_then(Option::as_ref);
                    found.survivors.push(self.survivor(target, &mutant.change, entries, &mut used));
                }
            }
        }
        // With `--since`, an entry may match activities that have not changed.
        let warnings = if self.old.is_some() { Vec::new() } else { used.warnings(&self.project) };
        (found, warnings)
    }

    /// The configuration of the service of a workflow.
    fn config_of(&self, target: &Target<'_>) -> Option<&Config> {
        let id = self.id_of(target)?;
        let service = self.project.services.iter().find(|service| service.files.contains(&id))?;
        self.project.configs.get(service.config)
    }

    fn survivor<'c>(
        &self,
        target: &Target<'_>,
        change: &WorkflowChange,
        entries: Option<&Entries<'c>>,
        used: &mut Used<'c>,
    ) -> Survivor {
        let Target { site, file, .. } = target;
        let pointer = site.document.pointer(change.node);
        let activity = site.workflow.activity(change.activity).and_then(|activity| activity.name.value());
        let mut activity = activity.map(|name| activity_name(name).into_owned());
        let accepted = entries.and_then(|entries| entries.accept(change.mutation, activity.as_deref(), &pointer, used));
        let mut message = format!("{NOT_NOTICED}{}", change.clause);
        if let Some((_, redactions)) = self.workflows.get(file) {
            redactions.redact_text(&mut message);
            if let Some(name) = &mut activity {
                redactions.redact_text(name);
            }
        }
        let location = Location { file: *file, pointer, span: site.document.anchor(change.node) };
        Survivor { mutation: change.mutation, location, activity, message, accepted }
    }
}

/// The verdict of each change; `None` if it changes nothing. Changes with equal results are tried once.
fn verdicts(
    targets: &[Target<'_>],
    mutants: &[Mutant],
    progress: &dyn TrialProgress,
    judge: impl Fn(&Mutant, &Arc<str>) -> Option<Verdict> + Sync,
) -> Vec<Option<Verdict>> {
    let text = |mutant: &Mutant| targets.get(mutant.target)?.with(&mutant.change);
    let hashes: Vec<Option<u128>> = mutants.par_iter().map(|mutant| Some(text(mutant)?.hash)).collect();
    let mut numbers: HashMap<(usize, u128), usize> = HashMap::default();
    let mut tried: Vec<&Mutant> = Vec::new();
    let mut number_of = Vec::with_capacity(mutants.len());
    for (mutant, hash) in mutants.iter().zip(hashes) {
        number_of.push(hash.map(|hash| {
            *numbers.entry((mutant.target, hash)).or_insert_with(|| {
                tried.push(mutant);
                tried.len() - 1
            })
        }));
    }
    progress.begin(tried.len());
    let judge = |mutant: &&Mutant| {
        let verdict = text(mutant).and_then(|changed| judge(mutant, &changed.text));
        progress.step();
        verdict
    };
    let judged: Vec<Option<Verdict>> = tried.par_iter().map(judge).collect();
    number_of.into_iter().map(|number| *judged.get(number?)?).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A scenario fails, or is refused.
    Noticed,
    /// No scenario notices it, but lint has one error more.
    NoticedByLint,
    Survived,
}

/// Runs the scenarios up to the first that fails, and lints only if all pass.
pub fn judge(target: &Target<'_>, text: &Arc<str>, errors: &Errors<'_>, sandboxes: &Sandboxes) -> Verdict {
    // The text of a document with a change is a document.
    let Some(document) = target.parse(text) else { return Verdict::NoticedByLint };
    let suggester = Suggester::default();
    let workflow = target.lower(&document, &suggester);
    let replacement = Replacement { document: &document, workflow: &workflow, suggester: &suggester };
    let passes = |scenario: &&_| sandboxes.lend(|sandbox| target.session.passes(scenario, &replacement, sandbox));
    if !target.scenarios.iter().all(passes) {
        Verdict::Noticed
    } else if errors.are_added_by(text) {
        Verdict::NoticedByLint
    } else {
        Verdict::Survived
    }
}

/// Lints the services of one workflow.
pub struct Errors<'l> {
    linter: &'l Linter<'l>,
    file: FileId,
    services: Vec<LintedService<'l>>,
}

struct LintedService<'l> {
    service: &'l Service,
    /// The contents of all its files.
    contents: Overrides,
    /// The number of errors of each rule in the original workflow.
    before: BTreeMap<&'static str, usize>,
}

impl<'l> Errors<'l> {
    /// `text` is the original text.
    pub fn new(linter: &'l Linter<'l>, file: FileId, text: &Arc<str>) -> Self {
        let services = linter.project().services.iter().filter(|service| service.files.contains(&file));
        let services = services.map(|service| {
            let mut contents = linter.project().contents(service);
            contents.insert(file, Contents::Text(Arc::clone(text)));
            let before = linter.check(service, &contents).errors();
            LintedService { service, contents, before }
        });
        Self { linter, file, services: services.collect() }
    }

    /// Whether a changed workflow has more errors of a rule. Errors are not compared by their places, which a change may
    /// move.
    pub fn are_added_by(&self, text: &Arc<str>) -> bool {
        self.services.iter().any(|LintedService { service, contents, before }| {
            let mut contents = contents.clone();
            contents.insert(self.file, Contents::Text(Arc::clone(text)));
            let after = self.linter.check(service, &contents).errors();
            after.iter().any(|(rule, number)| before.get(rule).is_none_or(|before| number > before))
        })
    }
}

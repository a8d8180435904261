//! Checking the documents of services by all rules.

use std::collections::BTreeSet;

use super::counted::{Counted, document, find};
use super::filter::{Filter, SelectorIndex};
use crate::cancellation::Cancellation;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, FileId};
use crate::facts::{AnalyzedService, Context, CountedViolations};
use crate::project::{File, ServiceModel};
use crate::redaction::Redactions;
use crate::rules::{self, CASE_SCHEMA_VIOLATION, Findings, Resolved, SCHEMA_VIOLATION};
use crate::script::Evaluator;
use crate::script::syntax::ParsedScripts;
use crate::suggest::Suggester;
use crate::timing::Timing;

/// The documents of one service that are to be checked.
pub(super) struct Task<'t> {
    pub files: Vec<&'t File>,
    pub config: &'t Config,
    pub suggester: &'t Suggester,
    /// Which findings are wanted; `None` for all.
    pub filter: Option<&'t Filter>,
    /// How many findings of one rule in one file are listed, not only counted.
    pub max_listed: usize,
    /// Whether only codes and places of findings are used: what reports hide is not looked for.
    pub is_trial: bool,
}

/// A service that is to be checked, with its model.
pub(super) struct Modeled<'t> {
    task: Task<'t>,
    model: ServiceModel<'t>,
}

/// The findings of one service.
#[derive(Default)]
pub(super) struct Found {
    pub diagnostics: Vec<Box<Diagnostic>>,
    pub counted: Counted,
    /// The values to redact; none for a trial.
    pub redactions: Redactions,
    /// What was not checked, for the user.
    pub notes: Vec<String>,
    /// Whether the filter has dropped a finding.
    pub is_filtered: bool,
    /// Whether another lint of the same documents finds the same.
    pub is_repeatable: bool,
    /// The selectors of `ignore` and `per-file-ignores` that have dropped a finding.
    pub ignored: BTreeSet<SelectorIndex>,
}

impl Found {
    /// The number of findings that have an identity.
    pub fn len(&self) -> usize {
        self.diagnostics.len() + self.counted.rules.iter().map(|rule| rule.findings.len()).sum::<usize>()
    }
}

/// What services are checked with.
pub(super) struct Means<'m> {
    /// `None` if no script is run.
    pub evaluator: Option<&'m Evaluator>,
    pub scripts: Option<&'m ParsedScripts>,
    pub timing: Option<&'m Timing>,
    pub cancellation: &'m Cancellation,
}

impl Means<'_> {
    /// The findings that the filters admit, of each service. Every rule is checked even when it is not selected, so that
    /// the selection does not change which rule yields to which; the rules of the last stage yield to what is reported.
    pub fn check(&self, services: Vec<Modeled<'_>>) -> Vec<Found> {
        let analyzed: Vec<AnalyzedService<'_>> = services.iter().map(|service| self.analyze(service)).collect();
        let contexts: Vec<Context<'_>> = analyzed.iter().map(Context::new).collect();
        let findings = rules::check(&contexts);
        let found = services.iter().zip(&contexts).zip(findings);
        let found = found.map(|((service, context), findings)| admit(&service.task, context, findings));
        let found: Vec<(Found, Findings)> = found.collect();
        // Their memory is for the findings.
        drop(contexts);
        drop(analyzed);
        let found = services.into_iter().zip(found);
        found.map(|(service, (found, findings))| list(service, found, findings)).collect()
    }

    fn analyze<'a>(&'a self, service: &'a Modeled<'a>) -> AnalyzedService<'a> {
        let Modeled { task, model } = service;
        let Task { files, config, suggester, max_listed, .. } = task;
        let evaluator = self.evaluator.filter(|_| config.evaluate_scripts);
        let mut service =
            AnalyzedService::with_parsed(files.clone(), config, model, suggester, evaluator, self.scripts);
        service.timing = self.timing;
        service.cancellation = Some(self.cancellation);
        service.max_listed = *max_listed;
        service
    }
}

/// Drops what is not wanted. The findings are listed later, when the analysis is not in memory.
fn admit<'a>(task: &Task<'a>, context: &Context<'a>, mut findings: Findings) -> (Found, Findings) {
    let mut found =
        Found { notes: context.notes_on_violations(), is_repeatable: !context.has_failed(), ..Found::default() };
    if let Some(filter) = task.filter {
        // Those of a rule in one file come after each other.
        let mut last = None;
        findings.retain(|code, file| match last {
            Some((known, is_admitted)) if known == (code, file) => is_admitted,
            _ => {
                let is_admitted = task.admits(filter, code, file, &mut found.ignored);
                last = Some(((code, file), is_admitted));
                found.is_filtered |= !is_admitted;
                is_admitted
            }
        });
    }
    for site in context.known_cases().iter().filter(|site| !site.is_built()) {
        let Some(violations) = &site.counted else { continue };
        let code = CASE_SCHEMA_VIOLATION.code;
        if task.filter.is_none_or(|filter| task.admits(filter, code, violations.file, &mut found.ignored)) {
            found.counted.violations.push((CASE_SCHEMA_VIOLATION.stamp(), violations.clone()));
        }
    }
    if findings.are_listed() && !task.is_trial {
        let sources = task.files.iter().map(|file| (file.id, &file.source));
        found.redactions = Redactions::new(context.sensitive_values(), sources);
    }
    (found, findings)
}

/// The findings as they are reported.
fn list(service: Modeled<'_>, mut found: Found, findings: Findings) -> Found {
    let Modeled { task, model: ServiceModel { violations, .. } } = service;
    let Resolved { mut diagnostics, counted } = findings.into_resolved(|file| document(&task.files, file));
    if let Some(filter) = task.filter {
        for diagnostic in &mut diagnostics {
            filter.set_severity(diagnostic);
        }
    }
    let violations = violations.into_iter().filter(|(_, violations)| !violations.further.is_empty());
    let violations = violations.filter(|(file, _)| {
        task.filter.is_none_or(|filter| task.admits(filter, SCHEMA_VIOLATION.code, *file, &mut found.ignored))
    });
    let violations = violations.map(|(file, violations)| {
        (SCHEMA_VIOLATION.stamp(), CountedViolations { file, nodes: violations.further.clone(), of_each: 1 })
    });
    let violations = violations.collect::<Vec<_>>().into_iter().chain(found.counted.violations).collect();
    found.diagnostics = diagnostics;
    found.counted = Counted { rules: counted, violations };
    found
}

impl<'t> Task<'t> {
    pub fn model(self) -> Modeled<'t> {
        let model = ServiceModel::new(&self.files, self.config);
        Modeled { task: self, model }
    }

    /// Whether findings of a rule in a file are wanted; adds the selector by which they are not.
    fn admits(&self, filter: &Filter, code: &str, file: FileId, ignored: &mut BTreeSet<SelectorIndex>) -> bool {
        let path = find(&self.files, file).map(|file| file.source.path.as_path());
        path.is_none_or(|path| {
            filter.admits(code, path, &mut |selector| {
                ignored.insert(selector);
            })
        })
    }
}

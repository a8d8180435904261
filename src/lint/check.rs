//! Checking the documents of services by all rules.

use std::collections::BTreeSet;

use super::filter::{Filter, SelectorIndex};
use super::outcome::Omitted;
use super::own::{self, FailedRule, OwnFound};
use crate::common::cancellation::Cancellation;
use crate::common::timing::Timing;
use crate::config::Config;
use crate::facts::{AnalyzedService, Context};
use crate::lint::pool::thread;
use crate::own_rules::OwnRunner;
use crate::project::{File, ServiceModel};
use crate::redaction::Redactions;
use crate::rules::{self, CASE_SCHEMA_VIOLATION, RuleFindings, RuleIdentity, SCHEMA_VIOLATION};
use crate::script::Evaluator;
use crate::script::syntax::ParsedScripts;
use crate::text::diagnostic::{Diagnostic, FileId, Severity};
use crate::text::suggest::Suggester;

/// The documents of one service that are to be checked.
pub(super) struct Task<'t> {
    pub files: Vec<&'t File>,
    pub config: &'t Config,
    pub suggester: &'t Suggester,
    /// Which findings are wanted; `None` for all.
    pub filter: Option<&'t Filter>,
    /// Which of the user's own rules are to run.
    pub selection: &'t Filter,
    /// How many findings of one rule are listed, not only counted.
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
    /// The findings that are only counted, in all files.
    pub omitted: Vec<Omitted>,
    /// The values to redact; none for a trial.
    pub redactions: Redactions,
    /// What was not checked, for the user.
    pub notes: Vec<String>,
    /// The user's own rules that did not run to their end.
    pub failed_rules: Vec<FailedRule>,
    /// How many of these rules were to run, but could not.
    pub rules_not_run: usize,
    /// Those that did not find all that they may find.
    pub incomplete_rules: BTreeSet<&'static str>,
    /// Whether the filter has dropped a finding.
    pub is_filtered: bool,
    /// Whether another lint of the same documents finds the same.
    pub is_repeatable: bool,
    /// The selectors of `ignore` and `per-file-ignores` that have dropped a finding.
    pub ignored: BTreeSet<SelectorIndex>,
}

/// What services are checked with.
pub(super) struct Means<'m> {
    /// `None` if no script is run.
    pub evaluator: Option<&'m Evaluator>,
    /// `None` if none of the user's own rules is run.
    pub own_rules: Option<&'m OwnRunner>,
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
        let plan = |(service, context): (&Modeled<'_>, _)| own::plan(self.own_rules, service.task.selection, context);
        let plans: Vec<own::Plan<'_>> = services.iter().zip(&contexts).map(plan).collect();
        let (findings, runs) = self.run_rules(&contexts, &plans);
        let own_found =
            plans.into_iter().zip(runs).zip(&contexts).map(|((plan, runs), context)| plan.found(runs, context));
        let found = services.iter().zip(&contexts).zip(findings).zip(own_found);
        let found = found.map(|(((service, context), mut findings), mut own)| {
            findings.extend(std::mem::take(&mut own.findings));
            let (found, findings) = admit(&service.task, context, findings, !own.failed.is_empty());
            let OwnFound { failed: failed_rules, not_run: rules_not_run, incomplete: incomplete_rules, .. } = own;
            (Found { failed_rules, rules_not_run, incomplete_rules, ..found }, findings)
        });
        let found: Vec<(Found, Vec<RuleFindings>)> = found.collect();
        // Their memory is for the findings.
        drop(contexts);
        drop(analyzed);
        let found = services.into_iter().zip(found);
        found.map(|(service, (found, findings))| list(service, found, findings)).collect()
    }

    /// Runs our rules, and beside them, in a process that has to be waited for, the user's own.
    fn run_rules(&self, contexts: &[Context<'_>], plans: &[own::Plan<'_>]) -> (Vec<Vec<RuleFindings>>, Vec<own::Runs>) {
        let run_own = || plans.iter().map(|plan| plan.run(self.own_rules, self.timing)).collect::<Vec<_>>();
        if plans.iter().all(own::Plan::is_empty) {
            return (rules::check(contexts), run_own());
        }
        std::thread::scope(|scope| {
            let beside = thread().spawn_scoped(scope, run_own);
            let findings = rules::check(contexts);
            let runs = match beside {
                Ok(beside) => beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                // Such as in WebAssembly.
                Err(_) => run_own(),
            };
            (findings, runs)
        })
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
fn admit<'a>(
    task: &Task<'a>,
    context: &Context<'a>,
    mut rules: Vec<RuleFindings>,
    has_failed_rules: bool,
) -> (Found, Vec<RuleFindings>) {
    let mut found =
        Found { notes: context.notes_on_violations(), is_repeatable: !context.has_failed(), ..Found::default() };
    let mut is_admitted =
        |rule: RuleIdentity, last: &mut Option<(FileId, Option<Severity>)>, file, severity: Severity| {
            let mut least =
                || task.filter.map_or(Some(Severity::Info), |it| task.least(it, rule.code, file, &mut found.ignored));
            // Those in one file come after each other.
            let (_, least) = last.take_if(|(known, _)| *known == file).unwrap_or_else(|| (file, least()));
            *last = Some((file, least));
            let set = task.filter.and_then(|filter| filter.severity(rule.code));
            let is_admitted = least.is_some_and(|least| severity.max(set.unwrap_or(severity)) >= least);
            found.is_filtered |= !is_admitted;
            is_admitted
        };
    for RuleFindings { rule, findings, omitted } in &mut rules {
        let mut last = None;
        findings.retain(|finding| is_admitted(*rule, &mut last, finding.file, finding.diagnostic.severity));
        omitted.retain(|(file, severity), _| is_admitted(*rule, &mut last, *file, *severity));
    }
    let mut add = |rule: RuleIdentity, file, severity, count| {
        let RuleIdentity { code, name, .. } = rule;
        let severity = task.filter.and_then(|filter| filter.severity(code)).unwrap_or(severity);
        found.omitted.push(Omitted { file, code, name, severity, count });
    };
    for RuleFindings { rule, omitted, .. } in &rules {
        omitted.iter().filter(|(_, count)| **count > 0).for_each(|(&(file, severity), &count)| {
            add(*rule, file, severity, count);
        });
    }
    let of_files = context.model.violations.iter().map(|(file, violations)| (*file, violations.further.len()));
    let of_files = of_files.map(|(file, count)| (SCHEMA_VIOLATION.identity(), file, count));
    let of_cases = context.known_cases().iter().filter(|site| !site.is_built());
    let of_cases = of_cases.map(|site| (CASE_SCHEMA_VIOLATION.identity(), site.file(), site.not_listed));
    for (rule, file, count) in of_files.chain(of_cases).filter(|(_, _, count)| *count > 0) {
        if is_admitted(rule, &mut None, file, rule.severity) {
            add(rule, file, rule.severity, count);
        }
    }
    if !task.is_trial && (has_failed_rules || rules.iter().any(|rule| !rule.findings.is_empty())) {
        let sources = task.files.iter().map(|file| (file.id, &file.source));
        found.redactions = Redactions::new(context.sensitive_values(), sources);
    }
    (found, rules)
}

/// The findings as they are reported.
fn list(Modeled { task, .. }: Modeled<'_>, mut found: Found, mut rules: Vec<RuleFindings>) -> Found {
    rules::yield_to_all_others(&mut rules, |file| find(&task.files, file)?.document().map(|(_, document)| document));
    found.diagnostics = rules.into_iter().flat_map(|rule| rule.findings).map(|finding| finding.diagnostic).collect();
    if let Some(filter) = task.filter {
        found.diagnostics.iter_mut().for_each(|diagnostic| filter.set_severity(diagnostic));
    }
    found
}

fn find<'f>(files: &[&'f File], id: FileId) -> Option<&'f File> {
    let index = files.binary_search_by_key(&id, |file| file.id).ok()?;
    files.get(index).copied()
}

impl<'t> Task<'t> {
    pub fn model(self) -> Modeled<'t> {
        let model = ServiceModel::new(&self.files, self.config);
        Modeled { task: self, model }
    }

    /// The least severity of the findings of a rule in a file that are wanted; adds the selector by which none are.
    fn least(
        &self,
        filter: &Filter,
        code: &str,
        file: FileId,
        ignored: &mut BTreeSet<SelectorIndex>,
    ) -> Option<Severity> {
        let Some(file) = find(&self.files, file) else { return Some(Severity::Info) };
        filter.least(code, &file.source.path, |selector| {
            ignored.insert(selector);
        })
    }
}

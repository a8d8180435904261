//! The side of the parent: jobs for the process of the sandbox, and what its answers mean.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use serde::Deserialize;

use super::interface::{
    Meta, NodeRef, Report, RuleFiles, RuleProblem, RuleRun, Selected, ServiceInput, visiting_order,
};
use super::job::{Base, Job, Reply, SentDocument, SentRule, SentService};
use super::worker::{RuleWorker, time_limit};
use crate::common::collections::RandomState;
use crate::common::limits::MAX_RULE_TEXT;
use crate::script::sandbox::{GuestJob, Sandbox, SandboxError, ScriptFailure};

/// Loads rules: evaluates their modules, and checks what they export. One answer for each of [`RuleFiles::rules`].
///
/// # Errors
/// When no process can be started for it.
pub fn load(sandbox: &mut Sandbox, files: &RuleFiles) -> Result<Vec<Result<Meta, RuleProblem>>, SandboxError> {
    let mut child = Child::new(sandbox, files, (0..files.rules.len()).collect());
    let replies = child
        .replies(|rules, is_fresh| Sent { job: Job::Load { rules: rules.to_vec(), is_fresh }, texts: Vec::new() })?;
    let meta = |(rule, reply): (usize, Reply)| match (reply.problem, reply.json) {
        (Some(problem), _) => Err(problem),
        (None, json) => {
            let meta = json.and_then(|json| serde_json::from_str::<Meta>(&json).ok());
            meta.ok_or_else(|| child.problem(rule, UNREADABLE))
        }
    };
    Ok(replies.into_iter().enumerate().map(meta).collect())
}

/// Runs rules, which were loaded before, on a service. One answer for each of them.
///
/// # Errors
/// When no process can be started for it.
pub fn run(
    sandbox: &mut Sandbox,
    files: &RuleFiles,
    selected: &[Selected],
    service: &ServiceInput<'_>,
) -> Result<Vec<RuleRun>, SandboxError> {
    let order = visiting_order(&service.documents);
    let mut child = Child::new(sandbox, files, selected.iter().map(|rule| rule.rule).collect());
    let replies = child.replies(|indices, is_fresh| sent(service, selected, indices, (&order, is_fresh)))?;
    let run = |(index, reply): (usize, Reply)| {
        let mut run = RuleRun { rule: child.rules.get(index).copied().unwrap_or_default(), ..RuleRun::default() };
        run.problem = reply.problem;
        match reply.json.and_then(|json| Found::read(&json)) {
            Some(found) => (run.reports, run.omitted) = (found.reports, found.omitted),
            None => run.problem = run.problem.or_else(|| Some(child.problem(index, UNREADABLE))),
        }
        for node in run.reports.iter_mut().flat_map(nodes).chain(run.problem.iter_mut().filter_map(|it| it.at.as_mut()))
        {
            node.document = order.get(node.document).copied().unwrap_or_default();
        }
        run.reports.iter_mut().for_each(cut_texts);
        run
    };
    Ok(replies.into_iter().enumerate().map(run).collect())
}

/// Of a rule whose result cannot be read: there was no memory for it.
const UNREADABLE: &str = "result of the rule could not be read";

/// What the prelude returns of a rule; nothing for no reports.
#[derive(Debug, Default, Deserialize)]
struct Found {
    reports: Vec<Report>,
    omitted: usize,
}

impl Found {
    fn read(json: &str) -> Option<Self> {
        if json.is_empty() { Some(Self::default()) } else { serde_json::from_str(json).ok() }
    }
}

fn nodes(report: &mut Report) -> impl Iterator<Item = &mut NodeRef> {
    let inserted = report.fix.iter_mut().filter_map(|fix| fix.insert.as_mut()).map(|insert| &mut insert.into);
    let related = report.related.iter_mut().map(|related| &mut related.node);
    std::iter::once(&mut report.node).chain(related).chain(inserted)
}

fn cut_texts(report: &mut Report) {
    let related = report.related.iter_mut().map(|related| &mut related.message);
    let title = report.fix.iter_mut().map(|fix| &mut fix.title);
    let texts = std::iter::once(&mut report.message).chain(&mut report.help).chain(related).chain(title);
    for text in texts {
        if let Some((end, _)) = text.char_indices().nth(MAX_RULE_TEXT) {
            text.truncate(end);
        }
    }
}

/// A job with the texts of its documents.
struct Sent {
    job: Job,
    texts: Vec<Vec<u8>>,
}

fn sent(
    service: &ServiceInput<'_>,
    selected: &[Selected],
    indices: &[usize],
    (order, is_fresh): (&[usize], bool),
) -> Sent {
    let rules = indices.iter().filter_map(|&index| selected.get(index)).map(|rule| SentRule {
        rule: rule.rule,
        options: serde_json::to_string(&rule.options).unwrap_or_default(),
        needs_flow: rule.needs_flow,
    });
    let documents: Vec<_> = order.iter().filter_map(|&index| service.documents.get(index)).collect();
    let texts = documents.iter().map(|it| it.document.slice(it.document.span(it.document.outermost())).into());
    let described =
        documents.iter().map(|it| SentDocument::new(it.kind, it.file.clone(), it.document.pointer(it.document.root())));
    let service = SentService {
        is_fresh,
        rules: rules.collect(),
        name: service.name.clone(),
        documents: described.collect(),
        settings: service.settings.clone(),
        activity_types: service.types.activities.keys().cloned().collect(),
        field_types: service.types.fields.iter().map(str::to_owned).collect(),
        facts: service.facts.as_ref().map_or_else(|| "null".to_owned(), |facts| facts.0.to_string()),
    };
    Sent { job: Job::Run(Box::new(service)), texts: texts.collect() }
}

/// The process, with the rules that it knows.
struct Child<'s> {
    sandbox: &'s mut Sandbox,
    files: &'s RuleFiles,
    /// The rules that are to be loaded or to run.
    rules: Vec<usize>,
}

impl<'s> Child<'s> {
    fn new(sandbox: &'s mut Sandbox, files: &'s RuleFiles, rules: Vec<usize>) -> Self {
        Self { sandbox, files, rules }
    }

    /// The reply to each of the rules. Those that did not end by themselves, and those that ran beside one, run again, each
    /// alone in a fresh realm. A job is of some of the rules, by their indices.
    fn replies(&mut self, job: impl Fn(&[usize], bool) -> Sent) -> Result<Vec<Reply>, SandboxError> {
        let indices: Vec<usize> = (0..self.rules.len()).collect();
        if indices.is_empty() {
            return Ok(Vec::new());
        }
        let together = self.ask(job(&indices, false), indices.len())?.ok().flatten().unwrap_or_default();
        let mut replies = together.into_iter();
        let reply = |index: usize| match replies.next().filter(|reply| !reply.again) {
            Some(reply) => Ok(reply),
            None => self.alone(index, job(&[index], true)),
        };
        indices.into_iter().map(reply).collect()
    }

    fn alone(&mut self, index: usize, sent: Sent) -> Result<Reply, SandboxError> {
        if self.sandbox.cancellation.is_canceled() {
            return Ok(Reply { problem: Some(self.problem(index, "rule was canceled")), ..Reply::default() });
        }
        let message = match self.ask(sent, 1)? {
            Ok(Some(mut replies)) if replies.len() == 1 => return Ok(replies.remove(0)),
            Ok(_) => "rule could not be run, not enough memory".to_owned(),
            Err(failure) => failure.message.replacen("script", "rule", 1),
        };
        Ok(Reply { problem: Some(self.problem(index, &message)), ..Reply::default() })
    }

    fn ask(&mut self, sent: Sent, parts: usize) -> Result<Result<Option<Vec<Reply>>, ScriptFailure>, SandboxError> {
        static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        let job = serde_json::to_vec(&sent.job).unwrap_or_default();
        let answer = self.sandbox.run_guest(GuestJob {
            base: &|| serde_json::to_vec(&Base::of(self.files)).unwrap_or_default(),
            base_key: HASHER.hash_one(self.files),
            frames: std::iter::once(job).chain(sent.texts).collect(),
            guest: || Box::new(RuleWorker::default()),
            limit: time_limit(),
            // `create` and the visitors of each.
            parts: u32::try_from(parts).unwrap_or(u32::MAX).saturating_mul(2),
        })?;
        Ok(answer.map(|answer| serde_json::from_slice(&answer).unwrap_or_default()))
    }

    /// A problem of a rule without a place in its file.
    fn problem(&self, index: usize, message: &str) -> RuleProblem {
        let rule = self.rules.get(index).and_then(|&rule| self.files.rules.get(rule));
        let file = rule.map_or_else(String::new, |rule| rule.file.clone());
        RuleProblem { file, line: None, column: None, message: message.to_owned(), help: None, at: None }
    }
}

//! The side of the child: runs the rules of a job, one after the other.

use std::rc::Rc;
use std::time::Duration;

use serde_json::json;

use super::host::Trees;
use super::job::{Job, Reply, SentRule, SentService};
use super::modules::{Files, SharedFiles};
use super::problem::{Ended, Failure};
use super::realm::{RULE_POLLS, Realm};
use super::tree::{Unread, visits};
use crate::common::limits::SCRIPT_POLLS_PER_SECOND;
use crate::config::{ActivityShape, DeclaredActivity, DeclaredWrites, Types};
use crate::script::sandbox::{Compiled, Guest, Sent, Watch};

/// The processor time that a rule may take, as a script of as many steps.
pub(super) fn time_limit() -> Duration {
    Duration::from_secs_f64(f64::from(RULE_POLLS) / SCRIPT_POLLS_PER_SECOND)
}

/// Runs rules in the process of the sandbox.
#[derive(Default)]
pub struct RuleWorker {
    /// Before the others, because it is to be dropped first.
    realm: Option<Realm>,
    files: SharedFiles,
    trees: Trees,
    compiled: Compiled,
}

impl Guest for RuleWorker {
    fn run(&mut self, sent: Sent, watch: &Watch) -> Vec<u8> {
        let mut frames = sent.frames.into_iter();
        if let Some(base) = sent.base {
            self.realm = None;
            let base = serde_json::from_slice(&base).unwrap_or_default();
            *self.files.borrow_mut() = Files { base, ..Files::default() };
        }
        let job = frames.next().and_then(|job| serde_json::from_slice(&job).ok());
        let replies = match job {
            Some(Job::Load { rules, is_fresh }) => self.load(&rules, is_fresh, watch),
            Some(Job::Run(service)) => self.service(*service, frames.collect(), watch),
            None => None,
        };
        // `null` if there is not enough memory for a realm.
        serde_json::to_vec(&replies).unwrap_or_default()
    }
}

impl RuleWorker {
    fn load(&mut self, rules: &[usize], is_fresh: bool, watch: &Watch) -> Option<Vec<Reply>> {
        let mut realm = self.take_realm(true, watch)?;
        realm.begin(0, r#"{"name":"","kinds":[],"types":[],"settings":{}}"#, "{}")?;
        let load = |&rule: &usize| {
            watch.begin(time_limit());
            match realm.meta(rule, &mut RULE_POLLS.clone()) {
                Ok(json) => Reply { json: Some(json), ..Reply::default() },
                Err(failure) => self.reply(rule, *failure, is_fresh),
            }
        };
        let replies: Vec<Reply> = rules.iter().map(load).collect();
        self.realm = replies.iter().all(|reply| reply.json.is_some()).then_some(realm);
        Some(replies)
    }

    /// A realm for a job, which may be that of the last one.
    fn take_realm(&mut self, is_fresh: bool, watch: &Watch) -> Option<Realm> {
        let kept = self.realm.take().filter(|realm| !is_fresh && !realm.is_used_up());
        kept.or_else(|| Realm::start(&self.files, &self.trees, &mut self.compiled, watch))
    }

    fn reply(&self, rule: usize, failure: Failure, is_fresh: bool) -> Reply {
        if failure.ended == Ended::OutOfMemory && !is_fresh {
            return Reply { again: true, ..Reply::default() };
        }
        Reply { problem: Some(failure.problem(rule, &self.files.borrow().base)), ..Reply::default() }
    }

    fn service(&mut self, service: SentService, texts: Vec<Vec<u8>>, watch: &Watch) -> Option<Vec<Reply>> {
        let is_fresh = service.is_fresh;
        let mut realm = self.take_realm(is_fresh, watch)?;
        let bytes = texts.iter().map(Vec::len).sum();
        let (rules, facts) = (service.rules.clone(), service.facts.clone());
        realm.begin(bytes, &self.take_documents(service, texts)?, &facts)?;
        let mut running: Vec<Running> = rules.iter().map(|rule| Running::new(rule.rule)).collect();
        for (running, rule) in running.iter_mut().zip(&rules) {
            watch.begin(time_limit());
            running.prepare(&realm, rule);
        }
        let names: Vec<String> = serde_json::from_str(&realm.visited()?).ok()?;
        let visits: Vec<i64> = visits(&self.trees.borrow(), &names).into_iter().flatten().collect();
        realm.set_visits(&serde_json::to_string(&visits).ok()?)?;
        for running in &mut running {
            watch.begin(time_limit());
            running.visit(&realm);
        }
        let is_sound = running.iter().all(|running| running.failure.is_none());
        let replies = running.into_iter().map(|running| {
            let json = realm.take(running.rule);
            let reply = running.failure.map(|failure| self.reply(running.rule, *failure, is_fresh));
            Reply { json, ..reply.unwrap_or_default() }
        });
        let replies = replies.collect();
        // What an interrupted rule holds stays in memory.
        self.realm = is_sound.then_some(realm);
        Some(replies)
    }

    /// Takes the documents of a service. What `start` of the prelude gets, as JSON.
    fn take_documents(&mut self, service: SentService, texts: Vec<Vec<u8>>) -> Option<String> {
        let types = Rc::new(types(&service.activity_types, service.field_types.clone()));
        let documents = service.documents.into_iter().zip(texts);
        let documents = documents.map(|(sent, text)| Unread::new(sent, text, &types)).collect::<Option<Vec<_>>>()?;
        let kinds: Vec<&str> = documents.iter().map(|document| document.kind.word()).collect();
        let types = [service.activity_types, service.field_types].concat();
        let (name, settings) = (service.name, service.settings);
        let start = json!({ "name": name, "kinds": kinds, "types": types, "settings": settings }).to_string();
        *self.trees.borrow_mut() = documents;
        Some(start)
    }
}

/// Declared types of these names: what else is declared of them does not change what visitors get.
fn types(activities: &[String], fields: Vec<String>) -> Types {
    let declared = || DeclaredActivity { shape: ActivityShape::Leaf, writes: DeclaredWrites::Any, delay: None };
    let activities = activities.iter().map(|name| (name.clone(), declared())).collect();
    Types { activities, fields: fields.into_iter().collect() }
}

/// A rule on its way through a service.
struct Running {
    rule: usize,
    polls_left: u32,
    failure: Option<Box<Failure>>,
}

impl Running {
    fn new(rule: usize) -> Self {
        Self { rule, polls_left: RULE_POLLS, failure: None }
    }

    fn prepare(&mut self, realm: &Realm, rule: &SentRule) {
        let prepared = realm.prepare(rule, &mut self.polls_left);
        self.failure = prepared.and_then(|()| self.without_promises(realm)).err();
    }

    fn visit(&mut self, realm: &Realm) {
        if self.failure.is_none() {
            let visited = realm.visit(self.rule, &mut self.polls_left);
            self.failure = visited.and_then(|()| self.without_promises(realm)).err();
        }
    }

    /// A promise that is not returned would only be forgotten.
    fn without_promises(&self, realm: &Realm) -> Result<(), Box<Failure>> {
        if realm.has_promises() { Err(Box::new(realm.promises_failure(self.rule))) } else { Ok(()) }
    }
}

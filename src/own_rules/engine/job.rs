//! What the parent sends to the child, and the answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::interface::{RuleFiles, RuleProblem};
use crate::schema::DocumentKind;

/// The files of rules, which the child keeps.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Base {
    /// Path and text.
    pub rules: Vec<(String, String)>,
    pub modules: BTreeMap<String, String>,
}

impl Base {
    pub fn of(files: &RuleFiles) -> Self {
        let rules = files.rules.iter().map(|rule| (rule.file.clone(), rule.text.to_string())).collect();
        let modules = files.modules.iter().map(|(file, text)| (file.clone(), text.to_string())).collect();
        Self { rules, modules }
    }

    /// Bytes of what a rule may import.
    pub fn imported(&self) -> usize {
        self.modules.values().map(String::len).sum()
    }

    /// Whether a rule, or a module, has a `throw` statement.
    pub fn may_throw(&self, rule: usize) -> bool {
        let texts = self.rules.get(rule).map(|(_, text)| text).into_iter().chain(self.modules.values());
        texts.into_iter().any(|text| text.contains("throw"))
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Job {
    /// Rules to be loaded, as indices.
    Load {
        rules: Vec<usize>,
        is_fresh: bool,
    },
    Run(Box<SentService>),
}

/// A service; each text of its documents is a frame that follows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SentService {
    /// Whether nothing may be left of other jobs: the last attempt of a rule.
    pub is_fresh: bool,
    pub rules: Vec<SentRule>,
    pub name: String,
    /// In the order in which they are visited.
    pub documents: Vec<SentDocument>,
    pub settings: Map<String, Value>,
    /// Declared types.
    pub activity_types: Vec<String>,
    pub field_types: Vec<String>,
    /// JSON.
    pub facts: String,
}

/// A rule that is to run. What it says about itself was checked when it was loaded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SentRule {
    /// Its index.
    pub rule: usize,
    /// JSON.
    pub options: String,
    pub needs_flow: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SentDocument {
    kind: String,
    pub file: String,
    /// The pointer of the document in its file.
    pub root: String,
}

const KINDS: [DocumentKind; 3] = [DocumentKind::Workflow, DocumentKind::Form, DocumentKind::SigningCase];

impl SentDocument {
    pub fn new(kind: DocumentKind, file: String, root: String) -> Self {
        Self { kind: kind.word().to_owned(), file, root }
    }

    pub fn kind(&self) -> Option<DocumentKind> {
        KINDS.into_iter().find(|kind| kind.word() == self.kind)
    }
}

/// What a rule did, or why it did not.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Reply {
    /// `Meta`, or the reports and how many are omitted, as JSON; empty for no reports.
    pub json: Option<String>,
    pub problem: Option<RuleProblem>,
    /// Whether another rule may be at fault: it is to run again without others.
    pub again: bool,
}

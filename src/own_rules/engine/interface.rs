//! What goes into the engine and comes out of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::config::Types;
use crate::document::{Document, Limits, NewValue, NodeId, NodeKind};
use crate::schema::DocumentKind;
use crate::text::diagnostic::Severity;

/// A rule as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RuleFile {
    pub code: &'static str,
    pub name: &'static str,
    /// Relative to its `wflint.toml`, with `/`; it may begin with `../`.
    pub file: String,
    pub text: Arc<str>,
}

/// The rules of one `wflint.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct RuleFiles {
    pub rules: Vec<RuleFile>,
    /// The modules that they may import, by their paths, which are written as [`RuleFile::file`]. A rule imports only what
    /// is in its folder or below.
    pub modules: BTreeMap<String, Arc<str>>,
}

/// What a rule says about itself.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Meta {
    /// A warning unless the rule says otherwise.
    #[serde(deserialize_with = "severity")]
    pub severity: Severity,
    /// The options with their defaults: numbers, strings, booleans, and arrays of these.
    pub options: Map<String, Value>,
    /// Whether it asks for [`ServiceInput::facts`].
    pub needs_flow: bool,
}

/// Why a rule could not be loaded, or did not run to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleProblem {
    /// The file of the place: that of the rule, or of a module that it imports.
    pub file: String,
    /// From 1.
    pub line: Option<u32>,
    /// From 1, in Unicode scalar values.
    pub column: Option<u32>,
    /// Without the code of the rule.
    pub message: String,
    pub help: Option<String>,
    /// The node that was visited.
    pub at: Option<NodeRef>,
}

/// An object, an array or another value of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeRef {
    /// Index in [`ServiceInput::documents`].
    pub document: usize,
    /// In the file ([`Document::resolve`]).
    pub pointer: String,
}

/// A document of a service.
#[derive(Debug, Clone)]
pub struct OwnDocument<'a> {
    pub kind: DocumentKind,
    /// As `context.file` says it: relative to the `wflint.toml` that names the rules, with `/`.
    pub file: String,
    pub document: &'a Document,
}

/// The indices of documents in the order in which rules visit them: workflows before forms before cases, by path.
pub(super) fn visiting_order(documents: &[OwnDocument<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|&index| documents.get(index).map(|document| (document.kind, &document.file)));
    order
}

/// The service that rules run on.
#[derive(Debug)]
pub struct ServiceInput<'a> {
    pub name: String,
    /// In any order: rules see workflows before forms before cases, each by its path.
    pub documents: Vec<OwnDocument<'a>>,
    /// `[settings]` of `wflint.toml`.
    pub settings: Map<String, Value>,
    /// `[types]` of `wflint.toml`: visitors may have their names.
    pub types: &'a Types,
    /// For rules that ask for them ([`Meta::needs_flow`]).
    pub facts: Option<Facts>,
}

/// What wflint knows about a service, for rules (`facts_of`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts(pub(super) Value);

/// A rule that is to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Selected {
    /// Index in [`RuleFiles::rules`].
    pub rule: usize,
    /// [`Meta::options`] with the values of `wflint.toml`.
    pub options: Map<String, Value>,
    /// [`Meta::needs_flow`].
    pub needs_flow: bool,
}

/// A finding of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Report {
    pub node: NodeRef,
    /// A member of the node, which exists: the finding is at its value.
    pub key: Option<String>,
    /// A range of UTF-16 code units in that value, or in the node as our rules place it, which should be a string.
    pub part: Option<(u32, u32)>,
    /// At most 1,000 characters; it may contain any character.
    pub message: String,
    /// As [`Self::message`].
    pub help: Option<String>,
    /// That of the rule if it is absent.
    #[serde(default, deserialize_with = "some_severity")]
    pub severity: Option<Severity>,
    #[serde(default)]
    pub related: Vec<Related>,
    pub fix: Option<OwnFix>,
}

/// Another place that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Related {
    pub node: NodeRef,
    pub key: Option<String>,
    pub message: String,
}

/// Changes that a rule proposes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OwnFix {
    pub title: String,
    #[serde(default, rename = "safe")]
    pub is_safe: bool,
    /// Members of [`Report::node`] and their new values, in the order of the rule.
    #[serde(default, deserialize_with = "members")]
    pub set: Vec<(String, NewValue)>,
    /// Keys of [`Report::node`] that are taken out.
    #[serde(default)]
    pub remove: Vec<String>,
    pub insert: Option<Inserted>,
}

/// An item that a fix adds to an array.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Inserted {
    /// An array.
    pub into: NodeRef,
    /// The index that it will have, at most the length of the array.
    pub at: usize,
    #[serde(deserialize_with = "value")]
    pub value: NewValue,
}

/// How one of the selected rules ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleRun {
    /// Index in [`RuleFiles::rules`].
    pub rule: usize,
    /// At most [`MAX_FINDINGS`](crate::common::limits::MAX_FINDINGS), in the order in which they were reported.
    pub reports: Vec<Report>,
    /// Reports beyond that.
    pub omitted: usize,
    /// Why it did not run to its end.
    pub problem: Option<RuleProblem>,
}

const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

fn severity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
    let word = String::deserialize(deserializer)?;
    Ok(SEVERITIES.into_iter().find(|severity| severity.word() == word).unwrap_or(Severity::Warning))
}

fn some_severity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Severity>, D::Error> {
    severity(deserializer).map(Some)
}

fn value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NewValue, D::Error> {
    Ok(new_value(&String::deserialize(deserializer)?))
}

fn members<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, NewValue)>, D::Error> {
    let members = Vec::<(String, String)>::deserialize(deserializer)?;
    Ok(members.into_iter().map(|(key, json)| (key, new_value(&json))).collect())
}

/// The value of a JSON text of the engine.
fn new_value(json: &str) -> NewValue {
    match Document::parse(json, Limits::default()) {
        Ok(document) => written(&document, document.root()),
        // Nested too deeply for a document.
        Err(_) => NewValue::Scalar("null".to_owned()),
    }
}

/// Recurses with the depth of the document, which is limited.
fn written(document: &Document, node: NodeId) -> NewValue {
    match document.kind(node) {
        NodeKind::Array => NewValue::Array(document.elements(node).map(|item| written(document, item)).collect()),
        NodeKind::Object => {
            let member = |member| (document.key(member).unwrap_or_default().to_owned(), written(document, member));
            NewValue::Object(document.children(node).map(member).collect())
        }
        _ => NewValue::Scalar(document.slice(document.span(node)).to_owned()),
    }
}

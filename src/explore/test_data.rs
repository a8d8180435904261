//! Results of exploring, made by hand for tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::SignedDuration;
use serde_json::Value;

use super::{ChoiceKind, Chooser, Ending, ExploredChoice, ExploredEnd, ExploredService, NamedPlace, Possible, Reached};
use crate::model::Assumptions;
use crate::redaction::Masker;
use crate::text::diagnostic::{FileId, Location};
use crate::text::source::Span;

pub fn service() -> ExploredService {
    ExploredService {
        workflow: FileId(0),
        form: None,
        states: 41,
        cut: None,
        ends: Vec::new(),
        reached: Reached::default(),
        possible: Possible::default(),
        assumptions: Vec::new(),
        masker: Arc::new(Masker::default()),
        candidates: Vec::new(),
        shown_claims: Vec::new(),
        graph: None,
        published: Vec::new(),
        decisions: Vec::new(),
    }
}

pub fn end(ending: Ending, status: Option<&str>, choices: Vec<ExploredChoice>) -> ExploredEnd {
    ExploredEnd {
        ending,
        assumed: None,
        rests_on: Assumptions::default(),
        activity: None,
        status: status.map(str::to_owned),
        approvals: BTreeMap::new(),
        elapsed: SignedDuration::ZERO,
        open: Vec::new(),
        choices,
        repeated: None,
        scenario: Value::Null,
        events: Vec::new(),
    }
}

pub fn choice(at: &str, what: &str, by: Chooser, choice: ChoiceKind) -> ExploredChoice {
    ExploredChoice { at: at.to_owned(), what: what.to_owned(), role: None, by, choice }
}

pub fn place(name: &str) -> NamedPlace {
    let location = Location { file: FileId(0), pointer: String::new(), span: Span::default() };
    NamedPlace { name: name.to_owned(), location }
}

//! The JSON Schemas of `schemas/`: validation of documents, and the keys that they document.

mod element;
mod message;
mod shape;

use std::sync::LazyLock;

use serde_json::Value;

use crate::common::limits::MAX_FINDINGS;
use crate::document::{Document, NodeId};
use shape::Shapes;

pub use element::{Element, KeySet};
pub use message::{Repair, Violation};

/// A schema that `wflint schema NAME` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schema {
    /// The name on the command line.
    pub name: &'static str,
    /// A description for `--help`.
    pub about: &'static str,
    /// The JSON text.
    pub text: &'static str,
}

pub const SCHEMAS: &[Schema] = &[
    Schema { name: "workflow", about: "a workflow document", text: include_str!("../../schemas/workflow.schema.json") },
    Schema { name: "form", about: "a form document", text: include_str!("../../schemas/form.schema.json") },
    Schema {
        name: "signing-case",
        about: "a signing case",
        text: include_str!("../../schemas/signing-case.schema.json"),
    },
    Schema {
        name: "config",
        about: "the configuration, wflint.toml",
        text: include_str!("../../schemas/config.schema.json"),
    },
    Schema {
        name: "catalog",
        about: "a catalog of provider methods",
        text: include_str!("../../schemas/catalog.schema.json"),
    },
    Schema { name: "scenario", about: "a scenario", text: include_str!("../../schemas/scenario.schema.json") },
    Schema {
        name: "report",
        about: "the report of `--format json`",
        text: include_str!("../../schemas/report.schema.json"),
    },
    Schema {
        name: "explore",
        about: "the report of `wflint explore --format json`",
        text: include_str!("../../schemas/explore.schema.json"),
    },
    Schema {
        name: "diff",
        about: "the report of `wflint diff --format json`",
        text: include_str!("../../schemas/diff.schema.json"),
    },
    Schema {
        name: "page",
        about: "the data in the page of `wflint report`",
        text: include_str!("../../schemas/page.schema.json"),
    },
];

/// The kinds of document that are linted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A root object with an array `activities`.
    Workflow,
    /// A root object with an array `fields`.
    Form,
    /// A root object with an array `Parties`, in any case.
    SigningCase,
}

impl DocumentKind {
    /// The name in JSON, and that of its schema.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Workflow => "workflow",
            Self::Form => "form",
            Self::SigningCase => "signing-case",
        }
    }

    /// The text of its JSON Schema.
    pub fn schema(self) -> &'static str {
        SCHEMAS.iter().find(|schema| schema.name == self.word()).map_or("", |schema| schema.text)
    }
}

/// The schema of a document kind, and its shapes.
static COMPILED: LazyLock<[(Value, Shapes); 3]> = LazyLock::new(|| {
    [DocumentKind::Workflow, DocumentKind::Form, DocumentKind::SigningCase].map(|kind| {
        // Compiled into the program; a test reads them.
        let schema = serde_json::from_str(kind.schema()).unwrap_or_default();
        let shapes = Shapes::new(&schema);
        (schema, shapes)
    })
});

fn compiled(kind: DocumentKind) -> &'static (Value, Shapes) {
    let [workflow, form, signing_case] = &*COMPILED;
    match kind {
        DocumentKind::Workflow => workflow,
        DocumentKind::Form => form,
        DocumentKind::SigningCase => signing_case,
    }
}

fn schema_value(kind: DocumentKind) -> &'static Value {
    &compiled(kind).0
}

/// A JSON text as a signing case, whose keys are compared without case (docs/platform-methods.md, Signing case).
#[must_use]
pub fn as_signing_case(document: Document) -> Document {
    let known = [Element::SigningCase, Element::Party].into_iter().flat_map(|element| element.known_members().iter());
    document.ignoring_case(known)
}

/// The violations of the schema in a document, in the order of the text.
#[derive(Debug, Default)]
pub struct Violations {
    /// The first ones, at most `MAX_FINDINGS`.
    pub listed: Vec<Violation>,
    /// The places of the others.
    pub further: Vec<NodeId>,
}

impl Violations {
    /// Whether the model of the document would take a multiple of its size, for findings that would all be uncertain.
    pub const fn are_too_many(&self) -> bool {
        self.listed.len() + self.further.len() > MAX_FINDINGS
    }
}

/// All violations of the schema in a document.
///
/// Recurses with the document's depth, which the limits of [`Document::parse`] bound.
pub fn validate(document: &Document, kind: DocumentKind) -> Violations {
    validate_listing(document, kind, MAX_FINDINGS)
}

/// As [`validate`], but only so many are listed.
pub fn validate_listing(document: &Document, kind: DocumentKind, max_listed: usize) -> Violations {
    let problems = compiled(kind).1.problems(document);
    let (listed, further) = problems.split_at(problems.len().min(max_listed));
    Violations {
        listed: listed.iter().map(|&(node, problem)| message::explain(document, node, problem)).collect(),
        further: further.iter().map(|&(node, _)| node).collect(),
    }
}

#[cfg(test)]
mod tests;

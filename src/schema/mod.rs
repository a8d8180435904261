//! The JSON Schemas of `schemas/`: validation of documents, and the keys that they document.

mod arena;
mod message;
mod names;
mod shape;

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

use crate::diagnostic::MAX_LISTED;
use crate::document::{Document, NodeId};
use crate::source::Span;
use arena::{Arena, ArenaNode, View};

pub use message::Violation;
pub use names::KeySet;
use shape::Shapes;

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
];

/// The kinds of document that are linted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A root object with an array `activities`.
    Workflow,
    /// A root object with an array `fields`.
    Form,
    /// A root object with an array `Parties`.
    SigningCase,
}

/// The kinds of objects in documents, each with its known keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// An activity of a documented type.
    Activity,
    /// An activity whose type is not documented: only the keys of all activities are known.
    OtherActivity,
    /// A binding, in either form.
    Binding,
    /// A provider parameter.
    Parameter,
    /// A parameter of a Code activity.
    CodeParameter,
    /// An assignee of an Approval.
    Assignee,
    /// A variable.
    Variable,
    /// A form field of a documented type.
    Field,
    /// A form field whose type is not documented.
    OtherField,
    /// The `properties` of a form field, which depend on its type.
    FieldProperties,
    /// The object that contains the fields of a `FormSection`.
    FieldsViewModel,
    /// A signing case.
    SigningCase,
    /// A party of a signing case.
    Party,
}

impl Element {
    /// For messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Activity | Self::OtherActivity => "activity",
            Self::Binding => "binding",
            Self::Parameter | Self::CodeParameter => "parameter",
            Self::Assignee => "assignee",
            Self::Variable => "variable",
            Self::Field | Self::OtherField | Self::FieldProperties | Self::FieldsViewModel => "field",
            Self::SigningCase => "signing case",
            Self::Party => "party",
        }
    }

    /// Whether all keys are documented, so that an unknown one is worth reporting.
    pub const fn is_documented(self) -> bool {
        !matches!(
            self,
            Self::OtherActivity | Self::OtherField | Self::Assignee | Self::FieldProperties | Self::FieldsViewModel
        )
    }

    /// The keys that the schemas describe.
    pub fn known_members(self) -> &'static KeySet {
        match self {
            Self::OtherActivity => &WORKFLOW_KEYS.other_activity,
            Self::OtherField => &FORM_KEYS.other_field,
            Self::Activity => &WORKFLOW_KEYS.activity,
            Self::Binding => &WORKFLOW_KEYS.binding,
            Self::Parameter => &WORKFLOW_KEYS.parameter,
            Self::CodeParameter => &WORKFLOW_KEYS.code_parameter,
            Self::Assignee => &WORKFLOW_KEYS.assignee,
            Self::Variable => &WORKFLOW_KEYS.variable,
            Self::Field => &FORM_KEYS.field,
            Self::FieldProperties => &FORM_KEYS.properties,
            Self::FieldsViewModel => &FORM_KEYS.view_model,
            Self::SigningCase => &CASE_KEYS.signing_case,
            Self::Party => &CASE_KEYS.party,
        }
    }
}

struct WorkflowKeys {
    activity: KeySet,
    other_activity: KeySet,
    binding: KeySet,
    parameter: KeySet,
    code_parameter: KeySet,
    assignee: KeySet,
    variable: KeySet,
}

struct FormKeys {
    field: KeySet,
    other_field: KeySet,
    properties: KeySet,
    view_model: KeySet,
}

struct CaseKeys {
    signing_case: KeySet,
    party: KeySet,
}

/// Read from the schemas, so that a key is described in one place only.
static WORKFLOW_KEYS: LazyLock<WorkflowKeys> = LazyLock::new(|| {
    let schema = schema_value(DocumentKind::Workflow);
    let types = [
        "activity",
        "provider",
        "approval",
        "event",
        "assign",
        "status",
        "sequence",
        "while",
        "if",
        "terminate",
        "code",
    ];
    WorkflowKeys {
        activity: types.iter().flat_map(|name| member_names(schema, name)).collect(),
        other_activity: member_names(schema, "activity").collect(),
        binding: member_names(schema, "binding").collect(),
        parameter: member_names(schema, "parameter").collect(),
        // An editor may keep the same state beside them as in other parameters.
        code_parameter: ["codeParameter", "parameter"].iter().flat_map(|name| member_names(schema, name)).collect(),
        assignee: member_names(schema, "assignee").collect(),
        variable: member_names(schema, "variable").collect(),
    }
});
static FORM_KEYS: LazyLock<FormKeys> = LazyLock::new(|| {
    let schema = schema_value(DocumentKind::Form);
    let fields = ["field", "inputText", "inputFile", "formSection", "dropDown"];
    let properties = |name| names_at(schema, &format!("/$defs/{name}/properties/properties/properties"));
    FormKeys {
        field: fields.iter().flat_map(|name| member_names(schema, name)).collect(),
        other_field: member_names(schema, "field").collect(),
        properties: fields.into_iter().flat_map(properties).collect(),
        view_model: names_at(schema, "/$defs/field/properties/fieldsViewModel/properties").collect(),
    }
});
static CASE_KEYS: LazyLock<CaseKeys> = LazyLock::new(|| {
    let schema = schema_value(DocumentKind::SigningCase);
    CaseKeys { signing_case: names_at(schema, "/properties").collect(), party: member_names(schema, "party").collect() }
});

fn member_names<'a>(schema: &'a Value, definition: &str) -> impl Iterator<Item = String> + use<'a> {
    names_at(schema, &format!("/$defs/{definition}/properties"))
}

fn names_at<'a>(schema: &'a Value, pointer: &str) -> impl Iterator<Item = String> + use<'a> {
    let members = schema.pointer(pointer).and_then(Value::as_object);
    members.into_iter().flat_map(|members| members.keys().cloned())
}

impl DocumentKind {
    /// The text of its JSON Schema.
    pub fn schema(self) -> &'static str {
        let name = match self {
            Self::Workflow => "workflow",
            Self::Form => "form",
            Self::SigningCase => "signing-case",
        };
        SCHEMAS.iter().find(|schema| schema.name == name).map_or("", |schema| schema.text)
    }
}

fn schema_value(kind: DocumentKind) -> &'static Value {
    &checker(kind).schema
}

/// The schema without descriptions and white space, as the build writes it: a third of the text.
fn parse(kind: DocumentKind) -> Value {
    let text = match kind {
        DocumentKind::Workflow => include_str!(concat!(env!("OUT_DIR"), "/workflow.schema.json")),
        DocumentKind::Form => include_str!(concat!(env!("OUT_DIR"), "/form.schema.json")),
        DocumentKind::SigningCase => include_str!(concat!(env!("OUT_DIR"), "/signing-case.schema.json")),
    };
    // Compiled into the program; a test builds validators from them.
    serde_json::from_str(text).unwrap_or_default()
}

/// The schema and the two validators of a document kind, each built on first use.
struct Checker {
    schema: LazyLock<Value>,
    shapes: LazyLock<Option<Shapes>>,
    /// Takes some milliseconds to build, and only invalid documents need it.
    validator: LazyLock<Option<Validator<Arena>>>,
}

static WORKFLOW: Checker = Checker {
    schema: LazyLock::new(|| parse(DocumentKind::Workflow)),
    shapes: LazyLock::new(|| Shapes::new(schema_value(DocumentKind::Workflow))),
    validator: LazyLock::new(|| compile(DocumentKind::Workflow)),
};
static FORM: Checker = Checker {
    schema: LazyLock::new(|| parse(DocumentKind::Form)),
    shapes: LazyLock::new(|| Shapes::new(schema_value(DocumentKind::Form))),
    validator: LazyLock::new(|| compile(DocumentKind::Form)),
};
static SIGNING_CASE: Checker = Checker {
    schema: LazyLock::new(|| parse(DocumentKind::SigningCase)),
    shapes: LazyLock::new(|| Shapes::new(schema_value(DocumentKind::SigningCase))),
    validator: LazyLock::new(|| compile(DocumentKind::SigningCase)),
};

fn compile(kind: DocumentKind) -> Option<Validator<Arena>> {
    jsonschema::options_for::<Arena>().build(schema_value(kind)).ok()
}

const fn checker(kind: DocumentKind) -> &'static Checker {
    match kind {
        DocumentKind::Workflow => &WORKFLOW,
        DocumentKind::Form => &FORM,
        DocumentKind::SigningCase => &SIGNING_CASE,
    }
}

/// Bytes that are validated at a time at least; all errors in them are in memory together.
const MIN_WINDOW: usize = 32 << 10;
/// Each window costs a walk to it through the objects around it.
const MAX_WINDOWS: usize = 64;

/// The violations of the schema in a document, in the order of the text.
#[derive(Debug, Default)]
pub struct Violations {
    /// The first ones, at most `MAX_LISTED`.
    pub listed: Vec<Violation>,
    /// The places of the others.
    pub further: Vec<NodeId>,
}

impl Violations {
    /// Whether the model of the document would take a multiple of its size, for findings that would all be uncertain.
    pub const fn are_too_many(&self) -> bool {
        self.listed.len() + self.further.len() > MAX_LISTED
    }
}

/// All violations of the schema in a document.
///
/// Recurses with the document's depth, which the limits of [`Document::parse`] bound.
pub fn validate(document: &Document, kind: DocumentKind) -> Violations {
    validate_listing(document, kind, MAX_LISTED)
}

/// As [`validate`], but only so many are listed.
pub fn validate_listing(document: &Document, kind: DocumentKind, max_listed: usize) -> Violations {
    let mut violations = Violations::default();
    let checker = checker(kind);
    if checker.shapes.as_ref().is_some_and(|shapes| shapes.fit(document)) {
        return violations;
    }
    let Some(validator) = checker.validator.as_ref() else { return violations };
    let all = document.span(document.root());
    let size = (all.range().len() / MAX_WINDOWS).max(MIN_WINDOW);
    for start in all.range().step_by(size) {
        let [start, end] = [start, start + size].map(|offset| u32::try_from(offset).unwrap_or(u32::MAX));
        let window = Span::new(start, end);
        let view = View { document, window };
        let errors = validator.iter_errors(ArenaNode::Value(&view, document.root()));
        // A value that reaches into several windows is validated in each.
        let mut places: Vec<_> = errors
            .filter_map(|error| Some((arena::node_of(document, &error)?, error)))
            .filter(|(node, _)| (window.start..window.end).contains(&document.span(*node).start))
            .collect();
        places.sort_by_key(|(node, _)| document.span(*node));
        for (node, error) in places {
            if violations.listed.len() < max_listed {
                violations.listed.push(message::explain(document, node, &error));
            } else {
                violations.further.push(node);
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests;

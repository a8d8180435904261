//! The kinds of objects in documents, and the keys that the schemas describe in each.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use super::{DocumentKind, schema_value};
use crate::document::{Document, KeyTable, NodeId};

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

/// Where the schema describes the keys of each element, without the `/properties` at the end.
const SOURCES: [(Element, DocumentKind, &[&str]); 13] = {
    use DocumentKind::{Form, SigningCase, Workflow};
    [
        (
            Element::Activity,
            Workflow,
            &[
                "/$defs/activity", "/$defs/provider", "/$defs/approval", "/$defs/event", "/$defs/assign",
                "/$defs/status", "/$defs/sequence", "/$defs/while", "/$defs/if", "/$defs/terminate", "/$defs/code",
            ],
        ),
        (Element::OtherActivity, Workflow, &["/$defs/activity"]),
        (Element::Binding, Workflow, &["/$defs/binding"]),
        (Element::Parameter, Workflow, &["/$defs/parameter"]),
        // An editor may keep the same state beside them as in other parameters.
        (Element::CodeParameter, Workflow, &["/$defs/codeParameter", "/$defs/parameter"]),
        (Element::Assignee, Workflow, &["/$defs/assignee"]),
        (Element::Variable, Workflow, &["/$defs/variable"]),
        (
            Element::Field,
            Form,
            &["/$defs/field", "/$defs/inputText", "/$defs/inputFile", "/$defs/formSection", "/$defs/dropDown"],
        ),
        (Element::OtherField, Form, &["/$defs/field"]),
        (
            Element::FieldProperties,
            Form,
            &[
                "/$defs/inputText/properties/properties",
                "/$defs/inputFile/properties/properties",
                "/$defs/formSection/properties/properties",
                "/$defs/dropDown/properties/properties",
            ],
        ),
        (Element::FieldsViewModel, Form, &["/$defs/field/properties/fieldsViewModel"]),
        (Element::SigningCase, SigningCase, &[""]),
        (Element::Party, SigningCase, &["/$defs/party"]),
    ]
};

/// By the number of the element.
static KEYS: LazyLock<[KeySet; SOURCES.len()]> = LazyLock::new(|| {
    let keys = |kind: DocumentKind, pointer: &str| {
        let members = schema_value(kind).pointer(&format!("{pointer}/properties")).and_then(Value::as_object);
        members.into_iter().flat_map(|members| members.keys().cloned()).collect::<Vec<_>>()
    };
    SOURCES.map(|(_, kind, pointers)| pointers.iter().flat_map(|pointer| keys(kind, pointer)).collect())
});

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
        static NONE: LazyLock<KeySet> = LazyLock::new(KeySet::default);
        KEYS.get(self as usize).unwrap_or(&NONE)
    }
}

/// A set of keys, in which membership of a parsed key costs no hashing.
#[derive(Debug, Default)]
pub struct KeySet {
    /// Sorted.
    names: Vec<String>,
    table: KeyTable<()>,
}

impl KeySet {
    /// Whether the key of a value is in the set; false if it has no key.
    pub fn contains_key_of(&self, document: &Document, member: NodeId) -> bool {
        self.table.get(document.key_code(member)).is_some()
    }

    /// The keys, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

impl FromIterator<String> for KeySet {
    fn from_iter<T: IntoIterator<Item = String>>(names: T) -> Self {
        let names = Vec::from_iter(names.into_iter().collect::<BTreeSet<_>>());
        let table = names.iter().map(|name| (name.as_str(), ())).collect();
        Self { names, table }
    }
}

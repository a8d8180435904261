//! The names around a finding, by which a suppression still finds it when a document is reordered.

use crate::config::SuppressionTarget;
use crate::document::{Document, NodeKind};
use crate::model::{ADDITIONAL_PARAMETERS, ALL_PARAMETERS, DECLARED_PARAMETERS};

/// The innermost ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub variable: Option<String>,
    pub field: Option<String>,
    pub parameter: Option<String>,
    /// The pointer up to the first array, in which an index would not last.
    before_index: String,
}

impl Names {
    pub fn around(document: &Document, pointer: &str) -> Self {
        let mut names = Self::default();
        let (mut node, mut array, mut has_index) = (document.outermost(), "", false);
        for step in pointer.split('/').skip(1) {
            let Some(child) = document.resolve_step(node, step) else { break };
            if document.kind(node) == NodeKind::Array {
                has_index = true;
                let name = document.member(child, "name").and_then(|name| document.string(name)).map(str::to_owned);
                match array {
                    "variables" => names.variable = name,
                    "fields" => names.field = name,
                    DECLARED_PARAMETERS | ADDITIONAL_PARAMETERS | ALL_PARAMETERS | "parameters" => {
                        names.parameter = name;
                    }
                    _ => {}
                }
            } else {
                array = step;
            }
            if !has_index {
                names.before_index.push('/');
                names.before_index.push_str(step);
            }
            node = child;
        }
        names
    }
}

/// What a suppression of a finding is about: names, never an index.
pub fn suppression_target(activity: Option<&str>, pointer: &str, document: Option<&Document>) -> SuppressionTarget {
    let names = document.map(|document| Names::around(document, pointer)).unwrap_or_default();
    match (names, activity.map(str::to_owned)) {
        (Names { variable: Some(variable), .. }, _) => SuppressionTarget::Variable(variable),
        (Names { field: Some(field), .. }, _) => SuppressionTarget::Field(field),
        (Names { parameter: Some(parameter), .. }, Some(activity)) => {
            SuppressionTarget::Parameter { activity, parameter }
        }
        (_, Some(activity)) => SuppressionTarget::Activity(activity),
        (Names { before_index, .. }, None) => SuppressionTarget::Pointer(before_index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    #[test]
    fn targets_have_names_and_no_index() {
        let text = r#"{ "data": { "variables": [{ "name": "X", "id": 1 }, { "id": 2 }], "fields": [{ "name": "F", "items": [{}] }],
            "activities": [{ "name": "A", "providerParameters": [{ "name": "P", "value": {} }], "activities": [{ "name": "B" }] }] },
            "Parties": [{ "Name": "Anna" }] }"#;
        let document = Document::parse(text, Limits::default()).unwrap();
        let target = |activity, pointer| suppression_target(activity, pointer, Some(&document));
        let name = str::to_owned;
        for (activity, pointer, wanted) in [
            (None, "/data/variables/0/id", SuppressionTarget::Variable(name("X"))),
            (None, "/data/variables/1/id", SuppressionTarget::Pointer(name("/data/variables"))),
            (Some("F"), "/data/fields/0/items/0", SuppressionTarget::Field(name("F"))),
            (
                Some("A"),
                "/data/activities/0/providerParameters/0/value",
                SuppressionTarget::Parameter { activity: name("A"), parameter: name("P") },
            ),
            (Some("B"), "/data/activities/0/activities/0/name", SuppressionTarget::Activity(name("B"))),
            (None, "/Parties/0/Name", SuppressionTarget::Pointer(name("/Parties"))),
            (None, "", SuppressionTarget::Pointer(String::new())),
        ] {
            assert_eq!(target(activity, pointer), wanted, "{pointer}");
        }
    }
}

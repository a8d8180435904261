//! Validation of documents by their schemas, with `serde_json` and `jsonschema` alone.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

fn validator(schema: &str) -> Validator {
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
}

/// The kinds of documents with the arrays that mark them, in the order in which they are tried.
static SCHEMAS: LazyLock<[(&str, Validator); 3]> = LazyLock::new(|| {
    [
        ("activities", validator(include_str!("../../../schemas/workflow.schema.json"))),
        ("fields", validator(include_str!("../../../schemas/form.schema.json"))),
        ("Parties", validator(include_str!("../../../schemas/signing-case.schema.json"))),
    ]
});

/// Whether a text is a document that its schema accepts; `None` when it is no document.
pub fn is_valid(text: &str) -> Option<bool> {
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let (_, schema) = SCHEMAS.iter().find(|(mark, _)| value[*mark].is_array())?;
    Some(schema.is_valid(&value))
}

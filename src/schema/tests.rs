use super::*;
use crate::document::Limits;

const KINDS: [DocumentKind; 3] = [DocumentKind::Workflow, DocumentKind::Form, DocumentKind::SigningCase];

#[test]
fn schemas_are_valid() {
    for schema in SCHEMAS {
        let value: Value = serde_json::from_str(schema.text).unwrap();
        jsonschema::meta::validate(&value).unwrap();
    }
}

#[test]
fn known_keys_come_from_the_schemas() {
    for (element, key) in [
        (Element::Activity, "iterationDelaySeconds"),
        (Element::OtherActivity, "warningText"),
        (Element::Binding, "boundToId"),
        (Element::Parameter, "isAdditional"),
        (Element::CodeParameter, "isAdditional"),
        (Element::Assignee, "parameter"),
        (Element::Variable, "hideStartIndex"),
        (Element::Field, "fieldsViewModel"),
        (Element::OtherField, "displayName"),
        (Element::FieldProperties, "dropdownItems"),
        (Element::FieldsViewModel, "fields"),
        (Element::SigningCase, "AllowedSignatureTypes"),
        (Element::Party, "SocialSecurityNumber"),
    ] {
        assert!(element.known_members().iter().any(|known| known == key), "{key}");
    }
}

/// Replaces values of valid documents by values of every other type, and renames keys.
#[test]
fn violations_are_those_of_jsonschema() {
    for (kind, json) in [
        (DocumentKind::Workflow, include_str!("../../examples/sign-directory/order.workflow.json")),
        (DocumentKind::Workflow, include_str!("../../examples/approval/order.workflow.json")),
        (DocumentKind::Form, include_str!("../../examples/sign-directory/order.form.json")),
        (DocumentKind::SigningCase, r#"{"Name": "N", "Parties": [{"SignatureType": "0", "AnyoneCanSign": true}]}"#),
    ] {
        let whole = Document::parse(json, Limits::default()).unwrap();
        assert_eq!(agreed(kind, json), 0);
        for node in (0..whole.len()).step_by(29).filter_map(|index| whole.id_at(index)) {
            for other in ["null", "true", "7", "1.5", "2.0", "-0", "\"text\"", "[0, {}]", "{\"a\": {}}", "\"static\""] {
                let mut changed = json.to_owned();
                changed.replace_range(whole.span(node).range(), other);
                agreed(kind, &changed);
            }
            for new in ["\"renamed\"", "\"state\"", "\"type\""] {
                let mut changed = json.to_owned();
                changed.replace_range(whole.key_span(node).unwrap_or(whole.span(node)).range(), new);
                agreed(kind, &changed);
            }
        }
    }
    let entry = |at: usize| format!(r#"{{ "name": {}, "id": "{at}", "activities": [0, {{}}] }}"#, at % 2);
    let entries: Vec<String> = (0..3_000).map(entry).collect();
    let json = format!(r#"{{ "activities": [{}], "variables": 5 }}"#, entries.join(","));
    assert!(agreed(DocumentKind::Workflow, &json) > MAX_FINDINGS);
}

/// How many violations there are; that they are at the same places for the same keyword.
fn agreed(kind: DocumentKind, json: &str) -> usize {
    static VALIDATORS: LazyLock<[jsonschema::Validator; 3]> =
        LazyLock::new(|| KINDS.map(|kind| jsonschema::validator_for(schema_value(kind)).unwrap()));
    let document = Document::parse(json, Limits::default()).unwrap();
    let problem = |&(node, problem): &(NodeId, shape::Problem<'_>)| {
        let keyword = match problem {
            shape::Problem::Type(_) => "type",
            shape::Problem::NotAllowed(_) => "enum",
            shape::Problem::Missing(_) => "required",
            shape::Problem::MissingAll(_) => "anyOf",
        };
        (document.pointer(node), keyword.to_owned())
    };
    let mut found: Vec<_> = compiled(kind).1.problems(&document).iter().map(problem).collect();
    let value: Value = serde_json::from_str(json).unwrap();
    let validator = &VALIDATORS[KINDS.iter().position(|&known| known == kind).unwrap()];
    let errors = validator.iter_errors(&value);
    let mut expected: Vec<_> =
        errors.map(|error| (error.instance_path().as_str().to_owned(), error.kind().keyword().to_owned())).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    found.len()
}

#[test]
fn number_out_of_range_is_an_integer() {
    let violations = |number: &str| {
        let json = format!(r#"{{"ExpireAfterDays": {number}}}"#);
        validate(&Document::parse(json, Limits::default()).unwrap(), DocumentKind::SigningCase).listed.len()
    };
    assert_eq!((violations("1e400"), violations("5.0"), violations("5.5")), (0, 0, 1));
}

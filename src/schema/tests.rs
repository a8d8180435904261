use super::*;
use crate::document::{KeyCode, Limits};

#[test]
fn schemas_are_valid_and_compile() {
    for schema in SCHEMAS {
        let value: Value = serde_json::from_str(schema.text).unwrap();
        jsonschema::meta::validate(&value).unwrap();
    }
    for checker in [&WORKFLOW, &FORM, &SIGNING_CASE] {
        assert!(checker.validator.is_some() && checker.shapes.is_some());
    }
}

/// The keys of all objects, which are those of the keywords `properties` and `$defs`, too.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            found.push(key.clone());
            keys(member, found);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

#[test]
fn validators_lack_only_what_is_for_readers() {
    for kind in [DocumentKind::Workflow, DocumentKind::Form, DocumentKind::SigningCase] {
        let [mut whole, mut read] = [Vec::new(), Vec::new()];
        keys(&serde_json::from_str(kind.schema()).unwrap(), &mut whole);
        keys(schema_value(kind), &mut read);
        for key in &read {
            whole.swap_remove(whole.iter().position(|known| known == key).unwrap());
        }
        whole.sort_unstable();
        whole.dedup();
        assert_eq!(whole, ["$id", "description", "examples", "title"]);
    }
}

#[test]
fn known_keys_come_from_the_schemas() {
    let knows = |element: Element, name| element.known_members().iter().any(|known| known == name);
    assert!(knows(Element::Activity, "iterationDelaySeconds"));
    assert!(knows(Element::Binding, "boundToId"));
    assert!(knows(Element::Parameter, "isAdditional"));
    assert!(knows(Element::Variable, "hideStartIndex"));
    assert!(knows(Element::Field, "fieldsViewModel"));
    assert!(knows(Element::SigningCase, "AllowedSignatureTypes"));
    assert!(knows(Element::Party, "SocialSecurityNumber"));
    // Tables of keys compare codes alone.
    let kinds = [DocumentKind::Workflow, DocumentKind::Form, DocumentKind::SigningCase];
    let definitions = kinds.iter().filter_map(|kind| schema_value(*kind)["$defs"].as_object()).flatten();
    for (name, definition) in definitions {
        for key in definition["properties"].as_object().into_iter().flat_map(serde_json::Map::keys) {
            assert!(KeyCode::of(key.as_bytes()).is_certain(), "{key} of {name}");
        }
    }
}

#[test]
fn violations_of_large_documents_are_in_order_and_complete() {
    // Many windows, values that reach into several of them, and violations inside and around them.
    let entry = |at: usize| format!(r#"{{ "name": {}, "id": "{at}", "activities": [0, {{}}] }}"#, at % 2);
    let entries: Vec<String> = (0..3_000).map(entry).collect();
    let json = format!(r#"{{ "activities": [{}], "variables": 5 }}"#, entries.join(","));
    let document = Document::parse(json.as_str(), Limits::default()).unwrap();
    assert!(json.len() > 4 * MIN_WINDOW);
    let violations = validate(&document, DocumentKind::Workflow);
    let listed = violations.listed.iter().map(|violation| violation.node);
    let found: Vec<_> = listed.chain(violations.further.iter().copied()).collect();
    let whole = View { document: &document, window: document.span(document.root()) };
    let checker = checker(DocumentKind::Workflow).validator.as_ref().unwrap();
    let errors = checker.iter_errors(ArenaNode::Value(&whole, document.root()));
    let mut expected: Vec<_> = errors.map(|error| document.resolve(error.instance_path().as_str()).unwrap()).collect();
    expected.sort_by_key(|node| document.span(*node));
    assert_eq!(found, expected);
    assert_eq!(violations.listed.len(), MAX_LISTED);
}

/// Replaces values of valid documents by values of every other type, and renames keys.
#[test]
fn shapes_and_validator_agree() {
    for (kind, json) in [
        (DocumentKind::Workflow, include_str!("../../examples/sign-directory/order.workflow.json")),
        (DocumentKind::Workflow, include_str!("../../examples/approval/order.workflow.json")),
        (DocumentKind::Form, include_str!("../../examples/sign-directory/order.form.json")),
        (DocumentKind::SigningCase, r#"{"Name": "N", "Parties": [{"SignatureType": "0", "AnyoneCanSign": true}]}"#),
    ] {
        let whole = Document::parse(json, Limits::default()).unwrap();
        assert!(checker(kind).shapes.as_ref().unwrap().fit(&whole));
        for index in (0..whole.len()).step_by(29) {
            let span = whole.span(whole.id_at(index).unwrap());
            for other in ["null", "true", "7", "1.5", "1e400", "-0", "\"text\"", "[0]", "{\"a\": {}}", "\"static\""] {
                let mut changed = json.to_owned();
                changed.replace_range(span.range(), other);
                agree(kind, &changed, &format!("{} = {other}", whole.pointer(whole.id_at(index).unwrap())));
            }
            if let Some(key) = whole.key_span(whole.id_at(index).unwrap()) {
                let mut changed = json.to_owned();
                changed.replace_range(key.range(), "\"renamed\"");
                agree(kind, &changed, &format!("{} renamed", whole.pointer(whole.id_at(index).unwrap())));
            }
        }
    }
}

fn agree(kind: DocumentKind, json: &str, what: &str) {
    let document = Document::parse(json, Limits::default()).unwrap();
    let fits = checker(kind).shapes.as_ref().unwrap().fit(&document);
    let view = View { document: &document, window: document.span(document.root()) };
    let is_valid = checker(kind).validator.as_ref().unwrap().is_valid(ArenaNode::Value(&view, document.root()));
    // Shapes may leave a valid document to the validator, but never accept an invalid one.
    assert!(is_valid || !fits, "invalid, but accepted: {what}");
    assert!(fits || !is_valid || what.ends_with("1e400") || what.ends_with("-0"), "valid, but rejected: {what}");
}

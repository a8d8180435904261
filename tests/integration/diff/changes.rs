//! What is the same on both sides, and what differs.

use serde_json::{Value, json};

use super::data::{changes, changes_of_texts, lines, workflow};

fn status(id: u32, name: &str, text: &str) -> Value {
    json!({ "id": id, "name": name, "type": "Status", "status": { "isBound": false, "value": text } })
}

fn found(old: &Value, new: &Value) -> Vec<String> {
    lines(&changes(&workflow(old, &json!([])), &workflow(new, &json!([]))))
}

#[test]
fn renamed_and_moved_activities_are_not_removed_and_added() {
    let inner = |activities: Value| json!({ "id": 9, "name": "Loop", "type": "Sequence", "activities": activities });
    let (one, two) = (status(1, "One", "1"), status(0, "Two", "2"));
    // By id, also to another parent.
    assert_eq!(found(&json!([one]), &json!([status(1, "Uno", "1")])), ["renamed activity Uno -: One → Uno"]);
    assert_eq!(
        found(&json!([one, inner(json!([]))]), &json!([inner(json!([status(1, "Uno", "5")]))])),
        [
            "renamed activity Uno -: One → Uno",
            "moved activity Uno -: - → Loop",
            "changed activity Uno status: \"1\" → \"5\""
        ]
    );
    // By name, and by likeness.
    assert_eq!(
        found(&json!([inner(json!([two]))]), &json!([inner(json!([])), two])),
        ["moved activity Two -: Loop → -"]
    );
    assert_eq!(found(&json!([two]), &json!([status(0, "Dos", "2")])), ["renamed activity Dos -: Two → Dos"]);
    // Neither is alike.
    assert_eq!(
        found(&json!([two]), &json!([status(0, "Dos", "5")])),
        ["removed activity Two -: - → -", "added activity Dos -: - → -"]
    );
}

#[test]
fn as_few_siblings_as_possible_are_moved() {
    let all = |names: &str| Value::Array(names.chars().map(|name| status(0, &name.to_string(), "x")).collect());
    assert_eq!(found(&all("abcdef"), &all("bcdefa")), ["moved activity a -: - → -"]);
    assert_eq!(found(&all("abcdef"), &all("fabcde")), ["moved activity f -: - → -"]);
    assert_eq!(found(&all("abcdef"), &all("abxcdef")), ["added activity x -: - → -"]);
    assert_eq!(found(&all("aaab"), &all("aaaab")).len(), 1, "one of equal activities was added");
}

#[test]
fn equal_names_are_told_apart_by_what_is_in_them() {
    let old = json!([status(0, "S", "1"), status(0, "S", "2"), status(0, "S", "3")]);
    let new = json!([status(0, "S", "0"), status(0, "S", "1"), status(0, "S", "2"), status(0, "S", "3")]);
    assert_eq!(found(&old, &new), ["added activity S -: - → -"]);
    let swapped = json!([status(0, "S", "2"), status(0, "S", "1"), status(0, "S", "3")]);
    assert_eq!(found(&old, &swapped), ["moved activity S -: - → -"]);
}

#[test]
fn an_added_loop_with_all_inside_is_one_change() {
    let tree = json!([{ "name": "L", "type": "Sequence", "activities": [
        { "name": "If", "type": "If", "activities": [status(0, "a", "1")] }, status(0, "b", "1")] }]);
    assert_eq!(found(&json!([]), &tree), ["added activity L -: - → -"]);
    assert_eq!(found(&tree, &json!([])), ["removed activity L -: - → -"]);
}

#[test]
fn bindings_are_the_same_in_either_form() {
    let with =
        |binding: Value| json!([{ "name": "A", "type": "Approval", "timeout": binding, "future": { "a": [1] } }]);
    let one = with(json!({ "state": "static", "value": 60, "boundTo": "", "boundToId": 0, "hasWarning": true }));
    let other = with(json!({ "isBound": false, "value": 60.0, "warningText": "x" }));
    assert_eq!(found(&one, &other), [""; 0]);
    let bound = with(json!({ "isBound": true, "value": 7, "boundTo": "Time", "boundToId": 5 }));
    assert_eq!(found(&other, &bound), ["changed activity A timeout: 60.0 → `Time`"]);
    let unset = with(json!({ "state": "notSet", "value": 60, "boundTo": "Time" }));
    for empty in [
        json!({ "state": "static", "value": "" }),
        json!({ "state": "static", "value": null }),
        json!({ "isBound": false, "value": "" }),
        json!({ "state": "bound", "boundTo": "" }),
    ] {
        assert_eq!(found(&unset, &with(empty)), [""; 0]);
    }
    assert_eq!(found(&bound, &unset), ["changed activity A timeout: `Time` → not set"]);
    assert_eq!(found(&unset, &json!([{ "name": "A", "type": "Approval", "future": { "a": [1, 2] } }])).len(), 2);
}

fn call(parameters: &Value) -> Value {
    json!([{ "name": "C", "type": "Provider", "method": "M", "providerParameters": parameters }])
}

#[test]
fn parameters_are_found_by_name() {
    let parameter = |name: &str, value: Value| json!({ "name": name, "required": false, "providerParameterType": "string", "value": value, "description": name });
    let unset = json!({ "state": "notSet", "value": null });
    let set = |value: &str| json!({ "state": "static", "value": value });
    let old = call(&json!([parameter("A", set("a")), parameter("B", unset.clone())]));
    // Neither place nor description nor absence of what is not set.
    let mut new = call(&json!([parameter("C", unset), parameter("A", set("a"))]));
    new[0]["providerParameters"][1]["description"] = json!("other");
    assert_eq!(found(&old, &new), [""; 0]);
    let new = call(&json!([parameter("B", set("b"))]));
    assert_eq!(found(&old, &new), ["changed activity C A: \"a\" → -", "changed activity C B: not set → \"b\""]);
    let mut new = old.clone();
    new[0]["providerParameters"][1]["required"] = json!(true);
    assert_eq!(found(&old, &new), ["changed activity C B.required: false → true"]);
    // Copies do not count, but where they are all there is.
    let with_copy = |own: Value, value: &str| {
        let mut call = call(&own);
        call[0]["allProviderParameters"] = json!([parameter("A", set(value))]);
        call
    };
    let own = json!([parameter("A", set("a"))]);
    assert_eq!(found(&with_copy(own.clone(), "a"), &with_copy(own, "b")), [""; 0]);
    let only_copy = |value: &str| {
        let mut call = with_copy(Value::Null, value);
        call[0].as_object_mut().unwrap().remove("providerParameters");
        call
    };
    assert_eq!(found(&only_copy("a"), &only_copy("b")), ["changed activity C A: \"a\" → \"b\""]);
}

#[test]
fn member_that_is_null_is_absent() {
    let parameter = json!([{ "name": "A", "required": false, "value": { "state": "static", "value": "a" } }]);
    let call = json!({ "name": "C", "type": "Provider", "method": "M", "allProviderParameters": parameter });
    let with = |pointer: &str, key: &str, value: Value| {
        let mut call = call.clone();
        call.pointer_mut(pointer).unwrap().as_object_mut().unwrap().insert(key.to_owned(), value);
        json!([call])
    };
    let plain = json!([call]);
    for (pointer, key) in [
        ("", "providerParameters"),
        ("", "additionalProviderParameters"),
        ("", "providerResult"),
        ("/allProviderParameters/0", "providerParameterType"),
        ("/allProviderParameters/0/value", "boundTo"),
    ] {
        assert_eq!(found(&plain, &with(pointer, key, Value::Null)), [""; 0], "{key}");
        assert_eq!(found(&with(pointer, key, Value::Null), &plain), [""; 0], "{key}");
    }
    let changed = with("/allProviderParameters/0/value", "value", json!("b"));
    for lists in [json!({ "providerParameters": null }), json!({ "additionalProviderParameters": [] })] {
        let mut changed = changed.clone();
        changed[0].as_object_mut().unwrap().extend(lists.as_object().unwrap().clone());
        assert_eq!(found(&plain, &changed), ["changed activity C A: \"a\" → \"b\""], "{lists}");
    }
    // A binding without a state has `isBound`; a parameter without a value is not set.
    let bound = |state: Value| with("/allProviderParameters/0", "value", state);
    let (state, none) = (json!({ "state": null, "isBound": true, "boundTo": "X" }), json!({ "state": "notSet" }));
    assert_eq!(found(&bound(json!({ "isBound": true, "boundTo": "X" })), &bound(state)), [""; 0]);
    assert_eq!(found(&bound(none), &bound(Value::Null)), [""; 0]);
}

#[test]
fn bindings_placeholders_and_fields_follow_a_renamed_variable() {
    let document = |name: &str, bound: &str, body: &str| {
        workflow(
            &json!([
                { "name": "A", "type": "Assign", "result": { "isBound": true, "boundTo": bound }, "body": body },
                { "name": "S", "type": "Status", "status": { "isBound": true, "boundTo": bound } }
            ]),
            &json!([{ "name": name, "id": 7, "variableType": "String", "value": "" }]),
        )
    };
    let old = document("State", "State", "Now: {State}");
    let renamed = ["renamed variable Phase -: State → Phase"];
    assert_eq!(lines(&changes(&old, &document("Phase", "Phase", "Now: {Phase}"))), renamed);
    assert_eq!(lines(&changes(&old, &document("Phase", "State", "Now: {State}"))), renamed);
    let found = lines(&changes(&old, &document("Phase", "Other", "Now: {Phase}")));
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn scripts_are_compared_by_lines() {
    let with = |script: &str| json!([{ "name": "C", "type": "Code", "script": script }]);
    let old = with("var a = 1;\nvar b = 2;\nJson = '';");
    let new = with("var a = 1;\nvar b = 3;\nvar c;\nJson = '';");
    assert_eq!(found(&old, &new), ["changed activity C script: var b = 2; → var b = 3;\nvar c;"]);
}

#[test]
fn fields_and_drop_down_items_are_compared() {
    let form = |fields: Value| json!({ "fields": fields, "variables": [] }).to_string();
    let items = |id: u32, label: &str| json!([{ "name": "D", "type": "DropDown", "isBound": id > 1, "properties": { "dropdownItems": [{ "id": id, "label": label }] } }]);
    assert_eq!(changes_of_texts(&form(items(1, "a")), &form(items(2, "a"))), [Value::Null; 0]);
    let found = lines(&changes_of_texts(&form(items(1, "a")), &form(items(2, "b"))));
    assert_eq!(
        found,
        ["changed field D properties.dropdownItems: [{ id: 1, label: \"a\" }] → [{ id: 2, label: \"b\" }]"]
    );
    let section =
        |inner: Value| json!([{ "name": "S", "type": "FormSection", "fieldsViewModel": { "fields": inner } }]);
    let field = json!({ "name": "F", "type": "InputText", "displayName": { "en-US": "F" } });
    let (old, new) = (form(json!([section(json!([]))[0], field])), form(section(json!([field]))));
    assert_eq!(lines(&changes_of_texts(&old, &new)), ["moved field F -: - → S"]);
    // The id of its variable says nothing beside the name.
    let bound = |id: u32, name: &str| form(json!([{ "name": "F", "boundTo": name, "boundToId": id }]));
    assert_eq!(changes_of_texts(&bound(1, "A"), &bound(2, "A")), [Value::Null; 0]);
    assert_eq!(changes_of_texts(&bound(1, ""), &bound(2, "")).len(), 1);
}

#[test]
fn every_member_of_a_signing_case_counts() {
    let case = |days: u32| {
        json!({ "Name": "Case", "Parties": [{ "Name": "Anna" }], "ExpireAfterDays": days, "X": {} }).to_string()
    };
    assert_eq!(lines(&changes_of_texts(&case(1), &case(2))), ["changed case Case ExpireAfterDays: 1 → 2"]);
}

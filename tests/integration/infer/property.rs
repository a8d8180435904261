//! With the inferred catalogs, the same exports have no WF202 and no new finding but about contradictions.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{bound, call, check_property, fixed, service, status};
use crate::support::cases;
use crate::support::folder::{Folder, copy_of};

/// The methods of the built-in catalogs, under names that no catalog has.
fn rename(folder: &Folder) {
    let catalogs = wflint::catalog::Catalog::built_in();
    // Longer names first: one is the beginning of another.
    let mut names: Vec<&str> = catalogs.methods.iter().map(|method| method.name.as_str()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for entry in ignore::WalkBuilder::new(folder.path()).standard_filters(false).build() {
        let entry = entry.unwrap();
        if entry.path().extension().is_some_and(|end| end == "json")
            && let Ok(mut text) = std::fs::read_to_string(entry.path())
        {
            for (index, name) in names.iter().enumerate() {
                text = text.replace(&format!("\"{name}\""), &format!("\"Do-Something{index}\""));
            }
            std::fs::write(entry.path(), text).unwrap();
        }
    }
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn renamed_corpora_have_no_new_finding() {
    for corpus in ["examples", "tests/corpus/ok", "tests/corpus/broken"] {
        let services = std::fs::read_dir(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(corpus)).unwrap();
        for service in services {
            let service = service.unwrap();
            let name = service.file_name().into_string().unwrap();
            // `examples/rules` is no service.
            if !service.path().is_dir() || name == "rules" {
                continue;
            }
            let folder = copy_of(&format!("{corpus}/{name}"));
            rename(&folder);
            check_property(&folder);
        }
    }
}

const METHODS: [&str; 4] = ["New-Box", "Get-Box", "Send-Chat", "Get-Day"];
const VARIABLES: [&str; 12] = [
    "BoxId", "BoxName", "Box_name", "BoId", "ChatId", "Message", "Owner", "Unused", "DayName", "Json", "B", "BoxBoxId",
];

fn variable() -> impl Strategy<Value = &'static str> {
    select(&VARIABLES[..])
}

fn parameter() -> BoxedStrategy<Value> {
    prop_oneof![
        4 => select(&["Box", "Bo", "Chat", "", "Day"][..]).prop_map(|prefix| fixed("Prefix", prefix)),
        1 => variable().prop_map(|variable| bound("Prefix", variable)),
        3 => (select(&["Id", "Owner", "Size"][..]), variable()).prop_map(|(name, variable)| bound(name, variable)),
        1 => (select(&["Id", "Size"][..]), any::<bool>()).prop_map(|(name, required)| {
            let mut parameter = fixed(name, "5");
            (parameter["required"], parameter["providerParameterType"]) = (json!(required), json!("decimal"));
            parameter
        }),
    ]
    .boxed()
}

fn activity() -> BoxedStrategy<Value> {
    let expression = |variable: &str, operand: &str| {
        json!({ "type": "EqualityExpression", "operand": operand, "left": { "isBound": true, "boundTo": variable },
                "right": { "isBound": false, "value": "x" } })
    };
    let leaf = prop_oneof![
        4 => (select(&METHODS[..]), prop::collection::vec(parameter(), 0..3))
            .prop_map(|(method, parameters)| call(method, method, &parameters)),
        2 => variable().prop_map(status),
        1 => (variable(), variable()).prop_map(|(to, from)| json!({ "name": "Assign", "type": "Assign",
            "result": { "isBound": true, "boundTo": to }, "body": format!("{{{from}}} x"), "assignedVariables": [] })),
    ];
    leaf.prop_recursive(2, 6, 3, move |inner| {
        (
            select(&["If", "While"][..]),
            variable(),
            select(&["equal", "notEqual"][..]),
            prop::collection::vec(inner, 1..3),
        )
            .prop_map(move |(kind, variable, operand, children)| {
                json!({ "name": kind, "type": kind, "expression": expression(variable, operand), "activities": children,
                        "iterationDelaySeconds": { "isBound": false, "value": 60 } })
            })
    })
    .boxed()
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn generated_services_have_no_new_finding(
        activities in prop::collection::vec(activity(), 1..7),
        declared in prop::collection::btree_set(variable(), 0..12),
        filled in prop::collection::btree_set(variable(), 0..4),
        has_form in any::<bool>(),
    ) {
        let declared: Vec<&str> = declared.into_iter().collect();
        let filled: Vec<&str> = filled.into_iter().filter(|name| declared.contains(name)).collect();
        let folder = service(&activities, &declared, &filled);
        if !has_form {
            std::fs::remove_file(folder.file("order.form.json")).unwrap();
        }
        check_property(&folder);
    }
}

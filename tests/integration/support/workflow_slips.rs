//! One slip in a workflow: an activity is missing or in the wrong place, or says something that it should not.

use serde_json::{Value, json};

use super::numbers::Numbers;

/// Applies one slip to a random activity where it is possible; says which.
pub fn slip(activities: &mut Vec<Value>, numbers: &mut Numbers) -> String {
    let places = places(activities);
    loop {
        let (list, index) = &places[numbers.below(places.len())];
        let Some(siblings) = list_at(activities, list) else { continue };
        let name = siblings[*index]["name"].as_str().unwrap_or_default().to_owned();
        if let Some(what) = slip_at(siblings, *index, numbers) {
            return format!("{what} {name}");
        }
    }
}

fn slip_at(siblings: &mut Vec<Value>, index: usize, numbers: &mut Numbers) -> Option<&'static str> {
    let kind = siblings[index]["type"].as_str()?.to_owned();
    match numbers.below(7) {
        0 if kind != "Event" => {
            siblings.remove(index);
            Some("without")
        }
        1 if kind != "Event" => {
            let inside = siblings.remove(index);
            siblings.insert(index, guarded(&inside));
            Some("only for some orders")
        }
        2 if kind != "Event" && index + 1 < siblings.len() => {
            siblings.swap(index, index + 1);
            Some("after the next one")
        }
        3 if ["If", "While"].contains(&kind.as_str()) => {
            let operand = &mut siblings[index]["expression"]["operand"];
            *operand = json!(if *operand == "equal" { "notEqual" } else { "equal" });
            Some("other operand in")
        }
        4 if kind == "If" => {
            let inside = siblings[index]["activities"].take().as_array().cloned()?;
            siblings.splice(index..=index, inside);
            Some("without the condition")
        }
        5 if kind == "Provider" => {
            let parameters = siblings[index]["providerParameters"].as_array_mut()?;
            let prefix = parameters.iter_mut().find(|parameter| parameter["name"] == "Prefix")?;
            prefix["value"]["value"] = json!(swapped(prefix["value"]["value"].as_str()?));
            Some("misspelled prefix in")
        }
        6 if kind != "Event" => {
            siblings.insert(index, json!({ "name": "End at once", "type": "Terminate" }));
            Some("Terminate before")
        }
        _ => None,
    }
}

/// An activity inside an If that some orders skip.
fn guarded(activity: &Value) -> Value {
    let expression = json!({
        "type": "EqualityExpression", "operand": "equal",
        "left": { "isBound": true, "boundTo": "Kind" }, "right": { "isBound": false, "value": "a" },
    });
    json!({ "name": "If a", "type": "If", "expression": expression, "activities": [activity] })
}

/// With its first two letters swapped.
fn swapped(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.swap(0, 1);
    letters.into_iter().collect()
}

/// Where the activities are: the indexes that lead to the list, and the index in it.
fn places(activities: &[Value]) -> Vec<(Vec<usize>, usize)> {
    let mut found = Vec::new();
    for (index, activity) in activities.iter().enumerate() {
        found.push((Vec::new(), index));
        let inside = places(activity["activities"].as_array().map_or(&[], Vec::as_slice));
        found.extend(inside.into_iter().map(|(list, inner)| ([vec![index], list].concat(), inner)));
    }
    found
}

fn list_at<'a>(activities: &'a mut Vec<Value>, list: &[usize]) -> Option<&'a mut Vec<Value>> {
    list.iter().try_fold(activities, |list, &index| list[index]["activities"].as_array_mut())
}

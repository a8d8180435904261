//! `before`: one activity never begins unless another one has ended.

use serde_json::{Value, json};

use super::{Service, approval, status};

const LAW: &str = "[[law]]\nname = 'a'\nbefore = { First = 'Second' }\n";

fn sequence(name: &str, activities: &Value) -> Value {
    json!({ "name": name, "type": "Sequence", "activities": activities })
}

#[track_caller]
fn assert_order(activities: &Value, is_kept: bool) {
    let scenario = json!({ "approvals": { "Second": { "boss@example.com": { "after": "1h", "action": "approve" } } } });
    let activities_text = activities.to_string();
    let scenario = if activities_text.contains("Approval") { scenario } else { json!({}) };
    let played = Service::new(activities, &[]).play(LAW, &scenario);
    let wanted = (!is_kept).then(|| "`First` begins before `Second` has ended".to_owned());
    assert_eq!(played.broken(), wanted, "{activities_text}");
}

#[test]
fn second_has_ended_when_the_first_begins() {
    let (first, second, other) = (status("First", "1"), status("Second", "2"), status("Other", "3"));
    for (activities, is_kept) in [
        (json!([second, first]), true),
        (json!([second, other, first]), true),
        (json!([first, second]), false),
        (json!([first]), false),
        (json!([other]), true),
        (json!([second]), true),
        (json!([sequence("Second", &json!([other])), first]), true),
        (json!([sequence("Second", &json!([other, first]))]), false),
        (json!([sequence("Second", &json!([])), sequence("First", &json!([other]))]), true),
        // Any activity of the name will do, also one that has ended inside of another.
        (json!([sequence("Second", &json!([second, first]))]), true),
        (json!([second, sequence("Second", &json!([first]))]), true),
        (json!([other, first, second, first]), false),
    ] {
        assert_order(&activities, is_kept);
    }
}

#[test]
fn approval_has_ended_after_its_events() {
    let first = status("First", "1");
    let event = json!([{ "name": "On approval", "type": "Event", "event": "OnForeachApprove", "activities": [first] }]);
    assert_order(&json!([approval("Second", &json!([])), first]), true);
    assert_order(&json!([approval("Second", &event)]), false);
}

#[test]
fn activity_at_fault_is_the_first_of_its_name() {
    let activities = json!([status("Other", "0"), status("First", "1"), status("First", "2"), status("Second", "3")]);
    let played = Service::new(&activities, &[]).play(LAW, &json!({}));
    let breach = played.verdicts[0].breach.as_ref().unwrap();
    assert_eq!(breach.activity.unwrap().0, 1);
}

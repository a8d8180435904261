//! What a drawing shows.

use serde_json::{Value, json};

use super::{FORMATS, checked_svg, draw};
use crate::support::folder::{Folder, copy_of};
use crate::support::samples::ERROR;

fn folder(activities: &Value) -> Folder {
    Folder::with(&[("a.json", &json!({ "activities": activities, "variables": [] }).to_string())])
}

fn assign(name: &str) -> Value {
    json!({ "name": name, "type": "Assign", "result": { "isBound": true, "boundTo": "A" }, "body": "x" })
}

#[test]
fn a_finding_is_marked_at_its_activity_with_its_code() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    assert!(
        draw(&folder, "mermaid")
            .out()
            .contains(r#"a0[/"Status<br/>Say<br/>Nobody<br/>error WF101#58; undefined variable…"/]"#)
    );
    assert!(draw(&folder, "dot").out().contains("Say\\nNobody\\nerror WF101: undefined variable…"));
    let output = draw(&folder, "svg");
    let svg = checked_svg(output.out());
    let described = svg.descendants().find(|node| node.attribute("id") == Some("wf-a0-d")).unwrap();
    assert!(described.text().unwrap().contains("error WF101: undefined variable `Nobody`"));
    assert!(svg.descendants().any(|node| node.text().is_some_and(|text| text.starts_with("error WF101: undefined"))));
}

#[test]
fn a_finding_outside_of_activities_is_marked_at_the_start() {
    let text = r#"{"activities": [], "variables": [{"name": "A", "id": 1}, {"name": "A", "id": 1}]}"#;
    let folder = Folder::with(&[("a.json", text)]);
    let shown = draw(&folder, "mermaid");
    let start = shown.out().lines().find(|line| line.contains("start([")).unwrap();
    assert!(start.contains("Start<br/>warning WF") || start.contains("Start<br/>error WF"), "{start}");
}

#[test]
fn a_suppressed_finding_is_not_marked() {
    let folder = Folder::with(&[("a.json", ERROR), ("wflint.toml", "ignore = ['WF101']")]);
    assert!(!draw(&folder, "mermaid").out().contains("WF101"));
    let isolated = folder.run(&["graph", "a.json", "--isolated"]).expect_code(0);
    assert!(isolated.out().contains("WF101"));
}

#[test]
fn sensitive_values_are_not_shown() {
    let variables = json!([{ "name": "Password", "id": 1, "shouldHide": true, "hideAll": true, "value": "hunter2" }]);
    let condition = json!({
        "type": "EqualityExpression", "operand": "equal",
        "left": { "isBound": true, "boundTo": "Password", "boundToId": 1 },
        "right": { "isBound": false, "value": "hunter2" }
    });
    let activities = json!([
        { "name": "If it is hunter2hunter2", "type": "If", "expression": condition, "activities": [assign("Say")] },
        { "name": "Set", "type": "Assign", "result": { "isBound": true, "boundTo": "Password", "boundToId": 1 },
          "body": "hunter2" }
    ]);
    let folder = Folder::with(&[("a.json", &json!({ "activities": activities, "variables": variables }).to_string())]);
    for format in FORMATS {
        let output = draw(&folder, format).expect_code(0);
        assert!(output.out().contains("•••"), "{}", output.out());
        assert!(!output.out().replace("hunter2hunter2", "").contains("hunter2"), "{}", output.out());
    }
}

#[test]
fn a_change_moves_little() {
    let list = |names: &[&str]| json!(names.iter().map(|name| assign(name)).collect::<Vec<_>>());
    let lines = |activities: &Value| -> Vec<String> {
        draw(&folder(activities), "svg").expect_code(0).out().lines().map(str::to_owned).collect()
    };
    let changed = |before: &Value, after: &Value| {
        let before = lines(before);
        lines(after).iter().filter(|line| !before.contains(line)).count()
    };
    let group = |inside: &Value| json!([{ "name": "G", "type": "Sequence", "activities": inside }, assign("Last")]);
    assert_eq!(changed(&list(&["One", "Two", "Three"]), &list(&["One", "Two", "Tree"])), 2, "its title and its name");
    let (before, after) = (list(&["One", "Two"]), list(&["One", "Two", "Three"]));
    let inserted = changed(&group(&before), &group(&after));
    assert!(inserted < 20, "{inserted} lines of {}", lines(&group(&after)).len());
}

#[test]
fn all_shapes_are_in_one_line_and_inside_of_the_picture() {
    for service in ["approval", "broken", "sign-upload"] {
        let output = copy_of(&format!("examples/{service}")).run(&["graph", "order.workflow.json", "--format", "svg"]);
        let svg = checked_svg(output.out());
        let number = |node: &roxmltree::Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse::<i32>().unwrap();
        let view: Vec<i32> =
            svg.root_element().attribute("viewBox").unwrap().split(' ').map(|part| part.parse().unwrap()).collect();
        for rect in svg.descendants().filter(|node| node.has_tag_name("rect")) {
            let moved = |node: &roxmltree::Node<'_, '_>| {
                let by = node.attribute("transform")?.strip_prefix("translate(")?.strip_suffix(')')?;
                let (x, y) = by.split_once(' ')?;
                Some((x.parse::<i32>().unwrap(), y.parse::<i32>().unwrap()))
            };
            let (dx, dy) =
                rect.ancestors().filter_map(|node| moved(&node)).fold((0, 0), |sum, by| (sum.0 + by.0, sum.1 + by.1));
            let (x, y) = (number(&rect, "x") + dx, number(&rect, "y") + dy);
            assert!(x >= view[0] && x + number(&rect, "width") <= view[0] + view[2], "{rect:?}");
            assert!(y >= view[1] && y + number(&rect, "height") <= view[1] + view[3], "{rect:?}");
        }
    }
}

#[test]
fn nothing_leads_on_from_a_terminate_or_to_what_follows_it() {
    let end = json!({ "name": "End", "type": "Terminate" });
    let folder = folder(&json!([assign("One"), end, assign("Never")]));
    let mermaid = draw(&folder, "mermaid");
    for edge in ["a0 --> a1", "a1 ~~~ a2", "a2 ~~~ stop"] {
        assert!(mermaid.out().contains(edge), "{edge} in {}", mermaid.out());
    }
    assert!(draw(&folder, "dot").out().contains("\"a1\" -> \"a2\" [style=invis]"));
    let svg = draw(&folder, "svg");
    assert_eq!(svg.out().matches("class=\"wf-head\"").count(), 2, "to the first two activities alone");
}

#[test]
fn loops_lead_back_and_branches_join() {
    let folder = folder(&json!([
        { "name": "W", "type": "While", "iterationDelaySeconds": { "isBound": false, "value": 5 }, "activities": [
            { "name": "I", "type": "If", "activities": [assign("A")] }
        ] }
    ]));
    let mermaid = draw(&folder, "mermaid");
    for part in [
        "a0_wait(\"wait 5 seconds\")",
        "a0 -->|\"true\"| a0_wait",
        "a0_wait --> a0_0",
        "a0_0 -->|\"true\"| a0_0_0",
        "a0_0_0 -->|\"again\"| a0\n",
        "a0_0 -->|\"false\"| a0\n",
        "a0 -->|\"false\"| stop",
    ] {
        assert!(mermaid.out().contains(part), "{part} in {}", mermaid.out());
    }
}

#[test]
fn declared_and_unknown_types_are_drawn_by_their_names() {
    let folder = folder(&json!([
        { "name": "Both", "type": "Parallel", "activities": [assign("One")] },
        { "name": "Choice", "type": "Switch", "branches": [{ "case": 1, "activities": [assign("Two")] }] },
        { "name": "", "type": "" },
        7
    ]));
    folder.write("wflint.toml", "[types]\nactivities = { Parallel = 'container' }\n");
    let mermaid = draw(&folder, "mermaid");
    for part in
        ["(\"Parallel<br/>Both", "[\"Switch<br/>Choice", "[\"no type<br/>(no name)", "a0 --> a0_0", "a0_0 --> a1"]
    {
        assert!(mermaid.out().contains(part), "{part} in {}", mermaid.out());
    }
}

#[test]
fn a_decision_without_an_event_has_a_way_past_that_of_the_other() {
    let events = |names: &[&str]| -> Vec<Value> {
        let event = |name: &&str| json!({ "name": name, "type": "Event", "event": name, "activities": [assign("A")] });
        names.iter().map(event).collect()
    };
    let approval =
        |names: &[&str]| folder(&json!([{ "name": "Ask", "type": "Approval", "activities": events(names) }]));
    for (event, other) in [("OnForeachReject", "approved"), ("OnForeachApprove", "rejected")] {
        let folder = approval(&[event]);
        let mermaid = draw(&folder, "mermaid");
        let way = format!("a0 -->|\"{other}\"| stop");
        assert!(mermaid.out().contains(&way) && mermaid.out().contains("a0_0_0 --> stop"), "{}", mermaid.out());
        assert!(draw(&folder, "dot").out().contains(other));
        let svg = draw(&folder, "svg");
        assert!(checked_svg(svg.out()).descendants().any(|node| node.text() == Some(other)), "{}", svg.out());
    }
    // Both have an event, or one that may be that of the other.
    for names in [&["OnForeachApprove", "OnForeachReject"][..], &["OnForeachReject", "Other"]] {
        let mermaid = draw(&approval(names), "mermaid");
        assert!(!mermaid.out().contains("approved") && !mermaid.out().contains("a0 --> stop"), "{}", mermaid.out());
    }
}

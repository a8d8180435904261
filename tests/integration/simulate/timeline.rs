//! The timeline of a run, for people.

use serde_json::{Value, json};

use super::order::{approval, assign, conditional, literal, order, provider, run, simulate, status};
use crate::support::folder::Folder;

fn timeline(folder: &Folder, scenario: &str) -> String {
    simulate(folder, scenario, "human").out().to_owned()
}

/// How often a text is shown, wherever lines are broken.
fn times(shown: &str, part: &str) -> usize {
    shown.split_whitespace().collect::<Vec<_>>().join(" ").matches(part).count()
}

/// A loop that counts its rounds in `Round`: three rounds.
fn three_rounds(mut activities: Vec<Value>) -> Value {
    activities.push(assign("Count", "Round", "{Round}x"));
    conditional("Loop", ["Round", "notEqual", "xxx"], Some(60), &activities)
}

#[test]
fn each_write_is_shown_also_of_an_equal_value() {
    let activities = json!([assign("First", "A", "same"), assign("Second", "A", "same")]);
    let shown = timeline(&order(&activities, &["A"]), "");
    assert_eq!(times(&shown, "`A` = same"), 2, "{shown}");
    let activities = json!([provider("Call", "New-Box", &[]), provider("Call again", "New-Box", &[])]);
    let folder = order(&activities, &["A"]);
    let scenario = "providers: { New-Box: [{ outputs: { A: b } }, { outputs: { A: b } }] }";
    let shown = timeline(&folder, scenario);
    assert_eq!(times(&shown, "`A` = b"), 2, "{shown}");
    assert_eq!(times(&shown, "`ZPActivityStatus` = New-Box: completed"), 2, "{shown}");
    let report = run(&folder, scenario);
    let writes = report["trace"].as_array().unwrap().iter().filter(|entry| entry["event"] == "`A` = b");
    assert_eq!(writes.count(), 2);
}

#[test]
fn each_condition_says_why_its_children_run_or_not() {
    let check = conditional("If open", ["State", "equal", "open"], None, &[status("Publish", "open")]);
    let activities = json!([check, three_rounds(vec![check.clone()]), assign("Open", "State", "open"), check]);
    let shown = timeline(&order(&activities, &["State", "Round"]), "");
    // The rounds count in `Round`, so each is shown.
    assert_eq!(times(&shown, "skipped, `State` is empty"), 4, "{shown}");
    assert_eq!(times(&shown, "taken, `State` is `open`"), 1, "{shown}");
    assert_eq!(times(&shown, "ends, `Round` is `xxx`"), 1, "{shown}");
}

#[test]
fn rounds_without_a_change_are_counted() {
    let inner = conditional("Never", ["State", "equal", "open"], Some(1), &[]);
    let poll = conditional(
        "Poll",
        ["State", "notEqual", "closed"],
        Some(60),
        &[inner, provider("Ask", "Get-State", &[]), conditional("If shut", ["State", "equal", "shut"], None, &[])],
    );
    let folder = order(&json!([poll]), &["State"]);
    let results = "{ outputs: { State: new } }, ".repeat(5);
    let shown =
        timeline(&folder, &format!("providers: {{ Get-State: [{results} {{ outputs: {{ State: closed }} }}] }}"));
    assert_eq!(times(&shown, "… 3 more rounds of `Poll` like this in 3m …"), 1, "{shown}");
    assert_eq!(times(&shown, "called Get-State"), 3, "{shown}");
    // A call that fails in each round is a change only at first.
    let shown = timeline(&folder, "faults: [{ method: Get-State, error: away }]\nlimits: { steps: 100 }");
    assert_eq!(times(&shown, "Get-State failed: away"), 1, "{shown}");
}

#[test]
fn equal_warnings_are_shown_once_with_their_number() {
    let activities = json!([three_rounds(vec![assign("Greet", "Text", "Hello {Nmae}")])]);
    let shown = timeline(&order(&activities, &["Text", "Round"]), "");
    assert_eq!(times(&shown, "undefined variable `Nmae`"), 1, "{shown}");
    assert_eq!(times(&shown, "placeholder left unchanged (3 times)"), 1, "{shown}");
    let twice = json!([assign("Greet", "Text", "{Nmae} and {Nmae}, {Other} and {Nmae}")]);
    let shown = timeline(&order(&twice, &["Text"]), "");
    assert_eq!(times(&shown, "undefined variable `Nmae`, placeholder left unchanged"), 1, "{shown}");
    assert_eq!(times(&shown, "Text` = {Nmae} and {Nmae}, {Other} and {Nmae}"), 1, "{shown}");
    assert_eq!(times(&shown, "(2 times)"), 0, "{shown}");
    let scenario = "approvals: { Ask: [{}, { b@example.com: { after: 1h, action: approve } }, \
                    { b@example.com: { after: 1h, action: approve } }] }\n\
                    faults: [{ method: Get-ZPADUser, error: away }]";
    let shown = timeline(&order(&json!([approval("Ask", 3600)]), &["Approved"]), scenario);
    let unused =
        "warning: unused entry `b@example.com` under `approvals` of `Ask`: never asked for an approval (2 times)";
    assert_eq!(times(&shown, unused), 1, "{shown}");
    assert_eq!(times(&shown, "warning: unused entry `Get-ZPADUser` under `faults`: never called"), 1, "{shown}");
}

#[test]
fn values_that_differ_in_the_hidden_part_say_so() {
    let folder = Folder::with(&[]);
    let masked = json!({ "name": "Pin", "id": 1, "variableType": "String", "shouldHide": true, "hideStartIndex": 2 });
    folder.write(
        "order.workflow.json",
        json!({ "activities": [assign("Set", "Pin", "1234")], "variables": [masked] }).to_string(),
    );
    let shown = simulate(&folder, "expect: { variables: { Pin: 1256 } }", "human").expect_code(1).out().to_owned();
    assert_eq!(times(&shown, "both differ only in the part that is hidden"), 1, "{shown}");
    assert!(!shown.contains("1234") && !shown.contains("1256"), "{shown}");
    let shown = timeline(&folder, "expect: { variables: { Pin: 9234 } }");
    assert_eq!(times(&shown, "differ only"), 0, "{shown}");
}

#[test]
fn condition_on_a_short_masked_value_hides_it() {
    let folder = Folder::with(&[]);
    let masked = json!({ "name": "Pin", "id": 1, "variableType": "String", "shouldHide": true, "hideAll": true });
    let check = conditional("If", ["Pin", "equal", "x"], None, &[]);
    folder.write("order.workflow.json", json!({ "activities": [check], "variables": [masked] }).to_string());
    for format in ["human", "json"] {
        let shown = simulate(&folder, "variables: { Pin: 739 }", format).expect_code(0);
        assert!(!shown.out().contains("739"), "{}", shown.out());
    }
}

#[test]
fn literal_that_a_masked_variable_equals_is_hidden() {
    let folder = Folder::with(&[]);
    let masked = json!({ "name": "Id", "id": 1, "variableType": "String", "shouldHide": true, "hideAll": true });
    let check = conditional("If", ["Id", "equal", "19900101-2385"], None, &[]);
    folder.write("order.workflow.json", json!({ "activities": [check], "variables": [masked] }).to_string());
    for format in ["human", "json", "junit", "markdown"] {
        let shown = simulate(&folder, "variables: { Id: 19900101-2385 }", format).expect_code(0);
        assert!(!shown.out().contains("19900101-2385"), "{}", shown.out());
    }
}

#[test]
fn assign_without_a_variable_loses_its_value() {
    for result in [json!(null), literal(""), json!({ "isBound": true, "boundTo": "Nothing" })] {
        let mut activity = assign("Set", "A", "text");
        if result.is_null() {
            activity.as_object_mut().unwrap().remove("result");
        } else {
            activity["result"] = result;
        }
        let report = run(&order(&json!([activity]), &["A"]), "");
        assert_eq!(report["outcome"], "completed", "{report}");
        assert!(report["trace"].to_string().contains("value is lost"), "{report}");
    }
}

#[test]
fn column_of_names_is_as_wide_as_they_are() {
    let text = |name: &str| {
        let shown = timeline(&order(&json!([assign(name, "A", "x"), status("Say", "y")]), &["A"]), "");
        shown.lines().find(|line| line.contains("Say")).unwrap().to_owned()
    };
    assert!(text("Set").ends_with("  Say  y") || text("Set").contains("Say  "), "{}", text("Set"));
    assert!(text("Set it now").contains("Say         "), "{}", text("Set it now"));
    let long = text(&"a long name ".repeat(9));
    assert!(long.contains(&format!("Say{}", " ".repeat(31))), "{long}");
    assert!(!long.contains(&format!("Say{}", " ".repeat(32))), "{long}");
}

#[test]
fn lost_output_of_a_listed_result_names_its_entry() {
    let folder = order(&json!([provider("Call", "New-Box", &[])]), &["A"]);
    let shown = timeline(&folder, "providers: { New-Box: [{ outputs: { B: b } }] }");
    assert_eq!(times(&shown, "undefined variable `B`, its value under `providers`, `New-Box`, is lost"), 1, "{shown}");
}

//! Each kind of change, by the changed documents.

use std::sync::Arc;

use super::change::{Site, edited};
use super::changed::changed;
use super::changes::changes;
use crate::config::{Mutation, Types};
use crate::document::{Document, Limits};
use crate::model::{Lowering, Workflow};
use crate::text::suggest::Suggester;

fn with_site<R>(text: &str, work: impl FnOnce(&Site<'_>) -> R) -> R {
    let document = Document::parse(text, Limits::default()).unwrap();
    let (types, suggester) = (Types::default(), Suggester::default());
    let workflow = Workflow::lower(Lowering { document: &document, types: &types, suggester: &suggester });
    work(&Site { document: &document, workflow: &workflow })
}

/// The changes of these activities of one kind: pointer, clause, and the activities afterwards.
fn made(activities: &str, mutation: Mutation) -> Vec<(String, String, String)> {
    let text = format!("{{\"activities\":{activities},\"variables\":[]}}");
    with_site(&text, |site| {
        let of_kind = changes(site).into_iter().filter(|change| change.mutation == mutation);
        let made = of_kind.map(|change| {
            let changed = edited(&text, &change.edits).unwrap();
            let read = Document::parse(changed.as_str(), Limits::default()).unwrap();
            let activities = read.slice(read.span(read.resolve("/activities").unwrap())).to_owned();
            (site.document.pointer(change.node), change.clause, activities)
        });
        made.collect()
    })
}

/// The only change, as [`made`] has it.
#[track_caller]
fn only(activities: &str, mutation: Mutation) -> (String, String, String) {
    let mut made = made(activities, mutation);
    assert_eq!(made.len(), 1, "{made:?}");
    made.remove(0)
}

fn owned(pointer: &str, clause: &str, activities: &str) -> (String, String, String) {
    (pointer.to_owned(), clause.to_owned(), activities.to_owned())
}

#[test]
fn conditions_are_negated() {
    for (now, negated) in [("equal", "notEqual"), ("notEqual", "equal")] {
        for kind in ["If", "While"] {
            let activities = |operand: &str| {
                format!("[{{\"name\":\"A\",\"type\":\"{kind}\",\"expression\":{{\"operand\":\"{operand}\"}}}}]")
            };
            let found = only(&activities(now), Mutation::NegateCondition);
            let wanted = "the condition of `A` is negated";
            assert_eq!(found, owned("/activities/0/expression/operand", wanted, &activities(negated)));
        }
    }
    let unknown = r#"[{"type":"If","expression":{"operand":"less"}},{"type":"If"}]"#;
    assert_eq!(made(unknown, Mutation::NegateCondition), []);
}

#[test]
fn bodies_are_dropped() {
    let activities =
        r#"[{"name":"A","type":"While","activities":[{"type":"Terminate"}]},{"type":"If","activities":[]}]"#;
    let wanted = r#"[{"name":"A","type":"While","activities":[]},{"type":"If","activities":[]}]"#;
    let found = only(activities, Mutation::EmptyBody);
    assert_eq!(found, owned("/activities/0", "the body of `A` is dropped", wanted));
    let sequence = r#"[{"type":"Sequence","activities":[{"type":"Terminate"}]}]"#;
    assert_eq!(made(sequence, Mutation::EmptyBody), []);
}

#[test]
fn activities_are_dropped() {
    let activities = r#"[{"name":"A"}, {"type":"Terminate"} ,{"type":"If","activities":[ {"name":"B"} ]}]"#;
    let found = made(activities, Mutation::DropActivity);
    let wanted = [
        ("/activities/0", "`A` is dropped", r#"[{"type":"Terminate"} ,{"type":"If","activities":[ {"name":"B"} ]}]"#),
        (
            "/activities/1",
            "unnamed Terminate is dropped",
            r#"[{"name":"A"}, {"type":"If","activities":[ {"name":"B"} ]}]"#,
        ),
        ("/activities/2", "unnamed If is dropped", r#"[{"name":"A"}, {"type":"Terminate"}]"#),
        (
            "/activities/2/activities/0",
            "`B` is dropped",
            r#"[{"name":"A"}, {"type":"Terminate"} ,{"type":"If","activities":[  ]}]"#,
        ),
    ];
    assert_eq!(found, wanted.map(|(pointer, clause, activities)| owned(pointer, clause, activities)));
}

#[test]
fn neighbors_are_swapped() {
    let activities = r#"[{"name":"A"}, {"name":"B","x":1},{"name":"C"}]"#;
    let wanted = [
        ("/activities/0", "`A` and `B` are swapped", r#"[{"name":"B","x":1}, {"name":"A"},{"name":"C"}]"#),
        ("/activities/1", "`B` and `C` are swapped", r#"[{"name":"A"}, {"name":"C"},{"name":"B","x":1}]"#),
    ];
    let found = made(activities, Mutation::SwapActivities);
    assert_eq!(found, wanted.map(|(pointer, clause, activities)| owned(pointer, clause, activities)));
    let events = r#"[{"type":"Event","event":"OnForeachApprove"},{"type":"Event","event":"OnForeachReject"}]"#;
    let approval = format!(r#"[{{"type":"Approval","activities":{events}}}]"#);
    assert_eq!(made(&approval, Mutation::SwapActivities), [], "the order of events does not matter");
}

#[test]
fn what_runs_leave_out_is_not_changed() {
    let text = r#"{"activities":[{"name":"A","type":"Enqueue","activities":[
        {"name":"B","type":"Status","statusTranslations":{"en-US":"b"}},
        {"name":"C","type":"If","expression":{"operand":"equal"},"activities":[{"name":"D","type":"Terminate"}]},
        {"name":"E","type":"Provider","method":"Get-ZPADUser","stopOnError":true}
    ]}],"variables":[]}"#;
    let found = with_site(text, |site| changes(site).into_iter().map(|it| it.clause).collect::<Vec<_>>());
    assert_eq!(found, ["`A` is dropped"]);
}

#[test]
fn texts_of_a_status_are_changed() {
    let bound = r#"[{"type":"Status","status":{"state":"bound","boundTo":"A","value":"x"}}]"#;
    assert_eq!(made(bound, Mutation::ChangeText), []);
    let own = r#"[{"name":"S","type":"Status","status":{"state":"static","value":"a \"b\""},"statusTranslations":{"en-US":"c"}}]"#;
    let found = only(own, Mutation::ChangeText);
    let wanted = own.replace(r#"a \"b\""#, r#"a \"b\"-changed"#);
    assert_eq!(found, owned("/activities/0/status/value", "the text of `S` is changed", &wanted));
    let translated = r#"[{"name":"S","type":"Status","status":{"state":"static","value":""},"statusTranslations":{"en-US":"c","sv/SE":"7","x":""}}]"#;
    let wanted = [
        ("/activities/0/statusTranslations/en-US", "the text of `S` for `en-US` is changed", r#""c-changed""#),
        ("/activities/0/statusTranslations/sv~1SE", "the text of `S` for `sv/SE` is changed", r#""8""#),
    ];
    let found = made(translated, Mutation::ChangeText);
    assert_eq!(found.len(), wanted.len());
    for ((pointer, clause, after), wanted) in found.iter().zip(wanted) {
        assert_eq!(
            (pointer.as_str(), clause.as_str(), after.contains(wanted.2)),
            (wanted.0, wanted.1, true),
            "{after}"
        );
    }
}

#[test]
fn texts_of_assigns_and_static_parameters_are_changed() {
    let assign = r#"[{"name":"A","type":"Assign","body":"{B}"}]"#;
    let wanted = r#"[{"name":"A","type":"Assign","body":"{B}-changed"}]"#;
    let found = only(assign, Mutation::ChangeText);
    assert_eq!(found, owned("/activities/0/body", "the text of `A` is changed", wanted));
    // The copy of the editor changes as well; a number, a variable and an empty text do not.
    let parameters = r#"[{"name":"P","value":{"state":"static","value":"true"}},{"name":"Q","value":{"state":"static","value":5}},{"name":"R","value":{"state":"bound","boundTo":"A"}},{"name":"S","value":{"state":"static","value":""}}]"#;
    let provider = format!(
        r#"[{{"name":"A","type":"Provider","providerParameters":{parameters},"allProviderParameters":{parameters}}}]"#
    );
    let found = only(&provider, Mutation::ChangeText);
    let wanted = provider.replace(r#""true""#, r#""false""#);
    let pointer = "/activities/0/providerParameters/0/value/value";
    assert_eq!(found, owned(pointer, "parameter `P` of `A` has another text", &wanted));
    let code = r#"[{"name":"A","type":"Code","parameters":[{"name":"P","value":{"isBound":false,"value":"x"}}]}]"#;
    let found = only(code, Mutation::ChangeText);
    assert_eq!(found.2, code.replace(r#""x""#, r#""x-changed""#));
}

#[test]
fn bound_parameters_are_not_set() {
    let old = r#"{"state":"bound","value":null,"isBoundToSystemVariable":true,"boundToId":7,"boundTo":"V"}"#;
    let new = r#"{"state":"notSet","value":null,"isBoundToSystemVariable":false,"boundToId":0,"boundTo":""}"#;
    let provider = |value: &str| {
        let list =
            format!(r#"[{{"name":"P","value":{value}}},{{"name":"Q","value":{{"state":"static","value":"x"}}}}]"#);
        format!(r#"[{{"name":"A","type":"Provider","providerParameters":{list},"allProviderParameters":{list}}}]"#)
    };
    let found = only(&provider(old), Mutation::UnsetParameter);
    let wanted = owned("/activities/0/providerParameters/0", "parameter `P` of `A` is not set", &provider(new));
    assert_eq!(found, wanted);
    let code = |value: &str| format!(r#"[{{"name":"A","type":"Code","parameters":[{{"name":"P","value":{value}}}]}}]"#);
    let found = only(&code(r#"{"isBound":true,"value":"left","boundTo":"V"}"#), Mutation::UnsetParameter);
    assert_eq!(found.2, code(r#"{"isBound":false,"value":null,"boundTo":""}"#));
}

#[test]
fn stop_on_error_is_toggled() {
    for (now, toggled, word) in [
        (r#""stopOnError":true,"#, r#""stopOnError":false,"#, "false"),
        (r#""stopOnError":false,"#, r#""stopOnError":true,"#, "true"),
        // It counts as true.
        ("", r#""stopOnError":false,"#, "false"),
    ] {
        let activities = |member: &str| format!(r#"[{{{member}"name":"A","type":"Provider"}}]"#);
        let found = only(&activities(now), Mutation::ToggleStopOnError);
        assert_eq!((found.1, found.2), (format!("`stopOnError` of `A` is {word}"), activities(toggled)));
    }
    let unreadable = r#"[{"type":"Provider","stopOnError":"no"}]"#;
    assert_eq!(made(unreadable, Mutation::ToggleStopOnError), []);
}

#[test]
fn changed_activities_are_found() {
    let names = |new: &str, old: &str| {
        let whole = |activities: &str| format!("{{\"activities\":[{activities}],\"variables\":[]}}");
        with_site(&whole(new), |new| {
            with_site(&whole(old), |old| {
                let flags = changed(new, old);
                let activities = new.workflow.activities.iter().zip(flags).filter(|(_, changed)| *changed);
                activities.map(|(activity, _)| activity.name.value().unwrap_or("?").to_owned()).collect::<String>()
            })
        })
    };
    let leaf = |name: &str| format!(r#"{{"name":"{name}","x":1}}"#);
    let around = |name: &str, x: u8, inside: &str| format!(r#"{{"x":{x},"name":"{name}","activities":[{inside}]}}"#);
    let [a, b, c] = ["A", "B", "C"].map(leaf);
    let inner = around("I", 1, &format!("{a},{b}"));
    assert_eq!(names(&inner, &inner), "");
    assert_eq!(names(r#"{ "x" : 1, "name" : "\u0041" }"#, &a), "", "another form");
    assert_eq!(names(&inner, &around("I", 2, &format!("{a},{b}"))), "I");
    assert_eq!(names(&inner, &around("I", 1, &a)), "B");
    assert_eq!(names(&format!("{a},{c},{b}"), &format!("{a},{b}")), "C");
    assert_eq!(names(&format!("{b},{a}"), &format!("{a},{b}")).len(), 1, "one of them was moved");
    assert_eq!(names(&around("I", 1, &format!("{a},{b}")), &format!("{},{b}", around("I", 1, &a))), "B");
    assert_eq!(names(&inner, &format!("{a},{b}")), "IAB", "they were put into another one");
    assert_eq!(names(&inner, ""), "IAB");
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn every_change_of_any_document_is_a_document() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tried = 0;
    for folder in ["examples", "tests/corpus"] {
        for entry in ignore::WalkBuilder::new(root.join(folder)).standard_filters(false).build() {
            let entry = entry.unwrap();
            if entry.path().extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
            if Document::parse(text.as_str(), Limits::default()).is_err() || text.len() > 200_000 {
                continue;
            }
            with_site(&text, |site| {
                for change in changes(site) {
                    tried += 1;
                    let changed: Arc<str> = edited(&text, &change.edits).unwrap().into();
                    assert!(Document::parse(changed, Limits::default()).is_ok(), "{change:?}");
                }
            });
        }
    }
    assert!(tried > 300, "{tried}");
}

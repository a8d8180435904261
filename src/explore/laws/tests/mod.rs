//! Laws over the runs of small services.

mod service;

use serde_json::{Value, json};

use self::service::{Service, WORKFLOW, approval, assign, bound, provider, status, terminate};
use crate::explore::laws::{Accepted, unknown_names};

// `when` and `expect`: each kind of expectation, held and broken.

fn answer(action: &str) -> Value {
    json!({ "approvals": { "Approval": { "boss@example.com": { "after": "1h", "action": action } } } })
}

/// Publishes two statuses and asks for an approval; who rejects ends the order.
fn service() -> Service {
    let rejected = json!([{
        "name": "On rejection", "type": "Event", "event": "OnForeachReject",
        "activities": [status("Tell", "The order was rejected"), terminate()]
    }]);
    Service::new(
        &json!([
            status("Begin", "Waiting"),
            approval("Approval", &rejected),
            assign("Note", "State", "done"),
            status("Finish", "Done: all")
        ]),
        &["State"],
    )
}

#[test]
fn expectations_hold_or_tell_what_they_found() {
    let service = service();
    let (approved, rejected, nothing) = (answer("approve"), answer("reject"), json!({}));
    let missing = Some("missing mail `finished` to `boss@example.com`");
    let not_listed = |list: &str| Some(format!("published statuses are not {list}"));
    for (expect, scenario, wanted) in [
        ("outcome = 'completed'", &approved, None),
        ("outcome = 'completed'", &rejected, Some("expected outcome `completed`, found `terminated`")),
        ("outcome = 'stuck'", &nothing, None),
        ("ends = true", &rejected, None),
        ("ends = true", &nothing, Some("order never ends")),
        ("variables = { State = 'done' }", &approved, None),
        ("variables = { State = 'done' }", &rejected, Some("expected \"done\" in `State`, found \"\"")),
        ("variables = { Other = '' }", &approved, None),
        ("approvals = { Approval = 'approved' }", &approved, None),
        (
            "approvals = { Approval = 'approved' }",
            &rejected,
            Some("expected `approved` of `Approval`, found `rejected`"),
        ),
        (
            "approvals = { Approval = 'approved' }",
            &nothing,
            Some("expected `approved` of `Approval`, found no decision"),
        ),
        ("mails = [{ to = ' BOSS@example.com ', kind = 'approval-request' }]", &approved, None),
        ("mails = [{ to = 'boss@example.com', kind = 'finished' }]", &approved, missing),
        ("mails = [{}]", &approved, None),
        ("failure = 'x'", &approved, Some("expected a failure with \"x\", found no failure")),
        ("statuses = ['Waiting', 'Done*']", &approved, None),
        ("statuses = ['...', '*rejected']", &rejected, None),
        ("statuses = ['...', '*rejected']", &approved, not_listed("[\"...\", \"*rejected\"]").as_deref()),
        ("statuses = ['Done*']", &approved, not_listed("[\"Done*\"]").as_deref()),
        (
            "outcome = 'failed', ends = true, variables = { State = 'x' }",
            &approved,
            Some("expected outcome `failed`, found `completed`; expected \"x\" in `State`, found \"done\""),
        ),
    ] {
        let law = format!("[[law]]\nname = 'a'\nexpect = {{ {expect} }}\n");
        assert_eq!(service.play(&law, scenario).broken().as_deref(), wanted, "{expect} {scenario}");
    }
}

#[test]
fn law_concerns_the_runs_of_its_when_and_the_services_of_its_patterns() {
    let service = service();
    let play = |law: &str, scenario: &Value| {
        service.play(&format!("[[law]]\nname = 'a'\n{law}\nexpect = {{ outcome = 'failed' }}\n"), scenario).verdicts
    };
    let judged = |law: &str, scenario: &Value| {
        play(law, scenario).first().map(|verdict| (verdict.is_met, verdict.breach.is_some()))
    };
    let (approved, nothing) = (answer("approve"), json!({}));
    assert_eq!(judged("", &approved), Some((true, true)));
    assert_eq!(judged("when = { outcome = 'completed' }", &approved), Some((true, true)));
    assert_eq!(judged("when = { outcome = 'terminated' }", &approved), Some((false, false)));
    assert_eq!(judged("when = { people = 'act' }", &approved), Some((true, true)));
    assert_eq!(judged("when = { people = 'act' }", &nothing), Some((false, false)));
    assert_eq!(judged("services = ['order.*']", &approved), Some((true, true)));
    assert_eq!(judged("services = ['sign/**', '*.json']", &approved), Some((true, true)));
    assert_eq!(judged("services = ['sign/**']", &approved), None);
}

#[test]
fn calls_are_counted_up_to_two() {
    let lookup = || provider("Look up", "Get-ZPADUser", &[("Identity", "anna"), ("Property", "Mail"), ("Prefix", "A")]);
    let broken = |calls: usize, bounds: &str| {
        let activities: Vec<Value> = (0..calls)
            .map(|_| {
                let mut call = lookup();
                call["stopOnError"] = json!(false);
                call
            })
            .collect();
        let service = Service::new(&json!(activities), &["AMail"]);
        let law = format!("[[law]]\nname = 'a'\nexpect = {{ calls = {{ Get-ZPADUser = {bounds} }} }}\n");
        service.play(&law, &json!({})).broken()
    };
    let (missing, unexpected, more) = (
        Some("missing call of `Get-ZPADUser`".to_owned()),
        Some("unexpected call of `Get-ZPADUser`".to_owned()),
        Some("more than one call of `Get-ZPADUser`".to_owned()),
    );
    for (bounds, wanted) in [
        ("{ at-least = 1 }", [&missing, &None, &None, &None]),
        ("{ at-most = 0 }", [&None, &unexpected, &unexpected, &unexpected]),
        ("{ at-most = 1 }", [&None, &None, &more, &more]),
        ("{ at-least = 0 }", [&None, &None, &None, &None]),
        ("1", [&missing, &None, &more, &more]),
        ("0", [&None, &unexpected, &unexpected, &unexpected]),
    ] {
        for (calls, wanted) in wanted.into_iter().enumerate() {
            assert_eq!(broken(calls, bounds), *wanted, "{calls} {bounds}");
        }
    }
}

#[test]
fn failure_holds_a_text() {
    let service = Service::new(&json!([provider("Look up", "Get-ZPADUser", &[("Identity", "anna")])]), &[]);
    let broken =
        |text: &str| service.play(&format!("[[law]]\nname = 'a'\nexpect.failure = '{text}'\n"), &json!({})).broken();
    assert_eq!(broken("unknown identity"), None);
    let message = broken("timeout").unwrap();
    assert!(
        message.starts_with("expected \"timeout\" in the failure, found \"`Look up` failed: unknown identity"),
        "{message}"
    );
}

#[test]
fn states_differ_only_in_what_laws_ask_about() {
    let service = service();
    let state = |law: &str, scenario: &Value| service.play(law, scenario).state;
    let (approved, rejected) = (answer("approve"), answer("reject"));
    let asks = "[[law]]\nname = 'a'\nexpect = { approvals = { Approval = 'approved' } }\n";
    assert_ne!(state(asks, &approved), state(asks, &rejected));
    let does_not = "[[law]]\nname = 'a'\nexpect = { mails = [{ kind = 'reminder' }] }\n";
    assert_eq!(state(does_not, &approved), state(does_not, &rejected));
    let bytes = |law: &str, scenario: &Value| {
        let mut key = Vec::new();
        state(law, scenario).write(&mut key);
        key
    };
    assert_ne!(bytes(asks, &approved), bytes(asks, &rejected));
    assert_eq!(bytes(does_not, &approved), bytes(does_not, &rejected));
    let law = "[[law]]\nname = 'a'\nwhen = { variables = { State = 'x' } }\nexpect = { variables = { State = 'y' } }\n";
    assert_eq!(service.variables(law), ["State"]);
}

// `before`: one activity never begins unless another one has ended.

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

// What `no-fault` observes.

#[track_caller]
fn assert_faults(service: &Service, wanted: &[(&str, &str)]) {
    let played = service.play("", &json!({}));
    let found: Vec<(&str, &str)> = played.faults.iter().map(|(at, message)| (at.as_str(), message.as_str())).collect();
    assert_eq!(found, wanted);
}

fn publish(variable: &str) -> Value {
    json!({ "name": "Publish", "type": "Status", "status": bound(variable) })
}

const UNSET: &str = "unset variable `A`: nothing assigns it before this read";

/// Without an order form, what no activity writes counts as filled by the order.
fn with_form(activities: &Value, variables: &[&str]) -> Service {
    Service::new(activities, variables).with_form("order.form.json", &["Filled"])
}

#[test]
fn unset_variables_are_found_where_they_are_first_read() {
    let read = "/activities/0/status/boundTo";
    assert_faults(&with_form(&json!([publish("A"), publish("A")]), &["A", "Filled"]), &[(read, UNSET)]);
    assert_faults(&with_form(&json!([assign("Set", "A", "x"), publish("A")]), &["A", "Filled"]), &[]);
    assert_faults(&with_form(&json!([publish("Filled")]), &["A", "Filled"]), &[]);
    assert_faults(&Service::new(&json!([publish("A")]), &["A"]), &[]);
    assert_faults(&Service::new(&json!([publish("A"), assign("Set", "A", "x")]), &["A"]), &[(read, UNSET)]);
    let preset = json!([{ "id": 1, "name": "A", "isInputParameter": true }]);
    let activities = json!([publish("A")]);
    let service = Service::of(&json!({ "activities": activities, "variables": preset }));
    assert_faults(&service.with_form("order.form.json", &["Filled"]), &[]);
    let undeclared = Service::of(&json!({ "activities": activities }));
    assert_faults(&undeclared.with_form("order.form.json", &["Filled"]), &[]);
    let undefined = with_form(&json!([publish("B")]), &["A"]);
    assert_faults(&undefined, &[(read, "undefined variable `B`")]);
}

#[test]
fn variable_of_an_approval_form_and_of_another_workflow_is_set() {
    let mut asked = approval("Approval", &json!([]));
    asked["connectedFormName"] = json!("Reason");
    let activities = json!([publish("A"), asked]);
    let service = with_form(&activities, &["A", "Filled"]).with_form("Reason.form.json", &["A"]);
    assert_faults(&service, &[]);
    let other = json!({ "activities": [assign("Set", "A", "x")], "variables": [{ "id": 1, "name": "A" }] });
    let service = with_form(&json!([publish("A")]), &["A", "Filled"]).with("other.workflow.json", &other.to_string());
    assert_faults(&service, &[]);
}

fn wait(children: &Value) -> Value {
    json!({
        "name": "Wait",
        "type": "While",
        "expression": {
            "type": "EqualityExpression", "operand": "equal",
            "left": bound("A"), "right": { "isBound": false, "value": "" }
        },
        "iterationDelaySeconds": { "isBound": false, "value": 60 },
        "activities": children
    })
}

#[test]
fn loop_waits_for_what_its_body_writes() {
    let waits = json!([wait(&json!([assign("Set", "A", "x")]))]);
    assert_faults(&with_form(&waits, &["A", "Filled"]), &[]);
    // Whatever the loop does, this read comes too early.
    let too_early = json!([publish("A"), wait(&json!([assign("Set", "A", "x")]))]);
    assert_faults(&with_form(&too_early, &["A", "Filled"]), &[("/activities/0/status/boundTo", UNSET)]);
    let mut skipped = wait(&json!([]));
    skipped["expression"]["operand"] = json!("notEqual");
    let place = "/activities/0/expression/left/boundTo";
    assert_faults(&with_form(&json!([skipped]), &["A", "Filled"]), &[(place, UNSET)]);
    let mut delayed = skipped.clone();
    delayed["expression"]["left"] = json!({ "isBound": false, "value": "x" });
    delayed["iterationDelaySeconds"] = bound("A");
    delayed["activities"] = json!([{ "name": "End", "type": "Terminate" }]);
    let place = "/activities/0/iterationDelaySeconds/boundTo";
    assert_faults(&with_form(&json!([delayed]), &["A", "Filled"]), &[(place, UNSET)]);
}

#[test]
fn placeholders_are_found_at_their_characters() {
    let service = with_form(&json!([assign("Set", "B", "x {A} {C} {A}")]), &["A", "B", "Filled"]);
    let unknown = "unknown placeholder `{C}`: no variable has this name";
    let both = [("/activities/0/body", unknown), ("/activities/0/body", UNSET)];
    assert_faults(&service, &both);
    let repeated = with_form(&json!([assign("Set", "B", "x {A} {C} {A} {C}")]), &["A", "B", "Filled"]);
    assert_faults(&repeated, &both);
}

#[test]
fn approval_without_anybody_to_ask_is_found() {
    let mut asked = approval("Approval", &json!([]));
    asked["assignees"] = json!([{ "type": "Parameter", "parameter": { "isBound": false, "value": "" } }]);
    let message = "missing assignees in `Approval`, no assignee has a value";
    assert_faults(&Service::new(&json!([asked]), &[]), &[("/activities/0/assignees", message)]);
    // The variable is the cause.
    asked["assignees"] = json!([{ "type": "Parameter", "parameter": bound("A") }]);
    let place = "/activities/0/assignees/0/parameter/boundTo";
    assert_faults(&with_form(&json!([asked]), &["A", "Filled"]), &[(place, UNSET)]);
}

#[test]
fn missing_required_parameter_is_found_when_its_call_is_reached() {
    let call = provider("Look up", "Get-ZPESignDocumentSignatureStatus", &[("Prefix", "B")]);
    let message = "missing required parameter `Id` of `Get-ZPESignDocumentSignatureStatus`";
    let place = "/activities/0/providerParameters";
    assert_faults(&Service::new(&json!([call]), &["BStatus"]), &[(place, message)]);
    let ends = json!({ "name": "End", "type": "Terminate" });
    assert_faults(&Service::new(&json!([ends, call]), &["BStatus"]), &[]);
}

#[test]
fn rejection_that_a_timeout_counts_as_may_have_written() {
    let set = assign("Set", "A", "x");
    let events = json!([{ "name": "On rejection", "type": "Event", "event": "OnForeachReject", "activities": [set] }]);
    let mut asked = approval("Approval", &events);
    asked["timeout"] = json!({ "isBound": false, "value": 60 });
    let service = with_form(&json!([asked, publish("A")]), &["A", "Filled"]);
    assert_faults(&service, &[]);
    let approves =
        json!({ "approvals": { "Approval": { "boss@example.com": { "after": "1s", "action": "approve" } } } });
    let found = service.play("", &approves).faults;
    assert_eq!(found, [("/activities/1/status/boundTo".to_owned(), UNSET.to_owned())]);
}

#[test]
fn run_without_faults_has_none() {
    assert_faults(&Service::new(&json!([status("Begin", "x"), assign("Set", "A", "y")]), &["A"]), &[]);
}

// Names that no service has.

fn errors(text: &str, is_whole: bool) -> Vec<String> {
    let activities =
        json!([status("Begin", "x"), approval("Manager approval", &json!([])), provider("Make", "New-Mailbox", &[])]);
    let service = Service::new(&activities, &["State"]);
    let config = service.config(text);
    let errors = unknown_names(&config, &[service.names()], |_| is_whole);
    let place = config.path.as_ref().unwrap().display().to_string();
    errors.into_iter().map(|error| error.error.0.replace(&format!("{place}:"), "")).collect()
}

#[test]
fn names_that_no_service_has_are_errors_with_a_suggestion() {
    for (law, wanted) in [
        ("expect = { variables = { State = 'x', ZPActivityStatus = 'y' } }", None),
        ("expect = { variables = { Stae = 'x' } }", Some("3:26: undefined variable `Stae`; did you mean `State`?")),
        ("expect = { approvals = { 'Manager approval' = 'approved' } }", None),
        (
            "expect = { approvals = { 'Manager aproval' = 'approved' } }",
            Some("3:26: unknown Approval `Manager aproval`; did you mean `Manager approval`?"),
        ),
        ("expect = { approvals = { Begin = 'approved' } }", Some("3:26: unknown Approval `Begin`")),
        ("expect = { calls = { New-Mailbox = 1, Get-ZPADUser = 0 } }", None),
        (
            "when = { calls = { New-Malibox = 1 } }\nexpect = { ends = true }",
            Some("3:20: unknown method `New-Malibox`; did you mean `New-Mailbox`?"),
        ),
        ("before = { Begin = 'Manager approval' }", None),
        ("before = { Begn = 'Manager approval' }", Some("3:12: unknown activity `Begn`; did you mean `Begin`?")),
        ("before = { Begin = 'Approval' }", Some("3:20: unknown activity `Approval`")),
        (
            "services = ['sgin/**']\nexpect = { ends = true }",
            Some("3:13: no workflow matches `sgin/**` in `services` of a law"),
        ),
    ] {
        let text = format!("[[law]]\nname = 'a'\n{law}\n");
        assert_eq!(errors(&text, true), wanted.into_iter().collect::<Vec<_>>(), "{law}");
        assert_eq!(errors(&text, false), Vec::<String>::new(), "{law}");
    }
    let fields = "[explore]\nfields = { Departmnt = ['Sales'] }\n";
    assert_eq!(errors(fields, true), ["2:12: unknown field `Departmnt`"]);
}

// Suppressions of laws.

fn entry(keys: &str) -> String {
    format!("[[suppress]]\nlaw = 'ends'\nfile = '{WORKFLOW}'\nreason = 'known'\n{keys}\n")
}

#[test]
fn entry_accepts_breaks_at_its_activity_or_inside_its_pointer() {
    let service = Service::new(&json!([]), &[]);
    let path = service.path(WORKFLOW);
    for (keys, wanted) in [
        ("activity = 'Wait'", true),
        ("activity = 'Other'", false),
        ("pointer = '/activities/0'", true),
        ("pointer = ''", true),
        ("pointer = '/activities/00'", false),
        ("pointer = '/activities/0/activities'", false),
        ("activity = 'Wait'\npointer = '/activities/1'", false),
        ("activity = 'Wait'\nuntil = 2026-01-02", true),
        ("activity = 'Wait'\nuntil = 2026-01-01", false),
    ] {
        let today = jiff::civil::date(2026, 1, 2);
        let mut accepted = Accepted::new(&service.config(&entry(keys)), Some(today));
        let reason = accepted.accept("ends", &path, Some("Wait"), "/activities/0");
        assert_eq!(reason, wanted.then_some("known"), "{keys}");
        assert_eq!(accepted.problems(|_, _| true).is_empty(), wanted, "{keys}");
    }
    let mut accepted = Accepted::new(&service.config(&entry("activity = 'Wait'")), None);
    assert_eq!(accepted.accept("no-fault", &path, Some("Wait"), ""), None);
    assert_eq!(accepted.accept("ends", &service.path("other.json"), Some("Wait"), ""), None);
    assert_eq!(accepted.accept("ends", &path, None, ""), None);
}

#[test]
fn entry_that_accepts_nothing_is_a_problem_if_its_law_was_judged() {
    let service = Service::new(&json!([]), &[]);
    let text = format!(
        "{}{}[[suppress]]\nlaw = 'ends'\nfile = 'gone.json'\nactivity = 'A'\nreason = 'x'\n",
        entry("activity = 'Wait'"),
        entry("activity = 'Wait'\nuntil = 2026-01-01")
    );
    let accepted = Accepted::new(&service.config(&text), Some(jiff::civil::date(2026, 1, 2)));
    let problems = accepted.problems(|_, _| true);
    let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "unused suppression of law `ends` in `order.workflow.json`",
            "suppression of law `ends` in `order.workflow.json` expired on 2026-01-01",
            "unused suppression of law `ends` in `gone.json`, no such file",
        ]
    );
    assert!(accepted.problems(|law, _| law != "ends").is_empty());
}

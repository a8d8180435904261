//! A scenario with every key in each syntax, defaults, and scalars that are read as written.

use jiff::SignedDuration;

use super::{SYNTAXES, ScenarioSyntax, problems, read, slice, yaml};
use crate::simulate::scenario::{
    ApprovalAction, ApprovalRuns, Approvals, Bounds, Decision, DirectorySource, Expectations, ExpectedMail, Input,
    Limits, MailKind, NamedInput, OutcomeKind, ProviderResult, Scenario, SigningAction, SigningRuns, Spanned, Statuses,
};

pub(super) const YAML: &str = r#"
name: The signer signs on the second day
workflow: order.workflow.json
form: order.form.json
culture: sv-SE
start: 2024-01-01T10:00:00+02:00
requester: anna@example.com
submit:
  PersonalId: 0101901234
  Agrees: yes
  Version: 1.10
  Empty:
  Document: { file: contract.pdf }
variables: { OrderState: New }
directory: people.ldif
signing:
  zoe@example.com: { after: 26h, action: sign }
  anna@example.com: { after: 90s, action: reject }
approvals:
  Approval: { boss@example.com: { after: 3h, action: approve } }
  Second: [ { boss@example.com: { after: 1d, action: reject } }, {} ]
faults:
  - { method: Get-Status, call: 2, error: "connection reset" }
  - { method: Get-Other, call: ~, error: down }
providers:
  New-Mailbox: [ { outputs: { Message: created } }, { error: "quota" } ]
limits: { steps: 500, virtual-time: 30d, script-seconds: 0.5 }
expect:
  outcome: completed
  variables: { ESignStatus: Finished, Cleared: null }
  statuses: ["...", "...", "Document status - Finished"]
  elapsed: { at-least: 26h, at-most: 27h }
  calls: { Get-Status: { at-most: 320 } }
  mails: [ { to: anna@example.com, kind: sign-request }, { kind: reminder } ]
  approvals: { Approval: approved, Second: timed-out }
  failure: PartySSN
"#;

pub(super) const JSON: &str = r#"{
  "name": "The signer signs on the second day", "workflow": "order.workflow.json", "form": "order.form.json",
  "culture": "sv-SE", "start": "2024-01-01T10:00:00+02:00", "requester": "anna@example.com",
  "submit": {
    "PersonalId": "0101901234", "Agrees": "yes", "Version": 1.10, "Empty": null, "Document": { "file": "contract.pdf" }
  },
  "variables": { "OrderState": "New" },
  "directory": "people.ldif",
  "signing": {
    "zoe@example.com": { "after": "26h", "action": "sign" }, "anna@example.com": { "after": "90s", "action": "reject" }
  },
  "approvals": {
    "Approval": { "boss@example.com": { "after": "3h", "action": "approve" } },
    "Second": [ { "boss@example.com": { "after": "1d", "action": "reject" } }, {} ]
  },
  "faults": [
    { "method": "Get-Status", "call": 2, "error": "connection reset" },
    { "method": "Get-Other", "call": null, "error": "down" }
  ],
  "providers": { "New-Mailbox": [ { "outputs": { "Message": "created" } }, { "error": "quota" } ] },
  "limits": { "steps": 5e2, "virtual-time": "30d", "script-seconds": 0.5 },
  "expect": {
    "outcome": "completed", "variables": { "ESignStatus": "Finished", "Cleared": null },
    "statuses": ["...", "...", "Document status - Finished"],
    "elapsed": { "at-least": "26h", "at-most": "27h" }, "calls": { "Get-Status": { "at-most": 320 } },
    "mails": [ { "to": "anna@example.com", "kind": "sign-request" }, { "kind": "reminder" } ],
    "approvals": { "Approval": "approved", "Second": "timed-out" }, "failure": "PartySSN"
  }
}"#;

pub(super) const TOML: &str = r#"
name = "The signer signs on the second day"
workflow = "order.workflow.json"
form = "order.form.json"
culture = "sv-SE"
start = 2024-01-01T10:00:00+02:00
requester = "anna@example.com"
directory = "people.ldif"
limits = { steps = 5_00, virtual-time = "30d", script-seconds = 0.5 }
variables.OrderState = "New"

[submit]
PersonalId = "0101901234"
Agrees = "yes"
Version = 1.10
Empty = ""
Document = { file = "contract.pdf" }

[signing]
"zoe@example.com" = { after = "26h", action = "sign" }
"anna@example.com" = { after = "90s", action = "reject" }

[approvals.Approval."boss@example.com"]
after = "3h"
action = "approve"

[[approvals.Second]]
"boss@example.com" = { after = "1d", action = "reject" }

[[approvals.Second]]

[[faults]]
method = "Get-Status"
call = 2
error = "connection reset"

[[faults]]
method = "Get-Other"
error = "down"

[providers]
New-Mailbox = [ { outputs = { Message = "created" } }, { error = "quota" } ]

[expect]
outcome = "completed"
variables = { ESignStatus = "Finished", Cleared = "" }
statuses = ["...", "...", "Document status - Finished"]
elapsed = { at-least = "26h", at-most = "27h" }
calls = { Get-Status = { at-most = 320 } }
mails = [ { to = "anna@example.com", kind = "sign-request" }, { kind = "reminder" } ]
approvals = { Approval = "approved", Second = "timed-out" }
failure = "PartySSN"
"#;

fn values(inputs: &[NamedInput]) -> Vec<(&str, &Input)> {
    inputs.iter().map(|input| (input.name.value.as_str(), &input.input.value)).collect()
}

#[test]
fn every_key_is_read_alike_in_each_syntax() {
    for (syntax, text) in SYNTAXES.into_iter().zip([YAML, JSON, TOML]) {
        let scenario = read(text, syntax).unwrap_or_else(|_| panic!("{}", problems(text, syntax)));
        assert_eq!(scenario.name.as_deref(), Some("The signer signs on the second day"));
        assert_eq!(scenario.workflow.value, "order.workflow.json");
        assert_eq!(scenario.form.as_ref().unwrap().value, "order.form.json");
        assert_eq!((scenario.culture.as_str(), scenario.start), ("sv-SE", "2024-01-01T08:00:00Z".parse().unwrap()));
        assert_eq!(scenario.requester.as_deref(), Some("anna@example.com"));
        check_inputs(&scenario);
        check_people(&scenario);
        check_environment(&scenario);
        check_expect(scenario.expect.as_ref().unwrap());
    }
}

fn check_inputs(scenario: &Scenario) {
    let text = |text: &str| Input::Text(text.into());
    let expected = [
        ("PersonalId", text("0101901234")),
        ("Agrees", text("yes")),
        ("Version", text("1.10")),
        ("Empty", text("")),
        ("Document", Input::File("contract.pdf".to_owned())),
    ];
    let expected: Vec<(&str, &Input)> = expected.iter().map(|(name, input)| (*name, input)).collect();
    assert_eq!(values(scenario.submit.as_ref().unwrap()), expected);
    assert_eq!(values(&scenario.variables), [("OrderState", &text("New"))]);
}

fn check_people(scenario: &Scenario) {
    let every = |runs: &SigningRuns| match runs {
        SigningRuns::Every(act) => (act.after, act.action),
        SigningRuns::Each(_) => panic!("every case"),
    };
    let signing: Vec<_> =
        scenario.signing.iter().map(|signer| (signer.mail.value.as_str(), every(&signer.runs))).collect();
    let hours = SignedDuration::from_hours;
    assert_eq!(
        signing,
        [
            ("zoe@example.com", (hours(26), SigningAction::Sign)),
            ("anna@example.com", (SignedDuration::from_secs(90), SigningAction::Reject))
        ],
        "in the order of the file, not of the names"
    );
    let Approvals::Named(approvals) = &scenario.approvals else { panic!("{:?}", scenario.approvals) };
    let [first, second] = approvals.as_slice() else { panic!("{approvals:?}") };
    assert_eq!((first.activity.value.as_str(), second.activity.value.as_str()), ("Approval", "Second"));
    let ApprovalRuns::Every(answers) = &first.runs else { panic!("{first:?}") };
    assert_eq!((answers[0].after, answers[0].action), (hours(3), ApprovalAction::Approve));
    let ApprovalRuns::Each(runs) = &second.runs else { panic!("{second:?}") };
    assert_eq!((runs.len(), runs[0].value[0].action, runs[1].value.len()), (2, ApprovalAction::Reject, 0));
    assert_eq!(runs[1].location.pointer, "/approvals/Second/1");
}

fn check_environment(scenario: &Scenario) {
    assert!(matches!(&scenario.directory, DirectorySource::File(path) if path.value == "people.ldif"));
    let faults: Vec<_> =
        scenario.faults.iter().map(|fault| (fault.method.value.as_str(), fault.call, fault.error.as_str())).collect();
    assert_eq!(faults, [("Get-Status", Some(2), "connection reset"), ("Get-Other", None, "down")]);
    let [mailbox] = scenario.providers.as_slice() else { panic!("{:?}", scenario.providers) };
    assert_eq!(mailbox.method.value, "New-Mailbox");
    assert_eq!(mailbox.results[0].value, ProviderResult::Outputs(vec![("Message".to_owned(), "created".into())]));
    assert_eq!(mailbox.results[1].value, ProviderResult::Error("quota".to_owned()));
    assert_eq!(
        scenario.limits,
        Limits {
            steps: 500,
            virtual_time: SignedDuration::from_hours(30 * 24),
            script_time: SignedDuration::from_millis(500),
        }
    );
}

fn check_expect(expect: &Expectations) {
    let names = |names: &[&Spanned<String>]| names.iter().map(|name| name.value.clone()).collect::<Vec<_>>();
    let variables: Vec<_> = expect.variables.iter().map(|(name, value)| (name.value.as_str(), &**value)).collect();
    assert_eq!(variables, [("ESignStatus", "Finished"), ("Cleared", "")]);
    assert_eq!(names(&[&expect.calls[0].0]), ["Get-Status"]);
    assert_eq!(expect.calls[0].1, Bounds { at_least: None, at_most: Some(320) });
    assert_eq!(names(&[&expect.approvals[0].0, &expect.approvals[1].0]), ["Approval", "Second"]);
    assert_eq!((expect.approvals[0].1, expect.approvals[1].1), (Decision::Approved, Decision::TimedOut));
    let mail = |to: Option<&str>, kind| ExpectedMail { to: to.map(str::to_owned), kind: Some(kind) };
    let expected = Expectations {
        outcome: Some(OutcomeKind::Completed),
        variables: expect.variables.clone(),
        // Only the first `...` is special.
        statuses: Some(Statuses {
            others_before: true,
            texts: vec!["...".to_owned(), "Document status - Finished".to_owned()],
        }),
        elapsed: Some(Bounds {
            at_least: Some(SignedDuration::from_hours(26)),
            at_most: Some(SignedDuration::from_hours(27)),
        }),
        calls: expect.calls.clone(),
        mails: vec![mail(Some("anna@example.com"), MailKind::SignRequest), mail(None, MailKind::Reminder)],
        approvals: expect.approvals.clone(),
        failure: Some("PartySSN".to_owned()),
        spans: expect.spans.clone(),
    };
    assert_eq!(*expect, expected);
}

#[test]
fn an_exact_value_is_both_bounds_and_a_list_of_signing_has_an_entry_for_each_case() {
    let scenario = yaml(
        "workflow: w.json\nexpect: { elapsed: 1d, calls: { m: 2 } }\n\
         signing: { a@b: [{ after: 1h, action: sign }, {}] }",
    );
    let expect = scenario.expect.unwrap();
    let day = Some(SignedDuration::from_hours(24));
    assert_eq!(expect.elapsed, Some(Bounds { at_least: day, at_most: day }));
    assert_eq!(expect.calls[0].1, Bounds { at_least: Some(2), at_most: Some(2) });
    let SigningRuns::Each(runs) = &scenario.signing[0].runs else { panic!("{:?}", scenario.signing) };
    assert_eq!(runs.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn missing_keys_have_defaults() {
    let scenario = yaml("workflow: w.json");
    assert_eq!((scenario.culture.as_str(), scenario.start), ("en-US", "2024-01-01T08:00:00Z".parse().unwrap()));
    assert_eq!((scenario.submit, scenario.expect), (None, None));
    assert_eq!((scenario.limits, scenario.directory), (Limits::default(), DirectorySource::Empty));
    assert_eq!(scenario.approvals, Approvals::Named(Vec::new()));
}

#[test]
fn null_counts_as_missing_and_an_empty_object_does_not() {
    let scenario = yaml("workflow: w.json\nsubmit:\nexpect: ~\nstart: null");
    assert_eq!((scenario.submit, scenario.expect), (None, None));
    let scenario = yaml("workflow: w.json\nsubmit: {}\nexpect: {}");
    assert_eq!((scenario.submit, scenario.expect), (Some(Vec::new()), Some(Expectations::default())));
}

#[test]
fn directory_entries_and_approvals_in_order_are_read_inline() {
    let scenario = yaml(
        "workflow: w.json\ndirectory:\n- dn: CN=A,DC=b\n  mail: a@b\n  member: [CN=B, CN=C]\n\
         approvals:\n- a@b: {after: 0s, action: approve}\n",
    );
    let DirectorySource::Inline(entries, place) = &scenario.directory else { panic!("{:?}", scenario.directory) };
    assert_eq!((entries.len(), place.pointer.as_str()), (1, "/directory"));
    let Approvals::InOrder(runs) = &scenario.approvals else { panic!("{:?}", scenario.approvals) };
    assert_eq!((runs.len(), runs[0].value[0].mail.value.as_str()), (1, "a@b"));
}

#[test]
fn yaml_scalar_is_read_as_written_whatever_its_type() {
    for written in ["yes", "0x1F", "1_000", "1e3", "2024-01-01", ".inf", "nULL", "true", "-0", "0o17"] {
        let scenario = yaml(&format!("workflow: w.json\nsubmit: {{ a: {written}, b: \"{written}\" }}"));
        for (_, value) in values(scenario.submit.as_ref().unwrap()) {
            assert_eq!(*value, Input::Text(written.into()));
        }
    }
    let scenario =
        yaml("workflow: w.json\nsubmit:\n  a: 'null'\n  b: |\n    two\n    lines\n  c: >-\n    one\n    line");
    let expected: Vec<Input> = ["null", "two\nlines\n", "one line"].map(|text| Input::Text(text.into())).into();
    assert_eq!(
        values(scenario.submit.as_ref().unwrap()).iter().map(|(_, value)| (*value).clone()).collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn yaml_alias_is_a_copy_with_its_own_location() {
    let text = "workflow: w.json\napprovals:\n  A: &late { b@c: { after: 9h, action: reject } }\n  B: *late\n";
    let Approvals::Named(approvals) = yaml(text).approvals else { panic!("named") };
    let mails: Vec<_> = approvals
        .iter()
        .map(|approval| match &approval.runs {
            ApprovalRuns::Every(answers) => {
                let place = &answers[0].mail.location;
                (place.pointer.clone(), slice(text, place.span), answers[0].after)
            }
            ApprovalRuns::Each(_) => panic!("every run"),
        })
        .collect();
    let after = SignedDuration::from_hours(9);
    let place = |pointer: &str, text: &str| (pointer.to_owned(), text.to_owned(), after);
    assert_eq!(mails, [place("/approvals/A/b@c", "b@c"), place("/approvals/B/b@c", "*late")]);
}

#[test]
fn extension_decides_the_syntax() {
    let of = |name: &str| ScenarioSyntax::of(name.as_ref());
    assert_eq!(of("a.scenario.yaml"), Some(ScenarioSyntax::Yaml));
    assert_eq!(of("a.scenario.YML"), Some(ScenarioSyntax::Yaml));
    assert_eq!(of("a.scenario.json"), Some(ScenarioSyntax::Json));
    assert_eq!(of("a.scenario.toml"), Some(ScenarioSyntax::Toml));
    assert_eq!((of("a.scenario"), of("a.txt"), of("yaml")), (None, None, None));
}

#[test]
fn fault_with_the_number_of_the_call_comes_first() {
    let fault = |call: &str| format!("{{ method: m, error: e{call} }}");
    let scenario = yaml(&format!("workflow: w.json\nfaults: [{}, {}]", fault(""), fault(", call: 2")));
    let index = crate::simulate::ScenarioIndex::new(&scenario);
    assert_eq!((index.fault_of("m", 1), index.fault_of("m", 2)), (Some(0), Some(1)));
    assert_eq!(index.fault_of("n", 1), None);
}

//! What must not be in the page: masked values and secrets, wherever they are, and where the documents are.

use serde_json::{Value, json};

use crate::support::folder::{Folder, copy_of};
use crate::support::git::git;

/// What no page may have.
const HIDDEN: [&str; 17] = [
    "ghp_Zz1Yy2Xx3Zz1Yy2Xx3Zz1Yy2Xx3Zz1Yy2Xx3",
    "ghp_Qq7Ww8Ee9Qq7Ww8Ee9Qq7Ww8Ee9Qq7Ww8Ee9",
    "ghp_Kk4Ll5Mm6",
    "Head of the department",
    "letmein9",
    "(13|42)[0-9]{3}",
    "13371337",
    "Staff for good",
    "Permanent employee",
    "Temporary employee",
    "Chief of staff",
    "19900101-2385",
    "hunter2",
    "correct-horse",
    "swordfish-7",
    "ghp_a1B2c3a1B2c3a1B2c3a1B2c3a1B2c3a1B2c3",
    "open-sesame",
];

/// The page of a folder.
fn page(folder: &Folder, args: &[&str]) -> String {
    folder.run(&[&["report", "--output", "out.html"], args].concat()).expect_code(0);
    folder.read("out.html")
}

fn bound(name: &str) -> Value {
    json!({ "isBound": true, "boundTo": name })
}

fn service() -> Folder {
    let equals = |variable: &str, text: &str| {
        json!({
            "type": "EqualityExpression", "operand": "equal",
            "left": bound(variable), "right": { "isBound": false, "value": text },
        })
    };
    let end = json!([{ "type": "Status", "name": "Tell it", "status": { "isBound": false, "value": "Ended" } }, { "type": "Terminate", "name": "End" }]);
    let workflow = json!({
        "activities": [
            { "type": "Status", "name": "Tell the role", "status": bound("Role") },
            { "type": "If", "name": "If hunter2 is given", "expression": equals("Role", "Chief of staff"), "activities": end },
            { "type": "If", "name": "If it is he", "expression": equals("PersonalId", "19900101-2385") },
            { "type": "Assign", "name": "Copy", "result": bound("Copy"), "body": "{Role}" },
            { "type": "If", "name": "If copied", "expression": equals("Copy", "Head of the department") },
            { "type": "If", "name": "If known", "expression": equals("UserPassword", "letmein9") },
            {
                "type": "Status", "name": "Call ghp_Zz1Yy2Xx3Zz1Yy2Xx3Zz1Yy2Xx3Zz1Yy2Xx3",
                "status": { "isBound": false, "value": "Called" },
                "statusTranslations": { "sv-SE": "Ring ghp_Qq7Ww8Ee9Qq7Ww8Ee9Qq7Ww8Ee9Qq7Ww8Ee9" },
            },
            { "type": "Assign", "name": "Log in", "result": bound("Text"), "body": "with {DbPassword}" },
            { "type": "Status", "name": "Tell", "status": bound("Text") },
        ],
        "variables": [
            { "name": "Role", "id": 1, "hideAll": true }, { "name": "PersonalId", "id": 2, "shouldHide": true },
            { "name": "DbPassword", "id": 3, "value": "hunter2" }, { "name": "Text", "id": 4 },
            { "name": "UserPassword", "id": 5, "isInputParameter": true }, { "name": "Copy", "id": 6 },
            { "name": "Pin", "id": 7, "hideAll": true },
        ],
    });
    let item = |value: &str| json!({ "id": value, "value": value, "label": { "en-US": "Staff for good" } });
    let items = ["Permanent employee", "Permanent employee", "Temporary employee", "Chief of staff"].map(item);
    let form = json!({
        "fields": [
            {
                "name": "Role", "type": "DropDown", "required": true, "displayName": { "en-US": "Role" }, "boundTo": "Role",
                "properties": { "dropdownItems": items },
            },
            { "name": "PersonalId", "type": "InputText", "required": true, "displayName": { "en-US": "Id" }, "boundTo": "PersonalId" },
            {
                "name": "Pin", "type": "InputText", "displayName": { "en-US": "Pin" }, "boundTo": "Pin",
                "properties": { "validationpattern": "^(13|42)[0-9]{3}$" },
            },
        ],
        "variables": [],
    });
    let scenario = "name: run with ghp_a1B2c3a1B2c3a1B2c3a1B2c3a1B2c3a1B2c3\nworkflow: order.workflow.json\n\
        form: order.form.json\nsubmit:\n  Role: Permanent employee\n  PersonalId: 19900101-2385\n\
        variables:\n  UserPassword: correct-horse\n\
        expect:\n  variables:\n    UserPassword: swordfish-7\n    Role: Temporary employee\n";
    let long = "that fails, as everybody knows, for a long and tedious reason that fills the line";
    let law = format!(
        "[[law]]\nname = \"nobody logs in\"\nexpect = {{ variables = {{ UserPassword = \"open-sesame\", Pin = \"13371337\" }} }}\n\
         [[law]]\nname = \"failure\"\nexpect = {{ failure = \"{long} ghp_Kk4Ll5Mm6Kk4Ll5Mm6Kk4Ll5Mm6Kk4Ll5Mm6\" }}\n\
         [[suppress]]\nlaw = \"failure\"\nfile = \"order.workflow.json\"\nactivity = \"Tell\"\nreason = \"ghp_Kk4Ll5Mm6Kk4Ll5Mm6Kk4Ll5Mm6Kk4Ll5Mm6\"\n"
    );
    let refused = "workflow: order.workflow.json\nform: order.form.json\nsubmit:\n  Role: Permanent employee\n  \
        PersonalId: 19900101-2385\n  Pin: \"9\"\n";
    Folder::with(&[
        ("order.workflow.json", &workflow.to_string()),
        ("order.form.json", &form.to_string()),
        ("run.scenario.yaml", scenario),
        ("refused.scenario.yaml", refused),
        ("wflint.toml", &law),
    ])
}

fn shown(page: &str) -> Vec<&'static str> {
    HIDDEN.into_iter().filter(|hidden| page.contains(hidden)).collect()
}

#[test]
fn masked_values_and_secrets_are_nowhere() {
    let folder = service();
    let html = page(&folder, &[]);
    assert_eq!(shown(&html), [""; 0]);
    assert!(html.contains("•••") && html.contains("nobody logs in") && html.contains("run.scenario.yaml"));
    assert_eq!(shown(&page(&folder, &["--no-explore"])), [""; 0]);
    assert_eq!(shown(&page(&folder, &["--no-scripts"])), [""; 0]);
}

#[test]
fn masked_values_and_secrets_of_both_versions_are_not_in_changes() {
    let folder = service();
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "first"]);
    for (name, old, new) in [
        ("order.form.json", "Temporary employee", "Part-time employee"),
        ("order.workflow.json", "Chief of staff", "Board member"),
        ("order.workflow.json", "hunter2", "hunter3-secret"),
    ] {
        let text = folder.read(name).replace(old, new);
        folder.write(name, &text);
    }
    let html = page(&folder, &["--since", "HEAD"]);
    assert!(html.contains("Changes since"));
    assert_eq!(shown(&html), [""; 0]);
    for new in ["Part-time employee", "Board member", "hunter3-secret"] {
        assert!(!html.contains(new), "{new}");
    }
}

/// A page is sent around: where somebody keeps the documents is not for its readers.
#[test]
fn names_of_files_never_lead_out_of_a_folder() {
    let folder = copy_of("examples");
    let elsewhere = Folder::with(&[]);
    let path = folder.path().to_string_lossy().into_owned();
    let html = page(&elsewhere, &[&format!("{path}/sign-json"), &format!("{path}/approval")]);
    assert!(html.contains("sign-json/") && html.contains("approval/"));
    let last = folder.path().file_name().unwrap().to_string_lossy().into_owned();
    assert!(!html.contains(&last) && !html.contains("../"), "{last}");
}

#[test]
fn files_outside_with_equal_names_are_told_apart() {
    let folder = copy_of("examples/sign-upload");
    let outside = Folder::with(&[]);
    for name in ["order.workflow.json", "order.form.json"] {
        outside.write(format!("services/sign/{name}"), folder.read(name));
    }
    for (name, place) in [("one", "north"), ("two", "south"), ("three", "east")] {
        let gone = if name == "three" { "alone.json" } else { "gone.json" };
        let scenario = format!("workflow: ../../deep/{place}/{gone}\nform: order.form.json\n");
        outside.write(format!("services/sign/{name}.scenario.yaml"), scenario);
    }
    let html = page(&outside, &["services", "--no-explore"]);
    for name in ["north/gone.json", "south/gone.json", " alone.json"] {
        assert!(html.contains(name), "{name}");
    }
    for more in ["deep/", "east/", "../"] {
        assert!(!html.contains(more), "{more} says more than it takes to tell them apart");
    }
}

#[test]
fn page_says_where_scenarios_were_left_out() {
    let html = page(&service(), &["--no-scripts"]);
    assert!(html.contains("Scenarios were left out, because they run scripts"));
}

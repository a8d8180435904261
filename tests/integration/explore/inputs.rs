//! The values of fields and variables: each one is accepted, and every condition can go both ways.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};
use wflint::explore::inputs::{Declarations, Inputs, Section, Service, inputs};
use wflint::facts::{AnalyzedService, Context};
use wflint::ldap::{Directory, ldif};
use wflint::project::{self, File, Overrides, ServiceModel};
use wflint::script::{Evaluator, Sandbox};
use wflint::synth::{Needs, Submitted};
use wflint::text::suggest::Suggester;

use crate::support::folder::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_wflint");

/// A service in a folder of its own.
struct Tried {
    folder: Folder,
    has_form: bool,
    listed: BTreeMap<String, Vec<String>>,
    directory: Option<Directory>,
}

impl Tried {
    /// Fields and variables; activities follow from the conditions.
    fn new(activities: &Value, variables: &Value, fields: Option<Value>) -> Self {
        let folder = Folder::with(&[]);
        let workflow = json!({ "activities": activities, "variables": variables });
        folder.write("a.workflow.json", workflow.to_string());
        let has_form = fields.is_some();
        if let Some(fields) = fields {
            let mut form = json!({ "variables": variables });
            form["fields"] = fields;
            folder.write("a.form.json", form.to_string());
        }
        Self { folder, has_form, listed: BTreeMap::new(), directory: None }
    }

    fn listing(mut self, name: &str, values: &[&str]) -> Self {
        self.listed.insert(name.to_owned(), values.iter().map(|value| (*value).to_owned()).collect());
        self
    }

    fn inputs(&self) -> Inputs {
        let request = project::Request {
            current: self.folder.path().to_path_buf(),
            paths: vec![self.folder.file("a.workflow.json")],
            ..project::Request::default()
        };
        let project = project::find(&request).unwrap_or_else(|error| panic!("{}", error.0));
        let read = project.read(&project.services[0], &Overrides::new());
        let files: Vec<&File> = read.files.iter().collect();
        let (config, suggester) = (&project.configs[project.services[0].config], Suggester::default());
        let model = ServiceModel::new(&files, config);
        let evaluator = Evaluator::new(PathBuf::from(PROGRAM));
        let analyzed = AnalyzedService::new(files, config, &model, &suggester, Some(&evaluator));
        let context = Context::new(&analyzed);
        let service = Service {
            context: &context,
            needs: &Needs::of(&context),
            declarations: &Declarations::of(&context),
            analysis: &context.workflows[0],
            form: context.model.forms.first(),
            fields: &self.listed,
            directory: self.directory.as_ref(),
        };
        inputs(&service, &mut Sandbox::new(PathBuf::from(PROGRAM)))
    }

    /// The inputs, after a run with each alternative: the form accepts it, and no name is unknown.
    fn accepted(&self) -> Inputs {
        let inputs = self.inputs();
        assert_eq!(inputs.problems, [""; 0]);
        let mut scenarios = vec![(inputs.submit.clone(), inputs.variables.clone())];
        for input in &inputs.fields {
            for alternative in &input.alternatives {
                let (mut submit, mut variables) = (inputs.submit.clone(), inputs.variables.clone());
                let entries = if input.section == Section::Submit { &mut submit } else { &mut variables };
                let entry = entries.iter_mut().find(|(name, _)| *name == input.name).unwrap();
                entry.1 = alternative.value.clone();
                scenarios.push((submit, variables));
            }
        }
        let as_json = |entries: &[(String, Submitted)]| -> Value {
            let value = |value: &Submitted| match value {
                Submitted::Text(text) => json!(text),
                Submitted::File(file) => json!({ "file": file }),
            };
            entries.iter().map(|(name, one)| (name.clone(), value(one))).collect::<serde_json::Map<_, _>>().into()
        };
        for (index, (submit, variables)) in scenarios.iter().enumerate() {
            let mut scenario = json!({
                "name": "a", "workflow": "a.workflow.json", "submit": as_json(submit), "variables": as_json(variables),
            });
            match &self.directory {
                Some(_) => scenario["directory"] = json!("people.ldif"),
                None => scenario["directory"] = json!(inputs.people),
            }
            if self.has_form {
                scenario["form"] = json!("a.form.json");
            }
            self.folder.write(format!("{index}.scenario.json"), scenario.to_string());
        }
        let run = self.folder.run(&["simulate", "--format", "json"]);
        assert_ne!(run.code, 2, "{}", run.err());
        let run = run.json();
        assert_eq!(run["scenarios"].as_array().unwrap().len(), scenarios.len());
        for scenario in run["scenarios"].as_array().unwrap() {
            assert_ne!(scenario["outcome"], "refused", "{scenario}");
        }
        inputs
    }
}

/// As [`values`], without the numbers by which made-up texts differ.
fn unnumbered(inputs: &Inputs, name: &str) -> Vec<String> {
    let plain = |text: String| if text.starts_with("Example ") { "Example".to_owned() } else { text };
    values(inputs, name).into_iter().map(plain).collect()
}

/// The alternatives of an input, in its order; a file by its name in angle brackets.
fn values(inputs: &Inputs, name: &str) -> Vec<String> {
    let input = inputs.fields.iter().find(|input| input.name == name);
    let input = input.unwrap_or_else(|| panic!("{name} is no input: {inputs:?}"));
    let values = input.alternatives.iter().map(|alternative| match &alternative.value {
        Submitted::Text(text) => text.clone(),
        Submitted::File(file) => format!("<{file}>"),
    });
    let usual = inputs.submit.iter().chain(&inputs.variables).find(|(known, _)| known == name).unwrap();
    assert_eq!(usual.1, input.alternatives[0].value, "the usual one is the first");
    for alternative in &input.alternatives {
        assert_eq!(alternative.is_nothing, alternative.value == Submitted::Text(String::new()));
    }
    values.collect()
}

fn bound(name: &str) -> Value {
    json!({ "state": "bound", "boundTo": name })
}

fn fixed(value: &Value) -> Value {
    json!({ "state": "static", "value": value })
}

fn condition(left: &Value, right: &Value) -> Value {
    json!({ "type": "If", "name": "If", "expression": { "operand": "equal", "left": left, "right": right },
        "activities": [] })
}

fn is(variable: &str, value: &Value) -> Value {
    condition(&bound(variable), &fixed(value))
}

fn assign(to: &str, body: &str) -> Value {
    json!({ "type": "Assign", "name": "Assign", "body": body, "result": { "state": "bound", "boundTo": to } })
}

fn variables(names: &[&str]) -> Value {
    let one = |(index, name): (usize, &&str)| json!({ "name": name, "id": index + 1, "variableType": "String" });
    names.iter().enumerate().map(one).collect()
}

fn field(name: &str, kind: &str, more: Value) -> Value {
    let mut field = json!({ "name": name, "type": kind, "required": true, "boundTo": name, "isBound": true });
    let Value::Object(more) = more else { panic!("{more}") };
    field.as_object_mut().unwrap().extend(more);
    field
}

fn items(values: &[&str]) -> Value {
    values.iter().enumerate().map(|(index, value)| json!({ "id": index, "value": value })).collect()
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

#[test]
fn text_field_has_a_default_compared_texts_another_one_and_nothing() {
    let activities = json!([
        is("Color", &json!("red")),
        condition(&fixed(&json!("blue")), &bound("Copy")),
        assign("Between", "{Color}"),
        assign("Copy", "{Between}"),
        is("Flag", &json!(true)),
        is("Amount", &json!(5)),
        is("Amount", &json!("5.0")),
        assign("Path", "/in/{Folder}"),
        is("Path", &json!("/in/a")),
        is("Path", &json!("/out")),
        is("Default", &json!("usual")),
    ]);
    let names = ["Color", "Between", "Copy", "Flag", "Amount", "Path", "Folder", "Default", "Plain", "Shown"];
    let default = json!({ "required": false, "properties": { "defaultvalue": { "en-US": "usual" } } });
    let fields = json!([
        field("Color", "InputText", json!({ "required": false })),
        field("Flag", "InputText", json!({})),
        field("Amount", "InputText", json!({})),
        field("Folder", "InputText", json!({})),
        field("Default", "InputText", default.clone()),
        field("Plain", "InputText", json!({})),
        field("Shown", "InputText", json!({ "readonly": true, "required": false })),
    ]);
    let inputs = Tried::new(&activities, &variables(&names), Some(fields)).accepted();
    assert_eq!(values(&inputs, "Color"), ["Example", "red", "blue", ""]);
    assert_eq!(values(&inputs, "Flag"), ["true", "false"]);
    assert_eq!(values(&inputs, "Amount"), ["14", "5", "5.0"], "a number is compared as one, a text as it is");
    assert_eq!(unnumbered(&inputs, "Folder"), ["Example", "a"]);
    assert_eq!(unnumbered(&inputs, "Default"), ["usual", "Example", ""]);
    assert_eq!(unnumbered(&inputs, "Plain"), ["Example"]);
    assert!(inputs.fields.iter().all(|input| input.name != "Shown"));
}

#[test]
fn texts_that_the_form_refuses_are_left_out() {
    let activities = json!([is("Code", &json!("abc")), is("Code", &json!("AB-1")), is("To", &json!("nobody"))]);
    let pattern = json!({ "properties": { "validationpattern": "^[A-Z]{2}-[0-9]$" } });
    let mail = json!({ "properties": { "validationtype": 2 } });
    let fields = json!([field("Code", "InputText", pattern), field("To", "InputText", mail)]);
    let inputs = Tried::new(&activities, &variables(&["Code", "To"]), Some(fields)).accepted();
    let code = values(&inputs, "Code");
    assert!(code.len() == 2 && code[1] == "AB-1", "{code:?}");
    assert_eq!(values(&inputs, "To"), ["anna@example.com"]);
}

#[test]
fn field_without_a_value_is_named() {
    let fields = json!([
        field("A b", "InputText", json!({ "properties": { "validationpattern": "^(?=b)a$" } })),
        field("Empty", "DropDown", json!({ "properties": { "isRestricted": true } })),
    ]);
    let tried = Tried::new(&json!([]), &variables(&["A b", "Empty"]), Some(fields));
    let problems = tried.inputs().problems;
    assert_eq!(
        problems,
        [
            "field `A b`: no value was found that matches `^(?=b)a$`; add `fields = { \"A b\" = [\"…\"] }` to `[explore]`",
            "field `Empty`: its drop-down has no item to choose",
        ]
    );
    let tried = tried.listing("A b", &["c"]).listing("Empty", &[]);
    let problems = tried.inputs().problems;
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert_eq!(problems[0], "field `A b`: the form does not accept `c` of `fields`");
}

#[test]
fn fields_that_are_compared_can_be_equal_and_different() {
    let activities = json!([
        assign("Again", "{Second}"),
        condition(&bound("First"), &bound("Again")),
        condition(&bound("Left"), &bound("Right")),
        condition(&bound("Open"), &bound("Choice")),
        condition(&bound("Open"), &bound("Constant")),
        assign("Constant", "fixed"),
    ]);
    let mail = json!({ "properties": { "validationtype": 2 } });
    let restricted = json!({ "properties": { "isRestricted": true, "dropdownItems": items(&["x", "y"]) } });
    let names = ["First", "Second", "Again", "Left", "Right", "Open", "Choice", "Constant"];
    let fields = json!([
        field("First", "InputText", mail.clone()),
        field("Second", "InputText", mail),
        field("Left", "InputText", json!({})),
        field("Right", "InputText", json!({})),
        field("Open", "InputText", json!({})),
        field("Choice", "DropDown", restricted),
    ]);
    let inputs = Tried::new(&activities, &variables(&names), Some(fields)).accepted();
    for (one, other) in [("First", "Second"), ("Left", "Right"), ("Open", "Choice")] {
        let (one, other) = (values(&inputs, one), values(&inputs, other));
        assert!(one.iter().any(|value| other.contains(value)), "equal: {one:?} {other:?}");
        assert!(one.len() > 1 || other.iter().any(|value| !one.contains(value)), "different: {one:?} {other:?}");
    }
    assert!(values(&inputs, "Open").contains(&"fixed".to_owned()));
}

#[test]
fn drop_down_has_the_items_that_conditions_tell_apart() {
    let activities = json!([
        is("Unit", &json!("IT")),
        is("Many", &json!("a;b")),
        is("Who", &json!("chief")),
        is("Free", &json!("typed"))
    ]);
    let restricted = |values: &[&str]| json!({ "isRestricted": true, "dropdownItems": items(values) });
    let mut many = restricted(&["a", "b", "c"]);
    many["isMultiSelect"] = json!(true);
    let fields = json!([
        field("Unit", "DropDown", json!({ "properties": restricted(&["HR", "IT", "Sales"]) })),
        field("Many", "DropDown", json!({ "required": false, "properties": many })),
        field("Who", "DropDown", json!({ "properties": { "isRestricted": true, "isDynamicBind": true } })),
        field("Free", "DropDown", json!({ "properties": { "dropdownItems": items(&["listed"]) } })),
    ]);
    let names = ["Unit", "Many", "Who", "Free"];
    let inputs = Tried::new(&activities, &variables(&names), Some(fields.clone())).accepted();
    assert_eq!(values(&inputs, "Unit"), ["HR", "IT"]);
    assert_eq!(values(&inputs, "Many"), ["a", "a;b", ""]);
    assert_eq!(values(&inputs, "Who"), ["anna", "chief"]);
    let people = inputs.people.iter().map(|entry| entry["sAMAccountName"].as_str().unwrap());
    assert_eq!(people.collect::<Vec<_>>(), ["anna", "chief"]);
    assert_eq!(values(&inputs, "Free"), ["listed", "typed"]);
    let people = "dn: CN=Team,DC=x\nsAMAccountName: team\n\ndn: CN=Eva,DC=x\nuid: eva\nmail: eva@x.org\n";
    let mut tried = Tried::new(&activities, &variables(&names), Some(fields));
    tried.folder.write("people.ldif", people);
    tried.directory = Some(Directory::new(ldif::parse(people).unwrap()).unwrap());
    let inputs = tried.accepted();
    assert_eq!((values(&inputs, "Who"), inputs.people.len()), (texts(&["eva"]), 0));
}

#[test]
fn file_is_there_or_not() {
    let fields =
        json!([field("Contract", "InputFile", json!({})), field("Extra", "InputFile", json!({ "required": false }))]);
    let inputs = Tried::new(&json!([]), &variables(&["Contract", "Extra"]), Some(fields)).accepted();
    assert_eq!(values(&inputs, "Contract"), ["<contract.pdf>"]);
    assert_eq!(values(&inputs, "Extra"), ["<extra.pdf>", ""]);
}

#[test]
fn last_of_several_fields_with_one_variable_is_chosen() {
    let both = |name: &str, more: Value| {
        let mut field = field(name, "InputText", more);
        field["boundTo"] = json!("Both");
        field
    };
    let hidden = both("C", json!({ "hidden": true, "required": false }));
    let fields = json!([both("A", json!({})), both("B", json!({ "required": false })), hidden]);
    let tried = Tried::new(&json!([is("Both", &json!("x"))]), &variables(&["Both"]), Some(fields));
    let inputs = tried.accepted();
    assert_eq!(inputs.fields.len(), 1);
    assert_eq!(unnumbered(&inputs, "B"), ["Example", "x", ""]);
    assert_eq!(inputs.submit.len(), 2);
}

#[test]
fn listed_values_are_the_only_ones() {
    let activities = json!([is("Unit", &json!("IT"))]);
    let fields = json!([field("Unit", "InputText", json!({ "required": false }))]);
    let tried = Tried::new(&activities, &variables(&["Unit"]), Some(fields)).listing("Unit", &["Sales", "HR"]);
    assert_eq!(values(&tried.accepted(), "Unit"), ["Sales", "HR", ""]);
}

#[test]
fn variables_are_set_from_outside() {
    let activities = json!([
        is("Input", &json!("in")),
        is("Preset", &json!("b")),
        is("Fixed", &json!("b")),
        is("Written", &json!("b")),
        assign("Written", "a"),
        is("Later", &json!("x")),
        assign("Later", "y"),
        is("Undeclared", &json!("x")),
        is("Plain", &json!("p")),
    ]);
    let mut variables = variables(&["Input", "Preset", "Fixed", "Written", "Later", "Plain", "Unread"]);
    for (index, key, value) in [
        (0, "isInputParameter", json!(true)),
        (1, "isInputParameter", json!(true)),
        (1, "value", json!("a")),
        (2, "value", json!("a")),
        (4, "isSystemVariable", json!(true)),
        (6, "isInputParameter", json!(true)),
    ] {
        variables[index][key] = value;
    }
    let inputs = Tried::new(&activities, &variables, None).accepted();
    assert_eq!(unnumbered(&inputs, "Input"), ["Example", "in"]);
    assert_eq!(values(&inputs, "Preset"), ["a", "b"].map(str::to_owned).to_vec().as_slice());
    assert_eq!(unnumbered(&inputs, "Later"), ["Example", "x"]);
    assert_eq!(unnumbered(&inputs, "Plain"), ["Example", "p"], "without a form");
    assert_eq!((inputs.fields.len(), inputs.submit.len(), inputs.variables.len()), (4, 4, 0));
    let inputs = Tried::new(&activities, &variables, Some(json!([]))).accepted();
    let names: Vec<&str> = inputs.variables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names, inputs.submit.len()), (vec!["Input", "Preset", "Later"], 0));
}

#[test]
fn hidden_required_field_without_default_gets_its_value_from_outside() {
    let hidden = |name: &str, more: Value| {
        let mut field = field(name, "InputText", more);
        field["hidden"] = json!(true);
        field
    };
    let fields = json!([hidden("A", json!({})), hidden("B", json!({ "required": false }))]);
    let inputs = Tried::new(&json!([is("A", &json!("x"))]), &variables(&["A", "B"]), Some(fields)).accepted();
    assert_eq!(values(&inputs, "A"), ["Example", "x"]);
    assert_eq!((inputs.submit.len(), inputs.variables.len()), (0, 1));
}

#[test]
fn values_fit_what_they_reach() {
    let request = |parameters: &[(&str, &str)]| -> Value {
        let parameters: Vec<Value> =
            parameters.iter().map(|(name, variable)| json!({ "name": name, "value": bound(variable) })).collect();
        json!({ "type": "Provider", "name": "Request", "method": "Request-ZPESignDocumentSignature",
            "providerParameters": parameters })
    };
    let script = "Json = JSON.stringify({ Name: 'Case', Parties: [{ Name: 'A', EmailAddress: mail, SocialSecurityNumber: id }] });";
    let parameter = |name: &str, variable: &str| json!({ "name": name, "value": bound(variable) });
    let activities = json!([
        assign("Copy", "{Id}"),
        request(&[("PartySSN", "Copy"), ("PartyEmail", "Mail"), ("ExpireAfterDays", "Days"), ("ConnectionURI", "Site")]),
        { "type": "While", "name": "While", "iterationDelaySeconds": bound("Delay"),
            "expression": { "operand": "equal", "left": bound("Days"), "right": fixed(&json!("no")) }, "activities": [] },
        { "type": "Approval", "name": "Ask", "assignees": [{ "type": "Parameter", "parameter": bound("Boss") }] },
        { "type": "Code", "name": "Build", "script": script,
            "parameters": [parameter("mail", "PartyMail"), parameter("id", "PartyId")] },
        { "type": "Provider", "name": "Json", "method": "Request-ZPESignDocumentSignatureWithJsonInput",
            "providerParameters": [{ "name": "Json", "value": bound("Json") }] },
    ]);
    let names = ["Id", "Copy", "Mail", "Days", "Site", "Delay", "Boss", "PartyMail", "PartyId", "Json"];
    let fields: Value = ["Id", "Mail", "Days", "Site", "Delay", "Boss", "PartyMail", "PartyId"]
        .iter()
        .map(|name| field(name, "InputText", json!({})))
        .collect();
    let inputs = Tried::new(&activities, &variables(&names), Some(fields)).accepted();
    let first = |name: &str| values(&inputs, name).remove(0);
    for id in ["Id", "PartyId"] {
        assert_eq!(wflint::text::personal_id::check(&first(id)), Ok(()), "{id}");
    }
    for mail in ["Mail", "Boss", "PartyMail"] {
        assert!(wflint::text::mail::is_address(&first(mail)), "{mail}: {}", first(mail));
    }
    assert_eq!((first("Days"), first("Delay")), ("14".to_owned(), "16".to_owned()));
    assert!(wflint::text::uri::absolute(&first("Site")).is_some(), "{}", first("Site"));
}

#[test]
fn scripts_compare_their_parameters() {
    let script = "Json = unit === 'IT' ? '1' : '2';";
    let activities = json!([{ "type": "Code", "name": "Code", "script": script,
        "parameters": [{ "name": "unit", "value": bound("Unit") }] }]);
    let fields = json!([field("Unit", "InputText", json!({}))]);
    let inputs = Tried::new(&activities, &variables(&["Unit", "Json"]), Some(fields)).accepted();
    assert_eq!(values(&inputs, "Unit"), ["Example", "IT"]);
}

//! Services that are generated from correct parts, each with one slip: a part that is missing, moved or misspelled.
//!
//! With a single slip, no second defect keeps an order from showing the first.

use serde_json::{Value, json};

use super::folder::Folder;
use super::numbers::Numbers;

/// Activities inside activities, at most.
const MAX_DEPTH: usize = 3;

/// Writes a service with a slip into a folder; says what the slip is.
pub fn write_service(folder: &Folder, name: &str, seed: u64) -> String {
    let mut parts = Parts { numbers: Numbers::new(seed), variables: Vec::new(), count: 0 };
    let mut activities = parts.sequence(0);
    let slip = super::workflow_slips::slip(&mut activities, &mut parts.numbers);
    let variables: Vec<Value> = parts
        .variables
        .iter()
        .chain(&["Document", "Kind"].map(|name| (name.to_owned(), "")))
        .zip(1..)
        .map(|((name, value), id)| json!({ "name": name, "id": id, "value": value, "variableType": variable_type(name) }))
        .collect();
    let fields = [
        field("Document", "InputFile", &json!({})),
        field("Kind", "DropDown", &json!({ "dropdownItems": [item("a", 1), item("b", 2)], "isRestricted": true })),
    ];
    folder.write(
        format!("{name}/order.workflow.json"),
        json!({ "activities": activities, "variables": variables }).to_string(),
    );
    folder.write(format!("{name}/order.form.json"), json!({ "fields": fields, "variables": variables }).to_string());
    slip
}

fn variable_type(name: &str) -> &'static str {
    if name == "Document" { "File" } else { "String" }
}

fn field(name: &str, kind: &str, properties: &Value) -> Value {
    json!({ "name": name, "type": kind, "required": true, "isBound": true, "boundTo": name, "properties": properties })
}

fn item(value: &str, id: u32) -> Value {
    json!({ "id": id, "value": value, "label": value, "selected": false })
}

/// Makes parts of a workflow, each with variables that no other part has.
struct Parts {
    numbers: Numbers,
    /// With their initial values.
    variables: Vec<(String, &'static str)>,
    count: usize,
}

impl Parts {
    fn sequence(&mut self, depth: usize) -> Vec<Value> {
        let count = if depth == 0 { 2 + self.numbers.below(2) } else { 1 + self.numbers.below(2) };
        (0..count).flat_map(|_| self.part(depth)).collect()
    }

    fn part(&mut self, depth: usize) -> Vec<Value> {
        self.count += 1;
        let number = self.count;
        match self.numbers.below(if depth < MAX_DEPTH { 10 } else { 2 }) {
            0 => vec![status(number, "Kind")],
            1 => self.assignment(number),
            2 => self.choice(number, depth),
            3 => self.approval(number, depth),
            4 => self.loop_on_flag(number, depth),
            5 => self.directory(number),
            6 => self.approval_by_event(number, depth),
            7 => self.loop_on_preset(number, depth),
            8 => self.job(number),
            _ => self.signing(number),
        }
    }

    fn variable(&mut self, name: String, value: &'static str) -> String {
        self.variables.push((name.clone(), value));
        name
    }

    /// A variable that is assigned, and then published.
    fn assignment(&mut self, number: usize) -> Vec<Value> {
        let text = self.variable(format!("Text{number}"), "");
        vec![assign(number, &text, "{Kind}."), status(number, &text)]
    }

    /// A variable that two complementary Ifs assign.
    fn choice(&mut self, number: usize, depth: usize) -> Vec<Value> {
        let text = self.variable(format!("Choice{number}"), "");
        let mut branch = |operand, body: &str| {
            let mut inside = vec![assign(number, &text, body)];
            inside.extend(self.sequence(depth + 1));
            condition("If", &format!("If {number} {operand}"), "Kind", operand, "a", &inside)
        };
        let branches = [branch("equal", "one"), branch("notEqual", "two")];
        branches.into_iter().chain([status(number, &text)]).collect()
    }

    /// An approval by one or two people that ends the order when it is rejected.
    fn approval(&mut self, number: usize, depth: usize) -> Vec<Value> {
        let result = self.variable(format!("Approved{number}"), "");
        let approved = self.sequence(depth + 1);
        let mut approval = approval(number, &self.people(), &approved, &[status(number, "Kind")]);
        approval["approvalResult"] = bound(&result);
        if self.numbers.below(2) == 0 {
            approval["timeout"] = fixed(&json!(345_600));
        }
        let refused = [status(number, "Kind"), terminate(number)];
        vec![approval, condition("If", &format!("If refused {number}"), &result, "equal", "false", &refused)]
    }

    /// A loop that ends when somebody has approved.
    fn loop_on_flag(&mut self, number: usize, depth: usize) -> Vec<Value> {
        let flag = self.variable(format!("Flag{number}"), "");
        let mut inside = self.sequence(depth + 1);
        inside.push(assign(number, &flag, "stop"));
        let operand = ["equal", "notEqual"][self.numbers.below(2)];
        let value = if operand == "equal" { "go" } else { "stop" };
        let mut activities = vec![assign(number, &flag, "go")];
        activities.push(delayed(condition("While", &format!("While {number}"), &flag, operand, value, &inside)));
        activities
    }

    /// An approval without a timeout whose rejection ends the order, so that what it assigns when it is approved is
    /// assigned from then on.
    fn approval_by_event(&mut self, number: usize, depth: usize) -> Vec<Value> {
        let text = self.variable(format!("Answer{number}"), "");
        let mut approved = self.sequence(depth + 1);
        approved.insert(0, assign(number, &text, "yes"));
        let rejected = [status(number, "Kind"), terminate(number)];
        let people = self.people();
        let approval = approval(number, &people, &approved, &rejected);
        vec![approval, status(number, &text)]
    }

    /// A loop that ends when a variable no longer has its initial value.
    fn loop_on_preset(&mut self, number: usize, depth: usize) -> Vec<Value> {
        let state = self.variable(format!("State{number}"), "open");
        let mut inside = self.sequence(depth + 1);
        inside.push(assign(number, &state, "closed"));
        vec![delayed(condition("While", &format!("While open {number}"), &state, "equal", "open", &inside))]
    }

    /// A job of a method that no catalog describes, and the loop that waits for it; says whether the last call failed.
    fn job(&mut self, number: usize) -> Vec<Value> {
        let prefix = format!("Job{number}");
        let state = self.variable(format!("{prefix}State"), "");
        let result = self.variable(format!("Ok{number}"), "");
        let mut job = provider(&format!("Job {number}"), "Get-Job", &[("Prefix", fixed_parameter(&prefix))]);
        job["stopOnError"] = json!(false);
        job["providerResult"] = bound(&result);
        let failed = [status(number, "Kind")];
        vec![
            delayed(condition("While", &format!("While not done {number}"), &state, "notEqual", "done", &[job])),
            condition("If", &format!("If failed {number}"), &result, "equal", "false", &failed),
        ]
    }

    /// One or two people, as assignees.
    fn people(&mut self) -> Vec<Value> {
        let people = ["anna@example.com", "bo@example.com"].into_iter().take(1 + self.numbers.below(2));
        people.map(|mail| json!({ "type": "Parameter", "parameter": fixed(&json!(mail)) })).collect()
    }

    /// A lookup in the directory whose output is published.
    fn directory(&mut self, number: usize) -> Vec<Value> {
        let output = self.variable(format!("User{number}Mail"), "");
        let prefix = format!("User{number}");
        let parameters = [
            ("Identity", fixed_parameter("anna")),
            ("Property", fixed_parameter("Mail")),
            ("Prefix", fixed_parameter(&prefix)),
        ];
        vec![provider(&format!("User {number}"), "Get-ZPADUser", &parameters), status(number, &output)]
    }

    /// A document that is signed, and the loop that waits for it.
    fn signing(&mut self, number: usize) -> Vec<Value> {
        let prefix = format!("Case{number}");
        let id = self.variable(format!("{prefix}Id"), "");
        let state = self.variable(format!("{prefix}Status"), "");
        let request = [
            ("ZPMediaGuid", bound_parameter("Document")),
            ("DocumentName", fixed_parameter("Contract")),
            ("PartyName", fixed_parameter("Anna")),
            ("PartyEmail", fixed_parameter("anna@example.com")),
            ("PartySSN", fixed_parameter("19900101-2385")),
            ("Prefix", fixed_parameter(&prefix)),
        ];
        let lookup = |name: &str| {
            let parameters = [("Id", bound_parameter(&id)), ("Prefix", fixed_parameter(&prefix))];
            provider(&format!("{name} {number}"), "Get-ZPESignDocumentSignatureStatus", &parameters)
        };
        let refused = [status(number, "Kind"), terminate(number)];
        let mut inside = vec![
            lookup("Look again"),
            condition("If", &format!("If rejected {number}"), &state, "equal", "Rejected", &refused),
        ];
        if self.numbers.below(2) == 0 {
            inside.insert(1, status(number, &state));
        }
        let mut activities = vec![provider(&format!("Request {number}"), "Request-ZPESignDocumentSignature", &request)];
        if self.numbers.below(2) == 0 {
            activities.push(lookup("Look up"));
        }
        activities.push(delayed(condition(
            "While",
            &format!("Wait {number}"),
            &state,
            "notEqual",
            "Finished",
            &inside,
        )));
        activities
    }
}

fn approval(number: usize, assignees: &[Value], approved: &[Value], rejected: &[Value]) -> Value {
    json!({
        "name": format!("Approval {number}"), "type": "Approval", "approvalType": "parallel", "required": "one",
        "onTimeout": "reject", "assignees": assignees, "notifyAssignees": fixed(&json!(true)), "activities": [
            { "name": format!("Approve {number}"), "type": "Event", "event": "OnForeachApprove", "activities": approved },
            { "name": format!("Reject {number}"), "type": "Event", "event": "OnForeachReject", "activities": rejected },
        ],
    })
}

fn fixed(value: &Value) -> Value {
    json!({ "isBound": false, "value": value })
}

fn bound(variable: &str) -> Value {
    json!({ "isBound": true, "boundTo": variable })
}

fn fixed_parameter(value: &str) -> Value {
    json!({ "state": "static", "value": value })
}

fn bound_parameter(variable: &str) -> Value {
    json!({ "state": "bound", "boundTo": variable })
}

fn provider(name: &str, method: &str, parameters: &[(&str, Value)]) -> Value {
    let parameters: Vec<Value> =
        parameters.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    json!({ "name": name, "type": "Provider", "method": method, "stopOnError": true, "providerParameters": parameters })
}

fn assign(number: usize, variable: &str, body: &str) -> Value {
    json!({ "name": format!("Assign {number}"), "type": "Assign", "result": bound(variable), "body": body })
}

fn status(number: usize, variable: &str) -> Value {
    let text = format!("{number}: {{{variable}}}");
    json!({ "name": format!("Publish {number}"), "type": "Status", "statusTranslations": { "en-US": text } })
}

fn terminate(number: usize) -> Value {
    json!({ "name": format!("End {number}"), "type": "Terminate" })
}

fn condition(kind: &str, name: &str, variable: &str, operand: &str, value: &str, inside: &[Value]) -> Value {
    let expression = json!({
        "type": "EqualityExpression", "operand": operand, "left": bound(variable), "right": fixed(&json!(value)),
    });
    json!({ "name": name, "type": kind, "expression": expression, "activities": inside })
}

fn delayed(mut activity: Value) -> Value {
    activity["iterationDelaySeconds"] = fixed(&json!(300));
    activity
}

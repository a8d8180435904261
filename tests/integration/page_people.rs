//! `wflint report`: what the page says of people, mails and personal data, as a process owner reads it.

use serde_json::Value;

use crate::support::folder::{Folder, copy_of};

/// The words of a page, without markup and script data.
fn words(folder: &Folder) -> String {
    folder.run(&["report", "--output", "out.html", "--no-explore"]).expect_code(0);
    let page = folder.read("out.html");
    let page = page.split_once("<main").map_or(page.as_str(), |(_, main)| main);
    let page = page.split_once("id=\"wflint-data\"").map_or(page, |(main, _)| main);
    let mut text = String::new();
    for part in page.split('<') {
        let (tag, rest) = part.split_once('>').unwrap_or(("", part));
        let is_cell = ["td", "/td", "th", "/th", "tr", "dt", "/dt", "dd", "/dd", "li", "/li", "p", "h3", "h4"];
        if is_cell.contains(&tag.split(' ').next().unwrap_or_default()) {
            text.push('\n');
        }
        text.push_str(rest);
    }
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The row of a variable.
fn row(words: &str, variable: &str) -> String {
    let (_, data) = words.split_once("Which data it takes").expect("the data");
    let mut lines = data.lines().skip_while(|line| !line.starts_with(&format!("{variable} ")));
    let row: Vec<&str> = lines.by_ref().take(5).collect();
    assert!(row.len() == 5, "{variable} has a row: {data}");
    row.join(" | ")
}

fn corpus(name: &str) -> String {
    words(&copy_of(&format!("tests/corpus/first/{name}")))
}

#[test]
fn nobody_is_never_claimed_of_a_service_with_activities_that_are_not_known() {
    for name in ["visitors", "lease", "travel", "onboarding", "purchase"] {
        let page = corpus(name);
        for claim in ["Nobody gets a mail", "Nobody is asked", "\nnobody\n"] {
            assert!(!page.contains(claim), "{name}: {claim}");
        }
        assert!(page.contains("may send a mail or ask somebody"), "{name}");
    }
    let page = corpus("visitors");
    for line in [
        "Not known: Tell the host (SendEmail) may send a mail or ask somebody; it is given HostMail",
        "Not known: Reserve (Task) may send a mail or ask somebody",
        "Not known: Print a badge (New-Badge) may send a mail or ask somebody; it is given Visitor, Company and Day",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    let known = words(&copy_of("examples/approval"));
    assert!(!known.contains("Not known:"), "all of it is known: {known}");
}

#[test]
fn reminders_that_are_never_sent_are_not_listed_as_sent() {
    let page = corpus("lease");
    assert!(page.contains("Please remember to sign: Lease\nnever: the request ends before"), "{page}");
    assert!(!page.contains("after 21 days"), "{page}");
    let page = corpus("travel");
    assert!(page.contains("Reminder: approval needed\nnever: the request ends before"), "{page}");
    assert!(page.contains("They are never reminded, as the time to decide ends before"), "{page}");
    assert!(!page.contains("after 3 days"), "{page}");
}

#[test]
fn reminder_without_a_time_is_no_mail() {
    let folder = copy_of("examples/mailbox");
    assert!(words(&folder).contains("Reminder: approval needed\nafter 3 days, without an answer"));
    let workflow = folder.read("order.workflow.json");
    folder.write("order.workflow.json", workflow.replace("\"value\": 259200", "\"value\": 0").replace("259200", "0"));
    assert!(!words(&folder).contains("Reminder: approval needed"));
}

#[test]
fn mails_have_the_subjects_that_runs_give_them() {
    let folder = copy_of("examples");
    let page = words(&folder);
    let out = folder.run(&["simulate", "--format", "json"]).out().to_owned();
    let runs: Value = serde_json::from_str(&out).unwrap();
    let mut sent = Vec::new();
    subjects(&runs, &mut sent);
    assert!(sent.len() > 5, "{sent:?}");
    for what in ["Approval needed: ", "Please sign"] {
        assert!(sent.iter().any(|subject| subject.starts_with(what)), "{what}: {sent:?}");
    }
    for subject in sent.iter().filter(|subject| subject.starts_with("Approval") || subject.starts_with("Reminder")) {
        assert!(page.contains(&format!("\n{subject}\n")), "{subject}");
    }
    assert!(!page.contains("Please approve"), "the words of another sender");
}

fn subjects(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| subjects(item, found)),
        Value::Object(members) => {
            if let (Some(Value::String(subject)), true) = (members.get("subject"), members.contains_key("to")) {
                found.push(subject.clone());
            }
            members.values().for_each(|member| subjects(member, found));
        }
        _ => {}
    }
}

#[test]
fn personal_data_are_found_by_forms_lookups_and_the_catalog() {
    let expect = |page: &str, variables: &[(&str, &str)]| {
        for (variable, kind) in variables {
            let row = row(page, variable);
            assert!(row.split(" | ").next().unwrap().contains(kind), "{variable} is a {kind}: {row}");
        }
        assert!(!page.contains("none found"), "{page}");
    };
    let person = "person from the directory";
    let mailbox = words(&copy_of("examples/mailbox"));
    expect(&mailbox, &[("ManagerMail", "mail address"), ("ManagerDisplayName", "name"), ("Requester", person)]);
    expect(&words(&copy_of("examples/approval")), &[("User", person), ("APPROVERSMail", "mail address")]);
    expect(&corpus("visitors"), &[("Host", person), ("HostMail", "mail address")]);
    expect(&corpus("travel"), &[("Traveller", person), ("ManagerMail", "mail address")]);
    let lease = [("TenantName", "name"), ("TenantMail", "mail address"), ("TenantSSN", "personal id")];
    expect(&corpus("lease"), &lease);
}

#[test]
fn variables_that_only_a_form_of_the_service_has_are_listed() {
    let folder = copy_of("tests/corpus/ok/two-workflows");
    let page = words(&folder);
    for variable in ["TenantName", "TenantMail", "TenantPersonalId"] {
        assert!(page.matches(&format!("\n{variable} ")).count() >= 1, "{variable}: {page}");
    }
    let alone = copy_of("examples/mailbox");
    let form = alone.read("order.form.json").replace("\"boundTo\": \"Reason\"", "\"boundTo\": \"Excuse\"");
    alone.write("order.form.json", form);
    assert!(row(&words(&alone), "Excuse").contains("form field Reason"));
}

#[test]
fn data_say_who_sees_them() {
    let mailbox = words(&copy_of("examples/mailbox"));
    let reason = row(&mailbox, "Reason");
    assert!(reason.contains("the approval form") && !reason.contains("Reason of the approval form"), "{reason}");
    assert!(
        reason.ends_with("whoever orders (in the order form), whoever approves (in the approval form)"),
        "{reason}"
    );
    let name = row(&mailbox, "ManagerDisplayName");
    assert!(name.contains("whoever ordered (the status of Publish refusal)"), "through a text: {name}");
    let visitor = row(&corpus("visitors"), "WithLaptop");
    assert!(visitor.contains("given to Log the visit (AddSharedListItem), effect not known"), "{visitor}");
    assert!(visitor.contains("not known: whoever Log the visit shows it to"), "{visitor}");
}

#[test]
fn texts_between_fields_are_no_questions() {
    for (name, text) in [("purchase", "Orders over 10000 need two approvals"), ("travel", "Travel rules")] {
        let page = corpus(name);
        let (_, glance) = page.split_once("What does it ask for?").expect("the answer");
        let (glance, _) = glance.split_once("Who is asked?").expect("the next question");
        assert!(!glance.contains(text), "{name}: {glance}");
        let outline = page.lines().find(|line| line.contains("The order form asks for")).expect("the outline");
        assert!(!outline.contains(text), "{name}: {outline}");
    }
}

#[test]
fn people_are_named_by_the_labels_of_fields() {
    let page = corpus("lease");
    assert!(page.contains("the person in Mail\nPlease sign: Lease"), "{page}");
    assert!(!page.contains("the person in TenantMail"), "{page}");
}

#[test]
fn values_are_seen_only_in_the_texts_that_can_have_them() {
    let row = row(&words(&copy_of("examples/mailbox")), "ManagerDisplayName");
    assert!(row.contains("whoever ordered (the status of Publish refusal)"), "{row}");
    assert!(!row.contains("Publish order state"), "its text is another one: {row}");
}

#[test]
fn items_are_shown_as_users_see_them() {
    let folder = copy_of("examples/mailbox");
    let page = words(&folder);
    assert!(page.contains("\nSmall (5 GB)\n") && page.contains("“Small (5 GB)” or “Large (50 GB)”"), "{page}");
    assert!(page.contains("If it does not fit: “Enter letters, digits and dots.”"), "{page}");
    assert!(!page.contains("Enter name."), "any name fits: {page}");
    let workflow = folder.read("order.workflow.json");
    let compared = workflow.replace("\"boundTo\": \"ApprovalResult\"", "\"boundTo\": \"MailboxSize\"");
    assert_ne!(workflow, compared);
    folder.write("order.workflow.json", compared);
    assert!(words(&folder).contains("\nSmall (5 GB) (in conditions “Small”)\n"));
}

//! `wflint report`: what the page says of services, and that nothing of them is in it that must not be.

use std::path::Path;

use jsonschema::Validator;
use serde_json::Value;

use crate::support::folder::{Folder, copy_of};
use crate::support::git::git;
use crate::support::run::run_cli;

/// The schema of the page's data.
fn validator() -> Validator {
    let schema = serde_json::from_str(include_str!("../../schemas/page.schema.json")).unwrap();
    jsonschema::options().build(&schema).unwrap()
}

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"wflint-data\">").expect("a script with the data");
    let (json, _) = rest.split_once("</script>").expect("the end of the script");
    serde_json::from_str(json).expect("the data is JSON")
}

/// The page about a folder, and what the command printed.
fn page(folder: &Folder, args: &[&str]) -> (String, String) {
    let ran = folder.run(&[&["report", "--output", "out.html"], args].concat()).expect_code(0);
    (folder.read("out.html"), ran.out().to_owned())
}

fn service<'d>(data: &'d Value, name: &str) -> &'d Value {
    let services = data["services"].as_array().unwrap();
    services.iter().find(|service| service["id"] == name).unwrap_or_else(|| panic!("no service {name}"))
}

/// The ids of the runs of a kind.
fn runs<'d>(service: &'d Value, kind: &str) -> Vec<&'d Value> {
    service["runs"].as_array().unwrap().iter().filter(|run| run["kind"] == kind).collect()
}

#[test]
fn data_of_all_examples_fits_its_schema_whatever_the_number_of_threads() {
    let folder = copy_of("examples");
    let (text, out) = page(&folder, &["--jobs", "1"]);
    let data = data(&text);
    let errors: Vec<String> =
        validator().iter_errors(&data).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let names: Vec<&str> = data["services"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["broken", "approval", "mailbox", "sign-directory", "sign-json", "sign-local-file", "sign-upload"]
    );
    assert!(out.starts_with("7 services, ") && out.ends_with(" scenarios.\n"), "{out}");
    let upload = service(&data, "sign-upload");
    assert_eq!(runs(upload, "scenario").len(), 4, "a refused form cannot be played");
    assert!(upload["activities"][0]["begun"].as_u64().unwrap() >= 4);
    assert_eq!(page(&folder, &["--jobs", "2"]).0, text);
    let path = folder.path().to_string_lossy().into_owned();
    assert!(!text.contains(&path), "no absolute path");
}

#[test]
fn every_end_of_an_example_can_be_played_to_its_end() {
    let folder = copy_of("examples/sign-upload");
    let (text, _) = page(&folder, &[]);
    let data = data(&text);
    let service = &data["services"][0];
    let ends = runs(service, "end");
    assert_eq!(ends.len(), 6);
    for run in &ends {
        let last = run["events"].as_array().unwrap().last().unwrap();
        let index = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let event = &service["events"][index(&last[1]) + index(&last[2]) - 1];
        assert_eq!(event[0], "ended");
        assert_eq!(service["texts"][index(&event[4])], run["outcome"]);
    }
}

#[test]
fn what_is_left_out_is_not_in_the_page() {
    let folder = copy_of("examples/sign-upload");
    let data_without = |args: &[&str]| data(&page(&folder, args).0);
    let unexplored = data_without(&["--no-explore"]);
    assert!(runs(&unexplored["services"][0], "end").is_empty());
    assert_eq!(runs(&unexplored["services"][0], "scenario").len(), 4);
    assert!(unexplored["services"][0].get("try").is_none());
    let without_scripts = data_without(&["--no-scripts"]);
    assert!(without_scripts["services"][0]["runs"].as_array().unwrap().is_empty());
}

#[test]
fn masked_values_are_not_in_the_page() {
    let folder = copy_of("examples/sign-upload");
    let scenario = folder.read("signed.scenario.yaml");
    let secret = scenario.lines().find_map(|line| line.trim().strip_prefix("PersonalId:")).expect("a personal id");
    let secret = secret.trim().trim_matches('"').to_owned();
    assert!(secret.len() > 8, "{secret}");
    folder.write("signed.scenario.yaml", scenario.replacen("name: ", &format!("name: {secret} "), 1));
    let (text, _) = page(&folder, &[]);
    let hidden = secret.get(secret.len() - 4..).unwrap();
    assert!(!text.contains(&secret), "the whole id {secret}");
    assert!(!text.contains(&format!("-{hidden}")), "the hidden part of the id");
}

#[test]
fn outputs_that_would_destroy_something_are_refused() {
    let folder = copy_of("examples/sign-upload");
    let refused = |args: &[&str], part: &str| {
        let ran = folder.run(&[&["report"], args].concat()).expect_code(2);
        assert!(ran.err().contains(part), "{args:?}: {}", ran.err());
    };
    refused(&[], "--output");
    refused(&["--output", "report.txt"], "expected a file that ends in `.html`");
    refused(&["--output", "order.workflow.json"], "expected a file that ends in `.html`");
    refused(&["--output", "missing/report.html"], "cannot write");
    folder.write("workflow.html", folder.read("order.workflow.json"));
    refused(&["workflow.html", "--output", "workflow.html"], "would overwrite workflow.html");
    let before = folder.names();
    refused(&["nothing", "--output", "report.html"], "nothing");
    assert_eq!(folder.names(), before, "nothing was written");
}

#[test]
fn folder_without_a_workflow_has_no_page() {
    let folder = Folder::with(&[("a.txt", "")]);
    let ran = folder.run(&["report", "--output", "report.html"]).expect_code(2);
    assert!(ran.err().contains("nothing to report: no workflow found"), "{}", ran.err());
    assert!(!Path::new(&folder.file("report.html")).exists());
}

#[test]
fn quiet_run_prints_nothing_and_findings_do_not_fail_it() {
    let folder = copy_of("examples/broken");
    let ran = folder.run(&["report", "--quiet", "--output", "report.html"]).expect_code(0);
    assert_eq!((ran.out(), ran.err()), ("", ""));
    let page = folder.read("report.html");
    assert!(data(&page)["services"][0]["activities"].as_array().unwrap().len() > 5);
}

/// The parts of a page that stand in elements with an attribute, as far as the next such element.
fn parts<'p>(page: &'p str, attribute: &str) -> Vec<&'p str> {
    page.split(attribute).skip(1).collect()
}

#[test]
fn page_says_who_is_asked_what_orders_show_and_where_data_go() {
    let folder = copy_of("examples");
    let (text, _) = page(&folder, &[]);
    let of = |name: &str| {
        let start = text.find(&format!("data-service=\"{name}\"")).expect("a section");
        let rest = text.get(start..).unwrap();
        let end = rest.get(1..).unwrap().find("data-service=\"").unwrap_or(rest.len() - 1);
        rest.get(..=end).unwrap().replace("<code>", "").replace("</code>", "")
    };
    let upload = of("sign-upload");
    assert_eq!(parts(&upload, "data-end").len(), 6);
    assert_eq!(parts(&upload, " data-scenario").len(), 5);
    assert_eq!(parts(&upload, "data-law=").len(), 3);
    for part in ["Document was rejected", "Document status - ", "Employment contract", "Mail address of the signer"] {
        assert!(upload.contains(part) || of("broken").contains(part), "{part}");
    }
    assert!(parts(&of("broken"), "data-finding").len() >= 8);
    assert!(of("broken").contains("data-code=\"WF404\""));
}

#[test]
fn an_end_is_covered_whatever_the_values_in_its_status() {
    let folder = copy_of("examples/mailbox");
    let (text, _) = page(&folder, &[]);
    let ends = parts(&text, "data-end ");
    for status in ["Mailbox made-up MailboxAddress is ready", "Anna Manager did not approve the mailbox"] {
        let end = ends.iter().find(|end| end.contains(status)).expect("an end");
        assert!(!end.contains("no scenario"), "{status}");
    }
    let waits = ends.iter().find(|end| end.contains("data-outcome=\"waits\"")).expect("an end that waits");
    assert!(waits.contains("no scenario"));
}

#[test]
fn ends_that_can_follow_are_those_of_each_text() {
    let folder = copy_of("tests/corpus/first/lease");
    let (text, _) = page(&folder, &[]);
    let shown = parts(&text, " data-seen");
    let of = |status: &str| *shown.iter().find(|it| it.contains(status)).expect("a text that orders show");
    assert!(of("Lease: Finished").contains("completed"));
    assert!(!of("Lease: Rejected").contains("completed") && of("Lease: Rejected").contains("endless"));
}

#[test]
fn changes_since_a_revision_are_shown() {
    let folder = copy_of("examples/sign-upload");
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "--all"]);
    git(&folder, &["commit", "--quiet", "--message", "First"]);
    let workflow = folder.read("order.workflow.json").replace("\"Document was rejected\"", "\"Document was refused\"");
    folder.write("order.workflow.json", workflow);
    let (text, _) = page(&folder, &["--since", "HEAD"]);
    assert!(text.contains("Document was refused") && text.contains("Document was rejected"), "both texts");
    assert!(text.contains("5 more ends as before"), "what orders can do");
}

#[test]
fn coverage_can_be_a_page() {
    let folder = copy_of("examples/sign-upload");
    folder.run(&["simulate", "--coverage-output", "coverage.html"]).expect_code(0);
    let (text, _) = page(&folder, &[]);
    assert_eq!(data(&folder.read("coverage.html")), data(&text));
}

#[test]
fn names_are_the_same_wherever_the_command_is_run() {
    let folder = copy_of("examples/sign-upload");
    let (inside, beside) = (Folder::with(&[]), Folder::with(&[]));
    for name in ["order.workflow.json", "order.form.json", "signed.scenario.yaml"] {
        inside.write(format!("services/sign/{name}"), folder.read(name));
    }
    inside.write(
        "services/sign/passwd.scenario.yaml",
        folder.read("signed.scenario.yaml").replacen(
            "workflow: order.workflow.json",
            "workflow: ../../../../../../../../../etc/passwd",
            1,
        ),
    );
    inside.write("wflint.toml", "[[suppress]]\nrule = 'WF404'\nactivity = 'x'\nfile = 'gone.json'\nreason = 'x'\n");
    let services = inside.file("services");
    let made = |current: &Path, path: &Path| {
        let output = inside.file("out.html");
        let args =
            ["report".as_ref(), path.as_os_str(), "--no-explore".as_ref(), "--output".as_ref(), output.as_os_str()];
        run_cli(&args, current, b"").expect_code(0);
        inside.read("out.html")
    };
    let text = made(inside.path(), Path::new("services"));
    assert!(
        text.contains("sign/order.workflow.json") && !text.contains("services/sign"),
        "below the folder that is named"
    );
    assert!(!text.contains("../") && text.contains("cannot read passwd"), "what is outside has only its name");
    for (current, path) in [
        (services.as_path(), Path::new(".")),
        (services.join("sign").as_path(), Path::new("..")),
        (beside.path(), services.as_path()),
    ] {
        assert!(made(current, path) == text, "from {}", current.display());
    }
}

//! What is known of a method, and what is listed because it is not.

use serde_json::json;

use super::{bound, call, check_property, fixed, inferred, service, status};
use crate::support::folder::Folder;
use crate::support::run::run_cli;

#[test]
fn calls_become_a_catalog() {
    let mut make = call("Make", "New-Box", &[bound("Owner", "Owner"), fixed("Prefix", "Box")]);
    make["providerParameters"][0]["description"] = json!("Who owns it.\nAnybody.");
    make["providerParameters"][1]["description"] = json!("");
    make["additionalProviderParameters"] = json!([{ "id": 0, "name": "Extra", "isAdditional": true, "value":
        { "state": "static", "value": "x" } }]);
    let folder = service(
        &[make, status("BoxId"), status("BoxAddress"), status("Boxes")],
        &["Owner", "BoxId", "BoxAddress", "Boxes", "Other"],
        &["Owner", "Boxes", "Other"],
    );
    let (catalog, listed) = inferred(&folder);
    assert_eq!(listed, "");
    assert_eq!(
        catalog,
        "# Written by `wflint catalog`, which adds to this file and keeps what you change here.\n\nplugin = \"Box\"\n\
         package = \"acme\"\nmodule = \"Activity.Box\"\n\n[[methods]]\nname = \"New-Box\"\nmethod-id = 7\n\n\
         [[methods.parameters]]\nname = \"Owner\"\ntype = \"string\"\nrequired = true\ndescription = \"Who owns it.\\nAnybody.\"\n\n[[methods.parameters]]\nname = \"Prefix\"\ntype = \"string\"\nkind = \"prefix\"\n\n\
         [[methods.outputs]]\nname = \"Id\"\n\n[[methods.outputs]]\nname = \"Address\"\n\n[[methods.additional]]\nname = \"Extra\"\n\
         use = \"used\"\n"
    );
    check_property(&folder);
}

#[test]
fn outputs_without_a_prefix_are_those_that_nothing_else_writes() {
    let folder = service(
        &[call("Make", "New-Box", &[bound("Owner", "Owner")]), status("Message"), status("Owner")],
        &["Owner", "Message"],
        &["Owner"],
    );
    let (catalog, listed) = inferred(&folder);
    assert!(catalog.contains("[[methods.outputs]]\nname = \"Message\"\n"), "{catalog}");
    assert!(!catalog.contains("open-outputs") && listed.is_empty(), "{catalog}{listed}");
    check_property(&folder);
    // Two methods, of which either may write it.
    let folder =
        service(&[call("Make", "New-Box", &[]), call("Fill", "Set-Box", &[]), status("Message")], &["Message"], &[]);
    let (catalog, listed) = inferred(&folder);
    assert_eq!(catalog.matches("open-outputs = true").count(), 2, "{catalog}");
    assert!(!catalog.contains("outputs]]"), "{catalog}");
    assert_eq!(listed.matches("because no prefix shows which variables it writes").count(), 2, "{listed}");
    check_property(&folder);
}

#[test]
fn bound_prefix_opens_the_outputs() {
    let folder = service(
        &[call("Make", "New-Box", &[bound("Prefix", "Start")]), status("BoxId")],
        &["Start", "BoxId"],
        &["Start"],
    );
    let (catalog, listed) = inferred(&folder);
    assert!(catalog.contains("open-outputs = true") && !catalog.contains("outputs]]"), "{catalog}");
    assert!(listed.contains(": the outputs of `New-Box` are open, because the prefix is not static"), "{listed}");
    check_property(&folder);
}

#[test]
fn variable_that_may_be_an_output_opens_them() {
    let folder = service(
        &[call("Make", "New-Box", &[fixed("Prefix", "Box")]), status("BoxId"), status("Box_name")],
        &["BoxId", "Box_name"],
        &[],
    );
    let (catalog, listed) = inferred(&folder);
    assert!(catalog.contains("name = \"Id\"") && catalog.contains("open-outputs = true"), "{catalog}");
    assert!(listed.contains("the variables do not show all of them"), "{listed}");
    check_property(&folder);
}

#[test]
fn calls_with_other_variables_share_what_both_have() {
    let folder = service(
        &[
            call("One", "New-Box", &[fixed("Prefix", "One")]),
            call("Two", "New-Box", &[fixed("Prefix", "Two")]),
            status("OneId"),
            status("TwoId"),
            status("OneMail"),
        ],
        &["OneId", "TwoId", "OneMail"],
        &[],
    );
    let (catalog, _) = inferred(&folder);
    assert!(catalog.contains("name = \"Id\"") && !catalog.contains("name = \"Mail\""), "{catalog}");
    assert!(catalog.contains("open-outputs = true"), "{catalog}");
    check_property(&folder);
}

#[test]
fn contradictions_are_listed_and_the_first_call_counts() {
    let mut first = call("One", "New-Box", &[bound("Owner", "Owner"), fixed("Size", "5")]);
    first["providerParameters"][1]["providerParameterType"] = json!("decimal");
    let mut second = call("Two", "New-Box", &[fixed("Owner", "me"), fixed("Size", "5"), fixed("Color", "red")]);
    (second["methodId"], second["package"]) = (json!(8), json!("other"));
    second["providerParameters"][2]["providerParameterType"] = json!("securestring");
    let folder = service(&[first, second], &["Owner"], &["Owner"]);
    let (catalog, listed) = inferred(&folder);
    assert!(
        !catalog.contains("method-id") && !catalog.contains("package") && !catalog.contains("required"),
        "{catalog}"
    );
    assert!(catalog.contains("name = \"Size\"\ntype = \"decimal\"") && !catalog.contains("name = \"Color\"\ntype"));
    for line in [
        "note: conflicting `methodId`, `8` here and `7` at order.workflow.json:",
        "note: conflicting `package`, `other` here and `acme` at order.workflow.json:",
        "parameter `Owner` of `New-Box` is required here, but not in every call",
        "parameter `Size` of `New-Box` has type `string` here and `decimal` at order.workflow.json:",
        "parameter `Color` of `New-Box` has the undocumented type `securestring`, the type is left out",
    ] {
        assert!(listed.contains(line), "{line}: {listed}");
    }
    for line in listed.lines() {
        assert!(line.starts_with("order.workflow.json:") && line.contains(": note: "), "{line}");
    }
    check_property(&folder);
}

#[test]
fn required_is_what_every_call_requires() {
    let folder = service(
        &[call("One", "New-Box", &[bound("Owner", "A")]), call("Two", "New-Box", &[bound("Owner", "A")])],
        &["A"],
        &["A"],
    );
    assert!(inferred(&folder).0.contains("required = true"));
    let folder =
        service(&[call("One", "New-Box", &[bound("Owner", "A")]), call("Two", "New-Box", &[])], &["A"], &["A"]);
    assert!(!inferred(&folder).0.contains("required = true"));
}

#[test]
fn several_modules_need_a_folder() {
    let mut other = call("Tell", "Send-Chat", &[]);
    other["module"] = json!("Chat");
    let folder = service(&[call("Make", "New-Box", &[]), other], &[], &[]);
    let output = folder.run(&["catalog", "infer"]).expect_code(2);
    assert!(output.err().contains("2 modules: `Activity.Box` and `Chat`; use `--output DIR`"), "{}", output.err());
    assert_eq!(output.out(), "");
    let output = folder.run(&["catalog", "infer", "order.workflow.json", "--output", "c/d"]).expect_code(0);
    assert_eq!(output.out(), "Wrote c/d/Box.toml\nWrote c/d/Chat.toml\n");
}

#[test]
fn call_without_a_module_has_a_catalog_too() {
    let folder = service(&[json!({ "name": "A", "type": "Provider", "method": "New-Box" })], &[], &[]);
    let (catalog, _) = inferred(&folder);
    assert!(catalog.contains("plugin = \"unknown\"\n\n[[methods]]\nname = \"New-Box\"\n"), "{catalog}");
}

#[test]
fn existing_catalog_is_extended() {
    let folder = service(
        &[call("Make", "New-Box", &[bound("Owner", "A"), fixed("Prefix", "Box")]), status("BoxId")],
        &["A", "BoxId"],
        &["A"],
    );
    let own = "# mine\nplugin = 'Box' # ours\n\n[[methods]]\nname = 'New-Box'\ndescription = 'Makes it.'\n\n\
               [[methods.parameters]]\nname = 'Owner'\ntype = 'decimal'\n";
    folder.write("catalogs/Box.toml", own);
    folder.run(&["catalog", "infer", "--output", "catalogs"]).expect_code(0);
    let text = folder.read("catalogs/Box.toml");
    for kept in ["# mine\nplugin = 'Box' # ours\n", "name = 'Owner'\ntype = 'decimal'\n", "description = 'Makes it.'\n"]
    {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    for added in ["method-id = 7", "package = \"acme\"", "required = true", "name = \"Prefix\"", "name = \"Id\""] {
        assert!(text.contains(added), "{added}: {text}");
    }
    let again = folder.run(&["catalog", "infer", "--output", "catalogs"]).expect_code(0);
    assert_eq!((again.out(), folder.read("catalogs/Box.toml")), ("", text));
}

#[test]
fn known_methods_and_nothing() {
    let folder = Folder::with(&[]);
    let output = folder.run(&["catalog", "infer"]).expect_code(2);
    assert_eq!(output.err(), "wflint: nothing to infer from: no workflow found\n");
    let folder = service(&[call("Look", "Get-ZPADUser", &[])], &[], &[]);
    let output = folder.run(&["catalog", "infer", "--output", "catalogs"]).expect_code(0);
    assert_eq!((output.out(), output.err()), ("", "Every method that is called is in a catalog.\n"));
    assert!(!folder.file("catalogs").exists());
    let folder = service(&[call("Make", "New-Box", &[])], &[], &[]);
    folder.write("own.toml", "plugin = 'Box'\n[[methods]]\nname = 'New-Box'\n");
    folder.write("wflint.toml", "catalogs = ['own.toml']\n");
    assert_eq!(inferred(&folder).0, "");
}

#[test]
fn broken_documents_are_reported_and_the_others_are_read() {
    let folder = service(&[call("Make", "New-Box", &[])], &[], &[]);
    folder.write("bad/x.workflow.json", "{ \"activities\": [");
    let output = folder.run(&["catalog", "infer"]).expect_code(2);
    assert!(
        output.err().contains("wflint: cannot read the calls of bad/x.workflow.json: invalid JSON"),
        "{}",
        output.err()
    );
    assert!(output.out().contains("name = \"New-Box\""), "{}", output.out());
    let output = folder.run(&["catalog", "infer", "none.json"]).expect_code(2);
    assert!(output.err().starts_with("wflint: cannot read none.json"), "{}", output.err());
    assert!(![output.out(), output.err()].iter().any(|text| text.contains("Every method")), "{}", output.out());
}

#[test]
fn hostile_names_stay_names() {
    let name = "a\"]\n[[methods]]\nname = \"x\u{1b}[31m\u{202e}";
    let mut make = call("Make", name, &[fixed(name, "x"), fixed("Prefix", name)]);
    make["module"] = json!("../../Activity.x\n");
    make["additionalProviderParameters"] = json!([{ "name": "*" }, { "name": "a*b" }]);
    let folder = service(&[make, status(&format!("{name}Out"))], &[&format!("{name}Out")], &[]);
    let output = run_cli(&["catalog", "infer", "--output", "c"], folder.path(), b"").expect_code(0);
    assert!(!output.err().contains('\u{1b}') && !output.out().contains('\u{1b}'), "{}", output.err());
    assert_eq!(std::fs::read_dir(folder.file("c")).unwrap().count(), 1);
    let folder = service(&[call("Make", name, &[fixed(name, "x")])], &[], &[]);
    check_property(&folder);
}

#[test]
fn output_that_would_be_reported_is_left_out_and_the_others_stay() {
    let mut start = call("Start", "Start-Job", &[fixed("Prefix", "Job")]);
    start["stopOnError"] = json!(false);
    // After a failed start, the id may be unset.
    let folder = service(
        &[
            start,
            call("Get", "Get-Day", &[bound("Job", "JobId"), fixed("Prefix", "Day")]),
            status("DayName"),
            status("JobState"),
        ],
        &["JobId", "JobState", "DayName"],
        &[],
    );
    let (catalog, listed) = inferred(&folder);
    assert!(catalog.contains("name = \"Name\""), "{catalog}");
    assert!(
        listed.contains("the outputs of `Start-Job` are open, because there would be new findings otherwise (WF303)"),
        "{listed}"
    );
    check_property(&folder);
}

#[test]
fn type_is_left_out_where_a_call_would_contradict_it() {
    let mut since = fixed("Since", "2024-01-15");
    since["providerParameterType"] = json!("dateTime");
    let mut count = fixed("Count", "many");
    count["providerParameterType"] = json!("decimal");
    let folder = service(&[call("Make", "New-Box", &[since, count, fixed("Prefix", "Box")])], &[], &[]);
    let (catalog, listed) = inferred(&folder);
    assert_eq!(catalog.matches("type = ").count(), 1, "{catalog}");
    assert!(listed.contains("parameter `Since` of `New-Box` has the undocumented type `dateTime`"), "{listed}");
    assert!(listed.contains("parameter `Count` of `New-Box` has a value of another type"), "{listed}");
    check_property(&folder);
}

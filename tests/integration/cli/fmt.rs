//! `wflint fmt`: documents in one stable form.

use serde_json::Value;

use crate::support::folder::{Folder, copy_of};
use crate::support::run::run_cli;
use crate::support::samples::{BROKEN, FINE, UNRELATED};

/// A workflow that is not formatted, and its stable form.
const LOOSE: &str = "\u{feff}{ \"activities\": [],\n\t\"variables\":[{\"name\":\"\\u0041\\/\\u200b\",\"id\":1.0}]}";
const STABLE: &str = "{
  \"activities\": [],
  \"variables\": [
    {
      \"name\": \"A/\\u200b\",
      \"id\": 1.0
    }
  ]
}
";

#[test]
fn documents_are_rewritten_once_and_listed() {
    let folder = Folder::with(&[("sub/a.json", LOOSE), ("b.json", STABLE), ("package.json", UNRELATED)]);
    let output = folder.run(&["fmt"]).expect_code(0);
    assert_eq!(output.out(), "Formatted sub/a.json\n");
    assert_eq!(output.err(), "1 file formatted, 1 unchanged.\n");
    assert_eq!((folder.read("sub/a.json").as_str(), folder.read("package.json").as_str()), (STABLE, UNRELATED));
    let again = folder.run(&["fmt", "."]).expect_code(0);
    assert_eq!((again.out(), again.err()), ("", "0 files formatted, 2 unchanged.\n"));
}

#[test]
fn check_and_diff_change_nothing() {
    let folder = Folder::with(&[("a.json", LOOSE), ("b.json", STABLE)]);
    let check = folder.run(&["fmt", "--check"]).expect_code(1);
    assert_eq!((check.out(), check.err()), ("Would format a.json\n", "1 file would be formatted, 1 unchanged.\n"));
    let diff = folder.run(&["fmt", "--diff", "--quiet"]).expect_code(1);
    assert!(diff.out().starts_with("--- a.json\n+++ a.json\n@@ -1,2 +1,9 @@\n-\\u{feff}{ "), "{}", diff.out());
    assert_eq!(diff.err(), "");
    assert_eq!(folder.read("a.json"), LOOSE);
    folder.run(&["fmt", "--check", "b.json"]).expect_code(0);
}

#[test]
fn document_that_cannot_be_read_is_reported_and_left_as_it_is() {
    let twice = r#"{"activities": [], "variables": [], "variables": [] }"#;
    let utf16: Vec<u8> = FINE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = Folder::with(&[("broken.json", BROKEN), ("loose.json", LOOSE), ("twice.json", twice)]);
    folder.write("utf16.json", &utf16);
    let output = folder.run(&["fmt"]).expect_code(2);
    assert_eq!(output.out(), "Formatted loose.json\n", "the others are formatted");
    for reason in [
        "wflint: cannot format broken.json: invalid JSON at line 1, column 18",
        "wflint: cannot format twice.json: duplicate key `variables` at line 1, column 37",
        "wflint: cannot format utf16.json: not encoded in UTF-8",
    ] {
        assert!(output.err().contains(reason), "{reason}\n{}", output.err());
    }
    assert_eq!((folder.read("broken.json").as_str(), folder.read("twice.json").as_str()), (BROKEN, twice));
}

#[test]
fn document_over_a_limit_is_not_called_invalid() {
    let deep = format!("{{\"activities\": {}{}}}", "[".repeat(200), "]".repeat(200));
    let objects = format!("{{\"activities\": [{}{{}}]}}", "{},".repeat(100_000));
    let key = format!("{{\"activities\": [], \"{}\": 1}}", "k".repeat(5000));
    for (text, reason) in [
        (deep, "document nested deeper than 128 levels at line 1, column 143"),
        (objects, "too many objects at line 1"),
        (key, "too many bytes of keys around a value at line 1"),
    ] {
        let folder = Folder::with(&[("a.json", &text)]);
        let lint = folder.run(&["--format", "concise", "."]).expect_code(1);
        let (limit, _) = reason.split_once(" at line").unwrap();
        assert!(lint.out().contains(&format!("WF002 error {limit}, so ")), "{}", lint.out());
        let output = folder.run(&["fmt", "--check", "."]).expect_code(2);
        assert!(output.err().contains(&format!("cannot format a.json: {reason}")), "{}", output.err());
    }
}

#[test]
fn nothing_to_format_is_an_error() {
    let folder = Folder::with(&[("package.json", UNRELATED)]);
    let output = folder.run(&["fmt"]).expect_code(2);
    assert_eq!(output.err(), "wflint: nothing to format: no workflow, form or signing case found\n");
    for text in [UNRELATED, "[]", "{\"workflow\": {\"activities\": [], \"variables\": []}}"] {
        folder.write("package.json", text);
        let output = folder.run(&["fmt", "--check", "package.json"]).expect_code(2);
        let expected = "wflint: cannot format package.json: neither a workflow, a form nor a signing case\n";
        assert!(output.err().starts_with(expected), "{}", output.err());
        folder.run(&["fmt", "--check", "--skip-unrelated", "package.json"]).expect_code(0);
    }
    assert!(folder.run(&["fmt", "none.json"]).expect_code(2).err().contains("cannot read none.json"));
    // An export that was cut off may not look like a document any more.
    for text in ["", "{\"variables\":[],", "// c\n{}"] {
        folder.write("cut.json", text);
        let output = folder.run(&["fmt", "--check", "cut.json"]).expect_code(2);
        assert!(output.err().contains("cannot format cut.json: invalid JSON"), "{}", output.err());
        folder.run(&["fmt", "--check", "--skip-unrelated", "cut.json"]).expect_code(0);
    }
}

#[test]
fn standard_input_is_printed_in_its_stable_form() {
    let folder = Folder::with(&[("wflint.toml", "[fmt]\nindent = 0\n"), ("sub/wflint.toml", "")]);
    let run = |args: &[&str], input: &str| run_cli(args, folder.path(), input.as_bytes());
    assert_eq!(run(&["fmt", "-", "--stdin-filename", "sub/a.json"], LOOSE).expect_code(0).out(), STABLE);
    let one_line = "{\"activities\":[],\"variables\":[{\"name\":\"A/\\u200b\",\"id\":1.0}]}\n";
    assert_eq!(run(&["fmt", "-"], LOOSE).expect_code(0).out(), one_line);
    assert_eq!(run(&["fmt", "-"], UNRELATED).expect_code(0).out(), UNRELATED);
    let broken = run(&["fmt", "-"], BROKEN).expect_code(2);
    assert_eq!(
        (broken.out(), broken.err()),
        ("", "wflint: cannot format <stdin>: invalid JSON at line 1, column 18\n")
    );
    run(&["fmt", "-", "--renumber-ids"], FINE).expect_code(2);
}

#[test]
fn named_file_is_printed_as_git_asks_for_it() {
    let folder =
        Folder::with(&[("wflint.toml", "[fmt]\nindent = 0\n"), ("sub/wflint.toml", ""), ("sub/a.json", LOOSE)]);
    folder.write("package.json", UNRELATED);
    folder.write("sub/broken.json", BROKEN);
    // Of the two sides of a difference, one is a copy elsewhere: the configuration is that of the current folder.
    let shown = folder.run(&["fmt", "-", "sub/a.json"]).expect_code(0);
    assert_eq!(shown.out(), "{\"activities\":[],\"variables\":[{\"name\":\"A/\\u200b\",\"id\":1.0}]}\n");
    assert_eq!((shown.err(), folder.read("sub/a.json").as_str()), ("", LOOSE));
    assert_eq!(folder.run(&["fmt", "-", "package.json"]).expect_code(0).out(), UNRELATED);
    // A difference of a broken version is shown, too.
    let broken = folder.run(&["fmt", "-", "sub/broken.json"]).expect_code(0);
    assert_eq!(broken.out(), BROKEN);
    assert_eq!(broken.err(), "wflint: cannot format sub/broken.json: invalid JSON at line 1, column 18\n");
    for refused in [
        &["fmt", "-", "none.json"][..],
        &["fmt", "-", "sub"],
        &["fmt", "-", "-"],
        &["fmt", "package.json", "-"],
        &["fmt", "-", "sub/a.json", "sub/broken.json"],
        &["fmt", "-", "sub/a.json", "--check"],
        &["fmt", "-", "sub/a.json", "--renumber-ids"],
        &["fmt", "-", "sub/a.json", "--stdin-filename", "a.json"],
    ] {
        assert_eq!(folder.run(refused).expect_code(2).out(), "", "{refused:?}");
    }
}

/// The codes of the findings that a file or folder has.
fn codes(folder: &Folder, args: &[&str]) -> Vec<String> {
    let report = folder.run(&[&["--format", "json", "--isolated"], args].concat()).json();
    let diagnostics = report["diagnostics"].as_array().unwrap();
    diagnostics.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn dropped_editor_state_is_that_of_the_reference_and_nothing_else() {
    let workflow = r#"{ "activities": [
        { "name": "A", "type": "Sequence", "boundValues": [], "displayWarning": true, "warningText": "old",
          "hasNewerVersion": true, "ownBoundVariables": ["Gone"], "isValid": 1,
          "properties": { "translations": { "hasWarning": "x" } }, "activities": [
            { "name": "S", "type": "Status", "status": { "isBound": false, "value": "x", "hasWarning": true, "warningText": "" } },
            { "name": "O", "type": "Own", "hasValue": true, "boundValues": {} } ] } ],
      "variables": [{ "name": "V", "id": 1, "variableUsageList": [], "hideRemaining": true }] }"#;
    let folder = Folder::with(&[("a.json", workflow), ("wflint.toml", "[fmt]\neditor-state = 'drop'\nindent = 0\n")]);
    folder.run(&["fmt"]).expect_code(0);
    let wanted = concat!(
        r#"{"activities":[{"name":"A","type":"Sequence","isValid":1,"properties":{"translations":{"hasWarning":"x"}},"#,
        r#""activities":[{"name":"S","type":"Status","status":{"isBound":false,"value":"x"}},"#,
        r#"{"name":"O","type":"Own","hasValue":true}]}],"variables":[{"name":"V","id":1,"hideRemaining":true}]}"#,
        "\n"
    );
    assert_eq!(folder.read("a.json"), wanted);
}

#[test]
fn members_are_ordered_as_in_the_schema_and_unknown_ones_come_last_by_name() {
    let workflow = r#"{ "variables": [], "zebra": 1, "apple": 2, "activities": [
        { "expression": { "right": { "value": "x", "isBound": false }, "operand": "equal", "left": null }, "activities": [],
          "type": "If", "name": "I", "properties": { "translations": { "b": 1, "a": 2 } } } ] }"#;
    let folder = Folder::with(&[("a.json", workflow), ("wflint.toml", "[fmt]\norder = 'schema'\nindent = 0\n")]);
    folder.run(&["fmt"]).expect_code(0);
    let wanted = concat!(
        r#"{"activities":[{"name":"I","type":"If","properties":{"translations":{"b":1,"a":2}},"activities":[],"#,
        r#""expression":{"operand":"equal","left":null,"right":{"isBound":false,"value":"x"}}}],"#,
        r#""variables":[],"apple":2,"zebra":1}"#,
        "\n"
    );
    assert_eq!(folder.read("a.json"), wanted);
}

#[test]
fn ids_are_renumbered_in_the_whole_service() {
    let service = copy_of("examples/sign-json");
    service.run(&["fmt", "."]).expect_code(0);
    let before = codes(&service, &["."]);
    let output = service.run(&["fmt", "--renumber-ids", "order.workflow.json"]).expect_code(0);
    assert_eq!(output.out(), "Formatted order.form.json\nFormatted order.workflow.json\n");
    let workflow: Value = serde_json::from_str(&service.read("order.workflow.json")).unwrap();
    let ids: Vec<i64> = workflow["variables"].as_array().unwrap().iter().map(|it| it["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, (1..=i64::try_from(ids.len()).unwrap()).collect::<Vec<_>>());
    assert_eq!(codes(&service, &["."]), before);
    service.run(&["--simulate", "--quiet"]).expect_code(0);
    assert_eq!(service.run(&["fmt", "--renumber-ids"]).expect_code(0).out(), "");
}

#[test]
fn ids_that_are_not_those_of_one_variable_are_not_renumbered() {
    let dangling = FINE.replace(
        "\"statusTranslations\"",
        "\"status\": {\"isBound\": true, \"boundTo\": \"X\", \"boundToId\": 9}, \"x\"",
    );
    let folder = Folder::with(&[("a.json", &dangling)]);
    let output = folder.run(&["fmt", "--renumber-ids"]).expect_code(2);
    assert_eq!(
        output.err(),
        "wflint: cannot renumber ids: `boundToId` 9 in a.json is the id of no variable\n0 files formatted, 0 unchanged.\n"
    );
    let twice = r#"{"activities":[],"variables":[{"name":"A","id":3},{"name":"B","id":3}]}"#;
    let folder = Folder::with(&[("a.json", twice)]);
    let output = folder.run(&["fmt", "--renumber-ids"]).expect_code(2);
    assert!(output.err().starts_with("wflint: cannot renumber ids: `A` and `B` have the same id 3 in a.json\n"));
    assert_eq!(folder.read("a.json"), twice);
    let unnamed = r#"{"activities":[],"variables":[{"name":"A","id":3},{"id":1}]}"#;
    let folder = Folder::with(&[("a.json", unnamed)]);
    let output = folder.run(&["fmt", "--renumber-ids"]).expect_code(2);
    assert!(output.err().starts_with("wflint: cannot renumber ids: the variable with id 1 in a.json has no name\n"));
    let two_ids = r#"{"activities":[],"variables":[{"name":"A","id":3},{"name":"A","id":4}]}"#;
    let folder = Folder::with(&[("a.json", two_ids)]);
    let output = folder.run(&["fmt", "--renumber-ids"]).expect_code(2);
    assert!(output.err().starts_with("wflint: cannot renumber ids: two variables `A` in a.json have different ids\n"));
}

#[test]
fn what_is_around_a_document_is_laid_out_and_kept() {
    let wrapped = r#"{"displayWarning":true,"b":{"boundToId":7},"data":{"activities":[{"name":"S","type":"Status",
        "displayWarning":true,"status":{"isBound":true,"boundTo":"A","boundToId":7}}],"variables":[{"name":"A","id":7}]}}"#;
    let config = "[documents]\nroots = ['/data']\n[fmt]\nindent = 0\neditor-state = 'drop'\n";
    let folder = Folder::with(&[("a.json", wrapped), ("wflint.toml", config)]);
    folder.run(&["fmt", "--renumber-ids"]).expect_code(0);
    let wanted = concat!(
        r#"{"displayWarning":true,"b":{"boundToId":7},"data":{"activities":[{"name":"S","type":"Status","#,
        r#""status":{"isBound":true,"boundTo":"A","boundToId":1}}],"variables":[{"name":"A","id":1}]}}"#,
        "\n"
    );
    assert_eq!(folder.read("a.json"), wanted);
}

#[test]
fn binding_keeps_its_variable_where_documents_use_one_id_for_two() {
    let workflow = r#"{"activities":[{"name":"S","type":"Status","status":{"isBound":true,"boundTo":"B","boundToId":7}},
        {"name":"T","type":"Status","status":{"isBound":true,"boundTo":"A","boundToId":7}}],"variables":[{"name":"A","id":7}]}"#;
    let form = r#"{"fields":[{"name":"F","type":"InputText","isBound":true,"boundTo":"B"}],"variables":[{"name":"B","id":7}]}"#;
    let folder = Folder::with(&[("a.json", workflow), ("f.form.json", form), ("wflint.toml", "[fmt]\nindent = 0\n")]);
    folder.run(&["fmt", "--renumber-ids"]).expect_code(0);
    let after = folder.read("a.json");
    assert!(
        after.contains(r#""boundTo":"B","boundToId":2"#) && after.contains(r#""boundTo":"A","boundToId":1"#),
        "{after}"
    );
    assert!(folder.read("f.form.json").contains(r#""name":"B","id":2"#));
}

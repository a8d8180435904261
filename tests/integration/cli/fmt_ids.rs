//! `wflint fmt --renumber-ids` changes the ids of a whole service, or nothing of it.

use crate::support::folder::Folder;

/// A workflow whose variables get new ids.
const WORKFLOW: &str = r#"{"activities":[{"name":"S","type":"Status","status":{"isBound":true,"boundTo":"B","boundToId":7}}],
  "variables":[{"name":"A","id":5},{"name":"B","id":7}]}"#;

/// The form of [`WORKFLOW`], whose variable gets a new id as well.
const FORM: &str = r#"{"fields":[{"name":"F","type":"InputText","isBound":true,"boundTo":"B","boundToId":7}],
  "variables":[{"name":"B","id":7}]}"#;

/// A form that is not in its stable form, in which no id changes.
const OTHER_FORM: &str = "{\"fields\":[],\n\n\"variables\":[]}";

/// A service in `a/`, one in `b/`, and the stable form without line breaks.
fn two_services() -> Folder {
    Folder::with(&[
        ("a/order.workflow.json", WORKFLOW),
        ("a/order.form.json", FORM),
        ("b/order.workflow.json", WORKFLOW),
        ("b/order.form.json", FORM),
        ("wflint.toml", "[fmt]\nindent = 0\n"),
    ])
}

/// Checks that nothing of `a/` is written, with one error, while `b/` is formatted.
fn check_refused(folder: &Folder, error: &str) {
    let before = ["a/order.workflow.json", "a/order.form.json"].map(|name| std::fs::read(folder.file(name)).ok());
    let output = folder.run(&["fmt", "--renumber-ids"]).expect_code(2);
    assert_eq!(output.out(), "Formatted b/order.form.json\nFormatted b/order.workflow.json\n");
    assert_eq!(output.err(), format!("wflint: cannot renumber ids: {error}\n2 files formatted, 0 unchanged.\n"));
    let after = ["a/order.workflow.json", "a/order.form.json"].map(|name| std::fs::read(folder.file(name)).ok());
    assert!(after == before, "{error}");
    assert!(folder.read("b/order.workflow.json").contains(r#""boundTo":"B","boundToId":2"#));
    assert!(folder.read("b/order.form.json").contains(r#""name":"B","id":2"#));
}

#[test]
fn service_with_a_document_that_cannot_be_formatted_is_left_unchanged() {
    let twice = FORM.replace("\"variables\"", "\"fields\":[],\"variables\"");
    for (form, reason) in [
        (FORM.strip_suffix('}').unwrap(), "invalid JSON at line 2, column 36"),
        (&twice, "duplicate key `fields` at line 2, column 3"),
    ] {
        let folder = two_services();
        folder.write("a/order.form.json", form);
        check_refused(&folder, &format!("cannot format a/order.form.json: {reason}"));
        // Without new ids, each file is formatted by itself.
        let output = folder.run(&["fmt", "a"]).expect_code(2);
        assert_eq!(output.out(), "Formatted a/order.workflow.json\n");
    }
    let folder = two_services();
    let utf16: Vec<u8> = FORM.encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("a/order.form.json", &utf16);
    check_refused(&folder, "cannot format a/order.form.json: not encoded in UTF-8");
}

#[test]
fn service_with_a_broken_document_that_is_not_named_is_left_unchanged() {
    let folder = two_services();
    // It may declare the variable that the workflow is bound to.
    folder.write("a/order.workflow.json", WORKFLOW.replace(r#",{"name":"B","id":7}"#, ""));
    folder.write("a/order.form.json", FORM.strip_suffix('}').unwrap());
    let before = folder.read("a/order.workflow.json");
    for options in [&["--check"][..], &["--diff"], &[]] {
        let output =
            folder.run(&[&["fmt", "--renumber-ids", "a/order.workflow.json"], options].concat()).expect_code(2);
        assert_eq!(output.out(), "");
        let error = "cannot renumber ids: cannot format a/order.form.json: invalid JSON at line 2, column 36";
        assert!(output.err().starts_with(&format!("wflint: {error}\n0 files ")), "{}", output.err());
    }
    assert_eq!(folder.read("a/order.workflow.json"), before);
}

#[cfg(unix)]
fn set_mode(folder: &Folder, name: &str, mode: u32) {
    std::fs::set_permissions(folder.file(name), std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

#[cfg(unix)]
#[test]
fn service_with_a_document_that_cannot_be_written_is_left_unchanged() {
    for name in ["a/order.workflow.json", "a/order.form.json"] {
        let folder = two_services();
        set_mode(&folder, name, 0o444);
        check_refused(&folder, &format!("cannot write {name}: the file is read-only"));
        // Without new ids, each file is written by itself.
        let output = folder.run(&["fmt", "a"]).expect_code(2);
        assert_eq!(output.out().lines().count(), 1, "{}", output.out());
    }
}

#[cfg(unix)]
#[test]
fn service_with_a_file_that_cannot_be_read_is_left_unchanged() {
    let folder = two_services();
    set_mode(&folder, "a/order.form.json", 0o000);
    if std::fs::read(folder.file("a/order.form.json")).is_ok() {
        return; // The superuser can read it.
    }
    check_refused(&folder, "cannot read a/order.form.json: permission denied");
}

#[test]
fn of_the_files_that_are_not_named_only_those_with_new_ids_are_written() {
    let case = r#"{"Name":"x", "Parties":[{"Name":"a"}]}"#;
    let folder = two_services();
    folder.write("a/other.form.json", OTHER_FORM);
    folder.write("a/case.json", case);
    let check = folder.run(&["fmt", "--renumber-ids", "--check", "a/order.workflow.json"]).expect_code(1);
    assert_eq!(check.out(), "Would format a/order.form.json\nWould format a/order.workflow.json\n");
    let output = folder.run(&["fmt", "--renumber-ids", "a/order.workflow.json"]).expect_code(0);
    assert_eq!(output.out(), "Formatted a/order.form.json\nFormatted a/order.workflow.json\n");
    assert_eq!(output.err(), "2 files formatted, 0 unchanged.\n");
    assert!(folder.read("a/order.form.json").contains(r#""boundTo":"B","boundToId":2"#));
    assert_eq!((folder.read("a/other.form.json").as_str(), folder.read("a/case.json").as_str()), (OTHER_FORM, case));
    // The named file is formatted although no id in it changes.
    let output = folder.run(&["fmt", "--renumber-ids", "a/other.form.json"]).expect_code(0);
    assert_eq!((output.out(), output.err()), ("Formatted a/other.form.json\n", "1 file formatted, 0 unchanged.\n"));
    let output = folder.run(&["fmt", "--renumber-ids", "a"]).expect_code(0);
    assert_eq!((output.out(), output.err()), ("Formatted a/case.json\n", "1 file formatted, 3 unchanged.\n"));
}

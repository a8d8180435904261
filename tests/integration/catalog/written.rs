//! Catalogs in a folder: what is added, and what is never changed.

use super::{methods, outputs_of};
use crate::support::folder::Folder;

const MODULE: &str = "function Get-A {\n  param([Parameter(Mandatory)][string]$Id, [int]$Days = 5)\n  @{ A = 1; B = 2 }\n}\n\
                      function Get-B { @{ C = 1 } }\n";

fn import(folder: &Folder, code: u8) -> String {
    let output = folder.run(&["catalog", "import", "Pay.psm1", "--output", "catalogs"]).expect_code(code);
    format!("{}{}", output.out(), output.err())
}

#[test]
fn changes_by_hand_are_kept() {
    let folder = Folder::with(&[("Pay.psm1", MODULE)]);
    import(&folder, 0);
    let written = folder.read("catalogs/Pay.toml");
    let changed = written
        .replace("required = true", "required = false # not really")
        .replace("plugin = \"Pay\"", "# ours\nplugin = \"payroll\"")
        .replace("type = \"decimal\"", "type    = 'string'")
        .replace("name = \"Get-A\"\n", "name = \"Get-A\"\nmethod-id = 17\ndescription = \"Mine.\"\n")
        + "\n# the end\n";
    folder.write("catalogs/Pay.toml", &changed);
    assert_eq!(import(&folder, 0), "0 catalogs written, 1 unchanged.\n");
    assert_eq!(folder.read("catalogs/Pay.toml"), changed);
}

#[test]
fn what_is_new_in_the_module_is_added() {
    let folder = Folder::with(&[("Pay.psm1", MODULE)]);
    import(&folder, 0);
    let before = folder.read("catalogs/Pay.toml");
    let more =
        MODULE.replace("B = 2", "B = 2; \"x$y\" = 3; D = 4").replace("[int]$Days = 5", "[int]$Days = 7, [switch]$All");
    folder.write("Pay.psm1", format!("{more}function Get-C {{ }}\n"));
    let shown = import(&folder, 0);
    assert!(shown.starts_with("Wrote catalogs/Pay.toml\n"), "{shown}");
    let after = folder.read("catalogs/Pay.toml");
    let methods = methods(&after);
    assert_eq!(outputs_of(&methods[0]), "A B D …");
    let all = methods[0].parameter("All").unwrap();
    let days = methods[0].parameter("Days").unwrap();
    assert_eq!((all.required, days.default.as_deref(), methods.len()), (false, Some("5"), 3));
    let mut lines = after.lines();
    for line in before.lines() {
        assert!(lines.any(|other| other == line), "{line} is lost:\n{after}");
    }
}

#[test]
fn other_files_are_not_overwritten() {
    let wrong = "[limits]\nmax-depth = 5\n";
    let folder = Folder::with(&[("Pay.psm1", MODULE), ("One.psm1", MODULE), ("catalogs/Pay.toml", wrong)]);
    let args = ["catalog", "import", "One.psm1", "Pay.psm1", "--output", "catalogs"];
    let output = folder.run(&args).expect_code(2);
    assert_eq!(output.out(), "");
    assert!(output.err().contains("cannot add to catalogs/Pay.toml, which is not a catalog"), "{}", output.err());
    assert!(output.err().contains("nothing was written"), "{}", output.err());
    assert_eq!(folder.names_in("catalogs"), ["Pay.toml"]);
    assert_eq!(folder.read("catalogs/Pay.toml"), wrong);
}

#[test]
fn names_of_modules_do_not_leave_the_folder() {
    let folder = Folder::with(&[("Activity.wflint.psm1", MODULE), ("Activity...psm1", MODULE), ("NUL.psm1", MODULE)]);
    let args = ["catalog", "import", "Activity.wflint.psm1", "Activity...psm1", "NUL.psm1", "--output", "."];
    let output = folder.run(&args).expect_code(0);
    assert_eq!(output.out(), "Wrote _wflint.toml\nWrote _.toml\nWrote _NUL.toml\n");
}

#[test]
fn two_modules_with_one_file_are_refused() {
    let folder = Folder::with(&[("Pay.psm1", MODULE), ("Activity.PAY.psm1", MODULE)]);
    let output = folder.run(&["catalog", "import", "Pay.psm1", "Activity.PAY.psm1", "--output", "c"]).expect_code(2);
    let wanted =
        "wflint: the catalogs of `Pay` and `Activity.PAY` are both named `PAY.toml`; write them one at a time\n";
    assert_eq!(output.err(), wanted);
    assert!(!folder.file("c").exists());
}

#[test]
fn catalog_that_was_imported_is_used_by_lint() {
    let workflow = r#"{ "activities": [{ "id": 1, "name": "A", "type": "Provider", "method": "Get-A", "module": "Pay",
        "providerParameters": [{ "name": "Days", "value": { "state": "static", "value": "two" } }] }], "variables": [] }"#;
    let folder = Folder::with(&[("Pay.psm1", MODULE), ("flow.json", workflow)]);
    import(&folder, 0);
    folder.write("wflint.toml", "catalogs = ['catalogs/*.toml']\nselect = ['WF2', 'WF301']\n");
    let found = folder.found(&["flow.json"]);
    assert!(found.contains(&"flow.json WF201 error".to_owned()), "{found:?}");
    assert!(found.contains(&"flow.json WF205 error".to_owned()), "{found:?}");
    assert!(!found.iter().any(|found| found.contains("WF202")), "{found:?}");
}

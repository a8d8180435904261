//! The command: its arguments, what it reads and what it prints.

use super::{methods, names};
use crate::support::folder::{Folder, copy_of};

const MODULE: &str = "function Get-A { param([string]$Id) @{ A = $Id } }\n";

#[test]
fn module_and_package_are_written() {
    let folder = Folder::with(&[("Activity.Pay.psm1", MODULE)]);
    let output = folder.run(&["catalog", "import", "Activity.Pay.psm1", "--package", "corp_pay"]).expect_code(0);
    let wanted =
        "\nplugin = \"Pay\"\npackage = \"corp_pay\"\nmodule = \"Activity.Pay\"\n\n[[methods]]\nname = \"Get-A\"\n";
    assert!(output.out().contains(wanted), "{}", output.out());
    assert_eq!(output.err(), "");
}

#[test]
fn other_files_are_bad_arguments() {
    let folder = Folder::with(&[("a.psm1", MODULE), ("a.psd1", "@{}"), ("a.txt", ""), ("sub/b.psm1", MODULE)]);
    for file in ["a.psd1", "a.txt", "sub", "a"] {
        let output = folder.run(&["catalog", "import", "a.psm1", file]).expect_code(2);
        assert_eq!(output.err(), format!("wflint: expected a PowerShell module (`.psm1`, `.ps1`), found {file}\n"));
        assert_eq!(output.out(), "");
    }
    let output = folder.run(&["catalog", "import", "missing.psm1"]).expect_code(2);
    assert_eq!(output.err(), "wflint: cannot read missing.psm1: no such file\n");
    folder.run(&["catalog", "import"]).expect_code(2);
    folder.run(&["catalog"]).expect_code(2);
}

#[test]
fn several_modules_need_a_folder() {
    let folder = Folder::with(&[("One.psm1", MODULE), ("sub/Activity.Two.ps1", MODULE)]);
    let output = folder.run(&["catalog", "import", "One.psm1", "sub/Activity.Two.ps1"]).expect_code(2);
    assert_eq!(output.out(), "");
    let wanted = "wflint: 2 modules: `One` and `Activity.Two`; use `--output DIR` to write a catalog for each\n";
    assert_eq!(output.err(), wanted);
    let output =
        folder.run(&["catalog", "import", "One.psm1", "sub/Activity.Two.ps1", "--output", "c/d"]).expect_code(0);
    assert_eq!(output.out(), "Wrote c/d/One.toml\nWrote c/d/Two.toml\n");
    assert_eq!(output.err(), "2 catalogs written, 0 unchanged.\n");
    assert!(folder.read("c/d/Two.toml").contains("module = \"Activity.Two\""));
}

#[test]
fn files_with_one_stem_are_one_module() {
    let folder = Folder::with(&[
        ("M.psm1", MODULE),
        ("M.ps1", "function get-a { @{ Z = 1 } }\nfunction Get-B { @{ B = 1 } }\n"),
    ]);
    let output = folder.run(&["catalog", "import", "M.psm1", "M.ps1", "./M.psm1"]).expect_code(0);
    assert_eq!(names(&methods(output.out())), ["Get-A", "Get-B"]);
}

#[test]
fn files_without_a_module_take_the_one_beside_them() {
    let folder = Folder::with(&[
        ("Activity.Pay.psm1", ". $PSScriptRoot/Get-B.ps1\nExport-ModuleMember -Function Get-*\n"),
        ("Activity.Pay.psd1", "@{ FunctionsToExport = 'Get-B', 'Get-C' }"),
        ("DropDown.Users.psm1", MODULE),
        ("Get-B.ps1", "function Get-B { param([Kind]$K) @{ B = 1 } }\nfunction Get-A { }\nfunction Set-B { }\n"),
        ("Kinds.ps1", "enum Kind { One; Two }\nfunction Get-C { @{ C = 1 } }\n"),
    ]);
    let output = folder.run(&["catalog", "import", "Get-B.ps1", "Kinds.ps1"]).expect_code(0);
    assert!(output.out().contains("module = \"Activity.Pay\""), "{}", output.out());
    let methods = methods(output.out());
    assert_eq!((names(&methods), output.err()), (vec!["Get-B", "Get-C"], ""));
    assert_eq!(methods[0].parameters[0].values, ["One", "Two"]);

    let output = folder.run(&["catalog", "import", "Get-B.ps1", "--module", "Activity.Other"]).expect_code(0);
    assert!(output.out().contains("module = \"Activity.Other\""), "{}", output.out());

    folder.write("Second.psm1", "");
    let output = folder.run(&["catalog", "import", "Get-B.ps1"]).expect_code(2);
    let wanted = "wflint: the module of `Get-B.ps1` is not known, `Activity.Pay.psm1` and `Second.psm1` are beside it; \
                  use `--module NAME`\n";
    assert_eq!((output.out(), output.err()), ("", wanted));
    folder.run(&["catalog", "import", "Get-B.ps1", "--module", "Activity.Pay"]).expect_code(0);
    let output = folder.run(&["catalog", "import", "Activity.Pay.psm1", "--module", "Other"]).expect_code(2);
    assert!(output.err().contains("`--module` names the module of `.ps1` files"), "{}", output.err());
}

#[test]
fn file_that_cannot_be_read_stops_no_other() {
    let folder = Folder::with(&[("a.psm1", MODULE)]);
    folder.write("binary.psm1", b"MZ\x90\0\xff\xff");
    let output = folder.run(&["catalog", "import", "gone.psm1", "binary.psm1", "a.psm1"]).expect_code(2);
    assert_eq!(names(&methods(output.out())), ["Get-A"]);
    let wanted = "wflint: cannot read gone.psm1: no such file\n\
                  wflint: cannot read binary.psm1: expected text, found binary data\n";
    assert_eq!(output.err(), wanted);
}

#[test]
fn data_sources_are_skipped_with_a_note() {
    let folder =
        Folder::with(&[("DropDown.Users.psm1", MODULE), ("table.X.ps1", MODULE), ("WebService.Y.psm1", MODULE)]);
    let files = ["DropDown.Users.psm1", "table.X.ps1", "WebService.Y.psm1"];
    let output = folder.run(&[&["catalog", "import"], &files[..]].concat()).expect_code(0);
    assert_eq!(output.out(), "");
    for file in files {
        let wanted = format!("{file}: note: skipped, it holds data sources of forms\n");
        assert!(output.err().contains(&wanted), "{}", output.err());
    }
}

#[test]
fn module_without_functions_gets_no_catalog() {
    let folder = Folder::with(&[("m.psm1", "$x = 1\nif ($x) { function Get-Inner { } }\n")]);
    let output = folder.run(&["catalog", "import", "m.psm1", "--output", "out"]).expect_code(0);
    assert_eq!(output.err(), "m.psm1: note: no function to import\n0 catalogs written, 0 unchanged.\n");
    assert_eq!(folder.names_in("out"), Vec::<String>::new());
}

#[test]
fn windows_1252_is_read_with_a_note_and_other_encodings_are_refused() {
    let folder = Folder::with(&[]);
    folder.write("latin.psm1", b"function Get-A { @{ 'Sm\xf6rg\x80s\x96' = 1 } }");
    let output = folder.run(&["catalog", "import", "latin.psm1"]).expect_code(0);
    assert_eq!(output.err(), "latin.psm1: note: invalid UTF-8 at byte 23, read as Windows-1252\n");
    assert!(output.out().contains("name = \"Smörg€s–\""), "{}", output.out());
    let utf32: Vec<u8> = MODULE.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect();
    folder.write("utf32.psm1", utf32);
    let output = folder.run(&["catalog", "import", "utf32.psm1"]).expect_code(2);
    assert!(output.err().contains("cannot read utf32.psm1: encoded in UTF-32LE"), "{}", output.err());
}

#[test]
fn large_module_is_refused() {
    let folder = Folder::with(&[]);
    folder.write("large.psm1", "# x\n".repeat((4 << 20) / 4 + 1));
    let output = folder.run(&["catalog", "import", "large.psm1"]).expect_code(2);
    assert_eq!(output.err(), "wflint: cannot read large.psm1: larger than the limit of 4 MiB\n");
}

#[test]
fn names_are_escaped_on_standard_error() {
    let folder = Folder::with(&[("m.psm1", "function Get-A { param(${a\u{1b}[31m\u{202e}::error::}) @{ A = 1 } }\n")]);
    let output = folder.run(&["catalog", "import", "m.psm1"]).expect_code(0);
    assert!(output.err().contains("\\u{1b}[31m\\u{202e}"), "{}", output.err());
    assert!(!output.err().contains(['\u{1b}', '\u{202e}']) && !output.out().contains('\u{1b}'));
}

/// With additions by hand, which another run keeps.
#[test]
fn example_has_the_catalog_that_its_configuration_says_how_to_write() {
    let service = copy_of("examples/mailbox");
    let catalog = service.read("catalogs/SharedMailbox.toml");
    let config = service.read("wflint.toml");
    let command = config.lines().find_map(|line| line.strip_prefix("# wflint ")).unwrap();
    let import = || service.run(&command.split(' ').collect::<Vec<_>>()).expect_code(0);
    import();
    assert_eq!(service.read("catalogs/SharedMailbox.toml"), catalog);
    std::fs::remove_dir_all(service.file("catalogs")).unwrap();
    import();
    let mut lines = catalog.lines();
    for line in service.read("catalogs/SharedMailbox.toml").lines() {
        assert!(lines.any(|other| other == line), "the example lacks `{line}`");
    }
}

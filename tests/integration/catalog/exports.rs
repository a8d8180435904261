//! What a module exports: the manifest and `Export-ModuleMember`.

use super::{methods, names};
use crate::support::folder::Folder;
use crate::support::run::Output;

const FUNCTIONS: &str = "function Get-A { @{ A = 1 } }\nfunction Get-B { @{ B = 1 } }\nfunction Set-C { @{ C = 1 } }\n\
                         function private:Hidden-D { @{ D = 1 } }\n";

fn run(module: &str, manifest: Option<&str>) -> Output {
    let folder = Folder::with(&[("m.psm1", &format!("{FUNCTIONS}{module}\n"))]);
    if let Some(manifest) = manifest {
        folder.write("m.psd1", manifest);
    }
    folder.run(&["catalog", "import", "m.psm1"]).expect_code(0)
}

#[test]
fn export_module_member_names_the_functions() {
    let all = vec!["Get-A", "Get-B", "Set-C"];
    for (call, wanted) in [
        ("", all.clone()),
        ("Export-ModuleMember -Function Get-A, Set-C", vec!["Get-A", "Set-C"]),
        ("Export-ModuleMember Get-A,'set-c'", vec!["Get-A", "Set-C"]),
        ("export-modulemember -function *", all.clone()),
        ("Export-ModuleMember -Function @('Get-*') -Alias *", vec!["Get-A", "Get-B"]),
        ("Export-ModuleMember -Func:Get-? -Variable x", vec!["Get-A", "Get-B"]),
        ("Export-ModuleMember -Alias * -Variable Get-A", all.clone()),
        ("Export-ModuleMember -Function 'Get-[B-C]'", vec!["Get-B"]),
        ("Export-ModuleMember Get-A\nExport-ModuleMember Get-B", vec!["Get-A", "Get-B"]),
        ("$f = 'Get-A', 'Get-B'\nExport-ModuleMember -Function $f", vec!["Get-A", "Get-B"]),
        ("if ($x) { Microsoft.PowerShell.Core\\Export-ModuleMember Get-B }", vec!["Get-B"]),
        ("function Inner { Export-ModuleMember Get-A }\nExport-ModuleMember Get-B", vec!["Get-B"]),
        ("Export-ModuleMember `\n  -Function Get-A, # one\n  Get-B", vec!["Get-A", "Get-B"]),
    ] {
        assert_eq!(names(&methods(run(call, None).out())), wanted, "{call}");
    }
}

#[test]
fn computed_exports_are_listed() {
    let output = run("Export-ModuleMember -Function $Public.BaseName", None);
    assert_eq!(names(&methods(output.out())), ["Get-A", "Get-B", "Set-C"]);
    let wanted =
        "m.psm1:5:1: note: the functions that `Export-ModuleMember` exports are computed, all functions are taken\n";
    assert_eq!(output.err(), wanted);
    for call in [
        "Export-ModuleMember $f",
        "Get-ChildItem function: | Export-ModuleMember",
        "Get-Command | % Name | Export-ModuleMember",
    ] {
        let output = run(call, None);
        assert_eq!(names(&methods(output.out())), ["Get-A", "Get-B", "Set-C"], "{call}");
        assert!(output.err().contains("are computed, all functions are taken"), "{call}: {}", output.err());
    }
}

#[test]
fn manifest_names_the_functions() {
    let all = vec!["Get-A", "Get-B", "Set-C"];
    for (value, wanted) in [
        ("", all.clone()),
        ("FunctionsToExport = 'Get-A'", vec!["Get-A"]),
        ("FunctionsToExport = 'Get-A', \"get-b\"", vec!["Get-A", "Get-B"]),
        ("functionstoexport = @('Get-*')", vec!["Get-A", "Get-B"]),
        ("FunctionsToExport = @(\n  # one\n  'Get-A'\n  'Set-C'\n)", vec!["Get-A", "Set-C"]),
        ("FunctionsToExport = '*'; AliasesToExport = @()", all.clone()),
        ("'FunctionsToExport' = \"*-C\"", vec!["Set-C"]),
    ] {
        let output = run("", Some(&format!("# Manifest\n@{{ RootModule = 'm.psm1'\n{value}\n}}\n")));
        assert_eq!((names(&methods(output.out())), output.err()), (wanted, ""), "{value}");
    }
    let output = run("", Some("@{ FunctionsToExport = @() }"));
    assert_eq!((output.out(), output.err()), ("", "m.psm1: note: no function to import\n"));
}

#[test]
fn manifest_and_module_both_count() {
    let output = run("Export-ModuleMember -Function Get-*", Some("@{ FunctionsToExport = 'Get-A', 'Set-C' }"));
    assert_eq!(names(&methods(output.out())), ["Get-A"]);
}

#[test]
fn manifest_that_cannot_be_read_is_reported() {
    let folder = Folder::with(&[("m.psm1", FUNCTIONS), ("m.psd1", "@{\n  FunctionsToExport = @('Get-A'\n}\n")]);
    let output = folder.run(&["catalog", "import", "m.psm1"]).expect_code(1);
    assert!(output.err().starts_with("m.psd1:3:1: error: unexpected `}`"), "{}", output.err());
    assert_eq!(names(&methods(output.out())), ["Get-A", "Get-B", "Set-C"]);
    let output = run("", Some("@{ FunctionsToExport = (Get-Names) }"));
    assert!(
        output.err().contains("m.psd1:1:4: note: `FunctionsToExport` is not a list of strings"),
        "{}",
        output.err()
    );
}

//! PowerShell modules that are imported as catalogs.

use super::{Case, Shape};

pub const SHAPES: &[Shape] = &[
    ("imported: functions", |number| imported(&functions(number))),
    ("imported: exported functions", |number| {
        let names = list(number, |at| format!("Get-A{at}"));
        imported(&format!("{}Export-ModuleMember -Function {names}\n", functions(number)))
    }),
    ("imported: exports by variables", |number| {
        let assigned = joined(number, |at| format!("$v{at} = 'Get-A{at}'\nExport-ModuleMember -Function $v{at}\n"));
        imported(&format!("{}{assigned}", functions(1)))
    }),
    ("imported: patterns of exports", |number| {
        let patterns = list(number, |at| format!("*{at}"));
        imported(&format!("{}Export-ModuleMember -Function {patterns}\n", functions(number)))
    }),
    ("imported: wildcards of an export", |number| {
        let (name, pattern) = ("a".repeat(number), "*a".repeat(number / 2));
        imported(&format!("function {name} {{ param($a) }}\nExport-ModuleMember -Function {pattern}b\n"))
    }),
    ("imported: functions of a manifest", |number| {
        let names = list(number, |at| format!("'Get-A{at}'"));
        imported(&functions(number)).with("M.psd1", format!("@{{ FunctionsToExport = {names} }}\n"))
    }),
    ("imported: values of a parameter", |number| {
        let values = list(number, |at| format!("'v{at}'"));
        imported(&format!("function Get-A {{ param([ValidateSet({values})][string]$a) }}\n"))
    }),
    ("imported: parameters", |number| {
        imported(&format!("function Get-A {{ param({}) }}\n", list(number, |at| format!("$p{at}"))))
    }),
    ("imported: help of parameters", |number| {
        let help = joined(number, |at| format!(".PARAMETER p{at}\ntext\n"));
        imported(&format!("<#\n{help}#>\nfunction Get-A {{ param({}) }}\n", list(number, |at| format!("$p{at}"))))
    }),
    ("imported: comments before functions", |number| {
        imported(&joined(number, |at| format!("# .SYNOPSIS\n# x\nfunction Get-A{at} {{ }}\n")))
    }),
    ("imported: comments in a function", |number| {
        let inside = joined(number, |at| format!("<# x #>\nfunction Inner{at} {{ }}\n"));
        imported(&format!("function Get-A {{\n{inside}}}\n"))
    }),
    ("imported: statements", |number| imported(&format!("function Get-A {{\n{}}}\n", "$a\n".repeat(number)))),
    ("imported: keys of a table", |number| {
        let set = joined(number, |at| format!("$r.K{at} = 1\n"));
        imported(&format!("function Get-A {{\n$r = @{{}}\n{set}return $r\n}}\n"))
    }),
    ("imported: variables of one table", |number| {
        let set = joined(number, |at| format!("$v{at} = $r\n$v{at}.Key = 1\n"));
        imported(&format!("function Get-A {{\n$r = @{{}}\n{set}return $r\n}}\n"))
    }),
    ("imported: branches", |number| {
        let branches = joined(number, |at| format!("if ($a) {{ return @{{ K{at} = 1 }} }}\n"));
        imported(&format!("function Get-A {{\n{branches}}}\n"))
    }),
];

fn imported(module: &str) -> Case {
    Case::default().with("M.psm1", module).run_by("catalog", &["import", "M.psm1"])
}

fn functions(number: usize) -> String {
    joined(number, |at| format!("function Get-A{at} {{ param([string]$a) }}\n"))
}

fn joined(number: usize, item: impl Fn(usize) -> String) -> String {
    (0..number).map(item).collect()
}

fn list(number: usize, item: impl Fn(usize) -> String) -> String {
    (0..number).map(item).collect::<Vec<_>>().join(",")
}

//! Modules that are made to break the reader: no panic, no long run.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use wflint::powershell::{Module, decode, enums, import};
use wflint::text::source::SourceFile;

use crate::support::cases;
use crate::support::folder::{Folder, copy_of};

/// Imports a module; what is said has a place in it.
fn check(text: &str) {
    let source = SourceFile::new("m.psm1".into(), "m.psm1".to_owned(), text.into());
    let (manifest, enums) = (Some(&source), &enums(&source));
    let imported = import(&Module { source: &source, manifest, loader: None, enums });
    for note in imported.notes {
        assert!(note.place.starts_with("m.psm1:") && !note.message.is_empty());
    }
}

/// Parts that mean something to the reader.
const PIECES: [&str; 64] = [
    "function ",
    "F",
    " { ",
    " } ",
    "(",
    ")",
    "[",
    "]",
    "@{",
    "@(",
    "$(",
    "${",
    "}",
    "param(",
    "$x",
    "$r.A",
    " = ",
    ", ",
    ";",
    "\n",
    "\r\n",
    "'",
    "\"",
    "@'\n",
    "\n'@",
    "@\"\n",
    "\n\"@",
    "`",
    "`\n",
    "#",
    "<#",
    "#>",
    " | ",
    " && ",
    "&",
    ".",
    "::",
    "-",
    "-eq ",
    "-f ",
    "if (",
    "else ",
    "switch (",
    "foreach ($i in ",
    "try {",
    "catch {",
    "return ",
    "class A {",
    "[Parameter(Mandatory",
    "[ValidateSet('a'",
    "Export-ModuleMember ",
    "Write-Output ",
    "New-Object psobject -Property ",
    "$r += ",
    "$r.Add('A', ",
    "5",
    "0x",
    "1kb",
    "++",
    "?",
    "é",
    "\u{201c}",
    "\0",
    ".PARAMETER x",
];

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..200)) {
        if let Ok((text, _)) = decode(&bytes) {
            check(&text);
        }
    }

    #[test]
    fn any_pieces_are_read(pieces in vec(select(&PIECES[..]), 0..80)) {
        check(&pieces.concat());
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn changed_modules_are_read(
        cuts in vec((any::<prop::sample::Index>(), 0_usize..40, select(&PIECES[..])), 1..4),
        module in any::<prop::sample::Index>(),
    ) {
        let folder = copy_of("tests/modules");
        let is_text = |name: &String| std::fs::read_to_string(folder.file(name)).is_ok();
        let names: Vec<String> = folder.names().into_iter().filter(is_text).collect();
        let mut text = folder.read(module.get(&names));
        for (place, length, piece) in cuts {
            let mut start = place.index(text.len());
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, piece);
        }
        check(&text);
    }
}

#[test]
fn depth_is_limited() {
    for piece in
        ["(", "{", "[", "@{a=", "$(", "\"$(", "function f{", "if(1){", "!", "-", ",", "[a]", "$x=", "$x[", "$x.a("]
    {
        let folder = Folder::with(&[("m.psm1", &piece.repeat(20_000))]);
        folder.run(&["catalog", "import", "m.psm1"]).expect_code(1);
    }
}

#[test]
fn nesting_at_the_limit_is_read() {
    // A bracket is two levels: its statement and its value.
    for (number, code) in [(98, 0), (99, 1)] {
        let brackets = format!("$x = {}1{}\n", "(".repeat(number), ")".repeat(number));
        let folder = Folder::with(&[("m.psm1", &format!("{brackets}function F {{ }}\n"))]);
        let output = folder.run(&["catalog", "import", "m.psm1"]).expect_code(code);
        assert_eq!(output.err().contains("nested deeper than 200 levels"), code == 1, "{}", output.err());
        assert!(output.out().contains("name = \"F\""));
    }
}

#[test]
fn after_many_syntax_errors_the_rest_is_not_read() {
    for (number, is_read) in [(19, true), (20, false)] {
        let folder =
            Folder::with(&[("m.psm1", &format!("{}function Last {{ }}\n", "function F {\n)\n".repeat(number)))]);
        let output = folder.run(&["catalog", "import", "m.psm1"]).expect_code(1);
        assert_eq!(output.err().matches("error:").count(), number, "{}", output.err());
        assert_eq!(output.out().contains("name = \"Last\""), is_read);
    }
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn large_modules_are_read_in_linear_time() {
    // Each would take hours if it were quadratic.
    for (start, piece, end) in [
        ("function F { $x = 1", "+1", " }"),
        ("function F { $x", ".a", " }"),
        ("function F { @{", "\na=1", "\n} }"),
        ("function F { ", "$r.a = 1;", " $r }"),
        ("function F { ", "if ($a) { $r.b = 1 }\n", " $r }"),
        ("function F { ", "try { $r = 1 } catch { }\n", " $r }"),
        ("", "function f {\n", ""),
        ("", "function f { }\n", ""),
        ("", "# .SYNOPSIS\n", "function f { }"),
        ("", "<# .SYNOPSIS #>\n", "function f { }"),
        ("", "[a]", "function f { }"),
        ("", "'\n", ""),
        ("", "(\n", ""),
        ("", "\n", "function f { }"),
        ("Export-ModuleMember a", ",a", ""),
        ("function F { param($a", ",$a", ") }"),
        ("function F { param([ValidateSet('a'", ",'a'", ")]$a) }"),
        ("function F { ", "$r = $a;", " $r.k = 1 }"),
        ("function f {\n", "<# a #>\nfunction g { }\n", "}"),
        ("function a { }\nExport-ModuleMember ", "*a", "b"),
    ] {
        check(&format!("{start}{}{end}", piece.repeat(300_000 / piece.len())));
    }
}

#[test]
fn many_different_names_take_no_quadratic_time() {
    let keys: String = (0..20_000).map(|index| format!("$r.k{index} = 1\n")).collect();
    let variables: String =
        (0..5_000).map(|index| format!("$v{index} = @{{ a = 1 }}\nif ($x) {{ $y = 1 }}\n")).collect();
    let literal: String = (0..20_000).map(|index| format!("k{index} = 1\n")).collect();
    check(&format!("function F {{ {keys} $r }}"));
    check(&format!("function F {{ return @{{ {literal} }} }}"));
    check(&format!("function F {{ {variables} $v1 }}"));
    let functions: String = (0..5_000).map(|index| format!("function F{index} {{ }}\n")).collect();
    let folder = Folder::with(&[("m.psm1", &functions)]);
    folder.run(&["catalog", "import", "m.psm1"]).expect_code(0);
}

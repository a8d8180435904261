//! Syntax: what PowerShell accepts is read, and what it does not is reported with its place.

use super::{methods, names};
use crate::support::folder::Folder;

#[test]
fn valid_code_has_no_syntax_error() {
    for code in [
        "$a, $b = 1, 2; $c = $a[0..1]; $d = $a[-1]; $e = $a.b.c($d).e[0].f; $i++; --$i; $i -= 1; $i ++",
        "if(1){}elseif(2){}else{} while(0){} do{}while(0) for(;;){break} foreach($x in 1..3){continue}",
        "$x = -not $a -and !$b -or ($c -notin 1, 2) -xor $d -isnot [string]",
        "$x = \"$($a | % { \"x$($_.y)\" }) `$ `\" \"\" ${env:ProgramFiles(x86)} $a.b $\"",
        "$x = '{0:N2}' -f 1.5, 'y'; $x = $a -creplace '^x', 'y' -split ',' -join ';'; $x = -join $a; $x = -split 'a b'",
        "[int]$x = [math]::Max(1, 2); [void][System.Reflection.Assembly]::LoadWithPartialName('x'); [int[]]$y = @()",
        "$x = [System.Collections.Generic.Dictionary[string, int]]::new(); $t = [type]; $x = [int] -5",
        "Get-X -A 1 -B:$true -C @{ D = 1 } -E @(1, 2) -F { $_ } -G $a.b -H (1 + 2) -I a,b , c --flag -5 x=y *.txt a\\b /s",
        "& $x @args; & 'my tool.exe' -x; . .\\x.ps1; .\\run.cmd; ..\\up.exe; C:\\x.exe; ./y; ~/z; & { param($p) $p } 1",
        "Get-X 2>&1 | Out-File x.log -Append; Get-X > $null; Get-X *> all.txt; Get-X 2> $null 3>&1; Get-X >> 'y'",
        "Get-X | ? { $_ } | % Name | Sort-Object @{ Expression = { $_ }; Descending = $true }, Name",
        "Get-X |\n  Where-Object { $_ } | # why\n  Select-Object -First 1\n\nGet-Y `\n  -A 1 `\n  -B 2",
        "$x = Get-X\n    | Sort-Object\n$y = $a ?? $b; $z ??= 1; $q = $a ? 1 : 2; Get-X && Get-Y || Get-Z; $null = Get-X &",
        "$x = @{}; $x = @{ a = 1; 'b' = 2\n\n c=3;; \"d\" = { }; $e = 5; 6 = 7; f = if ($x) { 1 } else { 2 }; g = Get-X -Y }",
        "$s = @\"\n} \" ' $(\n if ($x) { \"}\" } ) `\n\"@ + 'x'\n$t = @'\n$( ' \"@\n'@.Trim()",
        "switch -Wildcard ($x) { 'a*' { } b { } 5 { } $y { } { $_ } { } \"c\" {} default { } }\nswitch -File x.txt { a { } }",
        "try { } catch { } finally { }\ntry { } catch [A], [B.C] { } catch { }\ntrap { continue }\ntrap [X] { }",
        "class A : B, IC { [int]$X = 1; static [string] F([int]$y) { return \"}\" } A() : base(1) { } }\nenum E { A; B = 2 }",
        "[Flags()]\nenum F { A = 1 }\nusing namespace System.IO\nusing module .\\X.psm1\n#requires -version 5",
        "function A { } function B($x, [int]$y = 5) { } filter C { $_ } function global:D-E { [CmdletBinding()] param() }",
        "function G { [CmdletBinding()]\n[OutputType([int])]\nparam\n(\n  # c\n  [Parameter()]\n  $A, # d\n\n  $B\n)\n  process { } }",
        "$b = { param($x, $y) $x }; $b.Invoke(1, 2); & $b; icm { x } -Arg 1; $a.Where{ $_ }.ForEach({ $_ })",
        ":outer foreach ($i in 1) { break outer }; return; return 5; throw 'x'; throw; exit 1",
        "$x.'a b'.\"c\".($d).$e = 5; $x::Y; [A]::B.C; $x?.y; ${x}?[0]; $x[$y, 1]; $x.y++; 5..1; 1kb; .5; 0xFF; 1e3; 5.ToString()",
        "$a = 1 + `\n 2; $b = 1 +\n 2; $c = (\n 1\n); $d = @(\n 1,\n 2\n 3\n); $e = $(\n Get-X\n)",
        "data { 'x' }; workflow W { parallel { Get-X } }; configuration C { Node x { } }",
        "echo a#b 'it''s' \"x\"y z\"w\" $a/b $a.txt ${a}b \"a\".Length (Get-X).Y @x; cmd /c \"dir\" --% & | x\n7z a b",
        "$h = @{ # comment }\n a = 1 # }\n <# } #> }; $x = $y# comment",
        "\u{201c}smart $x\u{201d}; \u{2018}quo\u{2019}\u{2019}tes\u{2019}; $a \u{2013}eq 1; Get-X \u{2014}Y",
        "if ($a) { }\nelse\n{ }\n\ntry\n{ }\ncatch\n{ }\nforeach -parallel ($x in $y) { }",
        "$x = foreach ($i in 1) { $i }\n$y = switch ($z) { 1 { 2 } }\n$w = while ($v) { $v }",
        "process { } end { } begin { }",
        "[Parameter()] [string] $x = 'y'\n[ValidateSet('a')][string]$z = 'a'",
        "1, 2 | % { $_ }; 'a' -in 'b'; (1).Foo; 'a'.Length; \"b\".Substring(1); {x}.ToString(); [x]; -5; +5; !$x; ,1; - $x",
        "Get-X -Filter \"Name -eq '$($x.Name)'\" -Properties *, @{ N = 'x'; E = { $_.y } }; Get-X -Not:$false -Name:'a','b'",
        "dir | where Length -gt 10mb | foreach { $_ } | select @{n='x';e={$_.y}} | ft -auto; gci -r *.ps1 -ex a,b",
        "$x = $a -eq $null; $x = $null -ne $b; $z = $a -is [int] -or $b -as [string]; $m = $a -match '(?<x>[{}])'",
        "function F { param([ValidateScript({ Test-Path $_ })] $x, [scriptblock] $y = { }, $z = @(), $w = $(Get-X)) }",
        "Write-Host; Write-Host -ForegroundColor Red (\"x\" + $y) ; Write-Host \"a\", \"b\"; Write-Host $x, $y[0] -NoNewline",
        "$h = @{ [uint32]'0x80000000' = 'a'; -1 = 'b'; $x.y = 'c'; (1 + 2) = 'd'; [A]::B = 'e' }",
        "function F { param([type]$x = [int], [type]$y = [string], $z) }; $t = [int], [string]",
        "$x=1;;;$y=2;\n;\n",
        "$x = -not\n $y; $x = !\n\n$y; $x = - # why\n 5; $x = -join\n('a', 'b'); $x = -split\n $y",
        "function F { return,$x }; function G { return,@(1, 2) }; function H { throw,'x' }; function I { return&{ 1 } }",
        "[Flags()] enum F { A = 1 }; [System.FlagsAttribute()]\nenum G : int { A; B = 2\n C }\n[X()] class Y { }",
        "",
        "# only a comment",
        "<# only\na comment #>",
    ] {
        let folder = Folder::with(&[("m.psm1", &format!("{code}\nfunction Get-Last {{ @{{ A = 1 }} }}\n"))]);
        let output = folder.run(&["catalog", "import", "m.psm1"]);
        assert!(output.code == 0 && output.out().contains("Get-Last"), "{code}\n{}", output.err());
    }
}

#[test]
fn syntax_error_has_its_place() {
    for (code, place, message) in [
        ("function F {\n  if ($x) {\n", "2:11", "unclosed `{`"),
        ("function F {\n  $x = (1 + 2\n}", "3:1", "expected `)`, found `}`"),
        ("$x = 'abc\n", "1:6", "unclosed string"),
        ("$x = \"abc\n", "1:6", "unclosed string"),
        ("$x = @'\nabc '@\n", "1:6", "unclosed here-string"),
        ("<# abc\n", "1:1", "unclosed comment `<#`"),
        ("function { }", "1:10", "expected the name of a function"),
        ("function F\nGet-X", "2:1", "expected `{`, found `G`"),
        ("function F { }\n}", "2:1", "unexpected `}`"),
        ("function F { param([string]$a [int]$b) }", "1:31", "expected `)`, found `[`"),
        ("function F { param($a,) }", "1:23", "expected a parameter, found `)`"),
        ("function F { param $a }", "1:19", "expected `(` after `param`"),
        ("$x = ", "1:6", "expected a command"),
        ("$x = @{ a 1 }", "1:11", "expected `=`, found `1`"),
        ("$x = @{ a = }", "1:13", "expected a command, found `}`"),
        ("if $x { }", "1:4", "expected `(`"),
        ("if ($x) Get-Y", "1:9", "expected `{`"),
        ("$a $b", "1:4", "unexpected `$`, expected the end of the statement"),
        ("Get-X |", "1:8", "expected a command, found the end of the file"),
        ("foreach ($x $y) { }", "1:13", "expected `in`"),
        ("$x = 1 +", "1:9", "expected a value"),
        ("$x.", "1:4", "expected the name of a member"),
        ("class A", "1:8", "expected the name and the body of a definition"),
        ("[string", "1:1", "unclosed `[`"),
    ] {
        let folder = Folder::with(&[("m.psm1", code)]);
        let output = folder.run(&["catalog", "import", "m.psm1"]).expect_code(1);
        let wanted = format!("m.psm1:{place}: error: {message}");
        assert!(output.err().starts_with(&wanted), "{code}\n{wanted}\n{}", output.err());
    }
}

#[test]
fn functions_that_can_be_read_are_imported() {
    for broken in [
        "function B {\n  if ($x) {\n    Get-X\n",
        "function B {\n  $x = 'abc\n}\n",
        "function B {\n  $x = @'\n  abc\n}\n",
        "function B {\n  param([string]$a [string]$b)\n}\n",
        "function B {\n  Get-X )\n}\n",
        "function B {\n  $x = \n}\n<# never closed\n",
        "  }\n",
        "if ($x { Get-X }\n",
    ] {
        let code = format!("function A {{ @{{ X = 1 }} }}\n\n{broken}\nfunction C {{\n  @{{ Y = 1 }}\n}}\n");
        let folder = Folder::with(&[("m.psm1", &code)]);
        let output = folder.run(&["catalog", "import", "m.psm1"]).expect_code(1);
        assert_eq!(names(&methods(output.out())), ["A", "C"], "{code}\n{}", output.err());
        assert_eq!(output.err().matches("error:").count(), 1, "{code}\n{}", output.err());
    }
}

#[test]
fn later_definition_replaces_an_earlier_one() {
    let folder = Folder::with(&[("m.psm1", "function A { @{ X = 1 } }\nfunction B { }\nfunction a { @{ Y = 1 } }\n")]);
    let output = folder.run(&["catalog", "import", "m.psm1"]).expect_code(0);
    assert_eq!(names(&methods(output.out())), ["B", "a"]);
}

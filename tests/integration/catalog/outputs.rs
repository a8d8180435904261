//! Outputs: what functions return.

use super::{imported, outputs_of};

/// The outputs of a function with this body.
fn outputs(body: &str) -> String {
    outputs_of(&imported(&format!("function F {{ param([string]$In)\n{body}\n}}\n")).0)
}

#[test]
fn tables_are_returned_in_many_forms() {
    for (body, wanted) in [
        ("return @{ A = 1; B = 2 }", "A B"),
        ("@{ A = 1\n 'B' = 2\n \"C\" = 3 }", "A B C"),
        ("Write-Output @{ A = 1 }", "A"),
        ("Write-Output -NoEnumerate -InputObject @{ A = 1 }", "A"),
        ("@{ A = 1 } | Write-Output", "A"),
        ("[ordered]@{ A = 1 }", "A"),
        ("[pscustomobject] @{ A = 1 }", "A"),
        ("return [PSCustomObject]([ordered]@{ A = 1 })", "A"),
        ("New-Object psobject -Property @{ A = 1 }", "A"),
        ("New-Object -TypeName System.Management.Automation.PSObject -Property ([ordered]@{ A = 1 })", "A"),
        ("$p = @{ A = 1 }; return New-Object PSObject -Prop $p", "A"),
        ("$r = @{}; $r.A = 1; $r['B'] = 2; $r.Add('C', 3); $r += @{ D = 4 }; $r.\"E\" = 5; return $r", "A B C D E"),
        ("$r = @{ A = 1 }\n$s = $r\n$s", "A"),
        ("if ($In) { $r += @{ A = 1 } }\n$r += @{ B = 1 }\nreturn $r", "A B"),
        ("Write-Output @{ A = 1 } @{ B = 2 }", "A B"),
        ("$a = $b = @{ A = 1 }; $a.B = 1; $a", "A B"),
        ("$a = $b = @{ A = 1 }; $b.B = 1; $a", "A B"),
        ("$x = @{ A = 1 }; $y = $x; $x.Total = 1; return $y", "A Total"),
        ("$x = @{ A = 1 }; $y = $x; $x = @{}; $x.B = 1; return $y", "A"),
        ("$r = @{ A = 1 }; $r.Tries++; return $r", "A Tries"),
        ("$r = @{ A = 1 } + @{ B = 2 }; return $r", "A B"),
        ("[hashtable]$r = @{ A = 1 }; return [pscustomobject]$r", "A"),
        ("$r = [hashtable]::new(); $r.A = 1; $r", "A"),
        ("$r = New-Object System.Collections.Specialized.OrderedDictionary; $r.Add(\"A\", 1); $r", "A"),
        ("$r = if ($In) { @{ A = 1 } } else { @{ B = 2 } }\nreturn $r", "A B"),
        (",@{ A = 1 }", "A"),
        ("(@{ A = 1 })", "A"),
        ("$script:r = @{ A = 1 }; return $script:R", "A"),
        ("${r} = @{ A = 1 }; $r", "A"),
    ] {
        assert_eq!(outputs(body), wanted, "{body}");
    }
}

#[test]
fn all_branches_count_in_the_order_of_the_text() {
    for (body, wanted) in [
        ("if ($In) { return @{ A = 1 } } elseif ($x) { @{ B = 1; A = 2 } } else { @{ C = 1 } }", "A B C"),
        ("$r = @{ A = 1 }\nif (!$In) { return @{ Error = 1 } }\n$r.B = 2\nreturn $r", "A Error B"),
        (
            "$r = @{}\nforeach ($i in 1..3) { $r.A = $i }\nwhile ($x) { $r.B = 1 }\ndo { $r.C = 1 } until ($x)\n$r",
            "A B C",
        ),
        ("$r = @{}; try { $r.A = 1 } catch { $r.B = 1 } finally { $r.C = 1 }; $r", "A B C"),
        ("try { $r = @{ A = 1 }; Invoke-X } catch { $r = @{ B = 1 }; return $r }\nreturn $r", "A B"),
        ("$r = @{}\nswitch ($In) { 'x' { $r.A = 1 } {$_ -gt 1} { $r.B = 1 } default { $r.C = 1 } }\n$r", "A B C"),
        ("begin { $r = @{} } process { $r.A = 1 } end { $r }", "A"),
        ("if ($In) { throw 'x' } else { $r = @{ A = 1 } }; return $r", "A"),
        ("$r = Get-Thing; $r = @{ A = $r.Name }; return $r", "A"),
    ] {
        assert_eq!(outputs(body), wanted, "{body}");
    }
}

#[test]
fn what_is_only_used_is_no_output() {
    for (body, wanted) in [
        ("$r = @{ A = @{ Inner = 1 } }; $r.A.Other = 2; $r['A']['More'] = 3; $r", "A"),
        ("$passed = @{ No = 1 }; Invoke-X @passed; Invoke-X $passed; Invoke-X -Body @{ No = 2 }; @{ A = 1 }", "A"),
        ("$unused = @{ No = 1 }; @{ A = 1 }", "A"),
        ("[void]@{ No = 1 }; $null = @{ No = 2 }; @{ No = 3 } | Out-Null; @{ No = 4 } > $null; @{ A = 1 }", "A"),
        ("function G { return @{ No = 1 } }\n@{ A = 1 }", "A"),
        ("$b = { return @{ No = 1 } }; 1..3 | ForEach-Object { @{ No = $_ } } | Out-Null; @{ A = 1 }", "A"),
        ("@{ A = 1; ZPActivityStatus = 'done' }", "A"),
        ("Set-X; $list.Add(1); $i++; 'text'; @{ A = 1 }", "A"),
        ("Get-X | Out-Null", ""),
        ("Write-Verbose 'done'", ""),
        ("$x = Get-X", ""),
        ("if (!$In) { return }\nreturn $null", ""),
        ("", ""),
    ] {
        assert_eq!(outputs(body), wanted, "{body}");
    }
}

#[test]
fn what_cannot_be_known_is_open() {
    for (body, wanted) in [
        ("@{ A = 1; \"x$In\" = 2 }", "A …"),
        ("@{ $In = 2 }", "…"),
        ("$r = @{ A = 1 }; $r[$In] = 2; return $r", "A …"),
        ("$r = @{ A = 1 }; $r.$In = 2; $r", "A …"),
        ("$r = @{ A = 1 }; $r.Add(\"$In\", 2); $r", "A …"),
        ("$r = @{}; Get-X | ForEach-Object { $r[$_.Name] = $_ }; $r", "…"),
        ("return Get-X", "…"),
        ("return $In", "…"),
        ("$In += @{ A = 1 }\nreturn $in", "A …"),
        ("return 'text'", "…"),
        ("Write-Output (Get-X)", "…"),
        ("$r = Get-X\n$r", "…"),
        ("$r = Get-X; $r.A = 1; return $r", "A …"),
        ("$In.A = 1; return $In", "A …"),
        ("return @{ A = 1 } | ConvertTo-Json", "…"),
        ("Invoke-X", "…"),
        ("if ($In) { Get-X } else { Get-Y }", "…"),
        ("1..3 | ForEach-Object { @{ A = 1 } }", "…"),
        ("return [Thing]@{ A = 1 }", "…"),
        ("return [Thing]::new()", "…"),
    ] {
        assert_eq!(outputs(body), wanted, "{body}");
    }
}

#[test]
fn open_outputs_are_listed_with_their_places() {
    let (_, notes) = imported("function F {\n  $r = @{}\n  $r[$x] = 1\n  if ($x) { return Get-X }\n  $r\n}\n");
    let wanted = "m.psm1:3:6: note: outputs of `F` are not all known: a key is computed\n\
                  m.psm1:4:20: note: outputs of `F` are not all known: it returns a value whose keys are not known\n";
    assert_eq!(notes, wanted);
}

#[test]
fn prefix_is_no_part_of_the_names() {
    let (method, _) = imported("function F { param([string]$Prefix) @{ Id = 1 } }\n");
    assert_eq!(outputs_of(&method), "Id");
    // Whether the function or the platform adds the prefix is not known.
    let (method, _) = imported("function F { param([string]$Prefix) @{ \"${Prefix}Id\" = 1 } }\n");
    assert_eq!(outputs_of(&method), "…");
}

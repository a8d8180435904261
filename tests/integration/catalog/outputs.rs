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
        ("return Format-Result @{ A = 1 }", "A …"),
        ("$r = @{ A = 1 }; Format-Result -Table $r", "A …"),
        ("$r = @{ A = 1 } | Select-Object *; $r.B = 1; return $r", "A B …"),
        ("return Invoke-RestMethod -Uri $In -Body @{ A = 1 }", "…"),
        ("Update-Log @{ No = 1 }; return Get-X", "…"),
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

/// The outputs of a function with a prefix and this body: `+` before those that it precedes, and before `…`.
fn prefixed(body: &str) -> String {
    let (method, _) = imported(&format!("function F {{ param([string]$In, [string]$Prefix)\n{body}\n}}\n"));
    let sign = |is_prefixed: bool| if is_prefixed { "+" } else { "" };
    let named = method.outputs.iter().map(|output| {
        assert!(output.prefixed.is_some(), "{body}");
        format!("{}{}", sign(output.is_prefixed()), output.name.as_deref().unwrap())
    });
    let open = method.has_open_outputs().then(|| format!("{}…", sign(method.open_prefixed.is_none())));
    named.chain(open).collect::<Vec<_>>().join(" ")
}

#[test]
fn literal_keys_are_not_prefixed() {
    for (body, wanted) in [
        ("@{ Id = 1; ZPErrorCode = 0; zpactivitystatus = 'x' }", "Id"),
        ("$r = @{}; $r.Id = 1; $r['Status'] = 2; return $r", "Id Status"),
        ("$r = @{}; $r[$In] = 1; return $r", "…"),
        ("return Get-Thing $In", "…"),
        ("return Format-Result @{ Id = 1 }", "Id …"),
    ] {
        assert_eq!(prefixed(body), wanted, "{body}");
    }
    let (method, _) = imported("function F { param([string]$In) @{ Id = 1 } }\n");
    assert_eq!(method.outputs[0].prefixed, None, "there is no prefix");
}

#[test]
fn keys_that_are_built_with_the_prefix_are_prefixed() {
    for (body, wanted) in [
        (
            "@{ \"${Prefix}Id\" = 1; \"$($Prefix)Status\" = 2; \"$( $prefix )_X\" = 3; Plain = 4 }",
            "+Id +Status +_X Plain",
        ),
        (
            "$r = @{}; $r[\"${PREFIX}Id\"] = 1; $r.\"${Prefix}Status\" = 2; $r.Add($Prefix + 'X', 3); $r",
            "+Id +Status +X",
        ),
        ("$r = @{ ($Prefix + 'Id') = 1 }; $r[('{0}Status' -f $Prefix)] = 2; return $r", "+Id +Status"),
        ("$key = \"${Prefix}Id\"; $r = @{ $key = 1 }; $p = $Prefix; $r[\"${p}Status\"] = 2; return $r", "+Id +Status"),
        ("@{ \"$($PSBoundParameters.Prefix)Id\" = 1 }", "+Id"),
        ("$r = New-Object psobject; $r | Add-Member NoteProperty \"${Prefix}Id\" 1; $r", "+Id"),
        ("$r = @{}; $r[\"$Prefix$In\"] = 1; return $r", "+…"),
        ("$r = @{}; $r[\"$Prefix$In\"] = 1; $r[$In] = 2; return $r", "…"),
        ("@{ \"Id$Prefix\" = 1; \"$Prefix\" = 2 }", "…"),
        ("@{ \"$PrefixId\" = 1 }", "…"),
        ("if ($Prefix) { @{ \"${Prefix}Id\" = 1 } } else { @{ Id = 1 } }", "+Id"),
        ("$Prefix = $Prefix.Trim(); @{ \"${Prefix}Id\" = 1 }", "+Id"),
    ] {
        assert_eq!(prefixed(body), wanted, "{body}");
    }
}

#[test]
fn tables_that_pass_a_helper_with_the_prefix_are_prefixed() {
    for (body, wanted) in [
        ("$r = @{ Id = 1 }; return Add-Prefix -Table $r -Prefix $Prefix", "+Id"),
        ("return Add-OutputPrefix @{ Id = 1; ZPErrorCode = 0 } $Prefix", "+Id"),
        ("@{ Id = 1 } | ConvertTo-Output -Prefix:$Prefix", "+Id"),
        ("$r = @{ Id = 1 }; $r = Add-Prefix $r -Prefix $Prefix; $r.Status = 'x'; $r", "+Id Status"),
        ("$r = @{ Id = 1 }; $out = Get-Prefixed -Prefix \"$Prefix\" -Data $r; Write-Output $out", "+Id"),
        ("return (Add-Prefix -Table (Get-Thing) -Prefix $Prefix)", "+…"),
        ("$r = Get-Thing; $r.Id = 1; return Add-Prefix $r -Prefix $Prefix", "+Id +…"),
        ("$r = @{ Id = 1 }; $r[$In] = 2; return Add-Prefix $r -Prefix $Prefix", "+Id +…"),
        ("$r = @{ Id = 1 }; if ($Prefix) { return Add-Prefix $r -Prefix $Prefix }; return $r", "+Id"),
    ] {
        assert_eq!(prefixed(body), wanted, "{body}");
    }
}

/// `about_Splatting`
#[test]
fn tables_that_pass_a_helper_by_splatting_keep_their_keys() {
    for (body, wanted) in [
        ("$r = @{ Id = 1 }; $with = @{ Table = $r; Prefix = $Prefix }; return Add-Prefix @with", "+Id"),
        ("$With = @{ Table = @{ Id = 1 } }; return Add-Prefix @with -Prefix $Prefix", "+Id"),
        ("$r = @{ Id = 1 }; $with = @{}; $with.Table = $r; $with['Prefix'] = $Prefix; Add-Prefix @with", "+Id"),
        (
            "$r = @{ Id = 1 }; $with = @{}; $with.Add('Table', $r); $with.Add('Prefix', $Prefix); Add-Prefix @with",
            "+Id",
        ),
        ("$r = @{ Id = 1 }; $with = @{ Table = $r }; $r.Status = 'x'; return Add-Prefix @with $Prefix", "+Id +Status"),
        ("$r = @{ Id = 1 }; return Add-Prefix -Table $r @PSBoundParameters", "+Id"),
        ("$with = @{ Table = @{ Id = 1 }; Name = 'x' }; return Format-Result @with", "Id …"),
        ("$with = @{ Name = 'x' }; return Get-Thing @with", "…"),
        ("$with = @{ Body = @{ Id = 1 } }; return Invoke-RestMethod @with", "…"),
        ("return Add-Prefix @In -Prefix $Prefix", "+…"),
    ] {
        assert_eq!(prefixed(body), wanted, "{body}");
    }
}

#[test]
fn loops_over_the_keys_of_a_table_copy_them() {
    for body in [
        "$r = @{ Id = 1; Status = 2 }; $o = @{}; foreach ($k in $r.Keys) { $o[\"$Prefix$k\"] = $r[$k] }; return $o",
        "$r = @{ Id = 1; Status = 2 }; $o = @{}; foreach ($k in @($r.Keys)) { $o.Add($Prefix + $k, $r.$k) }; $o",
        "$r = @{ Id = 1; Status = 2 }; $o = @{}; $r.Keys | ForEach-Object { $o[\"$Prefix$_\"] = $r[$_] }; $o",
        "$r = @{ Id = 1; Status = 2 }; $o = @{}\nforeach ($e in $r.GetEnumerator()) { $o[\"$Prefix$($e.Key)\"] = $e.Value }\n$o",
        "$r = @{ Id = 1; Status = 2 }\nif ($Prefix) { $o = @{}; foreach ($k in $r.Keys) { $o[\"$Prefix$k\"] = $r[$k] }; $r = $o }\n$r",
    ] {
        assert_eq!(prefixed(body), "+Id +Status", "{body}");
    }
}

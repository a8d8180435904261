//! Parameters: types, attributes, defaults and descriptions.

use wflint::catalog::{Parameter, ParameterKind, ValueType};

use super::imported;

/// The only parameter of a function with these parameters, and what is written to standard error.
fn parameter(text: &str) -> (Parameter, String) {
    let (mut method, notes) = imported(&format!("function F {{\n param({text})\n @{{ A = 1 }} }}\n"));
    assert_eq!(method.parameters.len(), 1, "{text}");
    (method.parameters.remove(0), notes)
}

#[test]
fn types_are_those_of_a_catalog() {
    for (text, wanted) in [
        ("[string]$P", ValueType::String),
        ("[System.String] $P", ValueType::String),
        ("[INT]$P", ValueType::Decimal),
        ("[System.Int32]$P", ValueType::Decimal),
        ("[long]\n$P", ValueType::Decimal),
        ("[ double ] $P", ValueType::Decimal),
        ("[Nullable[decimal]]$P", ValueType::Decimal),
        ("[System.Nullable[bool]]$P", ValueType::Boolean),
        ("[bool]$P", ValueType::Boolean),
        ("[switch]$P", ValueType::Boolean),
        ("[ValidateNotNull()][AllowEmptyString()] [byte]$P", ValueType::Decimal),
    ] {
        let (parameter, notes) = parameter(text);
        assert_eq!((parameter.value_type, notes.as_str()), (Some(wanted), ""), "{text}");
    }
    for (text, place) in [
        ("$P", "2:8: note: parameter `P` of `F` has no type, taken for a string"),
        ("[string[]]$P", "2:8: note: type `[string[]]` of parameter `P` of `F` has no counterpart in a catalog"),
        ("[hashtable] $P", "2:8: note: type `[hashtable]`"),
        ("[Collections.Generic.List[int]] $P", "2:8: note: type `[Collections.Generic.List[int]]`"),
    ] {
        let (parameter, notes) = parameter(text);
        assert_eq!(parameter.value_type, Some(ValueType::String));
        assert!(notes.starts_with(&format!("m.psm1:{place}")), "{text}: {notes}");
    }
}

#[test]
fn required_in_every_parameter_set() {
    for (text, wanted) in [
        ("[Parameter(Mandatory)][string]$P", true),
        ("[Parameter(Mandatory=$true)][string]$P", true),
        ("[parameter( mandatory = $TRUE )][string]$P", true),
        ("[Parameter(Position = 0,\n  Mandatory\n  = # why\n  $True)] [string] $P", true),
        ("[System.Management.Automation.ParameterAttribute(Mandatory)][string]$P", true),
        ("[Parameter(Mandatory=1)][string]$P", true),
        ("[Parameter(Mandatory=$false)][string]$P", false),
        ("[Parameter()][string]$P", false),
        ("[string]$P", false),
        ("[Parameter(Mandatory, ParameterSetName='A')][Parameter(Mandatory, ParameterSetName='B')][string]$P", true),
        ("[Parameter(Mandatory, ParameterSetName='A')][Parameter(ParameterSetName='B')][string]$P", false),
    ] {
        assert_eq!(parameter(text).0.required, wanted, "{text}");
    }
}

#[test]
fn parameter_of_one_set_is_optional_with_a_note() {
    let required = |head: &str, text: &str| {
        let (method, notes) = imported(&format!("function F {{\n{head}param({text})\n@{{ A = 1 }} }}\n"));
        let names = method.parameters.iter().filter(|it| it.required).map(|it| it.name.as_str());
        (names.collect::<Vec<_>>().join(" "), notes)
    };
    let by_id = "[Parameter(Mandatory, ParameterSetName='ById')][string]$Id";
    let by_name = "[Parameter(Mandatory, ParameterSetName='ByName')][string]$Name";
    let both =
        "[Parameter(Mandatory, ParameterSetName='byid')][Parameter(Mandatory, ParameterSetName='ByName')][string]$B";
    let hidden = "[Parameter(ParameterSetName='Hidden')][string]$Session";
    let (names, notes) = required("", &format!("{by_id}, {by_name}, {both}, [Parameter(Mandatory)][string]$All"));
    assert_eq!(names, "B All");
    let wanted =
        "m.psm1:2:62: note: parameter `Id` of `F` is required only in the parameter set `ById`, taken for optional\n";
    assert!(notes.starts_with(wanted) && notes.contains("`ByName`") && notes.lines().count() == 2, "{notes}");
    assert_eq!(required("", &format!("{by_id}, {hidden}")), ("Id".to_owned(), String::new()));
    let head = "[OutputType([hashtable])]\n[CmdletBinding(DefaultParameterSetName = 'None')]\n";
    assert_eq!(required(head, by_id).0, "");
    assert_eq!(required("[CmdletBinding(DefaultParameterSetName = 'ById')]\n", by_id).0, "Id");
}

#[test]
fn enumerations_of_the_module_give_values() {
    let module = "enum Kind : byte {\n  One # first\n  Two = 2; Three = [int]3\n}\n[Flags()] enum Days { Mon = 1; Tue = 2 }\n\
                  function F { param([Kind]$K = [Kind]::Two, [Nullable[kind]]$N = 'One', [Days]$D, [Kind[]]$L) @{ A = 1 } }\n";
    let (method, notes) = imported(module);
    let [kind, nullable, days, list] = method.parameters.as_slice() else { panic!("{method:?}") };
    assert_eq!((kind.values.join(" "), kind.default.as_deref()), ("One Two Three".to_owned(), Some("Two")));
    assert_eq!((nullable.values.len(), nullable.default.as_deref()), (3, Some("One")));
    assert!(days.values.is_empty() && list.values.is_empty());
    assert!(notes.lines().count() == 1 && notes.contains("type `[Kind[]]` of parameter `L`"), "{notes}");
}

#[test]
fn hidden_parameters_are_left_out() {
    let module = "function F { param([Parameter(ParameterSetName = 'hidden')]$Config, [string]$Shown,\n\
                  [hashtable]$parameters, [Parameter(ParameterSetName='Hidden', Mandatory)][string]$Secret) @{ A = 1 } }\n\
                  function private:G { }\n";
    let (method, notes) = imported(module);
    let names: Vec<&str> = method.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    assert_eq!((names, notes.as_str()), (vec!["Shown"], ""));
}

#[test]
fn literal_defaults_are_kept_as_text() {
    for (text, wanted) in [
        ("14", Some("14")),
        ("-3", Some("-3")),
        ("1.50", Some("1.50")),
        ("0x1F", Some("31")),
        ("10KB", Some("10240")),
        ("5l", Some("5")),
        ("'Sales'", Some("Sales")),
        ("\"it''s `\"so`\"\"", Some("it''s \"so\"")),
        ("'it''s'", Some("it's")),
        ("''", Some("")),
        ("$true", Some("true")),
        ("$FALSE", Some("false")),
        ("@'\ntwo\nlines\n'@", Some("two\nlines")),
        ("\"$x\"", None),
        ("'5 $'", None),
        ("$null", None),
        ("(Get-Date)", None),
        ("@()", None),
        ("1 + 2", None),
        ("$env:TEMP", None),
    ] {
        let (parameter, notes) = parameter(&format!("[string]$P = {text}"));
        assert_eq!(parameter.default.as_deref(), wanted, "{text}");
        let is_listed = notes.contains("default of parameter `P` of `F` is not a literal and is left out");
        assert_eq!(is_listed, wanted.is_none() && text != "$null", "{text}: {notes}");
    }
}

#[test]
fn values_of_a_set_are_kept() {
    for (text, wanted) in [
        ("'a','b'", vec!["a", "b"]),
        ("\"a\" ,\n 'b', # last\n 'a'", vec!["a", "b"]),
        ("1, 2", vec!["1", "2"]),
        ("'it''s', IgnoreCase = $false", vec!["it's"]),
    ] {
        assert_eq!(parameter(&format!("[ValidateSet({text})][string]$P")).0.values, wanted, "{text}");
    }
    for text in ["[Names]", "$x", "\"$x\", 'a'"] {
        let (parameter, notes) = parameter(&format!("[ValidateSet({text})][string]$P"));
        assert!(parameter.values.is_empty(), "{text}");
        assert!(notes.contains("values of parameter `P` of `F` are not literals"), "{text}: {notes}");
    }
}

#[test]
fn prefix_is_known_by_its_name() {
    assert_eq!(parameter("[string]$Prefix").0.kind, Some(ParameterKind::Prefix));
    assert_eq!(parameter("[string]$PrefixLength").0.kind, None);
}

#[test]
fn descriptions_come_from_the_help() {
    for (module, method, parameter) in [
        (
            "<#\n.SYNOPSIS\nGets\n  it.\n.PARAMETER p\nThe\n\n  P.\n#>\n\nfunction F {\nparam([string]$P) @{A=1}}",
            "Gets it.",
            "The P.",
        ),
        (
            "# .SYNOPSIS\n# Gets it.\n# .PARAMETER P\n#   The P.\nfunction F { param([string]$P) @{A=1}}",
            "Gets it.",
            "The P.",
        ),
        (
            "<# .SYNOPSIS Other #>\n\n\n\nfunction F {\n<#\n.description\nGets it.\n.Parameter P\nThe P.\n.NOTES\nx\n#>\n\
             param([string]$P) @{A=1}}",
            "Gets it.",
            "The P.",
        ),
        (
            "function F {\nparam([Parameter(HelpMessage = 'Not this')][string]$P)\n@{A=1}\n<#\n.SYNOPSIS\n\
             .DESCRIPTION\nGets it.\n.PARAMETER P\nThe P.\n#>\n}",
            "Gets it.",
            "The P.",
        ),
        ("function F { param([Parameter(HelpMessage=\"The\n P.\")][string]$P) @{A=1} }", "", "The P."),
        (
            "<#\n.SYNOPSIS\nOf another.\n#>\n\n\n\nfunction F { # no help\n param([string]$P) <#\n not .SYNOPSIS #> @{A=1}\n\
             <#\n.SYNOPSIS\nInner\n#>\nfunction G { <# .DESCRIPTION Inner #> } }",
            "",
            "",
        ),
    ] {
        let (imported, _) = imported(module);
        assert_eq!(imported.description.as_deref().unwrap_or_default(), method, "{module}");
        let described = imported.parameters[0].description.as_deref().unwrap_or_default();
        assert_eq!(described, parameter, "{module}");
    }
}

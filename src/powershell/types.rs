//! Types of PowerShell, by name (`about_Type_Accelerators`).

use crate::catalog::ValueType;

const NUMBERS: [&str; 20] = [
    "int", "int32", "uint", "uint32", "long", "int64", "ulong", "uint64", "short", "int16", "ushort", "uint16", "byte",
    "sbyte", "double", "float", "single", "decimal", "bigint", "half",
];

/// The type of a value that has a type of PowerShell; `None` for one that a catalog does not have.
pub(super) fn value_type(name: &str) -> Option<ValueType> {
    let lower = name.to_ascii_lowercase();
    let name = not_nullable(&lower);
    match name {
        "string" => Some(ValueType::String),
        "bool" | "boolean" | "switch" | "switchparameter" => Some(ValueType::Boolean),
        _ => NUMBERS.contains(&name).then_some(ValueType::Decimal),
    }
}

/// `int` of `nullable[int]`, in lower case.
pub(super) fn not_nullable(lower: &str) -> &str {
    let mut name = without_namespace(lower);
    while let Some(inner) = name.strip_prefix("nullable[").and_then(|inner| inner.strip_suffix(']')) {
        name = without_namespace(inner);
    }
    name
}

/// Whether a type is a table with free keys.
pub(super) fn is_table(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let name = without_namespace(&lower);
    matches!(name, "hashtable" | "ordered" | "pscustomobject" | "psobject" | "idictionary" | "ordereddictionary")
}

/// `int32` of `system.int32`, and `psobject` of `system.management.automation.psobject`.
fn without_namespace(name: &str) -> &str {
    let name = name.strip_prefix("system.").unwrap_or(name);
    ["management.automation.", "collections.specialized.", "collections."]
        .into_iter()
        .find_map(|namespace| name.strip_prefix(namespace))
        .unwrap_or(name)
}

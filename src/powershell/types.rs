//! The types of parameters.

use crate::catalog::ValueType;

const NUMBERS: [&str; 21] = [
    "int",
    "int32",
    "uint",
    "uint32",
    "long",
    "int64",
    "ulong",
    "uint64",
    "short",
    "int16",
    "ushort",
    "uint16",
    "byte",
    "sbyte",
    "double",
    "float",
    "single",
    "decimal",
    "bigint",
    "numerics.biginteger",
    "half",
];
const BOOLEANS: [&str; 5] = ["bool", "boolean", "switch", "switchparameter", "management.automation.switchparameter"];

/// The type of a value that has a type of PowerShell; `None` for one that a catalog does not have.
pub(super) fn value_type(name: &str) -> Option<ValueType> {
    let lower = name.to_ascii_lowercase();
    let mut name = lower.as_str();
    loop {
        name = name.strip_prefix("system.").unwrap_or(name);
        let inner = name.strip_prefix("nullable[").and_then(|inner| inner.strip_suffix(']'));
        let Some(inner) = inner else { break };
        name = inner;
    }
    match name {
        "string" => Some(ValueType::String),
        _ if NUMBERS.contains(&name) => Some(ValueType::Decimal),
        _ if BOOLEANS.contains(&name) => Some(ValueType::Boolean),
        _ => None,
    }
}

/// Whether a type is a table with free keys.
pub(super) fn is_table(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let name = lower.strip_prefix("system.").unwrap_or(&lower);
    matches!(
        name,
        "hashtable"
            | "ordered"
            | "pscustomobject"
            | "psobject"
            | "management.automation.psobject"
            | "management.automation.pscustomobject"
            | "collections.hashtable"
            | "collections.idictionary"
            | "collections.specialized.ordereddictionary"
    )
}

/// The last part of the name of an attribute, in lower case: `parameter`.
pub(super) fn attribute_name(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    last.strip_suffix("attribute").filter(|name| !name.is_empty()).map(str::to_owned).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_by_all_their_names() {
        for (name, wanted) in [
            ("string", Some(ValueType::String)),
            ("System.String", Some(ValueType::String)),
            ("System.Int32", Some(ValueType::Decimal)),
            ("DOUBLE", Some(ValueType::Decimal)),
            ("Nullable[int]", Some(ValueType::Decimal)),
            ("System.Nullable[System.Boolean]", Some(ValueType::Boolean)),
            ("switch", Some(ValueType::Boolean)),
            ("string[]", None),
            ("hashtable", None),
            ("", None),
        ] {
            assert_eq!(value_type(name), wanted, "{name}");
        }
        assert_eq!(attribute_name("System.Management.Automation.ParameterAttribute"), "parameter");
    }
}

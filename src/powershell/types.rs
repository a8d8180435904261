//! Types of PowerShell, by name (`about_Type_Accelerators`), and the enumerations of a module (`about_Enum`).

use super::syntax::{Expr, ExprKind, Script, StatementKind, Step};
use crate::catalog::ValueType;
use crate::common::collections::HashMap;

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

/// The members of each enumeration whose values are single ones, by name in lower case.
#[derive(Debug, Default, Clone)]
pub struct Enums(HashMap<String, Vec<String>>);

impl Enums {
    pub(super) fn of(script: &Script) -> Self {
        let enums = script.statements.iter().filter_map(|statement| match &statement.kind {
            // Values of the others may be several members.
            StatementKind::Enum(found) if !found.is_flags => Some((found.name.to_lowercase(), found.members.clone())),
            StatementKind::Enum(found) => Some((found.name.to_lowercase(), Vec::new())),
            _ => None,
        });
        Self(enums.collect())
    }

    /// Adds those of another file of the module.
    pub fn extend(&mut self, others: &Self) {
        self.0.extend(others.0.iter().map(|(name, members)| (name.clone(), members.clone())));
    }

    /// The members of a type; empty if values may be several of them.
    pub(super) fn get(&self, type_name: &str) -> Option<&[String]> {
        self.0.get(not_nullable(&type_name.to_lowercase())).map(Vec::as_slice)
    }

    /// `[Name]::Member`
    pub(super) fn member(&self, value: &Expr) -> Option<String> {
        let ExprKind::Access(base, steps) = &value.kind else { return None };
        let (ExprKind::Type(name), [Step::Member(member)]) = (&base.kind, steps.as_slice()) else { return None };
        let ExprKind::Text(member) = &member.kind else { return None };
        self.get(name).map(|_| member.clone())
    }
}

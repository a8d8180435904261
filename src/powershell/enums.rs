//! The enumerations of a module, as values of parameters (`about_Enum`).

use super::syntax::{Expr, ExprKind, Script, StatementKind, Step};
use super::types::not_nullable;
use crate::common::collections::HashMap;

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

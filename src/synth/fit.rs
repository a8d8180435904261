//! Tests whether a string fits the kind and type of a parameter.

use crate::catalog::{ParameterKind, ValueType};
use crate::ldap::Filter;
use crate::simulate::number;
use crate::text::{mail, personal_id, uri};

/// Whether a text fits the kind and type of a parameter. A kind without a syntax of its own takes any text.
pub fn fits(kind: Option<ParameterKind>, value_type: Option<ValueType>, text: &str) -> bool {
    let has_kind = match kind {
        Some(ParameterKind::PersonalId) => personal_id::check(text).is_ok(),
        Some(ParameterKind::Mail) => mail::is_address(text),
        Some(ParameterKind::Days) => number(text).is_some_and(|days| days > 0.0 && days.fract() == 0.0),
        Some(ParameterKind::Uri) => uri::absolute(text).is_some(),
        Some(ParameterKind::LdapFilter) => Filter::parse(text).is_ok(),
        _ => true,
    };
    let has_type = match value_type {
        Some(ValueType::Decimal) => number(text).is_some_and(|number| number >= 0.0),
        Some(ValueType::Boolean) => text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false"),
        Some(ValueType::String) | None => true,
    };
    has_kind && has_type
}

/// Further texts that fit, beside the first.
pub fn others(kind: Option<ParameterKind>, value_type: Option<ValueType>) -> &'static [&'static str] {
    match (kind, value_type) {
        (Some(ParameterKind::Days), _) | (_, Some(ValueType::Decimal)) => &["15", "1", "30"],
        (_, Some(ValueType::Boolean)) => &["false"],
        (Some(ParameterKind::Uri), _) => &["https://example.org/"],
        (Some(ParameterKind::LdapFilter), _) => &["(objectClass=user)"],
        (Some(ParameterKind::PropertyList), _) => &["DisplayName"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_kind_and_type() {
        let kinds = [
            (ParameterKind::PersonalId, "19900101-2385", "19900101-2386"),
            (ParameterKind::Mail, "anna@example.com", "anna"),
            (ParameterKind::Days, "14", "1.5"),
            (ParameterKind::Uri, "https://example.com/a", "example"),
            (ParameterKind::LdapFilter, "(mail=*)", "(mail"),
        ];
        for (kind, good, bad) in kinds {
            assert!(fits(Some(kind), None, good) && !fits(Some(kind), None, bad), "{kind:?}");
            assert!(others(Some(kind), None).iter().all(|text| fits(Some(kind), None, text)), "{kind:?}");
        }
        assert!(fits(None, Some(ValueType::Decimal), " 1.5 ") && !fits(None, Some(ValueType::Decimal), "-1"));
        assert!(fits(None, Some(ValueType::Boolean), "TRUE") && !fits(None, Some(ValueType::Boolean), "yes"));
        assert!(fits(None, None, "anything"));
    }
}

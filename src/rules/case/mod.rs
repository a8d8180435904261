//! `WF7`: signing cases.

pub mod approval_without_approvers;
pub mod case_reminder_after_expiry;
pub mod case_schema_violation;
pub mod duplicate_party;
pub mod invalid_case_json;
pub mod invalid_culture;
pub mod no_parties;
pub mod party_cannot_sign;
pub mod signature_type_text;
pub mod unknown_case_member;
pub mod unknown_signature_type;

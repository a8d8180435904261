//! `WF2`: provider parameters.

pub mod duplicate_parameter;
pub mod errors_swallowed;
pub mod ignored_path_parameter;
pub mod invalid_connection_uri;
pub mod invalid_day_count;
pub mod invalid_ldap_filter;
pub mod invalid_mail_address;
pub mod invalid_personal_id;
pub mod invalid_property_list;
pub mod method_identity_mismatch;
pub mod misplaced_additional_parameter;
pub mod missing_required_parameter;
pub mod no_document_to_sign;
pub mod parameter_lists_disagree;
pub mod parameter_type_mismatch;
pub mod reminder_after_expiry;
pub mod required_flag_mismatch;
pub mod stale_parameter_flags;
pub mod unknown_method;
pub mod unknown_parameter;

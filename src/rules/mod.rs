//! The rules, and the registry that lists them.

mod context;
mod reporter;
mod rule;
mod scripts;

mod approval;
mod binding;
mod case;
mod document;
mod flow;
mod form;
mod output;
mod provider;
mod script;
mod security;

pub use case::site::{CaseSite, CaseText};
pub use context::{Context, ProviderSite, called, is_true, named_parameters};
pub use reporter::{Draft, Place, Reporter, anchor, element_of};
pub use rule::{Fixes, Group, Rule, Stage};
pub use scripts::{Certainty, CodeSite, EvaluatedCase, FormScript};
pub use security::hidden::{COVER, Hidden};

/// Every rule, by code.
pub const REGISTRY: &[Rule] = &[
    document::invalid_json::RULE,
    document::document_too_deep::RULE,
    document::unknown_document::RULE,
    document::schema_violation::RULE,
    document::duplicate_member::RULE,
    document::unknown_activity_type::RULE,
    document::unknown_member::RULE,
    document::editor_warning::RULE,
    document::misplaced_children::RULE,
    binding::unknown_variable::RULE,
    binding::binding_id_mismatch::RULE,
    binding::bound_without_target::RULE,
    binding::stale_target::RULE,
    binding::value_state_mismatch::RULE,
    binding::system_flag_mismatch::RULE,
    binding::duplicate_variable_name::RULE,
    binding::duplicate_variable_id::RULE,
    binding::real_id_mismatch::RULE,
    binding::unused_variable::RULE,
    binding::file_variable_misuse::RULE,
    binding::variable_definitions_disagree::RULE,
    provider::missing_required_parameter::RULE,
    provider::unknown_method::RULE,
    provider::method_identity_mismatch::RULE,
    provider::unknown_parameter::RULE,
    provider::parameter_type_mismatch::RULE,
    provider::duplicate_parameter::RULE,
    provider::parameter_lists_disagree::RULE,
    provider::required_flag_mismatch::RULE,
    provider::misplaced_additional_parameter::RULE,
    provider::ignored_path_parameter::RULE,
    provider::no_document_to_sign::RULE,
    provider::invalid_personal_id::RULE,
    provider::invalid_mail_address::RULE,
    provider::invalid_day_count::RULE,
    provider::reminder_after_expiry::RULE,
    provider::invalid_ldap_filter::RULE,
    provider::invalid_connection_uri::RULE,
    provider::errors_swallowed::RULE,
    provider::stale_parameter_flags::RULE,
    provider::invalid_property_list::RULE,
    output::undeclared_output::RULE,
    output::never_written::RULE,
    output::maybe_unassigned::RULE,
    output::property_not_requested::RULE,
    output::output_overwritten::RULE,
    output::unknown_placeholder::RULE,
    output::assigned_variables_disagree::RULE,
    output::not_assignable::RULE,
    flow::unreachable_activity::RULE,
    flow::constant_condition::RULE,
    flow::endless_loop::RULE,
    flow::unhandled_rejection::RULE,
    flow::busy_loop::RULE,
    flow::unknown_status::RULE,
    flow::stale_poll::RULE,
    flow::empty_container::RULE,
    flow::misplaced_event::RULE,
    flow::unknown_event::RULE,
    flow::duplicate_event::RULE,
    flow::empty_status::RULE,
    approval::no_assignees::RULE,
    approval::reminder_after_timeout::RULE,
    approval::unknown_connected_form::RULE,
    approval::invalid_duration::RULE,
    form::unknown_field_variable::RULE,
    form::field_bound_flag_mismatch::RULE,
    form::field_type_mismatch::RULE,
    form::duplicate_field_name::RULE,
    form::shared_field_variable::RULE,
    form::unfillable_required_field::RULE,
    form::unmasked_personal_id::RULE,
    form::mail_field_not_validated::RULE,
    form::form_script_syntax::RULE,
    form::unknown_field_in_script::RULE,
    case::invalid_case_json::RULE,
    case::case_schema_violation::RULE,
    case::party_cannot_sign::RULE,
    case::no_parties::RULE,
    case::unknown_signature_type::RULE,
    case::case_reminder_after_expiry::RULE,
    case::invalid_culture::RULE,
    case::signature_type_text::RULE,
    case::approval_without_approvers::RULE,
    case::duplicate_party::RULE,
    case::unknown_case_member::RULE,
    script::script_syntax::RULE,
    script::json_not_set::RULE,
    script::unknown_identifier::RULE,
    script::unused_script_parameter::RULE,
    script::json_not_serialized::RULE,
    script::script_throws::RULE,
    script::json_without_receiver::RULE,
    security::hard_coded_secret::RULE,
    security::personal_data_published::RULE,
    security::insecure_uri::RULE,
    security::json_injection::RULE,
    security::ldap_injection::RULE,
    security::dynamic_code::RULE,
    security::untrusted_path::RULE,
    security::untrusted_connection::RULE,
    security::invisible_characters::RULE,
];

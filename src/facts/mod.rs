//! What several rules need to know about a service, computed on first use. A fact never uses a rule.
//!
//! Facts rest on an [`AnalyzedService`]; [`Context`] holds those that were computed, for all rules. A [`Place`] is where
//! rules report. The rooms: `uses` of variables, signing `cases`, `security`, and `edits` that fixes share.

mod cases;
mod context;
mod edits;
mod opaque;
mod place;
mod provider_site;
mod scripts;
mod security;
mod service;
mod uses;

pub use cases::case_messages::{CaseMessage, case_messages};
pub use cases::case_site::CaseSite;
pub use cases::case_text::{CaseSource, CaseText};
pub use cases::expiring_cases::expires;
pub use cases::loops::{Loop, MAX_AWAITED, OTHER_STATUS};
pub use cases::script_requests::{NotSimulated, RequestedScript, requested_scripts, script_limits, scripts};
pub use cases::script_run::{Origin, ScriptRun};
pub use cases::statuses::{CaseStatuses, UnknownStatus};
pub use context::Context;
pub use edits::bound_lists::{exchange, rebuilt_assigned_variables, removals_after_clearing, renaming};
pub use edits::bound_values::{bind_parameter, bind_value, insert_assignee, insert_assignees, insert_status};
pub use edits::declarations::{declaration_edits, flag_edits};
pub use edits::declare::declaring;
pub use edits::handle_status::{EndlessStatus, LoopRepair, SIGNED, StatusTest, Unhandled, loop_repair, status_tests};
pub use edits::literals::{inserted_literal, literal_edits, static_edits};
pub use edits::new_activity::{NewActivities, published_locales};
pub use edits::parameter_copies::{member_edits, node_and_copy, rekeyed, with_copy};
pub use edits::parts::{meant_boolean, outer_blanks, part_edit, removed_parts};
pub use edits::rebind::{is_doubtful, rebinding, renamed_declaration};
pub use edits::removals::{Removal, without_activities, without_variable};
pub use edits::renumber::renumbering;
pub use place::{CaseValue, Evidence, EvidenceAbout, Part, Place};
pub use provider_site::{
    LiteralValue, ProviderSite, described_parameters, fits, is_lost_output, literals, named_parameters,
    repeated_parameters, unknown_parameters,
};
pub use scripts::{CodeSite, FormScript};
pub use security::masked::{hidden_variables, mail_addresses, masked_variables, party_names};
pub use security::secrets::{Secret, SecretKind, secrets_in};
pub use security::sinks::{
    PathStep, Sink, TaintedSink, TaintedSinks, parameter_sinks, parameter_sinks_of_kinds, sinks_of_kind, tainted_sinks,
};
pub use security::spoofing::{Spoofing, SpoofingKind};
pub use service::AnalyzedService;
pub use uses::fitting_variables::{variable_for_approvers, variable_for_parameter, variable_for_status};
pub use uses::form_values::{DropDowns, FilledByScripts, FormValues, MissingItem};
pub use uses::inferred_outputs::{InferredOutputs, inferred_outputs};
pub use uses::operands::{OperandType, OperandTypes};
pub use uses::removable::{Removable, words};
pub use uses::unwritten::Unwritten;
pub use uses::used_variables::uses_itself;
pub use uses::variable_names::{
    Access, NameKind, OutputSite, VariableName, code_names, form_script_names, output_sites, variable_names,
};
pub use uses::variable_uses::{KnownValue, VariableUses, declaration, known_values};
pub use uses::wrong_bindings::{Meant, WrongBindings, fits_type, mismatch};

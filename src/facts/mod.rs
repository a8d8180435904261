//! What several rules need to know about a service: each fact in its own file, computed on first use.
//!
//! Facts rest on an [`AnalyzedService`]; [`Context`] holds those that were computed, for all rules. A fact never uses a
//! rule.

mod assigned_cases;
mod assigned_variables;
mod case_flow;
mod case_messages;
mod case_site;
mod case_text;
mod case_texts;
mod context;
mod expiring_cases;
mod filled_by_scripts;
mod form_values;
mod inferred_outputs;
mod loops;
mod masked;
mod missing_items;
mod opaque;
mod operands;
mod own_bound_variables;
mod parameter_copies;
mod parameter_type;
mod personal_ids;
mod place;
mod provider_site;
mod script_requests;
mod script_run;
mod scripts;
mod secrets;
mod sensitive_values;
mod service;
mod sinks;
mod spoofing;
mod statuses;
mod used_variables;
mod variable_names;
mod variable_uses;

pub use assigned_variables::rebuilt_assigned_variables;
pub use case_messages::{CaseMessage, case_messages};
pub use case_site::CaseSite;
pub use case_text::{CaseSource, CaseText};
pub use context::Context;
pub use expiring_cases::expires;
pub use filled_by_scripts::FilledByScripts;
pub use form_values::FormValues;
pub use inferred_outputs::{InferredOutputs, inferred_outputs};
pub use loops::{Loop, MAX_AWAITED, OTHER_STATUS};
pub use masked::{hidden_variables, masked_variables};
pub use missing_items::{DropDowns, MissingItem};
pub use operands::{OperandType, OperandTypes};
pub use own_bound_variables::{removals_after_clearing, renaming};
pub use parameter_copies::{member_edits, node_and_copy, with_copy};
pub use parameter_type::fits;
pub use personal_ids::mail_addresses;
pub use place::{CaseValue, Evidence, EvidenceAbout, Part, Place};
pub use provider_site::{LiteralValue, ProviderSite};
pub use provider_site::{described_parameters, literals, named_parameters, repeated_parameters, unknown_parameters};
pub use script_requests::{NotSimulated, RequestedScript, requested_scripts, script_limits, scripts};
pub use script_run::{Origin, ScriptRun};
pub use scripts::{CodeSite, FormScript};
pub use secrets::{Secret, SecretKind};
pub use service::AnalyzedService;
pub use sinks::{
    PathStep, Sink, TaintedSink, TaintedSinks, parameter_sinks, parameter_sinks_of_kinds, sinks_of_kind, tainted_sinks,
};
pub use spoofing::{Spoofing, SpoofingKind};
pub use statuses::{CaseStatuses, UnknownStatus};
pub use used_variables::uses_itself;
pub use variable_names::{
    Access, NameKind, OutputSite, VariableName, code_names, form_script_names, output_sites, variable_names,
};
pub use variable_uses::{KnownValue, VariableUses, declaration, known_values};

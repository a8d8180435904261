//! What rules know together about a service, each fact in a file of its own and computed on first use.
//!
//! Facts rest on an [`AnalyzedService`]; [`Context`] holds those that were computed, for all rules. A fact never
//! looks at a rule.

mod case_site;
mod case_text;
mod case_texts;
mod certainty;
mod context;
mod form_values;
mod masked;
mod opaque;
mod operands;
mod parameter_copies;
mod parameter_type;
mod personal_ids;
mod place;
mod provider_site;
mod script_sources;
mod scripts;
mod secrets;
mod sensitive_values;
mod service;
mod sinks;
mod spoofing;

pub use case_site::CaseSite;
pub use case_text::CaseText;
pub use certainty::Certainty;
pub use context::Context;
pub use form_values::FormValues;
pub use masked::masked_variables;
pub use operands::{Operand, OperandTypes};
pub use parameter_copies::with_copy;
pub use parameter_type::fits;
pub use personal_ids::reaching;
pub use place::{Part, Place};
pub use provider_site::{LiteralValue, ProviderSite, known_parameters, literals, named_parameters, unknown_parameters};
pub use scripts::{CodeSite, FormScript};
pub use secrets::{Secret, SecretKind};
pub use service::AnalyzedService;
pub use sinks::{Sink, TaintedSink, parameter_sinks, parameter_sinks_of_kinds, tainted_sinks};
pub use spoofing::{Spoofing, SpoofingKind};

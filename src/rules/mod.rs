//! The rules, and the registry that lists them.

mod cause;
mod context;
mod precedence;
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
pub use cause::Cause;
pub use context::{Context, ProviderSite, called, is_true, named_parameters};
pub use document::config_problem::RULE as CONFIG_PROBLEM;
pub use precedence::{Findings, Silenced};
pub use reporter::{Draft, Place, Reporter};
pub use rule::{Fixes, Group, Rule, YieldsTo};
pub use scripts::{Certainty, CodeSite, EvaluatedCase, FormScript};
pub use security::sensitive_values::sensitive_values;

/// Every rule, sorted by code; made by the build script from the pages in `rules/`.
pub const REGISTRY: &[Rule] = include!(concat!(env!("OUT_DIR"), "/registry.rs"));

/// Checks all rules, so that which of them are reported does not change what yields to what.
pub fn check(context: &Context<'_>) -> Findings {
    let mut found = Vec::new();
    for rule in REGISTRY {
        (rule.check)(context, &mut Reporter::new(context, rule, &mut found));
    }
    Findings::settle(found)
}

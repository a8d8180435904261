//! The rules, and the registry that lists them.

mod cause;
mod precedence;
mod reporter;
mod rule;

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
mod stamp;

pub use cause::Cause;
pub use document::config_problem::RULE as CONFIG_PROBLEM;
pub use precedence::{Findings, Silenced};
pub use reporter::{Draft, Reporter};
pub use rule::{Fixes, Group, Rule};
pub use stamp::YieldsTo;

/// Every rule, sorted by code; made by the build script from the pages in `rules/`.
pub const REGISTRY: &[Rule] = include!(concat!(env!("OUT_DIR"), "/registry.rs"));

use crate::facts::Context;

/// Checks all rules, so that which of them are reported does not change what yields to what.
pub fn check(context: &Context<'_>) -> Findings {
    let mut found = Vec::new();
    for rule in REGISTRY {
        (rule.check)(context, &mut Reporter::new(context, rule.stamp(), &mut found));
    }
    Findings::resolve(found)
}

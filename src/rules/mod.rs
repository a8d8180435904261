//! The rules, and the registry that lists them.

mod agreement;
mod cause;
mod finding;
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
pub use document::schema_violation::RULE as SCHEMA_VIOLATION;
pub use finding::Finding;
pub use precedence::{Findings, Resolved, Silenced};
pub use reporter::{Draft, Reporter};
pub use rule::{Fixes, Group, PAGES, Rule, page_address};
pub use stamp::YieldsTo;

/// Every rule, sorted by code. The build script generates it from the pages in `rules/`.
pub const REGISTRY: &[Rule] = include!(concat!(env!("OUT_DIR"), "/registry.rs"));

use crate::facts::Context;
use crate::timing::{Part, Timing};

/// Checks all rules, also those that are not selected: the selection does not change which findings yield.
pub fn check(context: &Context<'_>) -> Findings {
    let mut findings = Vec::new();
    for rule in REGISTRY {
        let name = || format!("{} {}", rule.code, rule.name);
        Timing::measure(context.timing, Part::Rule, name, || {
            (rule.check)(context, &mut Reporter::new(context, rule.stamp(), &mut findings));
        });
    }
    let too_complex = flow::too_complex::RULE.stamp();
    flow::too_complex::check_suggestions(context, &mut Reporter::new(context, too_complex, &mut findings));
    // First each run by itself: what silences a finding in one run is in the same run.
    let (mut resolved, texts) = (Findings::resolve(findings), context.case_texts());
    let (not_compared, mut findings) = (resolved.not_compared(texts), Vec::new());
    let throws = script::script_throws::RULE.stamp();
    script::script_throws::check_compared(context, &not_compared, &mut Reporter::new(context, throws, &mut findings));
    resolved.add(findings);
    resolved.agreed(texts)
}

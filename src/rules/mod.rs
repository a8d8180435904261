//! The rules, and the registry that lists them.

mod agreement;
mod cause;
mod element_names;
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

pub use case::case_schema_violation::RULE as CASE_SCHEMA_VIOLATION;
pub use cause::{Cause, CauseKey};
pub use document::config_problem::RULE as CONFIG_PROBLEM;
pub use document::schema_violation::RULE as SCHEMA_VIOLATION;
pub use element_names::ElementNames;
pub use finding::{Finding, RuleFindings};
pub use precedence::{Findings, Resolved, Silenced};
pub use reporter::{Draft, Reporter};
pub use rule::{Fixes, Group, PAGES, Rule, page_address};
pub use stamp::{Stamp, YieldsTo};

/// Every rule, sorted by code. The build script generates it from the pages in `rules/`.
pub const REGISTRY: &[Rule] = include!(concat!(env!("OUT_DIR"), "/registry.rs"));

use crate::facts::Context;
use crate::timing::{Part, Timing};

/// Checks all rules, also those that are not selected: the selection does not change which findings yield. Returns what
/// they find in each service, in the same order.
pub fn check(services: &[Context<'_>]) -> Vec<Findings> {
    let stamps = || REGISTRY.iter().map(|rule| RuleFindings::new(rule.stamp()));
    let mut found: Vec<Vec<RuleFindings>> = services.iter().map(|_| with_room(stamps())).collect();
    // All services by one rule, then by the next one: the code of all rules is more than a processor's first cache holds.
    for (index, rule) in REGISTRY.iter().enumerate() {
        let of_rule = found.iter_mut().filter_map(|rules| rules.get_mut(index));
        for (context, found) in services.iter().zip(of_rule).filter(|(context, _)| !context.is_canceled()) {
            let name = || format!("{} {}", rule.code, rule.name);
            let check = || (rule.check)(context, &mut Reporter::new(context, found));
            Timing::measure(context.timing, Part::Rule, name, check);
        }
    }
    services.iter().zip(found).map(|(context, rules)| resolve(context, rules)).collect()
}

/// The findings of all rules, with room for those that `resolve` adds.
fn with_room(rules: impl ExactSizeIterator<Item = RuleFindings>) -> Vec<RuleFindings> {
    let mut room = Vec::with_capacity(rules.len() + 2);
    room.extend(rules);
    room
}

/// What is left of the findings of all rules about a service.
fn resolve(context: &Context<'_>, mut rules: Vec<RuleFindings>) -> Findings {
    // Most have found nothing.
    rules.retain(|rule| !rule.findings.is_empty());
    let mut too_complex = RuleFindings::new(flow::too_complex::RULE.stamp());
    flow::too_complex::check_suggestions(context, &mut Reporter::new(context, &mut too_complex));
    rules.push(too_complex);
    // First each run by itself: what silences a finding in one run is in the same run.
    let (mut resolved, texts) = (Findings::resolve(rules), context.case_texts());
    let not_compared = resolved.not_compared(texts);
    let mut throws = RuleFindings::new(script::script_throws::RULE.stamp());
    script::script_throws::check_compared(context, &not_compared, &mut Reporter::new(context, &mut throws));
    resolved.add(throws);
    resolved.agreed(texts)
}

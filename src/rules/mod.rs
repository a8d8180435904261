//! The rules, and the registry that lists them.

mod agreement;
mod finding;
mod own;
mod precedence;
mod reporter;
#[macro_use]
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

pub use case::case_schema_violation::RULE as CASE_SCHEMA_VIOLATION;
pub use document::config_problem::RULE as CONFIG_PROBLEM;
pub use document::schema_violation::RULE as SCHEMA_VIOLATION;
pub use finding::{Cause, Finding, RuleFindings, RuleIdentity};
pub use own::{find, own_rule, own_rules, page_file, page_of};
pub use precedence::{LAST, PRECEDENCE, winners, yield_to_all_others};
pub use reporter::{Draft, Reporter};
pub use rule::{Fixes, Group, PAGES, Preset, Rule, is_public, page_address};

/// Every rule, sorted by code. The build script generates it from the pages in `rules/`.
pub const REGISTRY: &[Rule] = include!(concat!(env!("OUT_DIR"), "/registry.rs"));

use crate::common::timing::{Part, Timing};
use crate::facts::Context;

/// Checks all rules, also those that are not selected: the selection does not change which findings are silent. Returns
/// what they find in each service, in the same order.
pub fn check(services: &[Context<'_>]) -> Vec<Vec<RuleFindings>> {
    let rules = || REGISTRY.iter().map(|rule| RuleFindings::new(rule.identity())).collect();
    let mut found: Vec<Vec<RuleFindings>> = services.iter().map(|_| rules()).collect();
    // All services by one rule, then by the next one: the code of all rules is more than a processor's first cache holds.
    for (index, rule) in REGISTRY.iter().enumerate() {
        let of_rule = found.iter_mut().filter_map(|rules| rules.get_mut(index));
        for (context, found) in services.iter().zip(of_rule).filter(|(context, _)| !context.is_canceled()) {
            let name = || format!("{} {}", rule.code, rule.name);
            let check = || (rule.check)(context, &mut Reporter::new(context, found));
            Timing::measure(context.timing, Part::Rule, name, check);
        }
    }
    for (context, rules) in services.iter().zip(&mut found) {
        let too_complex = flow::too_complex::RULE.code;
        // After all others, which may ask for suggestions.
        if let Some(found) = rules.iter_mut().find(|found| found.rule.code == too_complex) {
            flow::too_complex::check_suggestions(context, &mut Reporter::new(context, found));
        }
        // Most have found nothing.
        rules.retain(|rule| !rule.findings.is_empty());
        // First each run by itself: what silences a finding in one run is in the same run.
        precedence::resolve(rules);
        agreement::agree(rules, context.case_texts());
    }
    found
}

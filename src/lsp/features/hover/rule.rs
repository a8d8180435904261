//! The hover of rules and selectors of rules.

use super::markdown::{code, list};
use crate::rules::{REGISTRY, Rule, page_address};

/// The hover of a rule, by code or name, or of a selector, with the rules that it selects. `None` if it selects no
/// rule.
pub fn markdown(word: &str) -> Option<String> {
    if let Some(rule) = REGISTRY.iter().find(|rule| rule.code == word || rule.name == word) {
        let address = page_address(rule.code, rule.name);
        let summary = summary(rule);
        return Some(format!("[{} {}]({address}), {}\n\n{summary}", rule.code, rule.name, rule.severity.word()));
    }
    let selected: Vec<String> =
        REGISTRY.iter().filter(|rule| rule.matches(word)).map(|rule| format!("{} {}", rule.code, rule.name)).collect();
    (!selected.is_empty()).then(|| list(&format!("{} selects", code(word)), &selected).trim_start().to_owned())
}

/// The paragraph below the title of its page.
fn summary(rule: &Rule) -> &'static str {
    rule.page.split("\n\n").nth(1).unwrap_or_default().trim()
}

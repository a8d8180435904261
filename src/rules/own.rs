//! Rules of the user's own, beside those of wflint: what reports say of them. They are known by code and name for the life
//! of the process, because findings have static codes; there are few, and all that stays of an earlier version of one is its
//! severity.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use super::REGISTRY;
use super::rule::{Fixes, Rule};
use crate::config::{Config, OwnRule};
use crate::text::diagnostic::Severity;

/// By code and name.
static OWN: RwLock<BTreeMap<(&str, &str), Own>> = RwLock::new(BTreeMap::new());

struct Own {
    /// By severity and fixes, the last one as it is now.
    versions: Vec<&'static Rule>,
    page: Arc<str>,
    /// The file of the page, if there is one.
    path: Option<PathBuf>,
}

/// What a fence of a page begins with that shows a fixed document.
const FIXED: &str = "```json fixed";

/// The rules of the user's own that a configuration names.
pub fn own_rules(config: &Config) -> impl Iterator<Item = &'static Rule> + Clone {
    config.own_rules.iter().flat_map(|rules| &rules.rules).map(|rule| own_rule(rule, None))
}

/// A rule of the user's own as it is now; without a severity, with the last one that is known.
pub fn own_rule(rule: &OwnRule, severity: Option<Severity>) -> &'static Rule {
    let OwnRule { code, name, page, .. } = rule;
    let path = page.as_ref().map(|_| rule.path.with_extension("md"));
    let page = page.as_ref().map_or_else(|| format!("# {code}-{name}\n\nThis rule has no page.\n").into(), Arc::clone);
    let fixes = if page.contains(FIXED) { Fixes::SafeOrUnsafe } else { Fixes::None };
    let mut own = OWN.write().unwrap_or_else(PoisonError::into_inner);
    let known =
        own.entry((code, name)).or_insert_with(|| Own { versions: Vec::new(), page: Arc::clone(&page), path: None });
    (known.page, known.path) = (page, path);
    let severity = severity.or(known.versions.last().map(|rule| rule.severity)).unwrap_or(Severity::Warning);
    let at = known.versions.iter().position(|rule| rule.severity == severity && rule.fixes == fixes);
    let version = match at {
        Some(at) => known.versions.remove(at),
        None => Box::leak(Box::new(Rule::own(code, name, severity, fixes))),
    };
    known.versions.push(version);
    version
}

/// The rule of a finding, by its code and name.
pub fn find(code: &str, name: &str) -> Option<&'static Rule> {
    let of_wflint = REGISTRY.iter().find(|rule| rule.code == code);
    of_wflint.or_else(|| {
        let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
        own.get(&(code, name)).and_then(|own| own.versions.last().copied())
    })
}

/// The page of a rule.
pub fn page_of(rule: &Rule) -> Cow<'static, str> {
    if !rule.is_own() {
        return Cow::Borrowed(rule.page);
    }
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    Cow::Owned(own.get(&(rule.code, rule.name)).map_or_else(String::new, |own| own.page.to_string()))
}

/// The file with the page of a rule of the user's own, if there is one.
pub fn page_file(code: &str, name: &str) -> Option<PathBuf> {
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    own.get(&(code, name))?.path.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(page: Option<&str>) -> OwnRule {
        let page = page.map(Arc::from);
        OwnRule { code: "TST101", name: "own", path: "".into(), file: String::new(), text: "".into(), page }
    }

    #[test]
    fn own_rules_are_found_as_they_are_now() {
        let page = "# TST101-own\n\nReports.\n\n```json fixed\n```\n";
        let first = own_rule(&rule(None), None);
        assert_eq!((first.fixes, first.severity, first.group_name()), (Fixes::None, Severity::Warning, "TST"));
        assert_eq!(page_of(first), "# TST101-own\n\nThis rule has no page.\n");
        let now = own_rule(&rule(Some(page)), Some(Severity::Error));
        let found = |code, name| find(code, name).map(|rule| (rule.severity, rule.fixes));
        assert_eq!(found("TST101", "own"), Some((Severity::Error, Fixes::SafeOrUnsafe)));
        assert_eq!(page_of(now), page);
        assert!(std::ptr::eq(now, own_rule(&rule(Some(page)), None)));
        assert!(std::ptr::eq(first, own_rule(&rule(None), Some(Severity::Warning))));
        assert!(find("TST101", "other").is_none() && find("WF101", "").is_some());
    }
}

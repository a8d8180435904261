//! What selects rules: a code or its beginning (`WF2`), the name of a rule, a group or a preset, or `ALL`.

use super::file::ConfigFile;
use super::layers::Invalid;
use super::own_code::is_selected_by_code;
use crate::text::suggest;

/// Every code, name, group and preset. The build script generates it from the pages in `rules/`.
pub const SELECTORS: &[&str] = include!(concat!(env!("OUT_DIR"), "/selectors.rs"));

/// The selector of all rules.
const ALL: &str = "ALL";

/// Why a selector selects no rule, of wflint or of the user's own; `None` if it does.
pub fn unknown_selector(selector: &str, own: &[&str]) -> Option<String> {
    let is_prefix = selector.starts_with("WF") && SELECTORS.iter().any(|known| known.starts_with(selector))
        || own.iter().any(|known| is_selected_by_code(known, selector));
    let is_known = is_prefix || selector == ALL || SELECTORS.contains(&selector) || own.contains(&selector);
    let near = || suggest::did_you_mean(selector, SELECTORS.iter().chain(own).copied());
    (!is_known).then(|| format!("unknown rule selector `{selector}`{}", near()))
}

/// The selectors of a configuration that select no rule.
pub(super) fn check(file: &ConfigFile, own: &[&str]) -> Vec<Invalid> {
    let selected = file.select.iter().flat_map(|select| select.get_ref());
    let of_files = file.per_file_ignores.values().flatten();
    let all = selected.chain(&file.ignore).chain(file.severity.keys()).chain(of_files);
    all.filter_map(|selector| Some(Invalid::new(selector, unknown_selector(selector.get_ref(), own)?))).collect()
}

//! `WF8`: scripts of Code activities.

pub mod json_not_serialized;
pub mod json_not_set;
pub mod json_without_receiver;
pub mod script_syntax;
pub mod script_throws;
pub mod unknown_identifier;
pub mod unused_script_parameter;

use crate::common::collections::HashSet;
use crate::facts::{CodeSite, Context};
use crate::script::syntax::Script;

/// The variable that holds the result of a script (docs/platform.md, Code).
pub(super) const JSON: &str = crate::model::SCRIPT_RESULT;

/// Every Code activity whose script parses, with the script.
pub(super) fn parsed<'c, 'a>(cx: &'c Context<'a>) -> impl Iterator<Item = (CodeSite<'c, 'a>, &'c Script)> {
    cx.codes().filter_map(|site| {
        let script: &Script = site.syntax.script()?;
        Some((site, script))
    })
}

/// The names that a script reads, its own ones and global ones.
fn read_names(script: &Script) -> HashSet<&str> {
    let globals = script.globals.iter().filter(|global| global.is_read).map(|global| global.name.as_str());
    let own = script.declarations.iter().filter(|own| own.is_read).map(|own| &*own.name);
    let members = script.global_members.iter().map(String::as_str);
    globals.chain(own).chain(members).collect()
}

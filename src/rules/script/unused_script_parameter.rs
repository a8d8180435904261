use std::cell::OnceCell;

use crate::document::removal_of;
use crate::facts::{CodeSite, Context, Place, removals_after_clearing, words};
use crate::model::{Binding, CodeParameter};
use crate::rules::script::{JSON, parsed, read_names};
use crate::rules::{Fixes, Reporter, Rule};
use crate::script::syntax::Script;
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule =
    rule!("WF804-unused-script-parameter", Warning, check, marks_unnecessary: true, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        if script.may_read_any || site.parameter_names().is_none() {
            continue;
        }
        let read = read_names(script);
        let is_open = OnceCell::new();
        for parameter in site.code.parameters.get().into_iter().flatten() {
            let Some(name) = parameter.name.value().filter(|name| !name.is_empty() && !read.contains(name)) else {
                continue;
            };
            let place = Place::value(site.analysis.file, parameter.node);
            let activity = site.activity.display_name();
            let mut draft = out.report(&place, format!("unused script parameter {} in {activity}", quote(name)));
            let is_open = is_open.get_or_init(|| script.is_empty || reads_undefined(cx, &site, script));
            match (!is_open).then(|| removal(cx, &site, parameter)).flatten() {
                Some(edits) => draft.help("use it in the script, if its value is needed").fix(
                    Applicability::Unsafe,
                    "remove the parameter",
                    edits,
                ),
                None => draft.help("use it in the script, or remove it"),
            };
        }
    }
}

/// Whether a script reads a name that nothing defines, by which a parameter may be meant.
fn reads_undefined(cx: &Context<'_>, site: &CodeSite<'_, '_>, script: &Script) -> bool {
    let hosts = cx.config.catalog.script_globals.iter().map(String::as_str);
    let parameters = site.parameter_names().unwrap_or_default();
    !script.unknown(parameters.into_iter().chain(hosts).chain([JSON])).is_empty()
}

/// The edits that remove a parameter. None if the script mentions its name, or if the value, which people entered, is used
/// nowhere else.
fn removal(cx: &Context<'_>, site: &CodeSite<'_, '_>, parameter: &CodeParameter<'_>) -> Option<Vec<Edit>> {
    let name = parameter.name.value()?;
    let target = parameter.value.get().and_then(Binding::target).map(|(_, target)| target);
    let is_entered = |target| cx.removable().is_only_reader_of_people(site.analysis.file, site.activity.id, target);
    if words(site.text).any(|word| word == name) || target.is_some_and(is_entered) {
        return None;
    }
    let mut edits = vec![removal_of(site.analysis.document, site.analysis.file, parameter.node)?];
    let gone: Vec<&str> = target.into_iter().collect();
    edits.extend(removals_after_clearing(cx, site.analysis, site.activity, &[parameter.node], &gone));
    Some(edits)
}

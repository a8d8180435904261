//! The edits in scripts.

use std::sync::Arc;

use super::json::json_inside;
use crate::collections::HashSet;
use crate::diagnostic::Edit;
use crate::facts::{CodeSite, FormScript, NameKind, form_script_names};
use crate::model::Binding;
use crate::script::syntax::{NameUses, Script, is_identifier, name_uses};
use crate::text::quote;

/// Renames the parameter that has the name of its variable, with its uses. The name of a parameter matters only in its
/// script, so it is kept if the script does not allow the renaming.
pub fn code_edits(site: &CodeSite<'_, '_>, old: &str, new: &str) -> Vec<Edit> {
    let parameters = || site.code.parameters.get().into_iter().flatten();
    let variable = |name: &str| {
        let mut named = parameters().filter(|parameter| parameter.name.value() == Some(name));
        Some(named.next()?.value.get().and_then(Binding::target).map(|(_, variable)| variable))
    };
    if variable(old) != Some(Some(old)) || variable(new).is_some() {
        return Vec::new();
    }
    let Some(uses) =
        name_uses(site.text).filter(|uses| is_renamable(site.syntax.script().map(Arc::as_ref), uses, old, new))
    else {
        return Vec::new();
    };
    let document = site.analysis.document;
    let names = parameters().filter(|parameter| parameter.name.value() == Some(old));
    let names = names.filter_map(|parameter| Some((parameter.name.node()?, 0..old.len(), false)));
    let uses = uses.uses.into_iter().filter(|found| found.name == old);
    let uses = uses.map(|found| (site.node, found.range, found.is_shorthand));
    let edit = |(node, range, is_shorthand)| Edit {
        file: site.analysis.file,
        span: document.span_inside(node, range),
        new_text: new_text(old, new, is_shorthand),
    };
    names.chain(uses).map(edit).collect()
}

/// Whether each use of the name is seen, and means the parameter, before and after.
fn is_renamable(script: Option<&Script>, uses: &NameUses, old: &str, new: &str) -> bool {
    let Some(script) = script.filter(|script| script.dynamic.is_empty() && !script.may_read_any) else { return false };
    let is_free = !uses.declared.contains(new) && !uses.uses.iter().any(|found| found.name == new);
    let members = &script.global_members;
    is_identifier(new)
        && is_free
        && !uses.declared.contains(old)
        && !script.may_set(old)
        && !script.globals.iter().any(|global| global.is_in_with)
        && !members.iter().any(|name| name == old || name == new)
}

/// # Errors
/// The new name cannot be written in the script.
pub fn form_script_edits(script: &FormScript<'_, '_>, old: &str, new: &str) -> Result<Vec<Edit>, String> {
    let mut edits = Vec::new();
    for found in form_script_names(script, &HashSet::from_iter([old])) {
        let NameKind::FormScript { is_string, is_shorthand, may_be_field } = found.kind else { continue };
        // Ambiguous; most probably the field is meant.
        if may_be_field {
            continue;
        }
        if !is_string && !is_identifier(new) {
            let field = script.field_display_name();
            return Err(format!("{} cannot be a name in a script, and one of {field} uses {}", quote(new), quote(old)));
        }
        edits.push(Edit { file: found.file, span: found.span, new_text: new_text(old, new, is_shorthand) });
    }
    Ok(edits)
}

fn new_text(old: &str, new: &str, is_shorthand: bool) -> String {
    let new = json_inside(new);
    if is_shorthand { format!("{}: {new}", json_inside(old)) } else { new }
}

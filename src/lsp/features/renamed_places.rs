//! The edits of all places with the name of a variable.

use std::sync::Arc;

use super::occurrences::{Occurrence, Role, Symbol, names_beside};
use super::snapshot::{OtherFile, Snapshot};
use crate::common::collections::HashSet;
use crate::facts::{AnalyzedService, CodeSite, FormScript, NameKind, form_script_names, variable_names};
use crate::model::Binding;
use crate::project::File;
use crate::script::syntax::{NameUses, Script, is_identifier, name_uses};
use crate::simulate::scenario::ScenarioSyntax;
use crate::text::diagnostic::Edit;
use crate::text::{json_inside, quote};

pub fn edits_of_variable(
    snapshot: &Snapshot,
    service: &AnalyzedService<'_>,
    old: &str,
    new: &str,
) -> Result<Vec<Edit>, String> {
    let json = json_inside(new);
    let names = variable_names(service).into_iter().filter(|found| found.name == old);
    let named = names.filter(|found| found.kind != NameKind::ScriptParameter);
    let mut edits: Vec<Edit> =
        named.map(|found| Edit { file: found.file, span: found.span, new_text: json.clone() }).collect();
    for site in service.codes() {
        edits.extend(code_edits(&site, old, new));
    }
    for script in service.form_scripts() {
        edits.extend(form_script_edits(&script, old, new)?);
    }
    let symbol = Symbol::Variable(old.to_owned());
    for found in names_beside(snapshot).into_iter().filter(|found| found.symbol == symbol) {
        if found.role == Role::Message && is_parameter(service, old) {
            continue;
        }
        let Some(other) = snapshot.others.iter().find(|other| other.id == found.place.file) else { continue };
        check_shared(snapshot, other, old)?;
        edits.push(edit_beside(other, &found, new));
    }
    Ok(edits)
}

/// Whether a provider call has a parameter with a name.
fn is_parameter(service: &AnalyzedService<'_>, name: &str) -> bool {
    service.providers().any(|site| site.provider.parameter(name).is_some())
}

/// Whether no other service uses a variable that a shared configuration names.
fn check_shared(snapshot: &Snapshot, other: &OtherFile, old: &str) -> Result<(), String> {
    let written = format!("\"{}\"", json_inside(old));
    let is_shared = |file: &&File| other.scenario_syntax().is_none() && file.source.text.contains(&written);
    let Some(file) = snapshot.shared.iter().find(is_shared) else { return Ok(()) };
    let name = other.source.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Err(format!("{name} names {}, which {} has, too", quote(old), file.source.name))
}

/// In a scenario or a configuration: within a quoted string, a bare one, or a part of a message.
fn edit_beside(other: &OtherFile, found: &Occurrence, new: &str) -> Edit {
    let (file, span) = (found.place.file, found.place.span);
    let is_toml = matches!(other.scenario_syntax(), None | Some(ScenarioSyntax::Toml));
    let before = (span.start as usize).checked_sub(1).and_then(|at| other.source.text.as_bytes().get(at));
    let is_plain = |letter: char| letter == '_' || letter == '-' || letter.is_alphanumeric();
    // A bare key of TOML is ASCII.
    let is_bare = new.chars().all(is_plain) && (new.is_ascii() || !is_toml);
    let new_text = match before {
        _ if found.role == Role::Message || is_bare => new.to_owned(),
        Some(b'"') => json_inside(new),
        Some(b'\'') => new.replace('\'', "''"),
        _ => format!("\"{}\"", json_inside(new)),
    };
    Edit { file, span, new_text }
}

/// Renames the parameter that has the name of its variable, with its uses. The name of a parameter matters only in its
/// script, so it is kept if the script does not allow the renaming.
fn code_edits(site: &CodeSite<'_, '_>, old: &str, new: &str) -> Vec<Edit> {
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

fn form_script_edits(script: &FormScript<'_, '_>, old: &str, new: &str) -> Result<Vec<Edit>, String> {
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

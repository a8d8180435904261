//! The edits of all places with a variable's name.

use super::json::json_inside;
use super::scripts::{code_edits, form_script_edits};
use crate::diagnostic::{Edit, FileId};
use crate::facts::{AnalyzedService, NameKind, variable_names};
use crate::lsp::features::occurrences::names_beside;
use crate::lsp::features::snapshot::{OtherFile, Snapshot};
use crate::lsp::features::symbol::{Role, Symbol};
use crate::simulate::scenario::ScenarioSyntax;
use crate::source::Span;
use crate::text::quote;

/// # Errors
/// A place that cannot be changed.
pub fn of_variable(
    snapshot: &Snapshot<'_>,
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
        let (file, span) = (found.place.file, found.place.span);
        let Some(other) = snapshot.others.iter().find(|other| other.id == file) else { continue };
        check_shared(other, old)?;
        edits.push(edit_beside(other, file, span, new));
    }
    Ok(edits)
}

/// Whether a provider call has a parameter with a name.
fn is_parameter(service: &AnalyzedService<'_>, name: &str) -> bool {
    service.providers().any(|site| site.provider.parameter(name).is_some())
}

/// Whether no other service uses a variable that a shared configuration names.
fn check_shared(other: &OtherFile<'_>, old: &str) -> Result<(), String> {
    let written = format!("\"{}\"", json_inside(old));
    let Some(file) = other.shared_with.iter().find(|file| file.source.text.contains(&written)) else { return Ok(()) };
    let name = other.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Err(format!("{name} names {}, which {} has, too", quote(old), file.source.name))
}

/// In a scenario or a configuration.
fn edit_beside(other: &OtherFile<'_>, file: FileId, span: Span, new: &str) -> Edit {
    let syntax = other.scenario_syntax();
    let before = (span.start as usize).checked_sub(1).and_then(|at| other.text.as_bytes().get(at));
    let is_quoted = matches!(before, Some(b'"' | b'\''));
    // A bare key of TOML is ASCII.
    let needs_quotes = matches!(syntax, None | Some(ScenarioSyntax::Toml)) && !is_quoted && !new.is_ascii();
    let new_text = if needs_quotes { format!("\"{new}\"") } else { new.to_owned() };
    Edit { file, span, new_text }
}

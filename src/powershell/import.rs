//! A module as methods of a catalog, with notes about what has no place there.

use std::ops::Range;

use super::exports::{manifest_exports, module_exports};
use super::help::{groups, help_of};
use super::notes::{Note, Notes};
use super::outputs::outputs;
use super::parameters::parameters;
use super::syntax::{Function, Script, StatementKind, parse};
use crate::catalog::{Method, Output};
use crate::common::collections::IndexMap;
use crate::project::Encoding;
use crate::text::quote;
use crate::text::source::SourceFile;

/// A file of functions, and the manifest beside it.
#[derive(Debug)]
pub struct Module<'f> {
    pub source: &'f SourceFile,
    pub manifest: Option<&'f SourceFile>,
}

#[derive(Debug, Default)]
pub struct Imported {
    /// In the order of the file.
    pub methods: Vec<Method>,
    /// What is not known, and syntax errors; those about the manifest first.
    pub notes: Vec<Note>,
}

/// The exported functions of a module as methods.
pub fn import(module: &Module<'_>) -> Imported {
    let mut imported = Imported::default();
    let text = &module.source.text;
    let script = parse(text);
    let mut notes = Notes::new(module.source);
    for error in &script.errors {
        notes.push(error.offset, error.message.clone(), true);
    }
    let mut functions = functions(&script);
    if let Some(manifest) = module.manifest {
        let mut notes = Notes::new(manifest);
        if let Some(exports) = manifest_exports(&manifest.text, &mut notes) {
            functions.retain(|function| exports.has(function));
        }
        imported.notes = notes.into_sorted();
    }
    if let Some(exports) = module_exports(&script, &mut notes) {
        functions.retain(|function| exports.has(function));
    }
    let groups = groups(text, &script.comments);
    imported.methods = functions.into_iter().map(|function| method(function, text, &groups, &mut notes)).collect();
    imported.notes.extend(notes.into_sorted());
    imported
}

/// The functions at the top level; of several with one name the last, which replaces the others.
fn functions(script: &Script) -> Vec<&Function> {
    let mut functions: IndexMap<String, &Function> = IndexMap::default();
    for statement in &script.statements {
        if let StatementKind::Function(function) = &statement.kind {
            let name = function.name.to_lowercase();
            functions.shift_remove(&name);
            functions.insert(name, function);
        }
    }
    functions.into_values().collect()
}

fn method(function: &Function, text: &str, groups: &[Range<usize>], notes: &mut Notes<'_>) -> Method {
    let help = help_of(text, groups, function);
    let mut method = Method::new(&function.name);
    method.description = help.summary().map(str::to_owned);
    method.parameters = parameters(function, &help, notes);
    if function.block.body.iter().any(|statement| matches!(statement.kind, StatementKind::DynamicParam)) {
        notes.add(function.span.start, format!("dynamic parameters of {} are left out", quote(&function.name)));
    }
    let outputs = outputs(function);
    method.outputs = outputs.keys.into_iter().map(Output::named).collect();
    method.open_outputs = (!outputs.open.is_empty()).then_some(true);
    for (at, reason) in outputs.open {
        notes.add(at, format!("outputs of {} are not all known: {reason}", quote(&function.name)));
    }
    method
}

/// The text of a file in UTF-8 or UTF-16, without the byte-order mark (`about_Character_Encoding`).
///
/// # Errors
/// The file is in another encoding.
pub fn decode(bytes: &[u8]) -> Result<String, String> {
    match Encoding::of(bytes) {
        Some(encoding @ (Encoding::Utf16Le | Encoding::Utf16Be)) => return Ok(encoding.decode(bytes)),
        Some(other) => return Err(format!("encoded in {}; save the file as UTF-8", other.name())),
        None => {}
    }
    let invalid =
        |error: std::str::Utf8Error| format!("invalid UTF-8 at byte {}; save the file as UTF-8", error.valid_up_to());
    let text = std::str::from_utf8(bytes).map_err(invalid)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

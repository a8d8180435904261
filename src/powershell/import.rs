//! A module as methods of a catalog, with notes about what has no place there.

use std::ops::Range;

use super::exports::{manifest_exports, module_exports};
use super::help::{groups, help_of};
use super::notes::{Note, Notes};
use super::outputs::outputs;
use super::parameters::parameters;
use super::syntax::{Function, Script, StatementKind, parse};
use super::types::Enums;
use crate::catalog::Method;
use crate::common::collections::IndexMap;
use crate::text::quote;
use crate::text::source::SourceFile;

/// A file of functions, and what belongs to the same module.
#[derive(Debug)]
pub struct Module<'f> {
    pub source: &'f SourceFile,
    /// The manifest.
    pub manifest: Option<&'f SourceFile>,
    /// The file that loads this one, and may say what is exported.
    pub loader: Option<&'f SourceFile>,
    /// Those of all its files.
    pub enums: &'f Enums,
}

#[derive(Debug, Default)]
pub struct Imported {
    /// In the order of the file.
    pub methods: Vec<Method>,
    /// What is not known, and syntax errors; those about the manifest first.
    pub notes: Vec<Note>,
}

/// The enumerations that a file declares.
pub fn enums(source: &SourceFile) -> Enums {
    Enums::of(&parse(&source.text))
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
    // What the loader says is listed where that is imported.
    let of_loader = module.loader.and_then(|it| module_exports(&parse(&it.text), &mut Notes::new(it)));
    if let Some(exports) = of_loader.or_else(|| module_exports(&script, &mut notes)) {
        functions.retain(|function| exports.has(function));
    }
    let groups = groups(text, &script.comments);
    let method = |function| method(function, text, &groups, module.enums, &mut notes);
    imported.methods = functions.into_iter().map(method).collect();
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

fn method(function: &Function, text: &str, groups: &[Range<usize>], enums: &Enums, notes: &mut Notes<'_>) -> Method {
    let help = help_of(text, groups, function);
    let mut method = Method::new(&function.name);
    method.description = help.summary().map(str::to_owned);
    method.parameters = parameters(function, &help, enums, notes);
    if function.block.body.iter().any(|statement| matches!(statement.kind, StatementKind::DynamicParam)) {
        notes.add(function.span.start, format!("dynamic parameters of {} are left out", quote(&function.name)));
    }
    let outputs = outputs(function);
    method.outputs = outputs.named;
    method.open_outputs = (!outputs.open.is_empty()).then_some(true);
    method.open_prefixed = outputs.open_prefixed.filter(|is_prefixed| !is_prefixed);
    for (at, reason) in outputs.open {
        notes.add(at, format!("outputs of {} are not all known: {reason}", quote(&function.name)));
    }
    method
}

//! A module as methods of a catalog.

use super::exports::{Exports, manifest_exports, module_exports};
use super::help::help_of;
use super::note::{Note, Notes};
use super::outputs::outputs;
use super::parameters::parameters;
use super::syntax::{Comment, Function, Script, StatementKind, parse};
use crate::catalog::{Method, Output};
use crate::collections::{HashMap, HashSet};
use crate::source::SourceFile;
use crate::text::quote;

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
        notes.error(error.offset, &error.message);
    }
    let mut functions = functions(&script);
    let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    if let Some(manifest) = module.manifest {
        let mut notes = Notes::new(manifest);
        if let Some(exports) = manifest_exports(&manifest.text, &mut notes) {
            note_missing(&exports, &names, &script, &mut notes);
            exports.retain(&mut functions, &mut notes);
        }
        imported.notes = notes.into_sorted();
    }
    if let Some(exports) = module_exports(&script, &mut notes) {
        note_missing(&exports, &names, &script, &mut notes);
        exports.retain(&mut functions, &mut notes);
    }
    let exported: HashSet<usize> = functions.iter().map(|function| function.span.start).collect();
    drop((functions, names));
    // Each function is dropped when it is read: the tree takes much memory.
    for statement in script.statements {
        if let StatementKind::Function(function) = statement.kind
            && exported.contains(&function.span.start)
        {
            imported.methods.push(method(&function, text, &script.comments, &mut notes));
        }
    }
    imported.notes.extend(notes.into_sorted());
    imported
}

/// An exported function may be in another file. After a syntax error it may be what could not be read.
fn note_missing(exports: &Exports, functions: &[&str], script: &Script, notes: &mut Notes<'_>) {
    if !script.errors.is_empty() {
        return;
    }
    for (at, name) in exports.missing(functions) {
        notes.add(at, format!("exported function {} is not in the module", quote(name)));
    }
}

/// The functions at the top level; of several with one name the last, which replaces the others.
fn functions(script: &Script) -> Vec<&Function> {
    let mut last: HashMap<String, usize> = HashMap::default();
    let functions = script.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Function(function) if !function.is_private => Some(&**function),
        _ => None,
    });
    let functions: Vec<&Function> = functions.collect();
    for (index, function) in functions.iter().enumerate() {
        last.insert(function.name.to_lowercase(), index);
    }
    let is_last = |(index, function): &(usize, &Function)| last.get(&function.name.to_lowercase()) == Some(index);
    functions.into_iter().enumerate().filter(is_last).map(|(_, function)| function).collect()
}

fn method(function: &Function, text: &str, comments: &[Comment], notes: &mut Notes<'_>) -> Method {
    let help = help_of(text, comments, function);
    let mut method = Method::new(&function.name);
    method.description = help.summary().map(str::to_owned);
    method.parameters = parameters(function, &help, notes);
    if function.block.body.iter().any(|statement| matches!(statement.kind, StatementKind::DynamicParam)) {
        notes.add(function.span.start, format!("dynamic parameters of {} are left out", quote(&function.name)));
    }
    let outputs = outputs(function);
    method.outputs = outputs.keys.into_iter().map(Output::named).collect();
    method.outputs.shrink_to_fit();
    method.open_outputs = (!outputs.open.is_empty()).then_some(true);
    for (at, reason) in outputs.open {
        notes.add(at, format!("outputs of {} are not all known: {reason}", quote(&function.name)));
    }
    method
}

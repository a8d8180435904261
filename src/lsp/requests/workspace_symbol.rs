//! `workspace/symbol`: services, activities, fields and variables.

use gen_lsp_types::WorkspaceSymbolParams;
use serde_json::{Value, json};

use super::document_symbol::kind;
use crate::lsp::outline::{Part, parts};
use crate::lsp::root::Root;
use crate::lsp::state::Server;
use crate::project::{File, relative_name};

/// Symbols that are listed.
const MAX_SYMBOLS: usize = 1_000;

/// The symbols whose names contain the letters of the query in order, ignoring case.
pub fn handle(server: &Server, params: &WorkspaceSymbolParams) -> Vec<Value> {
    let mut found = Vec::new();
    for root in &server.roots {
        add_root(server, root, &params.query, &mut found);
    }
    found.truncate(MAX_SYMBOLS);
    found
}

fn add_root(server: &Server, root: &Root, query: &str, found: &mut Vec<Value>) {
    let Some(loaded) = &root.loaded else { return };
    let open = server.open_contents(root);
    for service in &loaded.project.services {
        if found.len() >= MAX_SYMBOLS {
            return;
        }
        let read = loaded.read(service, &open);
        let documents = || read.files.iter().filter(|file| file.document().is_some());
        let folder = documents().next().and_then(|file| file.source.path.parent());
        let name = folder.map(|folder| relative_name(folder, &loaded.project.current)).unwrap_or_default();
        if let Some(file) = documents().next().filter(|_| !name.is_empty() && matches(&name, query)) {
            let location = json!({ "uri": uri(server, root, file), "range": gen_lsp_types::Range::default() });
            found.push(json!({ "name": name, "kind": 4, "location": location }));
        }
        for file in documents() {
            let Some((kind, document)) = file.document() else { continue };
            for part in parts(document, kind) {
                add_part(server, (root, file), &part, query, found);
            }
        }
    }
}

fn add_part(server: &Server, (root, file): (&Root, &File), part: &Part, query: &str, found: &mut Vec<Value>) {
    if matches(&part.name, query) && found.len() < MAX_SYMBOLS {
        let range = server.client.encoding.range(&file.source, part.name_span);
        found.push(json!({
            "name": part.name,
            "kind": kind(part.kind),
            "containerName": file.source.name,
            "location": { "uri": uri(server, root, file), "range": range },
        }));
    }
    for child in &part.children {
        add_part(server, (root, file), child, query, found);
    }
}

fn uri(server: &Server, root: &Root, file: &File) -> String {
    server.documents.uri(&server.converter(root).address(&file.source.path))
}

fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

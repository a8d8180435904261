//! Code actions: fixes, suppressions and pages for the findings in a range.

use std::path::Path;

use gen_lsp_types::{CodeActionKind, CodeActionParams, Position, Range, TextEdit};
use serde_json::{Value, json};

use super::commands::EXPLAIN;
use super::edits::{Edits, differences, document_edit, workspace_edit};
use crate::config::{FILE_NAME, NewSuppression, with_suppressions};
use crate::document::{Document, Limits};
use crate::lint::suppression_target;
use crate::lsp::convert::{Fix, Item};
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::state::Server;
use crate::project::{clean_path, relative_name};
use crate::rules::CONFIG_PROBLEM;
use crate::text::source::SourceFile;

/// All safe fixes of a document.
pub const FIX_ALL: &str = "source.fixAll.wflint";
const QUICK_FIX: &str = "quickfix";

pub fn handle(server: &Server, params: &CodeActionParams) -> Vec<Value> {
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let only = params.context.only.as_deref();
    let is_wanted = |kind: &str| {
        let is_of = |wanted: &CodeActionKind| {
            let wanted = wanted.to_string();
            wanted.is_empty() || kind == wanted || kind.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with('.'))
        };
        only.is_none_or(|only| only.iter().any(is_of))
    };
    let items = server.items(&uri);
    let mut actions = Vec::new();
    if is_wanted(QUICK_FIX) {
        let here = items.iter().filter(|item| touches(item.diagnostic.range, params.range));
        for item in here {
            actions.extend(fix_actions(server, item));
            actions.extend(suppress_action(server, &uri, item));
            actions.extend(explain_action(item));
        }
    }
    if is_wanted(FIX_ALL) {
        actions.extend(fix_all(server, &items));
    }
    actions
}

fn touches(a: Range, b: Range) -> bool {
    let is_up_to = |a: Position, b: Position| (a.line, a.character) <= (b.line, b.character);
    is_up_to(a.start, b.end) && is_up_to(b.start, a.end)
}

/// One action for each repair, the likeliest first.
fn fix_actions(server: &Server, item: &Item) -> Vec<Value> {
    let repairs = item.fix.iter().map(|fix| (fix, true)).chain(item.alternatives.iter().map(|fix| (fix, false)));
    let wanted = repairs.filter(|(fix, _)| fix.is_safe || server.settings.unsafe_fixes);
    let action = |(fix, is_first): (&Fix, bool)| {
        let title = if fix.is_safe { fix.title.clone() } else { format!("{} (unsafe)", fix.title) };
        json!({
            "title": title,
            "kind": QUICK_FIX,
            "diagnostics": [item.diagnostic],
            "isPreferred": fix.is_safe && is_first,
            "edit": workspace_edit(server, &fix.edits),
        })
    };
    wanted.map(action).collect()
}

fn explain_action(item: &Item) -> Option<Value> {
    let code = item.finding.as_ref()?.code;
    let title = format!("Explain {code}");
    let command = json!({ "title": title, "command": EXPLAIN, "arguments": [code] });
    Some(json!({ "title": title, "kind": QUICK_FIX, "diagnostics": [item.diagnostic], "command": command }))
}

/// One action for all safe fixes that do not overlap.
fn fix_all(server: &Server, items: &[&Item]) -> Option<Value> {
    let mut edits = Edits::new();
    for fix in items.iter().filter_map(|item| item.fix.as_ref()).filter(|fix| fix.is_safe) {
        if !overlaps(&edits, fix) {
            for (uri, added) in &fix.edits {
                edits.entry(uri.clone()).or_default().extend(added.iter().cloned());
            }
        }
    }
    if edits.is_empty() {
        return None;
    }
    let edit = workspace_edit(server, &edits);
    Some(json!({ "title": "Fix all safe findings of wflint", "kind": FIX_ALL, "edit": edit }))
}

fn overlaps(edits: &Edits, fix: &Fix) -> bool {
    let is_near = |known: &[TextEdit], added: &TextEdit| known.iter().any(|known| touches(known.range, added.range));
    fix.edits
        .iter()
        .any(|(uri, added)| edits.get(uri).is_some_and(|known| added.iter().any(|added| is_near(known, added))))
}

/// Left to fill in: a suppression must say why.
const REASON: &str = "TODO: why";

/// Adds a suppression of a finding to the configuration of its document, or to a new one. `None` where that is not
/// possible.
fn suppress_action(server: &Server, uri: &DocumentUri, item: &Item) -> Option<Value> {
    let finding = item.finding.as_ref().filter(|finding| finding.code != CONFIG_PROBLEM.code)?;
    let path = uri.path()?;
    let (root, service) = server.service(uri)?;
    let loaded = root.loaded.as_ref()?;
    let config = loaded.project.configs.get(loaded.project.services.get(service)?.config)?;
    let is_new = config.path.is_none();
    let config = config.path.clone().unwrap_or_else(|| loaded.request.current.join(FILE_NAME));
    let folder = config.parent().unwrap_or(&config);
    let file = relative_name(path, folder);
    // A name that is not UTF-8 has no string in TOML.
    if clean_path(Path::new(&file), folder).0 != path {
        return None;
    }
    let text = server.documents.unsaved().read(path).ok();
    let document = text.and_then(|text| Document::parse(text, Limits::default()).ok());
    let target = suppression_target(finding.activity.as_deref(), &finding.pointer, document.as_ref());
    let entry = NewSuppression { rule: finding.code.to_owned(), file, target };
    let before = if is_new { String::new() } else { server.documents.unsaved().read(&config).ok()? };
    let after = with_suppressions(&before, &[entry], REASON).ok()?;
    let source = SourceFile::new(config.clone(), String::new(), before.into());
    let edits = differences(server, &source, &after);
    let uri = DocumentUri::File(config);
    let edit = if !is_new {
        workspace_edit(server, &Edits::from([(uri, edits)]))
    } else if server.client.creates_files {
        let create = json!({
            "kind": "create", "uri": server.documents.uri_as_written(&uri), "options": { "ignoreIfExists": true },
        });
        json!({ "documentChanges": [create, document_edit(server, &uri, &edits)] })
    } else {
        return None;
    };
    let title = format!("Suppress {} in {FILE_NAME}", finding.code);
    Some(json!({ "title": title, "kind": "quickfix", "diagnostics": [item.diagnostic], "edit": edit }))
}

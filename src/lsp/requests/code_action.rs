//! `textDocument/codeAction`: fixes, suppressions and pages for the findings in a range.

use gen_lsp_types::{CodeActionKind, CodeActionParams, Position, Range, TextEdit};
use serde_json::{Value, json};

use super::suppress::suppress_action;
use crate::lsp::address::Address;
use crate::lsp::convert::{Fix, Item};
use crate::lsp::edit::{Edits, workspace_edit};
use crate::lsp::state::Server;

/// All safe fixes of a document.
pub const FIX_ALL: &str = "source.fixAll.wflint";
const QUICK_FIX: &str = "quickfix";

pub fn handle(server: &Server, params: &CodeActionParams) -> Vec<Value> {
    let address = Address::of(&params.text_document.uri.0);
    let only = params.context.only.as_deref();
    let is_wanted = |kind: &str| {
        let is_of = |wanted: &CodeActionKind| {
            let wanted = wanted.to_string();
            wanted.is_empty() || kind == wanted || kind.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with('.'))
        };
        only.is_none_or(|only| only.iter().any(is_of))
    };
    let items = server.items(&address);
    let mut actions = Vec::new();
    if is_wanted(QUICK_FIX) {
        let here = items.iter().filter(|item| touches(item.diagnostic.range, params.range));
        for item in here {
            actions.extend(fix_action(server, item));
            actions.extend(suppress_action(server, &address, item));
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

fn fix_action(server: &Server, item: &Item) -> Option<Value> {
    let fix = item.fix.as_ref().filter(|fix| fix.is_safe || server.settings.unsafe_fixes)?;
    let title = if fix.is_safe { fix.title.clone() } else { format!("{} (unsafe)", fix.title) };
    Some(json!({
        "title": title,
        "kind": QUICK_FIX,
        "diagnostics": [item.diagnostic],
        "isPreferred": fix.is_safe,
        "edit": workspace_edit(server, &fix.edits),
    }))
}

fn explain_action(item: &Item) -> Option<Value> {
    let code = item.finding.as_ref()?.code;
    let title = format!("Explain {code}");
    let command = json!({ "title": title, "command": super::execute_command::EXPLAIN, "arguments": [code] });
    Some(json!({ "title": title, "kind": QUICK_FIX, "diagnostics": [item.diagnostic], "command": command }))
}

/// One action for all safe fixes that do not overlap.
fn fix_all(server: &Server, items: &[&Item]) -> Option<Value> {
    let mut edits = Edits::new();
    for fix in items.iter().filter_map(|item| item.fix.as_ref()).filter(|fix| fix.is_safe) {
        if !overlaps(&edits, fix) {
            for (address, added) in &fix.edits {
                edits.entry(address.clone()).or_default().extend(added.iter().cloned());
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
        .any(|(address, added)| edits.get(address).is_some_and(|known| added.iter().any(|added| is_near(known, added))))
}

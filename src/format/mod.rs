//! Formats documents in one stable form, so that git shows readable diffs.

mod editor_state;
mod file;
mod renumber;
mod schema_keys;

use crate::collections::HashMap;
use crate::config::{EditorState, FormatOptions, MemberOrder};
use crate::document::{Document, Layout, NodeId};
use crate::report::is_unsafe;
use crate::schema::DocumentKind;
use editor_state::is_editor_state;
use schema_keys::{SchemaKeys, visit_objects};

pub use file::{format_file, formattable};
pub use renumber::{NewIds, Renumbered, has_new_ids, renumber};

/// A document without duplicate keys in its stable form, with one line end at its end.
pub fn formatted(document: &Document, kind: DocumentKind, options: &FormatOptions, ids: &NewIds) -> String {
    let changed = changed_members(document, kind, options);
    let layout = Layout {
        indent: options.indent,
        members: &|object| changed.get(&object).cloned().unwrap_or_else(|| document.children(object).collect()),
        replaced: &|value| ids.get(&value).map(ToString::to_string),
        // Invisible characters would get lost in an editor.
        keeps_escape: &is_unsafe,
    };
    let mut text = document.laid_out(&layout);
    text.push('\n');
    text
}

/// The members of the objects that lose members, or get another order.
fn changed_members(document: &Document, kind: DocumentKind, options: &FormatOptions) -> HashMap<NodeId, Vec<NodeId>> {
    let mut changed = HashMap::default();
    if (options.editor_state, options.order) == (EditorState::Keep, MemberOrder::Keep) {
        return changed;
    }
    let Some(keys) = SchemaKeys::of(kind) else { return changed };
    visit_objects(&keys, document, &mut |object, schemas| {
        let mut members: Vec<NodeId> = document.children(object).collect();
        let length = members.len();
        if options.editor_state == EditorState::Drop {
            members.retain(|&member| !is_editor_state(&keys, schemas, document, member));
        }
        // Objects that the schema does not describe, such as locales and metadata, have no order.
        let is_sorted = options.order == MemberOrder::Schema && keys.has_keys(schemas);
        if is_sorted {
            members.sort_by_cached_key(|&member| {
                let key = document.key(member).unwrap_or_default();
                (keys.position(schemas, key).unwrap_or(usize::MAX), key.to_owned())
            });
        }
        if is_sorted || members.len() < length {
            changed.insert(object, members);
        }
    });
    changed
}

//! Formats documents in one stable form, so that git shows readable diffs.

mod renumber;
mod schema_keys;

use std::path::Path;

use crate::common::collections::HashMap;
use crate::config::{Config, EditorState, FormatOptions, LineEnding, MemberOrder};
use crate::document::{Document, Layout, NodeId};
use crate::git::converts_line_ends;
use crate::project::{Content, File};
use crate::report::is_unsafe;
use crate::schema::DocumentKind;
use crate::text::source::SourceFile;
use schema_keys::{SchemaKeys, visit_objects};

pub use renumber::{NewIds, Renumbered, has_new_ids, renumber};

/// The keys that only the editor of the platform reads.
const KEYS: [&str; 11] = [
    "boundValues", "displayWarning", "hasNewerVersion", "hasValue", "hasWarning", "isDuplicate", "isValid",
    "needsValue", "ownBoundVariables", "variableUsageList", "warningText",
];

/// The text of a document in its stable form; `None` for a file that holds none.
pub fn format_file(file: &File, config: &Config, ids: &NewIds) -> Result<Option<String>, String> {
    let document = formattable(file, config)?;
    Ok(document.map(|(kind, document)| {
        let text = formatted(document, kind, &config.fmt, ids);
        with_line_ends(text, &file.source.text, &file.source.path, config.fmt.line_ending)
    }))
}

/// The document of a file; `None` for a file that holds none.
pub fn formattable<'f>(file: &'f File, config: &Config) -> Result<Option<(DocumentKind, &'f Document)>, String> {
    let name = file.source.name.as_str();
    let failed = |reason: &str| Err(format!("cannot format {name}: {reason}"));
    match &file.content {
        Content::Document(kind, document) => match file.duplicate_key() {
            Some(reason) => failed(&reason),
            None => Ok(Some((*kind, document))),
        },
        Content::Unrelated(_) | Content::Resembling(..) => Ok(None),
        Content::Invalid(error) => {
            let limit = error.kind.exceeded_limit(config.max_depth);
            let reason = limit.unwrap_or_else(|| "invalid JSON".to_owned());
            failed(&format!("{reason}{}", place(&file.source, error.offset)))
        }
        Content::OtherEncoding(_) | Content::NotUtf8(_) => failed("not encoded in UTF-8"),
        Content::TooLarge(limit) => failed(&format!("larger than the limit of {} MiB", limit >> 20)),
    }
}

fn place(source: &SourceFile, offset: u32) -> String {
    let position = source.position(offset);
    format!(" at line {}, column {}", position.line, position.column)
}

/// A document without duplicate keys in its stable form, with one line end at its end.
fn formatted(document: &Document, kind: DocumentKind, options: &FormatOptions, ids: &NewIds) -> String {
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

/// Whether a member is editor state: one of the keys, in an object that the schema gives this key. Elsewhere, such as in
/// a building block that is not documented, the key may mean something else. A value of another type is kept, and reported
/// by the linter as before.
fn is_editor_state(keys: &SchemaKeys, schemas: &[NodeId], document: &Document, member: NodeId) -> bool {
    document.key(member).is_some_and(|key| KEYS.contains(&key) && keys.position(schemas, key).is_some())
        && keys.has_type(&keys.of_member(schemas, document, member), document, member)
}

/// A formatted text, which has LF, with the line ends that the file at a path should have.
fn with_line_ends(text: String, before: &str, path: &Path, wanted: LineEnding) -> String {
    if has_crlf(before, path, wanted) { text.replace('\n', "\r\n") } else { text }
}

fn has_crlf(before: &str, path: &Path, wanted: LineEnding) -> bool {
    let crlf = before.matches("\r\n").count();
    let lf = before.matches('\n').count() - crlf;
    match wanted {
        LineEnding::Lf if crlf == 0 => false,
        LineEnding::Crlf if lf == 0 => true,
        // Where git converts, those of the working tree are not the committed ones, and would be converted back.
        LineEnding::Lf | LineEnding::Crlf if !converts_line_ends(path) => wanted == LineEnding::Crlf,
        LineEnding::Lf | LineEnding::Crlf | LineEnding::Auto => crlf > lf,
    }
}

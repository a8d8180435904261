//! Edits of arrays in documents that keep all other bytes unchanged.

use std::collections::BTreeMap;

use crate::diagnostic::{Edit, FileId};
use crate::document::{Document, NodeId};
use crate::source::Span;

/// An array that is edited.
#[derive(Clone, Copy)]
pub struct EditedArray<'d> {
    pub document: &'d Document,
    pub file: FileId,
    pub list: NodeId,
    /// An array of the same kind of entries, whose layout an empty array takes.
    pub model: Option<NodeId>,
}

/// An entry that the array has afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// The entry that has this index now.
    Kept(usize),
    /// This JSON text in place of the entry that has this index now.
    Replaced(usize, String),
    /// This JSON text.
    New(String),
}

impl<'d> EditedArray<'d> {
    /// The edits after which the array has these entries. Present entries keep their order, and missing ones are
    /// removed. A new entry takes the place of a removed one if possible.
    pub fn edits(self, entries: Vec<Entry>) -> Vec<Edit> {
        let spans: Vec<Span> = self.document.elements(self.list).map(|node| self.document.span(node)).collect();
        if spans.is_empty() || entries.is_empty() {
            let texts: Vec<String> = entries.into_iter().filter_map(Entry::into_text).collect();
            return vec![self.edit(self.document.span(self.list), self.filled(&texts))];
        }
        let entries = in_place_of_removed(entries, spans.len());
        let between = self.between(&spans);
        let mut edits = self.removals(&spans, &entries);
        // New entries before the first one that stays.
        let mut leading = String::new();
        let mut open: Option<(usize, Edit)> = None;
        for entry in entries {
            match entry {
                Entry::Kept(index) | Entry::Replaced(index, _) => {
                    let Some(&span) = spans.get(index) else { continue };
                    if !leading.is_empty() {
                        edits.push(self.edit(Span::new(span.start, span.start), std::mem::take(&mut leading)));
                    }
                    edits.extend(open.take().map(|(_, edit)| edit));
                    open = Some((
                        index,
                        match entry {
                            Entry::Replaced(_, text) => self.edit(span, text),
                            _ => self.edit(Span::new(span.end, span.end), String::new()),
                        },
                    ));
                }
                Entry::New(text) => match &mut open {
                    Some((_, edit)) => edit.new_text.extend([between.as_str(), text.as_str()]),
                    None => leading.extend([text.as_str(), between.as_str()]),
                },
            }
        }
        edits.extend(open.map(|(_, edit)| edit));
        edits.retain(|edit| edit.span.start != edit.span.end || !edit.new_text.is_empty());
        edits
    }

    /// The text of a value that becomes an entry, with the indentation of the present entries.
    pub fn text_as_entry(self, source: NodeId) -> String {
        let text = self.document.slice(self.document.span(source));
        let there = self.document.elements(self.list).next();
        match (self.indentation(source), there.and_then(|entry| self.indentation(entry))) {
            (Some(from), Some(to)) if from != to => text.replace(&format!("\n{from}"), &format!("\n{to}")),
            _ => text.to_owned(),
        }
    }

    /// The white space before an entry of an array, if it begins a line.
    fn indentation(self, entry: NodeId) -> Option<&'d str> {
        let list = self.document.span(self.document.parent(entry)?);
        let before = self.document.slice(Span::new(list.start, self.document.span(entry).start));
        let (_, line) = before.rsplit_once('\n')?;
        line.trim().is_empty().then_some(line)
    }

    /// An array of these entries, in the layout of the model.
    fn filled(self, texts: &[String]) -> String {
        let layout = self.model.filter(|_| !texts.is_empty()).and_then(|model| {
            let (list, mut entries) = (self.document.span(model), self.document.elements(model));
            let first = self.document.span(entries.next()?);
            let last = entries.next_back().map_or(first, |last| self.document.span(last));
            let before = self.document.slice(Span::new(list.start + 1, first.start));
            Some((before, self.document.slice(Span::new(last.end, list.end - 1))))
        });
        let (before, after) = layout.unwrap_or_default();
        let between = if before.is_empty() { self.comma().to_owned() } else { format!(",{before}") };
        format!("[{before}{}{after}]", texts.join(&between))
    }

    /// What is between two entries: a comma, and a blank or the indentation of a line.
    fn between(self, spans: &[Span]) -> String {
        let between = match *spans {
            [.., before, last] => self.document.slice(Span::new(before.end, last.start)).to_owned(),
            [only] => {
                format!(",{}", self.document.slice(Span::new(self.document.span(self.list).start + 1, only.start)))
            }
            [] => String::new(),
        };
        if between.len() <= 1 { self.comma().to_owned() } else { between }
    }

    /// What is between two entries in one line.
    fn comma(self) -> &'static str {
        if is_compact(self.document, self.list) { "," } else { ", " }
    }

    /// The edits that remove the entries that are not in `entries`, each with the comma after it, or before it if none
    /// after it stays.
    fn removals(self, spans: &[Span], entries: &[Entry]) -> Vec<Edit> {
        let stay: Vec<usize> = entries.iter().filter_map(Entry::index).collect();
        let last = stay.last().copied();
        let removed = (0..spans.len()).filter(|index| stay.binary_search(index).is_err());
        let removal = |index: usize| {
            let span = |index: usize| spans.get(index).copied();
            Some(if last.is_some_and(|last| index < last) {
                Span::new(span(index)?.start, span(index + 1)?.start)
            } else {
                Span::new(span(index.checked_sub(1)?)?.end, span(index)?.end)
            })
        };
        removed.filter_map(removal).map(|span| self.edit(span, String::new())).collect()
    }

    fn edit(self, span: Span, new_text: String) -> Edit {
        Edit { file: self.file, span, new_text }
    }
}

/// Whether a document has no white space between a key and this value.
pub(super) fn is_compact(document: &Document, value: NodeId) -> bool {
    let start = document.span(value).start;
    document.slice(Span::new(start.saturating_sub(1), start)) == ":"
}

impl Entry {
    /// Its index now.
    const fn index(&self) -> Option<usize> {
        match self {
            Self::Kept(index) | Self::Replaced(index, _) => Some(*index),
            Self::New(_) => None,
        }
    }

    fn into_text(self) -> Option<String> {
        match self {
            Self::Kept(_) => None,
            Self::Replaced(_, text) | Self::New(text) => Some(text),
        }
    }
}

/// The entries that stay and the texts of new ones, each after the entry that has this index now, or first.
pub fn with_new(staying: impl Iterator<Item = Entry>, new: Vec<(Option<usize>, String)>) -> Vec<Entry> {
    let mut following: BTreeMap<Option<usize>, Vec<Entry>> = BTreeMap::new();
    for (before, text) in new {
        following.entry(before).or_default().push(Entry::New(text));
    }
    let mut entries = following.remove(&None).unwrap_or_default();
    for entry in staying {
        let index = entry.index();
        entries.push(entry);
        entries.extend(following.remove(&index).unwrap_or_default());
    }
    entries
}

/// New entries as replacements of removed ones, where such are between the same neighbors.
fn in_place_of_removed(entries: Vec<Entry>, count: usize) -> Vec<Entry> {
    // The first index that stays, from each entry on.
    let mut next = count;
    let mut ends: Vec<usize> = entries
        .iter()
        .rev()
        .map(|entry| {
            next = entry.index().unwrap_or(next);
            next
        })
        .collect();
    ends.reverse();
    let mut free = 0;
    let place = |(entry, end): (Entry, usize)| match (entry.index(), entry) {
        (None, Entry::New(text)) if free < end => {
            free += 1;
            Entry::Replaced(free - 1, text)
        }
        (index, entry) => {
            free = index.map_or(free, |index| index + 1);
            entry
        }
    };
    entries.into_iter().zip(ends).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    fn edited(json: &str, entries: &[Entry]) -> String {
        let document = Document::parse(json, Limits::default()).unwrap();
        let array = EditedArray { document: &document, file: FileId(0), list: document.root(), model: None };
        let mut edits = array.edits(entries.to_vec());
        edits.sort_by_key(|edit| edit.span);
        let mut text = json.to_owned();
        for edit in edits.iter().rev() {
            text.replace_range(edit.span.range(), &edit.new_text);
        }
        text
    }

    fn new(text: &str) -> Entry {
        Entry::New(text.to_owned())
    }

    #[test]
    fn entries_that_stay_keep_their_layout() {
        let json = "[ 0,\n  1 ,\n\t2]";
        let kept = Entry::Kept;
        assert_eq!(edited(json, &[kept(0), kept(1), kept(2)]), json);
        assert_eq!(edited(json, &[kept(1), kept(2)]), "[ 1 ,\n\t2]");
        assert_eq!(edited(json, &[kept(0), kept(2)]), "[ 0,\n  2]");
        assert_eq!(edited(json, &[kept(0)]), "[ 0]");
        assert_eq!(edited(json, &[kept(2)]), "[ 2]");
        assert_eq!(edited(json, &[]), "[]");
    }

    #[test]
    fn new_entries_have_the_layout_of_their_neighbors() {
        let kept = Entry::Kept;
        assert_eq!(edited("[\n 0,\n 1\n]", &[new("9"), kept(0), kept(1), new("8")]), "[\n 9,\n 0,\n 1,\n 8\n]");
        assert_eq!(edited("[\n 0\n]", &[kept(0), new("9"), new("8")]), "[\n 0,\n 9,\n 8\n]");
        assert_eq!(edited("[0]", &[kept(0), new("9")]), "[0, 9]");
        assert_eq!(edited("[ ]", &[new("9"), new("8")]), "[9, 8]");
    }

    #[test]
    fn new_entries_take_the_place_of_removed_ones() {
        let kept = Entry::Kept;
        let json = "[0,  1, 2,\n3]";
        assert_eq!(edited(json, &[kept(0), new("9"), kept(3)]), "[0,  9, 3]");
        assert_eq!(edited(json, &[new("9"), new("8"), kept(1)]), "[9,\n8,  1]");
        assert_eq!(edited(json, &[new("9")]), "[9]");
        assert_eq!(
            edited(json, &[kept(0), Entry::Replaced(1, "9".into()), new("8"), new("7"), new("6")]),
            "[0,  9, 8,\n7,\n6]"
        );
    }
}

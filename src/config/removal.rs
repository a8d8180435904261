//! Removing entries of a configuration file: with the comments above and behind them, and all other bytes stay.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer};
use toml_edit::{Array, Document, InlineTable, Item, Table, Value};

use crate::text::source::BYTE_ORDER_MARK;

/// Keys whose empty array has the meaning of a missing one.
const MAY_BE_EMPTY: [&str; 3] = ["exclude", "ignore", "per-file-ignores"];

/// A configuration file whose entries may be removed.
pub struct Entries<'t> {
    text: &'t str,
    document: Document<&'t str>,
}

/// Where the entries begin that are removed: tables such as `[[suppress]]`, keys, elements of arrays.
type Starts = BTreeSet<usize>;

impl<'t> Entries<'t> {
    /// `None` if the text cannot be read.
    pub fn new(text: &'t str) -> Option<Self> {
        Document::parse(text).ok().map(|document| Self { text, document })
    }

    /// The ranges of the text that some entries take, sorted.
    pub fn ranges(&self, starts: &Starts) -> Vec<Range<usize>> {
        let mut search = Search { text: self.text, starts, found: Vec::new() };
        for (name, item) in self.document.iter() {
            search.found.extend(search.member(self.document.as_table(), name, item, MAY_BE_EMPTY.contains(&name)));
        }
        let lines = Lines(self.text);
        merged(search.found).into_iter().map(|range| lines.with_blank_ones(range)).collect()
    }

    /// Whether the text without these ranges has the same values, apart from the entries.
    pub fn is_only_without(&self, ranges: &[Range<usize>], starts: &Starts) -> bool {
        let mut after = self.text.to_owned();
        for range in ranges.iter().rev() {
            after.replace_range(range.clone(), "");
        }
        let wanted = values_without(self.text, starts);
        wanted.is_some() && values_without(&after, &Starts::new()) == wanted
    }
}

/// The values of a text without some entries, and without what is empty.
fn values_without(text: &str, starts: &Starts) -> Option<toml::Table> {
    let mut table = DeTable::parse(text).ok()?.into_inner();
    drop_from_table(&mut table, starts);
    toml::Table::deserialize(Deserializer::from(Spanned::new(0..0, table))).ok()
}

/// Drops entries, and what is empty.
fn drop_from_table(table: &mut DeTable<'_>, starts: &Starts) {
    for (_, value) in table.iter_mut() {
        drop_from(value.get_mut(), starts);
    }
    let is_dropped =
        |key: &Spanned<_>, value: &Spanned<_>| starts.contains(&key.span().start) || is_empty(value.get_ref());
    let dropped = table.iter().filter(|(key, value)| is_dropped(key, value)).map(|(key, _)| key.get_ref().to_string());
    for key in dropped.collect::<Vec<String>>() {
        table.remove(key.as_str());
    }
}

fn drop_from(value: &mut DeValue<'_>, starts: &Starts) {
    match value {
        DeValue::Table(table) => drop_from_table(table, starts),
        DeValue::Array(array) => {
            let all = std::mem::replace(array, DeArray::new()).into_iter();
            *array = all.filter(|element| !starts.contains(&element.span().start)).collect();
            array.iter_mut().for_each(|element| drop_from(element.get_mut(), starts));
        }
        _ => {}
    }
}

fn is_empty(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Table(table) => table.is_empty(),
        DeValue::Array(array) => array.is_empty(),
        _ => false,
    }
}

/// Sorts ranges, and joins those that overlap or touch.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}

/// The search for the entries that are removed.
struct Search<'s> {
    text: &'s str,
    starts: &'s Starts,
    found: Vec<Range<usize>>,
}

/// What the removal of entries leaves of a value.
enum Left {
    /// Something, without these ranges.
    Some(Vec<Range<usize>>),
    /// Nothing that has a meaning.
    Nothing,
}

/// Where an element of an array, or a member of an inline table, is, and what is removed of it; `None` if all of it is.
type Part = (Range<usize>, Option<Vec<Range<usize>>>);

impl Search<'_> {
    fn is_removed(&self, span: Option<Range<usize>>) -> bool {
        span.is_some_and(|span| self.starts.contains(&span.start))
    }

    /// The ranges that are removed of a member of a table.
    fn member(&self, table: &Table, name: &str, item: &Item, may_be_empty: bool) -> Vec<Range<usize>> {
        let key = table.key(name).and_then(|key| key.span());
        match item {
            Item::Table(inner) => self.table(inner, may_be_empty),
            Item::ArrayOfTables(tables) => {
                let tables = tables.iter().flat_map(|inner| match inner.span() {
                    Some(span) if self.is_removed(Some(span.clone())) => vec![self.lines_of(span.start, inner)],
                    _ => self.table(inner, may_be_empty),
                });
                tables.collect()
            }
            Item::Value(value) => {
                let left = self.left_of(value, may_be_empty);
                match (key, value.span(), left) {
                    (Some(key), Some(value), _) if self.is_removed(Some(key.clone())) => {
                        vec![Lines(self.text).of(key.start..value.end)]
                    }
                    (Some(key), Some(value), Left::Nothing) => vec![Lines(self.text).of(key.start..value.end)],
                    (_, _, Left::Some(ranges)) => ranges,
                    _ => Vec::new(),
                }
            }
            Item::None => Vec::new(),
        }
    }

    /// The ranges that are removed of a table; all of it, with its header, if nothing is left.
    fn table(&self, table: &Table, may_be_empty: bool) -> Vec<Range<usize>> {
        let members: Vec<Vec<Range<usize>>> =
            table.iter().map(|(name, item)| self.member(table, name, item, may_be_empty)).collect();
        let is_gone = |((name, item), ranges): ((&str, &Item), &Vec<Range<usize>>)| {
            let start = table.key(name).and_then(|key| key.span()).map(|key| key.start);
            let covers = |range: &Range<usize>| start.is_some_and(|start| range.contains(&start));
            item.is_value() && ranges.iter().any(covers)
        };
        let has_header = !table.is_implicit() && !table.is_dotted();
        match table.span().filter(|_| has_header && may_be_empty && !table.is_empty()) {
            Some(span) if table.iter().zip(&members).all(is_gone) => vec![self.lines_of(span.start, table)],
            _ => members.into_iter().flatten().collect(),
        }
    }

    /// The lines of a table whose header begins at an offset.
    fn lines_of(&self, start: usize, table: &Table) -> Range<usize> {
        let ends = table.iter().filter_map(|(_, item)| item.span()).map(|span| span.end);
        let header = table.span().map_or(start, |span| span.end);
        Lines(self.text).of(start..ends.max().unwrap_or(header).max(header))
    }

    fn left_of(&self, value: &Value, may_be_empty: bool) -> Left {
        match value {
            Value::Array(array) => self.left_of_array(array, may_be_empty),
            Value::InlineTable(table) => self.left_of_inline_table(table, may_be_empty),
            _ => Left::Some(Vec::new()),
        }
    }

    fn left_of_array(&self, array: &Array, may_be_empty: bool) -> Left {
        let items = array.iter().filter_map(|element| {
            let span = element.span()?;
            Some((span.clone(), self.is_removed(Some(span)), self.left_of(element, false)))
        });
        self.left_of_items(array.span(), items.collect(), may_be_empty)
    }

    fn left_of_inline_table(&self, table: &InlineTable, may_be_empty: bool) -> Left {
        let members = table.iter().filter_map(|(name, value)| {
            let (key, span) = (table.key(name)?.span()?, value.span()?);
            let is_removed = self.is_removed(Some(key.clone()));
            Some((key.start..span.end, is_removed, self.left_of(value, may_be_empty)))
        });
        self.left_of_items(table.span(), members.collect(), may_be_empty)
    }

    /// Of the elements of an array, or the members of an inline table: where they are, whether they are removed, and what
    /// is left of them.
    fn left_of_items(
        &self,
        around: Option<Range<usize>>,
        items: Vec<(Range<usize>, bool, Left)>,
        may_be_empty: bool,
    ) -> Left {
        let items: Vec<Part> = items
            .into_iter()
            .map(|(span, is_removed, left)| match left {
                Left::Some(ranges) if !is_removed => (span, Some(ranges)),
                _ => (span, None),
            })
            .collect();
        if !items.is_empty() && items.iter().all(|(_, kept)| kept.is_none()) {
            let inside = around.map(|around| around.start + 1..around.end - 1);
            return if may_be_empty { Left::Nothing } else { Left::Some(inside.into_iter().collect()) };
        }
        let removed = (0..items.len()).filter_map(|index| self.range_of_item(&items, index));
        let kept = items.iter().filter_map(|(_, kept)| kept.as_ref()).flatten();
        Left::Some(removed.chain(kept.cloned()).collect())
    }

    /// The range that the removal of one item takes: its lines, if it is alone there, otherwise with a comma beside it.
    fn range_of_item(&self, items: &[Part], index: usize) -> Option<Range<usize>> {
        let (span, kept) = items.get(index)?;
        if kept.is_some() {
            return None;
        }
        let lines = Lines(self.text);
        if lines.has_alone(span) {
            return Some(lines.of(span.clone()));
        }
        let is_beside = |other: &Range<usize>| {
            let between = if other.end <= span.start { other.end..span.start } else { span.end..other.start };
            self.text.get(between).is_some_and(|between| !between.contains('\n'))
        };
        let before = items.get(..index)?.iter().rev().take_while(|(other, _)| is_beside(other));
        let after = items.get(index + 1..)?.iter().take_while(|(other, _)| is_beside(other));
        let (first_before, first_after) = (before.clone().next(), after.clone().next());
        let has_kept_before = { before }.any(|(_, kept)| kept.is_some());
        match (first_before, first_after) {
            (Some((before, _)), _) if has_kept_before => Some(before.end..span.end),
            (_, Some((after, _))) => Some(span.start..after.start),
            _ => Some(span.start..lines.after_comma(span.end)),
        }
    }
}

/// The lines of a text.
#[derive(Clone, Copy)]
struct Lines<'t>(&'t str);

impl<'t> Lines<'t> {
    /// Where the text begins after a byte-order mark.
    fn first(self) -> usize {
        if self.0.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
    }

    /// The beginning of the line that an offset is in.
    fn start(self, offset: usize) -> usize {
        let before = self.0.get(..offset).unwrap_or_default();
        before.rfind('\n').map_or(self.first(), |end| end + 1).max(self.first())
    }

    /// The end of the line that an offset is in, with its line end.
    fn end(self, offset: usize) -> usize {
        let after = self.0.get(offset..).unwrap_or_default();
        after.find('\n').map_or(self.0.len(), |end| offset + end + 1)
    }

    /// The line before the one that begins at an offset.
    fn before(self, start: usize) -> Option<(usize, &'t str)> {
        let end = start.checked_sub(1).filter(|end| *end >= self.first())?;
        let start = self.start(end);
        Some((start, self.0.get(start..end)?.trim()))
    }

    /// Whole lines, with the comments directly above them, unless these begin the file: they may be about all of it.
    fn of(self, range: Range<usize>) -> Range<usize> {
        let own = self.start(range.start);
        let mut start = own;
        while let Some((before, _)) = self.before(start).filter(|(_, line)| line.starts_with('#')) {
            start = before;
        }
        (if start == self.first() { own } else { start })..self.end(range.end)
    }

    /// Whether nothing but a comma and a comment is beside a value, in its lines.
    fn has_alone(self, span: &Range<usize>) -> bool {
        let before = self.0.get(self.start(span.start)..span.start).unwrap_or_default();
        let after = self.0.get(span.end..self.end(span.end)).unwrap_or_default().trim_start();
        let after = after.strip_prefix(',').unwrap_or(after).trim_start();
        before.trim().is_empty() && (after.is_empty() || after.starts_with('#'))
    }

    /// The offset after the comma that follows.
    fn after_comma(self, end: usize) -> usize {
        let after = self.0.get(end..).unwrap_or_default();
        let rest = after.trim_start_matches([' ', '\t']).strip_prefix(',').unwrap_or(after);
        end + after.len() - rest.len()
    }

    /// A range of whole lines with the blank ones before it, of which the text has others after it; at the beginning of the
    /// text with those after it.
    fn with_blank_ones(self, Range { mut start, mut end }: Range<usize>) -> Range<usize> {
        let is_whole = start == self.start(start) && (end == self.0.len() || end == self.start(end));
        if !is_whole {
            return start..end;
        }
        let is_blank = |at: usize| self.0.get(at..self.end(at)).is_none_or(|line| line.trim().is_empty());
        if start == self.first() {
            while end < self.0.len() && is_blank(end) {
                end = self.end(end);
            }
        } else if is_blank(end) {
            while let Some((before, _)) = self.before(start).filter(|(_, line)| line.is_empty()) {
                start = before;
            }
        }
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without the entries that begin with some texts.
    fn without(text: &str, entries: &[&str]) -> String {
        let starts: Starts = entries.iter().map(|entry| text.find(entry).unwrap()).collect();
        let found = Entries::new(text).unwrap();
        let ranges = found.ranges(&starts);
        assert!(found.is_only_without(&ranges, &starts), "{text}\n{ranges:?}");
        let mut after = text.to_owned();
        for range in ranges.into_iter().rev() {
            after.replace_range(range, "");
        }
        after
    }

    const FILE: &str = "# Of the whole team.\nselect = ['ALL']\n\n[per-file-ignores]\n# Old.\n'a.json' = ['WF110', \
                        'WF414'] # why\n'b.json' = [\n  'WF101', # one\n  # Two.\n  'WF102', # two\n]\n\n# First.\n\
                        [[suppress]] # 1\nrule = 'WF1'\n\n# Loose.\n\n[[suppress]]\nrule = 'WF2'\n# Last.\n\n\
                        [[suppress]]\nrule = 'WF3' # 3\n";

    #[test]
    fn tables_go_with_their_own_comments() {
        let first = "# First.\n[[suppress]] # 1\nrule = 'WF1'\n\n";
        assert_eq!(without(FILE, &["[[suppress]] # 1"]), FILE.replace(first, ""));
        assert_eq!(without(FILE, &["[[suppress]]\nrule = 'WF2'"]), FILE.replace("\n[[suppress]]\nrule = 'WF2'", ""));
        let third = "[[suppress]]\nrule = 'WF3'";
        assert_eq!(without(FILE, &[third]), FILE.replace("\n[[suppress]]\nrule = 'WF3' # 3\n", ""));
        let all = without(FILE, &["[[suppress]] # 1", "[[suppress]]\nrule = 'WF2'", third]);
        assert_eq!(all, format!("{}\n\n# Loose.\n\n# Last.\n", FILE.split_once("\n\n# First").unwrap().0));
    }

    #[test]
    fn elements_go_with_a_comma_or_their_lines() {
        for (entries, before, after) in [
            (&["'WF110'"][..], "['WF110', 'WF414']", "['WF414']"),
            (&["'WF414'"], "['WF110', 'WF414']", "['WF110']"),
            (&["'WF101'"], "  'WF101', # one\n", ""),
            (&["'WF102'"], "  # Two.\n  'WF102', # two\n", ""),
            (&["'WF110'", "'WF414'"], "# Old.\n'a.json' = ['WF110', 'WF414'] # why\n", ""),
            (&["'a.json'"], "# Old.\n'a.json' = ['WF110', 'WF414'] # why\n", ""),
        ] {
            assert_eq!(without(FILE, entries), FILE.replace(before, after), "{entries:?}");
        }
        let all = without(FILE, &["'WF110'", "'WF414'", "'b.json'"]);
        assert_eq!(
            all,
            "# Of the whole team.\nselect = ['ALL']\n\n# First.\n".to_owned()
                + FILE.split_once("# First.\n").unwrap().1
        );
        assert_eq!(without("ignore = ['a', # a\n 'b', 'c']\n", &["'b'"]), "ignore = ['a', # a\n 'c']\n");
        assert_eq!(without("ignore = ['a', # a\n 'b']\n", &["'b'"]), "ignore = ['a', # a\n ]\n");
        assert_eq!(without("ignore = ['a', 'b', 'c']", &["'a'", "'b'"]), "ignore = ['c']");
        assert_eq!(without("ignore = ['a', 'b', 'c']", &["'b'", "'c'"]), "ignore = ['a']");
    }

    #[test]
    fn empty_arrays_stay_where_they_have_a_meaning() {
        assert_eq!(without("select = [ '!a' ]\nexclude = []\n", &["'!a'"]), "select = []\nexclude = []\n");
        assert_eq!(without("ignore = ['!a']\nexclude = ['b']\n", &["'!a'"]), "exclude = ['b']\n");
        assert_eq!(
            without("suppress = [{ rule = 'a' }, { rule = 'b' }]", &["{ rule = 'b'"]),
            "suppress = [{ rule = 'a' }]"
        );
        let inline = "per-file-ignores = { 'a' = ['b'], 'c' = ['d'] }\nselect = []\n";
        assert_eq!(without(inline, &["'b'"]), "per-file-ignores = { 'c' = ['d'] }\nselect = []\n");
        assert_eq!(without(inline, &["'b'", "'c'"]), "select = []\n");
        assert_eq!(without("per-file-ignores.'a' = ['b']\nselect = []\n", &["'b'"]), "select = []\n");
    }

    #[test]
    fn line_ends_and_the_mark_at_the_beginning_stay() {
        let text = "\u{feff}[[suppress]]\r\nrule = 'a'\r\n\r\n[[suppress]]\r\nrule = 'b'\r\n";
        assert_eq!(without(text, &["[[suppress]]\r\nrule = 'a'"]), "\u{feff}[[suppress]]\r\nrule = 'b'\r\n");
        assert_eq!(without(text, &["[[suppress]]\r\nrule = 'b'"]), "\u{feff}[[suppress]]\r\nrule = 'a'\r\n");
    }

    #[test]
    fn text_that_looks_like_a_comment_is_no_entry() {
        let text = "a = \"\"\"\n# b\"\"\"\nignore = ['c']\n";
        let starts = Starts::from([text.find("'c'").unwrap()]);
        let found = Entries::new(text).unwrap();
        assert!(!found.is_only_without(&found.ranges(&starts), &starts));
        assert!(Entries::new("ignore = [").is_none());
    }
}

//! The sensitive values that no report shows. Any rule may report a finding at one; the finding then has the place, but
//! not the value.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;

use crate::document::{Document, NodeId};
use crate::text::diagnostic::{Diagnostic, FileId, Fix};
use crate::text::source::{SourceFile, Span};

/// Replaces a sensitive value.
pub const REPLACEMENT: &str = "•••";
/// Bytes from which on a value is found anywhere; shorter ones, which may be part of any word, only
/// between quotes.
const MIN_UNQUOTED_LEN: usize = 8;
/// Longer values are not searched for: they are redacted where they are known to be, and messages
/// quote only their first characters.
const MAX_VALUE_LEN: usize = 4096;
/// As [`MIN_UNQUOTED_LEN`], in the texts of runs: these consist of values, and quote none.
const MIN_LEN_IN_RUNS: usize = 4;
/// Bytes of the beginning of a value from which on it is found where a text was cut.
const MIN_CUT_LEN: usize = 4;
/// Bytes of a value that a text may hold before it is cut.
const MAX_BEGINNING_LEN: usize = 1024;
/// What texts that are cut end with.
const CUT: char = '…';
/// Bytes of all values together.
const MAX_TOTAL_LEN: usize = 1 << 20;

/// A secret, or the value of a masked variable, in a string of a document.
#[derive(Debug, Clone)]
pub struct SensitiveValue<'a> {
    pub file: FileId,
    pub document: &'a Document,
    pub node: NodeId,
    /// The sensitive part of the string, in bytes of its unescaped characters; `None` for all of it.
    pub part: Option<Range<usize>>,
}

impl<'a> SensitiveValue<'a> {
    /// The sensitive part of the string.
    pub fn text(&self) -> Option<&'a str> {
        let text = self.document.string(self.node)?;
        text.get(self.part.clone().unwrap_or(0..text.len()))
    }
}

/// The places and strings that are redacted.
#[derive(Debug, Default, Clone)]
pub struct Redactions {
    spans: BTreeMap<FileId, Vec<Span>>,
    /// Finds the values in messages and fixes.
    in_messages: Finder,
    /// Finds further strings in them, which no document holds.
    further: Finder,
    /// The values and the first bytes of long ones, sorted: of these, texts that are cut hold the beginnings.
    beginnings: Vec<String>,
}

impl Redactions {
    /// Redacts values where they are, and their copies anywhere in `files`: tools that write
    /// documents repeat values.
    pub fn new<'a>(
        values: impl IntoIterator<Item = SensitiveValue<'a>>,
        files: impl IntoIterator<Item = (FileId, &'a SourceFile)>,
    ) -> Self {
        let mut redactions = Self::default();
        let mut strings = Strings::default();
        for value in values {
            if let Some(span) = strings.add(&value) {
                redactions.spans.entry(value.file).or_default().push(span);
            }
        }
        if !strings.are_too_long() {
            let copies = Finder::new(strings.escaped.iter().map(|&value| value.to_owned()).collect());
            for (file, source) in files {
                let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                let found = copies.find(&source.text).into_iter();
                let spans = found.map(|found| Span::new(offset(found.start), offset(found.end)));
                redactions.spans.entry(file).or_default().extend(spans);
            }
            let values: BTreeSet<&str> = strings.unescaped.union(&strings.escaped).copied().collect();
            redactions.in_messages = Finder::new(values.iter().map(|&value| value.to_owned()).collect());
            redactions.beginnings = values.into_iter().map(|value| beginning(value).to_owned()).collect();
            redactions.beginnings.sort_unstable();
        }
        for spans in redactions.spans.values_mut() {
            merge_overlapping(spans);
        }
        redactions
    }

    /// Redacts values in the texts that runs show.
    pub fn of_runs<'a>(values: impl IntoIterator<Item = SensitiveValue<'a>>) -> Self {
        let mut redactions = Self::new(values, []);
        redactions.in_messages.min_unquoted_len = MIN_LEN_IN_RUNS;
        redactions
    }

    /// Also redacts strings that are in no document.
    #[must_use]
    pub fn and(self, strings: Vec<String>) -> Self {
        let further = Finder { min_unquoted_len: MIN_LEN_IN_RUNS, ..Finder::new(strings) };
        Self { further, ..self }
    }

    /// Whether there are values to search for.
    pub const fn is_empty(&self) -> bool {
        self.in_messages.nfa.is_none() && self.further.nfa.is_none()
    }

    /// The places in a file, sorted and disjoint.
    pub fn spans(&self, file: FileId) -> &[Span] {
        self.spans.get(&file).map_or(&[], Vec::as_slice)
    }

    /// Replaces the values in a string.
    pub fn redact_text(&self, text: &mut String) {
        if let Cow::Owned(redacted) = self.redacted(text) {
            *text = redacted;
        }
    }

    /// A string with the values in it replaced.
    pub fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let redacted = replaced(Cow::Borrowed(text), self.find(text));
        let further = self.further.find(&redacted);
        replaced(redacted, further)
    }

    /// The places of values in a string, and of the beginnings of those with which it was cut; sorted and disjoint.
    fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = self.in_messages.find(text);
        let cuts = text.match_indices(CUT).filter(|_| !self.beginnings.is_empty());
        for found in cuts.filter_map(|(end, _)| self.cut_before(text, end)) {
            places.retain(|place| place.end <= found.start || found.end <= place.start);
            places.push(found);
        }
        places.sort_unstable_by_key(|place| place.start);
        places
    }

    /// The longest beginning of a value that ends at a byte.
    fn cut_before(&self, text: &str, end: usize) -> Option<Range<usize>> {
        let starts = end.saturating_sub(MAX_BEGINNING_LEN)..=end.checked_sub(MIN_CUT_LEN)?;
        starts.into_iter().map(|start| start..end).find(|range| {
            text.get(range.clone()).is_some_and(|part| {
                let next = self.beginnings.partition_point(|value| value.as_str() < part);
                self.beginnings.get(next).is_some_and(|value| value.starts_with(part))
            })
        })
    }

    /// Replaces the values in all strings of a finding. A fix that would write one is removed.
    pub fn redact(&self, diagnostic: &mut Diagnostic) {
        let redact = |text: &mut String| self.redact_text(text);
        redact(&mut diagnostic.message);
        diagnostic.related.iter_mut().chain(&mut diagnostic.flow).for_each(|label| redact(&mut label.message));
        let is_sensitive = |text: &str| !self.find(text).is_empty();
        diagnostic.help.iter_mut().filter(|help| is_sensitive(help)).for_each(|help| redact(help.to_mut()));
        // A redacted fix would write the replacement into the document.
        let is_open = |fix: &Fix| !fix.edits.iter().any(|edit| is_sensitive(&edit.new_text));
        diagnostic.fix = diagnostic.fix.take().filter(|fix| is_open(fix));
        diagnostic.alternatives.retain(is_open);
        let fix = diagnostic.fix.iter_mut().map(|fix| &mut **fix);
        fix.chain(&mut diagnostic.alternatives).for_each(|fix| redact(&mut fix.title));
    }
}

/// Whether copies of values are redacted, too; false if the values are too long to search for.
pub fn finds_copies<'a>(values: impl IntoIterator<Item = SensitiveValue<'a>>) -> bool {
    let mut strings: Strings<'a> = Strings::default();
    for value in values {
        strings.add(&value);
    }
    !strings.are_too_long() && strings.unescaped.iter().all(|value| value.len() <= MAX_VALUE_LEN)
}

/// The characters of each value, and the bytes of the document, which differ by escapes.
#[derive(Default)]
struct Strings<'a> {
    unescaped: BTreeSet<&'a str>,
    escaped: BTreeSet<&'a str>,
}

impl<'a> Strings<'a> {
    /// The place of the value; `None` of one that is blank.
    fn add(&mut self, value: &SensitiveValue<'a>) -> Option<Span> {
        let string = value.text().filter(|string| !string.trim().is_empty())?;
        let part = value.part.clone().unwrap_or(0..string.len());
        let span = value.document.span_inside(value.node, part);
        self.escaped.insert(value.document.slice(span));
        self.unescaped.insert(string);
        Some(span)
    }

    /// The automaton that searches for them grows with them.
    fn are_too_long(&self) -> bool {
        let lengths = self.unescaped.union(&self.escaped).map(|value| value.len());
        lengths.filter(|&length| length <= MAX_VALUE_LEN).sum::<usize>() > MAX_TOTAL_LEN
    }
}

/// A text without these places, which are sorted and disjoint.
fn replaced(mut text: Cow<'_, str>, places: Vec<Range<usize>>) -> Cow<'_, str> {
    // From the end, so that earlier places stay valid.
    for place in places.into_iter().rev() {
        text.to_mut().replace_range(place, REPLACEMENT);
    }
    text
}

/// The first bytes of a value.
fn beginning(value: &str) -> &str {
    (0..=MAX_BEGINNING_LEN).rev().find_map(|end| value.get(..end)).unwrap_or(value)
}

/// Sorts spans and joins those that overlap.
pub fn merge_overlapping(spans: &mut Vec<Span>) {
    spans.sort_unstable();
    spans.dedup_by(|next, span| {
        let overlaps = next.start < span.end;
        span.end = if overlaps { span.end.max(next.end) } else { span.end };
        overlaps
    });
}

/// Finds sensitive values in a string.
#[derive(Debug, Default, Clone)]
struct Finder {
    nfa: Option<NFA>,
    /// Bytes from which on a value is found anywhere, not only between quotes.
    min_unquoted_len: usize,
}

impl Finder {
    fn new(mut values: Vec<String>) -> Self {
        values.retain(|value| value.len() <= MAX_VALUE_LEN);
        values.sort_unstable();
        values.dedup();
        let nfa = Some(values).filter(|values| !values.is_empty()).and_then(|values| NFA::new(values).ok());
        Self { nfa, min_unquoted_len: MIN_UNQUOTED_LEN }
    }

    /// The places of values in a string, sorted and disjoint; of values that overlap, the place of all of them.
    ///
    /// One step for each byte: a search for disjoint values would start again after each of them, which takes very long
    /// where one value is the beginning of another.
    fn find(&self, text: &str) -> Vec<Range<usize>> {
        let is_quote = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\'));
        let bytes = text.as_bytes();
        let Some(nfa) = &self.nfa else { return Vec::new() };
        let Ok(mut state) = nfa.start_state(Anchored::No) else { return Vec::new() };
        let mut places: Vec<Range<usize>> = Vec::new();
        for (end, &byte) in (1..).zip(bytes) {
            state = nfa.next_state(Anchored::No, state, byte);
            if !nfa.is_match(state) {
                continue;
            }
            // The values that end here, the longest first, which contains the others.
            let mut lengths = (0..nfa.match_len(state)).map(|index| nfa.pattern_len(nfa.match_pattern(state, index)));
            let is_found = |start: usize| {
                let is_quoted = || {
                    let before = start.checked_sub(1).and_then(|before| bytes.get(before));
                    is_quote(before) && is_quote(bytes.get(end))
                };
                end - start >= self.min_unquoted_len || is_quoted()
            };
            let Some(mut start) = lengths.find_map(|length| Some(end - length).filter(|&start| is_found(start))) else {
                continue;
            };
            while let Some(last) = places.pop_if(|last| last.end > start) {
                start = start.min(last.start);
            }
            places.push(start..end);
        }
        places
    }
}

/// Walks once through a part of a file, and replaces sensitive characters.
pub struct ExcerptRedactor<'s> {
    /// The redacted places that have not been passed yet; sorted, none overlapping.
    spans: &'s [Span],
    /// The place whose replacement was returned last.
    replaced: Option<Span>,
}

impl<'s> ExcerptRedactor<'s> {
    /// Begins at a byte of the file.
    pub fn new(source: &'s SourceFile, start: usize) -> Self {
        let first = source.hidden.partition_point(|span| span.end as usize <= start);
        Self { spans: source.hidden.get(first..).unwrap_or_default(), replaced: None }
    }

    /// The replacement of the character at a byte of the file; `None` if it is not redacted. The offsets of successive
    /// calls must not decrease.
    pub fn replacement(&mut self, offset: usize) -> Option<&'static str> {
        while let [first, rest @ ..] = self.spans
            && first.end as usize <= offset
        {
            self.spans = rest;
        }
        let place = *self.spans.first().filter(|span| span.range().contains(&offset))?;
        // The first character becomes the replacement and the others nothing, so that the length of a secret stays
        // hidden.
        let is_continued = self.replaced.replace(place) == Some(place);
        Some(if is_continued { "" } else { REPLACEMENT })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str], text: &str) -> Vec<String> {
        let finder = Finder::new(values.iter().map(|&value| value.to_owned()).collect());
        finder.find(text).into_iter().map(|part| text.get(part).unwrap().to_owned()).collect()
    }

    #[test]
    fn a_long_value_is_found_anywhere_and_a_short_one_between_quotes() {
        assert_eq!(found(&["hunter2"], "a 'hunter2', hunter2 and xhunter2x"), ["hunter2"]);
        assert_eq!(found(&["19811228-9874"], "for 19811228-9874!"), ["19811228-9874"]);
        assert_eq!(found(&["true"], r#"{ "required": true, "value": "true" }"#), ["true"]);
    }

    #[test]
    fn the_beginning_of_a_value_is_found_where_a_text_was_cut() {
        let beginnings = vec!["hunter2-and-more".to_owned(), "über".to_owned()];
        let redactions = Redactions { beginnings, ..Redactions::default() };
        for (text, shown) in [
            ("is \"tok hunter2-…\" here", "is \"tok •••…\" here"),
            ("hunt… übe… über…", "•••… •••… •••…"),
            ("hun… hunter2- x…", "hun… hunter2- x…"),
        ] {
            let mut text = text.to_owned();
            redactions.redact_text(&mut text);
            assert_eq!(text, shown);
        }
    }

    #[test]
    fn values_that_overlap_or_contain_each_other_are_one_place() {
        assert_eq!(found(&["secret12", "my secret12"], "my secret12, secret12"), ["my secret12", "secret12"]);
        assert_eq!(found(&["abcdefgh", "efghijkl"], "abcdefghijkl abcdefgh"), ["abcdefghijkl", "abcdefgh"]);
        assert_eq!(found(&["b", "ab"], "'ab' 'b'"), ["ab", "b"]);
        assert_eq!(found(&["b", "a'b"], "a'b'"), ["b"], "the longer one is not quoted");
    }
}

//! What no report shows: the secrets of a service, and the values that its documents give masked
//! variables. Any rule may find something at such a value; it prints the place, not the value.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::masked::masked_values;
use crate::diagnostic::{Diagnostic, FileId, quote};
use crate::rules::Context;
use crate::source::Span;

/// What stands for a hidden value.
pub const COVER: &str = "•••";
/// Shorter values are looked for between quotes alone: they may be a part of anything.
const SHORTEST: usize = 8;
/// Longer values are covered where they were found alone, and in messages, which cut them.
const LONGEST: usize = 4096;
/// Bytes of all values that are looked for elsewhere than where they were found.
const MOST: usize = 1 << 20;

/// The values that are not to be shown.
#[derive(Debug, Default)]
pub struct Hidden {
    /// Where they are, by file.
    spans: BTreeMap<FileId, Vec<Span>>,
    /// Finds them in messages and fixes.
    in_messages: Option<Finder>,
}

impl Hidden {
    /// What is to be hidden of a service.
    pub fn of(cx: &Context<'_>) -> Self {
        let secrets = cx.secrets.iter().map(|secret| (secret.file, secret.node, Some(secret.part.clone())));
        let masked = masked_values(cx).into_iter().map(|(file, node)| (file, node, None));
        let mut hidden = Self::default();
        let (mut written, mut plain) = (BTreeSet::new(), BTreeSet::new());
        for (file, node, part) in secrets.chain(masked) {
            let Some(document) = cx.document(file) else { continue };
            let Some(text) = document.string(node) else { continue };
            let part = part.unwrap_or(0..text.len());
            let value = text.get(part.clone()).unwrap_or_default();
            if !value.trim().is_empty() {
                let span = document.span_inside(node, part);
                hidden.spans.entry(file).or_default().push(span);
                written.insert(document.slice(span));
                plain.insert(value);
            }
        }
        hidden.find_copies(cx, written.iter().map(|&value| value.to_owned()).collect());
        hidden.in_messages = Finder::new(as_told(&plain, &written));
        for spans in hidden.spans.values_mut() {
            spans.sort_unstable();
            spans.dedup_by(|next, span| {
                let is_inside = next.start < span.end;
                span.end = if is_inside { span.end.max(next.end) } else { span.end };
                is_inside
            });
        }
        hidden
    }

    /// The places of a file, sorted and apart.
    pub fn spans(&self, file: FileId) -> &[Span] {
        self.spans.get(&file).map_or(&[], Vec::as_slice)
    }

    /// Hides the values in all that a finding says. A fix that would write one is not offered.
    pub fn cover(&self, diagnostic: &mut Diagnostic) {
        let Some(finder) = &self.in_messages else { return };
        let cover = |text: &mut String| {
            for found in finder.find(text).into_iter().rev() {
                text.replace_range(found, COVER);
            }
        };
        cover(&mut diagnostic.message);
        diagnostic.help.iter_mut().for_each(cover);
        diagnostic.related.iter_mut().for_each(|label| cover(&mut label.message));
        let tells = |text: &str| !finder.find(text).is_empty();
        if diagnostic.fix.as_ref().is_some_and(|fix| fix.edits.iter().any(|edit| tells(&edit.new_text))) {
            diagnostic.fix = None;
        }
        diagnostic.fix.iter_mut().for_each(|fix| cover(&mut fix.title));
    }

    /// Finds the values wherever else they stand in the files: editors keep copies.
    fn find_copies(&mut self, cx: &Context<'_>, values: Vec<String>) {
        let Some(finder) = Finder::new(values) else { return };
        for file in &cx.files {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let found = finder.find(&file.source.text).into_iter();
            let spans = found.map(|found| Span::new(offset(found.start), offset(found.end)));
            self.spans.entry(file.id).or_default().extend(spans);
        }
    }
}

/// How values may stand in a message or a fix: as they are, cut, as JSON.
fn as_told(plain: &BTreeSet<&str>, written: &BTreeSet<&str>) -> Vec<String> {
    let cut = plain.iter().filter_map(|value| Some(quote(value).strip_prefix('`')?.strip_suffix("…`")?.to_owned()));
    cut.chain(plain.union(written).map(|&value| value.to_owned())).collect()
}

/// Finds values in texts.
#[derive(Debug)]
struct Finder(AhoCorasick);

impl Finder {
    fn new(mut values: Vec<String>) -> Option<Self> {
        values.retain(|value| value.len() <= LONGEST);
        if values.is_empty() || values.iter().map(String::len).sum::<usize>() > MOST {
            return None;
        }
        let kind = Some(AhoCorasickKind::ContiguousNFA);
        AhoCorasick::builder().kind(kind).match_kind(MatchKind::LeftmostLongest).build(values).ok().map(Self)
    }

    /// Where values are in a text, in its order.
    fn find(&self, text: &str) -> Vec<Range<usize>> {
        let is_quote = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\'));
        let bytes = text.as_bytes();
        let found = self.0.find_iter(text).filter(|found| {
            let is_quoted =
                || found.start() > 0 && is_quote(bytes.get(found.start() - 1)) && is_quote(bytes.get(found.end()));
            found.len() >= SHORTEST || is_quoted()
        });
        found.map(|found| found.range()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str], text: &str) -> Vec<String> {
        let finder = Finder::new(values.iter().map(|&value| value.to_owned()).collect()).unwrap();
        finder.find(text).into_iter().map(|part| text.get(part).unwrap().to_owned()).collect()
    }

    #[test]
    fn a_long_value_is_found_anywhere_and_a_short_one_between_quotes() {
        assert_eq!(found(&["hunter2"], "a 'hunter2', hunter2 and xhunter2x"), ["hunter2"]);
        assert_eq!(found(&["19811228-9874"], "for 19811228-9874!"), ["19811228-9874"]);
        assert_eq!(found(&["true"], r#"{ "required": true, "value": "true" }"#), ["true"]);
    }
}

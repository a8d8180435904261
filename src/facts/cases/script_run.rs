//! What is known of the string that a script left in `Json` after one run.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use crate::common::collections::{HashMap, HashSet};
use crate::document::{Document, NodeId, escape_step};
use crate::script::evaluation::{Run, RunValue, Trace};
use crate::script::syntax::{Property, Script, Site, SiteKind};

/// The facts that all runs of a script share.
#[derive(Debug)]
pub struct RunScript {
    /// Index among the scripts that build cases.
    pub number: usize,
    pub text: String,
    /// Its analysis.
    pub syntax: Arc<Script>,
    /// Whether the document has the values of all parameters, so that every value in the case is the document's.
    pub is_fixed: bool,
    /// The keys, strings and numbers that the cases of all runs have, if some of these runs have no made-up value in
    /// common: the script makes them, whatever an order brings.
    pub constants: HashSet<String>,
}

/// One run of a script.
#[derive(Debug)]
pub struct ScriptRun {
    pub script: Rc<RunScript>,
    pub values: Vec<RunValue>,
    /// Whether the values may be meant for something else.
    pub is_guess: bool,
    /// `None` if it is not known which sites the run passed.
    trace: Option<Box<Trace>>,
    /// By JSON pointer: the literal that makes a part.
    literals: HashMap<String, Origin>,
    /// By JSON pointer: the site that assigns it to a key.
    targets: HashMap<String, Origin>,
    /// Whether the text is a made-up value, which the script passes on as it is.
    is_passed_on: bool,
}

/// Minus the index of an object literal: the site of a key that it has after copies of other objects (`trace.js`).
const OF_KEY: i64 = -2;

/// The site of a script that makes something in the case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// Index of the site.
    Site(usize),
    /// A part of a sample value.
    Sample,
    /// Unknown.
    Unknown,
}

/// The part of a value that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// The value itself: the literal that makes it.
    Value,
    /// Its use at this key: the assignment that puts it there.
    Use,
    Key,
}

impl ScriptRun {
    pub fn new(script: Rc<RunScript>, run: &Run, trace: Option<Trace>, text: &str) -> Self {
        let (mut literals, mut targets) = (HashMap::default(), HashMap::default());
        for (pointer, site) in trace.iter().flat_map(|trace| &trace.parts) {
            let key_of = usize::try_from(OF_KEY - *site).ok();
            let index = usize::try_from(*site).ok().or(key_of);
            let kind = index.and_then(|index| script.syntax.sites.get(index)).map(|site| &site.kind);
            let is_target = key_of.is_some() || matches!(kind, Some(SiteKind::Target(_)));
            // A computed key of a literal may be that of an order.
            let has_key = |properties: &[Property]| {
                let last = pointer.rsplit('/').next();
                properties.iter().any(|property| last == Some(&*escape_step(&property.name)))
            };
            if let (Some(_), Some(SiteKind::Object(properties))) = (key_of, kind)
                && !has_key(properties)
            {
                continue;
            }
            let parts = if is_target { &mut targets } else { &mut literals };
            parts.insert(pointer.clone(), index.map_or(Origin::Sample, Origin::Site));
        }
        let (values, is_guess) = (run.values.clone(), run.is_guess);
        let is_passed_on = values.iter().any(|value| value.is_made_up && value.text.trim() == text.trim());
        Self { script, values, is_guess, trace: trace.map(Box::new), literals, targets, is_passed_on }
    }

    /// Whether the script contains a value, such as a key, which may be in the case by chance then.
    pub fn is_of_script(&self, value: &str) -> bool {
        self.script.text.to_lowercase().contains(&value.to_lowercase())
    }

    /// Whether the run passes a site. One that cannot be followed passes every site.
    pub fn passes(&self, origin: Origin) -> bool {
        match (&self.trace, origin) {
            (Some(trace), Origin::Site(site)) => trace.passed.contains(&site),
            _ => true,
        }
    }

    /// The site that makes the whole text.
    pub fn origin_of_text(&self) -> Origin {
        // Nothing is known of a sample value that the script passes on, whether it parses it or not.
        if self.is_passed_on || self.literals.get("") == Some(&Origin::Sample) {
            return Origin::Sample;
        }
        self.trace.as_ref().and_then(|trace| trace.site).map_or(Origin::Unknown, Origin::Site)
    }

    /// The site that makes a value.
    pub fn origin(&self, document: &Document, node: NodeId, aspect: Aspect) -> Origin {
        // The key of a sample value may be one of the script.
        let is_sample = aspect != Aspect::Key
            && (self.is_sample(document, node) || self.literals.get(&document.pointer(node)) == Some(&Origin::Sample));
        if is_sample {
            return Origin::Sample;
        }
        self.nearest(document, node, aspect).map_or_else(|| self.origin_of_text(), |(origin, _)| origin)
    }

    /// The literal of the object that holds a value.
    pub fn origin_of_holder(&self, document: &Document, node: NodeId) -> Origin {
        let literal = document.parent(node).and_then(|holder| self.literals.get(&document.pointer(holder)));
        literal.copied().unwrap_or(Origin::Unknown)
    }

    /// The nearest site around a value, and the node that it makes.
    fn nearest(&self, document: &Document, node: NodeId, aspect: Aspect) -> Option<(Origin, NodeId)> {
        let path = std::iter::successors(Some(node), |&node| document.parent(node));
        path.into_iter().find_map(|at| {
            let pointer = document.pointer(at);
            let is_own = at == node && aspect != Aspect::Value;
            let literal = self.literals.get(&pointer).filter(|_| !is_own);
            let origin = literal.or_else(|| self.targets.get(&pointer))?;
            Some((*origin, at))
        })
    }

    /// Whether a value comes from a made-up value that is JSON, or is inserted as such: an order may bring another type.
    fn is_sample(&self, document: &Document, node: NodeId) -> bool {
        if let Some(number) = document.number(node) {
            let site = self.trace.as_ref().and_then(|trace| self.site(trace.site?));
            let is_stringified = site.is_some_and(|site| site.kind == SiteKind::Stringify);
            return !is_stringified && self.values.iter().any(|value| value.is_made_up && value.text == number);
        }
        let text = document.string(node).unwrap_or_default();
        let is_in = |value: &RunValue| value.is_json && value.is_made_up && value.text.contains(text);
        !text.is_empty() && self.values.iter().any(is_in) && !self.is_literal(text)
    }

    /// Whether the document has a value, so that messages may show it: no made-up value is a part of it.
    pub fn is_of_document(&self, document: &Document, node: NodeId) -> bool {
        if self.script.is_fixed {
            return true;
        }
        let is_made_up = |text: &str| self.values.iter().any(|value| value.is_made_up && value.text == text);
        match (document.string(node), document.number(node)) {
            (Some(text), _) => text.is_empty() || self.is_constant(text) || self.is_literal(text) && !is_made_up(text),
            (None, Some(number)) => self.is_constant(number) || self.is_literal_number(number),
            (None, None) => true,
        }
    }

    fn is_constant(&self, part: &str) -> bool {
        self.script.constants.contains(part)
    }

    fn is_literal(&self, text: &str) -> bool {
        self.texts_of_document().any(|known| known.contains(text))
    }

    /// The script, and the values that the document has.
    fn texts_of_document(&self) -> impl Iterator<Item = &str> {
        let fixed = self.values.iter().filter(|value| !value.is_made_up).map(|value| value.text.as_str());
        fixed.chain([self.script.text.as_str()])
    }

    fn is_literal_number(&self, number: &str) -> bool {
        self.texts_of_document().any(|text| {
            text.match_indices(number).any(|(at, _)| {
                let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
                let before = text.get(..at).and_then(|before| before.chars().next_back());
                let after = text.get(at + number.len()..).and_then(|after| after.chars().next());
                !before.is_some_and(is_part) && !after.is_some_and(is_part)
            })
        })
    }

    /// Whether the script itself names a key: not a made-up one that a copy brought along.
    pub fn names_key(&self, document: &Document, object: NodeId, key: &str) -> bool {
        let pointer = format!("{}/{}", document.pointer(object), escape_step(key));
        if self.targets.contains_key(&pointer) || self.is_constant(key) {
            return true;
        }
        match self.nearest(document, object, Aspect::Value) {
            // Also another object of the script, from which it may be copied.
            Some((Origin::Site(_), at)) if at == object => {
                let is_of_site = self.script.syntax.sites.iter().any(|site| match &site.kind {
                    SiteKind::Object(properties) => properties.iter().any(|property| property.name == key),
                    SiteKind::Target(property) => property.name == key,
                    _ => false,
                });
                is_of_site || self.is_only_in_script(key)
            }
            Some((Origin::Sample, _)) => false,
            _ => !self.values.iter().any(|value| value.is_json) && self.script.text.contains(key),
        }
    }

    /// Whether the script has a key, such as that of `object[key] = …`, and no made-up value can bring it.
    fn is_only_in_script(&self, key: &str) -> bool {
        let may_bring = |value: &RunValue| value.is_json || value.is_made_up && value.text.contains(key);
        self.script.text.contains(key) && !self.values.iter().any(may_bring)
    }

    fn site(&self, index: usize) -> Option<&Site> {
        self.script.syntax.sites.get(index)
    }

    /// The best place that is known in the script for a value of the case, or for its key.
    pub fn range(&self, document: &Document, node: NodeId, aspect: Aspect) -> Option<Range<usize>> {
        let Some((Origin::Site(index), at)) = self.nearest(document, node, aspect) else {
            return self.likely_range(document, node, aspect).or_else(|| self.range_of_text());
        };
        let site = self.site(index)?;
        let is_key = || self.targets.get(&document.pointer(at)) == Some(&Origin::Site(index));
        if matches!(site.kind, SiteKind::Object(_)) && is_key() {
            return self.range_inside(site, document, at, if at == node { aspect } else { Aspect::Value });
        }
        if at == node {
            return Some(match &site.kind {
                SiteKind::Target(property) if aspect == Aspect::Key => property.key.clone(),
                SiteKind::Target(property) => self.start_of(property.value.clone()),
                _ => self.start_of(site.range.clone()),
            });
        }
        let path = std::iter::successors(Some(node), |&node| document.parent(node));
        let step = path.into_iter().take_while(|&step| step != at).last();
        let inside = step.and_then(|step| self.range_inside(site, document, step, aspect));
        inside.or_else(|| self.likely_range(document, node, aspect)).or_else(|| Some(self.start_of(site.range.clone())))
    }

    /// The range of a property or element of a literal.
    fn range_inside(&self, site: &Site, document: &Document, step: NodeId, aspect: Aspect) -> Option<Range<usize>> {
        match &site.kind {
            SiteKind::Object(properties) => {
                let key = document.key(step)?;
                let property = properties.iter().rfind(|property| property.name == key)?;
                Some(if aspect == Aspect::Key { property.key.clone() } else { self.start_of(property.value.clone()) })
            }
            SiteKind::Array(elements) => {
                let index = document.elements(document.parent(step)?).position(|element| element == step)?;
                Some(self.start_of(elements.get(index)?.clone()))
            }
            SiteKind::Target(property) => Some(self.start_of(property.value.clone())),
            SiteKind::Stringify | SiteKind::Result | SiteKind::Spread | SiteKind::ComputedTarget => None,
        }
    }

    /// Without a site: the only part of the script that looks like the value.
    fn likely_range(&self, document: &Document, node: NodeId, aspect: Aspect) -> Option<Range<usize>> {
        let find = if aspect == Aspect::Key { likely_key } else { likely_origin };
        find(&self.script.text, document, node)
    }

    /// The range of what makes the whole text.
    pub fn range_of_text(&self) -> Option<Range<usize>> {
        let Origin::Site(index) = self.origin_of_text() else { return None };
        Some(self.site(index)?.range.clone())
    }

    /// The range, or its bracket if it is a literal: as in documents, an object is found at its brace.
    fn start_of(&self, range: Range<usize>) -> Range<usize> {
        let text = self.script.text.get(range.clone()).unwrap_or_default();
        if text.starts_with(['{', '[']) { range.start..range.start + 1 } else { range }
    }
}

/// Where a script writes a name.
pub struct WrittenName {
    /// Without quotation marks.
    pub range: Range<usize>,
    /// The name, where it is both a key and what it is set to.
    pub shorthand: Option<String>,
}

impl ScriptRun {
    /// Where the script writes a key or string of the case. `None` if that is not certain, or if the name is elsewhere in
    /// the script than among keys and elements, where it may be read.
    pub fn written(&self, document: &Document, node: NodeId, aspect: Aspect) -> Option<WrittenName> {
        let name = if aspect == Aspect::Key { document.key(node)? } else { document.string(node)? };
        let range = self.unquoted(self.range(document, node, aspect)?, name)?;
        let script = self.script.text.as_str();
        let sites = || self.script.syntax.sites.iter();
        let is_known = |word: &Range<usize>| {
            *word == range
                || sites().any(|site| parts(site).any(|part| self.unquoted(part, name) == Some(word.clone())))
        };
        let mut words = script.match_indices(name).map(|(start, found)| start..start + found.len());
        let is_certain = words.all(|word| !is_word(script, &word) || is_known(&word));
        let is_shorthand = |property: &Property| property.key == range && property.value == range;
        let shorthand = sites().any(|site| match &site.kind {
            SiteKind::Object(properties) => properties.iter().any(is_shorthand),
            _ => false,
        });
        is_certain.then(|| WrittenName { shorthand: shorthand.then(|| name.to_owned()), range })
    }

    /// A part of the script that is a name, without its quotation marks.
    fn unquoted(&self, range: Range<usize>, name: &str) -> Option<Range<usize>> {
        let text = self.script.text.get(range.clone())?;
        let is_quoted = || {
            ['"', '\'', '`']
                .iter()
                .any(|&mark| text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark)) == Some(name))
        };
        if text == name { Some(range) } else { is_quoted().then(|| range.start + 1..range.end - 1) }
    }
}

/// The keys that a site names, and its elements.
fn parts(site: &Site) -> impl Iterator<Item = Range<usize>> {
    let (keys, elements): (&[Property], &[Range<usize>]) = match &site.kind {
        SiteKind::Object(properties) => (properties, &[]),
        SiteKind::Target(property) => (std::slice::from_ref(&**property), &[]),
        SiteKind::Array(elements) => (&[], elements),
        _ => (&[], &[]),
    };
    keys.iter().map(|property| property.key.clone()).chain(elements.iter().cloned())
}

/// The likely origin of a value of the built JSON, by the text of the script (only what occurs once counts): the string literal that equals it, if the script has
/// exactly one; otherwise the innermost key around the value that occurs exactly once.
fn likely_origin(script: &str, built: &Document, value: NodeId) -> Option<Range<usize>> {
    let literal = built.string(value).filter(|text| !text.is_empty()).and_then(|text| only_literal(script, text));
    literal.or_else(|| likely_key(script, built, value))
}

/// The likely origin of a key, given the node of its value.
fn likely_key(script: &str, built: &Document, value: NodeId) -> Option<Range<usize>> {
    let path = std::iter::successors(Some(value), |&node| built.parent(node));
    path.filter_map(|node| built.key(node)).find_map(|name| only_word(script, name))
}

/// The range of the only string literal with this content, with its quotation marks.
fn only_literal(script: &str, text: &str) -> Option<Range<usize>> {
    let quote_at = |at: Option<usize>| script.as_bytes().get(at?).copied().filter(|byte| b"'\"`".contains(byte));
    let content = only(script, text, |range| {
        let before = quote_at(range.start.checked_sub(1));
        before.is_some() && before == quote_at(Some(range.end))
    })?;
    Some(content.start - 1..content.end + 1)
}

/// The range of the only occurrence of a whole word.
fn only_word(script: &str, word: &str) -> Option<Range<usize>> {
    only(script, word, |range| is_word(script, range))
}

/// Whether a part of the script is not a part of a longer word.
fn is_word(script: &str, range: &Range<usize>) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let before = script.get(..range.start).and_then(|before| before.chars().next_back());
    let after = script.get(range.end..).and_then(|after| after.chars().next());
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}

/// The range of the only occurrence of a string for which `fits` holds.
fn only(script: &str, text: &str, fits: impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
    let ranges = script.match_indices(text).map(|(start, found)| start..start + found.len());
    let mut ranges = ranges.filter(|range| !range.is_empty() && fits(range));
    ranges.next().filter(|_| ranges.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    const SCRIPT: &str = "var first = { Name: RequesterName, MobilePhone: RequesterMobile };\n\
        Json = JSON.stringify({ Name: DocumentName, Parties: [first, { Name: ManagerName, EmailAddress: Mail }],\n\
        'AllowedSignatureTypes': ['SMS'], Culture: \"en_US\" });";
    const BUILT: &str = r#"{"Name": "Contract", "Parties": [{"Name": "Anna", "MobilePhone": ""},
        {"Name": "Bo", "EmailAddress": "bo@example.com"}], "AllowedSignatureTypes": ["SMS"], "Culture": "en_US"}"#;

    fn found(pointer: &str) -> Option<&str> {
        let built = Document::parse(BUILT, Limits::default()).unwrap();
        likely_origin(SCRIPT, &built, built.resolve(pointer).unwrap()).and_then(|range| SCRIPT.get(range))
    }

    #[test]
    fn unique_literal_is_the_origin() {
        assert_eq!(found("/Culture"), Some("\"en_US\""));
        assert_eq!(found("/AllowedSignatureTypes/0"), Some("'SMS'"));
    }

    #[test]
    fn otherwise_the_innermost_unique_key_is_the_origin() {
        assert_eq!(found("/Parties/0/MobilePhone"), Some("MobilePhone"));
        assert_eq!(found("/Parties/1/EmailAddress"), Some("EmailAddress"));
        // `Name` occurs three times, and a party is an element without a key.
        assert_eq!(found("/Parties/1/Name"), Some("Parties"));
        assert_eq!(found("/Parties/1"), Some("Parties"));
    }

    #[test]
    fn parts_of_words_and_the_root_have_no_origin() {
        assert_eq!(found("/Name"), None);
        assert_eq!(found(""), None);
        assert_eq!(only_word("Names: $Name, Name_", "Name"), None);
        assert_eq!(only_word("é.Name", "Name"), Some(3..7));
        assert_eq!(only_literal("'a' + \"a'", "a"), Some(0..3));
    }

    #[test]
    fn key_originates_from_its_name() {
        let built = Document::parse(BUILT, Limits::default()).unwrap();
        let culture = built.resolve("/Culture").unwrap();
        assert_eq!(likely_key(SCRIPT, &built, culture).and_then(|range| SCRIPT.get(range)), Some("Culture"));
    }
}

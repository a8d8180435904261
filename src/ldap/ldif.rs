//! RFC 2849: the entries of an LDIF file.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::attribute::{Description, first_value};
use super::entry::Attribute;
use super::{Dn, Entry};
use crate::common::collections::HashMap;
use crate::text::source::BYTE_ORDER_MARK;

/// Why content is not an LDIF file of entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LdifError {
    /// The wrong line with its continuation lines, without the line end; in bytes on character
    /// boundaries.
    pub span: Range<usize>,
    /// What is wrong, and what to write instead if that is clear; without a part of the file, which may be
    /// any file.
    pub message: String,
}

/// Parses content records (RFC 2849), and change records that add an entry, in their order. A byte-order mark is
/// skipped, and values may contain characters beyond ASCII, as many programs write them. Records with further ranges
/// of values (`member;range=1500-*`) belong to the entry before with their name, and the ranges may have any order.
///
/// # Errors
/// The first invalid line. Other change records, values from a URL (`:<`) and duplicate distinguished names are
/// errors.
pub fn parse(text: &str) -> Result<Vec<Entry>, LdifError> {
    let mut reader = Reader::default();
    for line in Lines::new(text) {
        reader.line(&line?)?;
    }
    reader.finish_record()?;
    let entry = |mut record: Record| {
        record.attributes.sort_by_key(|(first, _)| *first);
        let attributes = record.attributes.into_iter().map(|(_, attribute)| attribute).collect();
        Entry::from_parts(record.dn, record.dn_text, attributes)
    };
    Ok(reader.records.into_iter().map(entry).collect())
}

/// A line joined with its continuation lines (§2, note 2).
struct Line<'t> {
    text: Cow<'t, str>,
    span: Range<usize>,
}

impl Line<'_> {
    fn error(&self, message: impl Into<String>) -> LdifError {
        LdifError { span: self.span.clone(), message: message.into() }
    }
}

/// The lines without comments.
struct Lines<'t> {
    physical: std::iter::Peekable<std::str::SplitInclusive<'t, char>>,
    at: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let content = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        Self { physical: content.split_inclusive('\n').peekable(), at: text.len() - content.len() }
    }

    fn physical_line(&mut self) -> Option<(&'t str, Range<usize>)> {
        let line = self.physical.next()?;
        let start = self.at;
        self.at += line.len();
        let content = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        Some((content, start..start + content.len()))
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Result<Line<'t>, LdifError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (content, mut span) = self.physical_line()?;
            if content.starts_with(' ') {
                let message =
                    "unexpected continuation line; a line that begins with a space continues the one before it";
                return Some(Err(LdifError { span, message: message.to_owned() }));
            }
            let mut text = Cow::Borrowed(content);
            while !content.is_empty() && self.physical.peek().is_some_and(|line| line.starts_with(' ')) {
                let Some((more, place)) = self.physical_line() else { break };
                text.to_mut().push_str(more.strip_prefix(' ').unwrap_or(more));
                span.end = place.end;
            }
            if !content.starts_with('#') {
                return Some(Ok(Line { text, span }));
            }
        }
    }
}

const CHANGE: &str = "unsupported LDIF change record, only `changetype: add` is; export the entries of the directory \
                      instead, with `ldifde -f` or `ldapsearch -LLL`";

struct Record {
    dn: Dn,
    dn_text: String,
    /// Each with the number of the first value of its range.
    attributes: Vec<(u64, Attribute)>,
    /// The error of a `control` that no `changetype: add` has followed yet.
    control: Option<LdifError>,
    /// The number of a record before with this name, and the error unless this one has further ranges of its values.
    again: Option<(usize, LdifError)>,
}

#[derive(Default)]
struct Reader {
    records: Vec<Record>,
    /// The numbers of the records.
    names: HashMap<Dn, usize>,
    /// By name as written. Most records have the same attributes, so they share the descriptions.
    descriptions: HashMap<String, Arc<Description>>,
    /// The entry that is being read.
    record: Option<Record>,
    has_version: bool,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) -> Result<(), LdifError> {
        if line.text.is_empty() {
            return self.finish_record();
        }
        let (name, value) = line.text.split_once(':').unwrap_or((&line.text, ""));
        let is_control = name.eq_ignore_ascii_case("control");
        if is_control || name.eq_ignore_ascii_case("changetype") || line.text == "-" {
            let adds = || decode(value).is_ok_and(|change| change.trim_ascii_end().eq_ignore_ascii_case(b"add"));
            let record = self.record.as_mut().filter(|record| record.attributes.is_empty());
            let Some(record) = record.filter(|_| is_control || adds()) else { return Err(line.error(CHANGE)) };
            record.control = is_control.then(|| line.error(CHANGE));
            return Ok(());
        }
        if name.len() == line.text.len() {
            return Err(line.error("missing `:` between attribute and value"));
        }
        if name.eq_ignore_ascii_case("version") && self.record.is_none() {
            return self.version(line, value);
        }
        let value = decode(value).map_err(|message| line.error(message))?;
        if name.eq_ignore_ascii_case("dn") {
            return self.begin_record(line, value);
        }
        let description = self
            .description(name)
            .ok_or_else(|| line.error("invalid attribute name; only letters, digits and `-` are allowed"))?;
        let Some(record) = &mut self.record else {
            let ends_search = matches!(description.attribute.as_str(), "search" | "result");
            let hint = if ends_search { "; run `ldapsearch` with `-LLL` for plain LDIF" } else { "" };
            return Err(line.error(format!("expected `dn: …` at the beginning of an entry{hint}")));
        };
        let again = record.again.take_if(|_| !name.contains('=')).map(|(_, error)| error);
        if let Some(error) = record.control.take().or(again) {
            return Err(error);
        }
        record.attributes.push((first_value(name), (description, value)));
        Ok(())
    }

    fn version(&mut self, line: &Line<'_>, value: &str) -> Result<(), LdifError> {
        if self.has_version || !self.records.is_empty() {
            return Err(line.error("misplaced `version`; it is allowed once, before the first entry"));
        }
        self.has_version = true;
        if value.trim() == "1" { Ok(()) } else { Err(line.error("unsupported LDIF version, expected 1")) }
    }

    fn begin_record(&mut self, line: &Line<'_>, value: Vec<u8>) -> Result<(), LdifError> {
        if self.record.is_some() {
            return Err(line.error("missing empty line between entries"));
        }
        let text = String::from_utf8(value).map_err(|_| line.error("distinguished name is not valid UTF-8"))?;
        let dn = Dn::parse(&text).ok_or_else(|| line.error("invalid distinguished name"))?;
        let again = self.names.get(&dn).map(|&number| (number, line.error("duplicate entry")));
        self.record = Some(Record { dn, dn_text: text, attributes: Vec::new(), control: None, again });
        Ok(())
    }

    fn finish_record(&mut self) -> Result<(), LdifError> {
        let Some(mut record) = self.record.take() else { return Ok(()) };
        if let Some(error) = record.control.take() {
            return Err(error);
        }
        match record.again.take() {
            Some((_, error)) if record.attributes.is_empty() => return Err(error),
            Some((number, _)) => {
                if let Some(first) = self.records.get_mut(number) {
                    first.attributes.append(&mut record.attributes);
                }
            }
            None => {
                self.names.insert(record.dn.clone(), self.records.len());
                self.records.push(record);
            }
        }
        Ok(())
    }

    fn description(&mut self, name: &str) -> Option<Arc<Description>> {
        if let Some(known) = self.descriptions.get(name) {
            return Some(Arc::clone(known));
        }
        let description = Arc::new(Description::parse(name)?);
        self.descriptions.insert(name.to_owned(), Arc::clone(&description));
        Some(description)
    }
}

/// The value after the first `:` of a line (§2, `value-spec`).
fn decode(value: &str) -> Result<Vec<u8>, &'static str> {
    if value.starts_with('<') {
        return Err("values from a URL (`:<`) are not supported; write the value itself, in base64 after `::`");
    }
    let Some(encoded) = value.strip_prefix(':') else {
        return Ok(value.trim_start_matches(' ').as_bytes().to_vec());
    };
    data_encoding::BASE64.decode(encoded.trim_matches(' ').as_bytes()).map_err(|_| "invalid base64 after `::`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text at the place of the error, and the message.
    fn error(text: &str) -> (&str, String) {
        let error = parse(text).unwrap_err();
        (text.get(error.span).unwrap(), error.message)
    }

    #[test]
    fn folded_lines_comments_and_base64_are_parsed() {
        let text = "\u{feff}version: 1\n\n# a comment\n  that goes on\ndn: CN=Anna,\n  DC=x\ncn:Anna\nCN: A\n nna B\n\
                    # between\ncn;lang-sv:: w4VzYQ==\nmail:\nphoto:: /9g=\n\n\n\ndn:: Q049QixEQz14\n";
        let entries = parse(text).unwrap();
        let [anna, other] = entries.as_slice() else { panic!("{entries:?}") };
        assert_eq!(anna.dn_text(), "CN=Anna, DC=x");
        let names: Vec<&[u8]> = anna.values("cn").collect();
        assert_eq!(names, [b"Anna".as_slice(), b"Anna B", "Åsa".as_bytes()]);
        assert_eq!(anna.text("mail"), Some(""));
        assert_eq!(anna.text("photo"), None);
        assert_eq!(anna.values("photo").next(), Some([0xff, 0xd8].as_slice()));
        assert_eq!(other.dn_text(), "CN=B,DC=x");
        assert_eq!(parse(&text.replace('\n', "\r\n")).unwrap(), entries);
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn exports_of_active_directory_are_parsed() {
        let text = "dn: CN=Team\ncontrol: 1.2.3 true\nControl: 1.2.4\nChangeType: ADD\ncn: Team\n\
                    member;Range=2-2: CN=c\nmember;range=0-1: CN=a\nmember;range=0-1: CN=b\n\n\
                    dn: CN=a\nchangetype:: YWRk\n\ndn: cn=team\nmember;range=3-*: CN=d\n";
        let entries = parse(text).unwrap();
        let [team, _] = entries.as_slice() else { panic!("{entries:?}") };
        let members: Vec<&[u8]> = team.values("member").collect();
        assert_eq!(members, [b"CN=a", b"CN=b", b"CN=c", b"CN=d"]);
        assert_eq!(error("dn: CN=a\n\ndn: CN=a\nmember;range=1-*: CN=d\ncn: a").1, "duplicate entry");
    }

    #[test]
    fn error_is_at_its_line() {
        let (place, message) = error("version: 1\ncn: Anna\n");
        assert_eq!((place, message.as_str()), ("cn: Anna", "expected `dn: …` at the beginning of an entry"));
        assert_eq!(error("dn: CN=a\r\ncn:: a\r\n b=c\r\n").0, "cn:: a\r\n b=c");
        assert_eq!(error("dn: CN=a\n\ndn: cn = A\n").0, "dn: cn = A");
        assert_eq!(error("dn: anna").1, "invalid distinguished name");
        assert_eq!(error(" dn: CN=a").0, " dn: CN=a");
        assert_eq!(error("dn: CN=a\n\n more").0, " more");
        assert_eq!(error("dn: CN=a\ndn: CN=b").1, "missing empty line between entries");
        assert_eq!(error("dn: CN=a\nanna").0, "anna");
        assert_eq!(error("dn: CN=a\nthe name: anna").0, "the name: anna");
        assert_eq!(error("dn:: /w==").1, "distinguished name is not valid UTF-8");
        assert_eq!(error("version: 2").1, "unsupported LDIF version, expected 1");
        assert_eq!(error("dn: CN=a\n\nversion: 1").0, "version: 1");
    }

    #[test]
    fn change_records_and_values_from_urls_are_errors() {
        for change in ["changeType: modify", "changetype:: ZGVsZXRl", "control: 1.2.3 true", "-"] {
            let text = format!("dn: CN=a\n{change}\n");
            let (place, message) = error(&text);
            assert_eq!(place, change);
            assert!(message.starts_with("unsupported LDIF change record"), "{message}");
        }
        assert_eq!(error("dn: CN=a\ncn: a\nchangetype: add\n").0, "changetype: add");
        assert_eq!(error("changetype: add\n").0, "changetype: add");
        for rest in ["cn: a", "changetype: modify", "\n", "-"] {
            assert!(error(&format!("dn: CN=a\ncontrol: 1.2\n{rest}\n")).1.starts_with("unsupported LDIF change"));
        }
        assert!(error("dn: CN=a\nphoto:< file:///etc/passwd").1.starts_with("values from a URL"));
        assert!(error("dn: CN=a\n\nsearch: 2\nresult: 0 Success").1.ends_with("`-LLL` for plain LDIF"));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(
            text in "\\PC*",
            near in "((dn|cn|version)?:?[:< ]?(CN=[ab]|é|w4U=)?(\r?\n){0,2}){0,12}",
        ) {
            for text in [text, near] {
                if let Err(error) = parse(&text) {
                    prop_assert!(text.get(error.span).is_some());
                }
            }
        }
    }
}

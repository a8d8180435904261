//! Parses the `[[suppress]]` and `[[service]]` tables of a configuration file one by one, to save memory: the parser
//! needs about 40 bytes for each byte that it parses at a time, and there may be very many tables.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::de::DeTable;
use toml::{Spanned, Table, Value};
use toml_parser::Source;
use toml_parser::lexer::{Token, TokenKind};

use super::file::{ConfigFile, SuppressEntry};
use super::services::ServiceFileEntry;
use crate::limits::MAX_SMALL_FILE_BYTES;
use crate::toml_file::{TomlError, read_part};

/// The arrays of tables that a configuration may have many of.
const ARRAYS: [&str; 2] = ["suppress", "service"];

/// One table of [`ARRAYS`].
#[derive(Deserialize)]
struct OneTable {
    #[serde(default)]
    suppress: Vec<Spanned<SuppressEntry>>,
    #[serde(default)]
    service: Vec<Spanned<ServiceFileEntry>>,
}

/// A configuration file, of which the tables of [`ARRAYS`] are read one by one.
pub(super) struct Parts {
    tables: Vec<Range<usize>>,
    /// The text without the tables, with all others at their offsets.
    pub rest: String,
}

impl Parts {
    /// # Errors
    /// A part that is parsed at a time is too large.
    pub fn of(name: &str, text: &str) -> Result<Self, TomlError> {
        let tables = tables(text).unwrap_or_default();
        let other_bytes = text.len().saturating_sub(tables.iter().map(Range::len).sum());
        if other_bytes > MAX_SMALL_FILE_BYTES {
            let reason =
                format!("larger than {} MiB without `[[suppress]]` and `[[service]]`", MAX_SMALL_FILE_BYTES >> 20);
            return Err(TomlError(format!("{name}: {reason}")));
        }
        let mut rest = String::with_capacity(text.len());
        for table in &tables {
            rest.push_str(text.get(rest.len()..table.start).unwrap_or_default());
            rest.extend(std::iter::repeat_n(' ', table.len()));
        }
        rest.push_str(text.get(rest.len()..).unwrap_or_default());
        Ok(Self { tables, rest })
    }
}

/// Reads a configuration file by its parts.
///
/// # Errors
/// As [`read_part`].
pub(super) fn read_by_tables(name: &str, text: &str, parts: &Parts) -> Result<ConfigFile, TomlError> {
    let mut file: ConfigFile = read_part(name, text, 0, &parts.rest)?;
    for table in parts.tables.iter().cloned() {
        let start = table.start;
        let read: OneTable = read_part(name, text, start, text.get(table).unwrap_or_default())?;
        let suppressions = read.suppress.into_iter().map(|entry| {
            moved(entry, start, |entry| SuppressEntry {
                rule: entry.rule.map(|rule| moved(rule, start, |rule| rule)),
                law: entry.law.map(|law| moved(law, start, |law| law)),
                until: entry.until.map(|until| moved(until, start, |until| until)),
                ..entry
            })
        });
        file.suppress.extend(suppressions);
        let services = read.service.into_iter().map(|entry| {
            moved(entry, start, |entry| ServiceFileEntry {
                workflow: entry.workflow.map(|workflow| moved(workflow, start, |workflow| workflow)),
                forms: entry.forms.into_iter().map(|form| moved(form, start, |form| form)).collect(),
                ..entry
            })
        });
        file.service.extend(services);
    }
    Ok(file)
}

fn moved<T>(value: Spanned<T>, by: usize, inside: impl Fn(T) -> T) -> Spanned<T> {
    let Range { start, end } = value.span();
    Spanned::new(start + by..end + by, inside(value.into_inner()))
}

/// Where the tables of [`ARRAYS`] are, each up to the next header. `None` if the file defines one of them in another way
/// as well, or may do so: such a file is read as a whole, with the errors of the parser.
fn tables(text: &str) -> Option<Vec<Range<usize>>> {
    let mut tables: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    let mut has_header = false;
    for statement in Statements::new(text) {
        match statement.header(text) {
            Header::None if has_header => {}
            Header::None if statement.may_be_of_arrays(text) => return None,
            Header::None => {}
            header => {
                has_header = true;
                if let Some(last) = tables.last_mut().filter(|_| is_open) {
                    last.end = statement.start;
                }
                is_open = matches!(header, Header::OfArray);
                if is_open {
                    tables.push(statement.start..text.len());
                } else if statement.may_be_of_arrays(text) {
                    return None;
                }
            }
        }
    }
    Some(tables)
}

/// The first tokens of a line that is not the continuation of a value, without white space.
#[derive(Default)]
struct Statement {
    start: usize,
    tokens: Vec<Token>,
}

enum Header {
    None,
    OfArray,
    Other,
}

impl Statement {
    /// As many as `[[suppress]]` has.
    const MAX_TOKENS: usize = 5;

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind())
    }

    fn text<'t>(&self, index: usize, text: &'t str) -> Option<&'t str> {
        let span = self.tokens.get(index)?.span();
        text.get(span.start()..span.end())
    }

    fn header(&self, text: &str) -> Header {
        use TokenKind::{Atom, LeftSquareBracket as Open, RightSquareBracket as Close};
        if self.kind(0) != Some(Open) {
            return Header::None;
        }
        let wanted = [Open, Open, Atom, Close, Close].map(Some);
        let is_of_array = wanted.into_iter().enumerate().all(|(index, kind)| self.kind(index) == kind)
            && self.text(2, text).is_some_and(|name| ARRAYS.contains(&name));
        if is_of_array { Header::OfArray } else { Header::Other }
    }

    /// Whether its first key is one of [`ARRAYS`], or in quotes, where it may be written with escapes.
    fn may_be_of_arrays(&self, text: &str) -> bool {
        let is_bracket = |index| self.kind(index) == Some(TokenKind::LeftSquareBracket);
        let Some(key) = (0..self.tokens.len()).find(|&index| !is_bracket(index)) else { return false };
        match self.kind(key) {
            Some(TokenKind::Atom) => self.text(key, text).is_none_or(|name| ARRAYS.contains(&name)),
            Some(_) => true,
            None => false,
        }
    }
}

/// The statements of a text: its headers and assignments.
struct Statements<T> {
    tokens: T,
}

impl Statements<()> {
    fn new(text: &str) -> Statements<impl Iterator<Item = Token>> {
        Statements { tokens: Source::new(text).lex() }
    }
}

impl<T: Iterator<Item = Token>> Iterator for Statements<T> {
    type Item = Statement;

    fn next(&mut self) -> Option<Statement> {
        let mut statement = Statement::default();
        // The depth of brackets: a value may span several lines.
        let mut depth = 0_usize;
        let mut is_value = false;
        for token in self.tokens.by_ref() {
            match token.kind() {
                TokenKind::Whitespace | TokenKind::Comment => continue,
                TokenKind::Newline if statement.tokens.is_empty() || depth > 0 => continue,
                TokenKind::Newline => return Some(statement),
                TokenKind::Eof => break,
                TokenKind::Equals => is_value = true,
                TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket if is_value => depth += 1,
                TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            if statement.tokens.is_empty() {
                statement.start = token.span().start();
            }
            if statement.tokens.len() < Statement::MAX_TOKENS {
                statement.tokens.push(token);
            }
        }
        (!statement.tokens.is_empty()).then_some(statement)
    }
}

/// The settings that the files of a configuration merge by key.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct PlainKeys {
    #[serde(skip_serializing_if = "Option::is_none")]
    fail_on: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<Table>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<Table>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scripts: Option<Table>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fmt: Option<Table>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explore: Option<Table>,
}

/// The offset of the value of a key of a table.
pub(super) fn offset_of(text: &str, table: &str, key: &str) -> Option<usize> {
    let root = DeTable::parse(text).ok()?;
    let find = |table: &DeTable<'_>, wanted: &str| {
        let found = table.iter().find(|(key, _)| key.get_ref().as_ref() == wanted);
        found.map(|(_, value)| value.span().start)
    };
    let inner = root.get_ref().iter().find(|(key, _)| key.get_ref().as_ref() == table)?.1;
    find(inner.get_ref().as_table()?, key)
}

/// The plain keys of a file, which was parsed without an error before.
pub(super) fn plain_keys(text: &str) -> Table {
    let keys = toml::from_str::<PlainKeys>(text).ok();
    keys.and_then(|keys| Table::try_from(keys).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "rule = 'WF101'\nfile = 'a.json'\nactivity = 'A'\nreason = 'r'\n";

    fn read(text: &str) -> Result<String, String> {
        let debug = |file: &ConfigFile| format!("{file:?}");
        let read = Parts::of("t", text).and_then(|parts| read_by_tables("t", text, &parts));
        read.map(|file| debug(&file)).map_err(|error| error.0)
    }

    /// What the parser makes of the whole text.
    fn read_whole(text: &str) -> Result<String, String> {
        crate::toml_file::read::<ConfigFile>("t", text).map(|file| format!("{file:?}")).map_err(|error| error.0)
    }

    #[test]
    fn file_is_read_by_tables_as_it_is_as_a_whole() {
        let service = "[[service]]\r\nname = 's'\r\nworkflow = 'w.json'\r\nforms = [\n'a', # [[suppress]]\n\n'b']\r\n";
        for text in [
            format!("\u{feff}ignore = ['a',\n'b']\n[[suppress]] # c\n{ENTRY}\n {service}[[suppress]]\n{ENTRY}"),
            format!("[limits]\nmax-depth = 5\n[[ suppress ]]\n{ENTRY}until = 2030-01-01\n[fmt]\nindent = 3\n"),
            format!("exclude = ['''\n[[suppress]]\n{ENTRY}'''.x]\n[[suppress]]\n{ENTRY}").replace(".x", ""),
            format!("[per-file-ignores]\n'suppress' = ['WF1']\n[[suppress]]\n{ENTRY}"),
            format!("[[\"suppress\"]]\n{ENTRY}[[suppress]]\n{ENTRY}"),
            format!("suppress = []\n[[suppress]]\n{ENTRY}"),
            format!("'suppr' = []\n[[suppress]]\n{ENTRY}"),
            format!("[[suppress]]\n{ENTRY}[suppress.x]\n"),
            format!("[[suppress]]\n{ENTRY}[[suppress]]\n{ENTRY}rule = 'WF102'\n"),
            format!("[[suppress]]\n{ENTRY}[[suppress]]\nrule = 'WF101'\n"),
            format!("[[suppress]]\n{ENTRY}x = 1\n[limits]\nmax-depth = 5\n"),
            format!("[[suppress]]\n{ENTRY}[limits]\nmax-depth = 'a'\n"),
            format!("[[suppress]]\n{ENTRY}[limits\n"),
            format!("[[suppress]]\n{ENTRY}y = [\n[[suppress]]\n{ENTRY}"),
            format!("[[suppress]] x\n{ENTRY}"),
            format!("[[suppress]\n{ENTRY}"),
            format!("[ [suppress]]\n{ENTRY}"),
        ] {
            assert_eq!(read(&text), read_whole(&text), "{text}");
        }
    }

    #[test]
    fn only_what_is_parsed_at_one_time_is_limited() {
        let tables = format!("[[suppress]]\n{ENTRY}").repeat(20_000);
        let text = |length: usize| format!("#{}\n{tables}", "x".repeat(length - 2));
        assert!(read(&text(MAX_SMALL_FILE_BYTES)).is_ok());
        let error = read(&text(MAX_SMALL_FILE_BYTES + 1)).unwrap_err();
        assert_eq!(error, "t: larger than 1 MiB without `[[suppress]]` and `[[service]]`");
    }

    #[test]
    fn tables_are_found() {
        let text = format!("ignore = []\n[[suppress]]\n{ENTRY}[fmt]\n[[service]]\nname = 's'\n");
        let found = tables(&text).unwrap();
        let starts: Vec<_> =
            found.iter().map(|table| text.get(table.clone()).unwrap().lines().next().unwrap()).collect();
        assert_eq!(starts, ["[[suppress]]", "[[service]]"]);
        assert!(text.get(found[0].clone()).unwrap().ends_with("reason = 'r'\n"));
        assert!(tables("suppress = []").is_none() && tables("[[suppress]]\n[[suppress.x]]").is_none());
    }
}

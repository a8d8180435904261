//! Search filters (RFC 4515): the syntax tree, and the error of a string that is not a filter.

use std::fmt;
use std::ops::Range;

use super::assertion::{Assertion, MatchingRule, Substrings};
use super::attribute::Description;

/// How deeply parentheses may be nested; the RFCs set no limit.
pub const MAX_DEPTH: usize = 64;

/// How long a filter may be, in bytes. Its tree takes a multiple of that.
pub const MAX_BYTES: usize = 1 << 20;

/// A parsed search filter.
#[derive(Debug, Clone)]
pub struct Filter {
    pub(super) root: Node,
}

/// A part of a filter, nested at most [`MAX_DEPTH`] levels.
#[derive(Debug, Clone)]
pub(super) enum Node {
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
    Item(Box<Item>),
}

/// One comparison.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The attribute; `None` for a matching rule that is applied to all attributes.
    pub attribute: Option<Description>,
    /// `:dn`: the attributes in the entry's distinguished name count as well.
    pub with_name: bool,
    pub test: Test,
}

/// What a value is compared with.
#[derive(Debug, Clone)]
pub(super) enum Test {
    Present,
    Equal(Assertion),
    Substrings(Substrings),
    AtLeast(Assertion),
    AtMost(Assertion),
    Rule(MatchingRule, Assertion),
}

/// Why a string is not a search filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterError {
    /// The wrong part, in bytes on character boundaries; empty at the end of the text if something is
    /// missing there.
    pub span: Range<usize>,
    /// What is wrong. Columns count characters from 1.
    pub message: String,
    /// What to write instead, if that is clear.
    pub help: Option<String>,
    /// The text may be a filter, but is longer than [`MAX_BYTES`] or nested more than [`MAX_DEPTH`] levels.
    pub exceeds_limit: bool,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl std::error::Error for FilterError {}

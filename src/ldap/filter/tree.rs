//! The syntax tree of a search filter (RFC 4515 §2), and what may be wrong with one.

use std::fmt;
use std::ops::Range;

use crate::ldap::attribute::Description;
use crate::ldap::dn::Dn;
use crate::ldap::matching::{Assertion, MatchingRule, Substrings};

/// How deeply parentheses may be nested; the RFCs set no limit.
pub const MAX_DEPTH: usize = 64;

/// How long a filter may be, in bytes. Its tree takes a multiple of that.
pub const MAX_BYTES: usize = 1 << 20;

/// A parsed search filter.
#[derive(Debug, Clone)]
pub struct Filter {
    pub(in crate::ldap) root: Node,
    /// The attributes and names of comparisons in chains, by number.
    pub(in crate::ldap) chains: Vec<(Description, Dn)>,
    /// What Active Directory accepts, and other directories may not.
    pub lenient: Vec<FilterError>,
    /// Comparisons that never match, because their rule is unknown or does not apply.
    pub unmatched: Vec<FilterError>,
}

/// A part of a filter, nested at most [`MAX_DEPTH`] levels.
#[derive(Debug, Clone)]
pub(in crate::ldap) enum Node {
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
    Item(Box<Item>),
}

/// One comparison.
#[derive(Debug, Clone)]
pub(in crate::ldap) struct Item {
    /// The attribute; `None` for a matching rule that is applied to all attributes.
    pub attribute: Option<Description>,
    /// `:dn`: the attributes in the entry's distinguished name count as well.
    pub with_name: bool,
    pub test: Test,
}

/// What a value is compared with.
#[derive(Debug, Clone)]
pub(in crate::ldap) enum Test {
    Present,
    Equal(Assertion),
    Substrings(Substrings),
    AtLeast(Assertion),
    AtMost(Assertion),
    Rule(MatchingRule, Assertion),
    /// The name is reached by following the attribute from entry to entry (MS-ADTS §3.1.1.3.4.4.3); the number of the
    /// chain.
    InChain(usize, Assertion),
}

/// Why a string, or a part of it, is not a search filter.
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

impl FilterError {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None, exceeds_limit: false }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

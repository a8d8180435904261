//! What a script assigns to `Json`.

use std::ops::Range;

use super::interpolated::InterpolatedName;
use super::value_kind::ValueKind;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Json {
    /// In source order; at most the first hundred.
    pub assignments: Vec<Assignment>,
    /// Whether there are more, so that it is unknown which one is the last.
    pub has_more_assignments: bool,
    pub assigned: Assigned,
    /// The first one that may append to `Json` before it is set; an index.
    pub unset_append: Option<usize>,
    /// Whether there were too many expressions to see what is interpolated.
    pub is_interpolation_cut_off: bool,
}

/// Whether `Json` is assigned when the script ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Assigned {
    #[default]
    Never,
    OnSomePaths,
    OnEveryPath,
    /// A function, a destructuring pattern or dynamic code may assign it.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The identifier `Json`.
    pub target: Range<usize>,
    /// The assigned expression.
    pub value: Range<usize>,
    pub kind: ValueKind,
    /// Whether it is `+=`.
    pub is_append: bool,
    /// The globals whose values become a part of the string without being escaped. Empty when another
    /// assignment always replaces this one.
    pub interpolated: Vec<InterpolatedName>,
    /// Whether the value is text with globals in it that are not escaped, or a literal.
    pub(super) is_interpolated_or_literal: bool,
    /// Whether it is definite that the value may still be there when the script ends.
    pub reaches_end: bool,
}

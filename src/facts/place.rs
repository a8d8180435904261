//! Where something is: by node. The rules' reporter finds the bytes.

use std::ops::Range;

use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::graph::Read;

/// A place in a document, by node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub file: FileId,
    pub node: NodeId,
    pub part: Part,
    /// The value of a signing case that the place stands for.
    pub case_value: Option<CaseValue>,
}

/// A value in a signing case. Many values of a case that a script builds have one place, the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseValue {
    /// Index among the service's cases.
    pub case: usize,
    /// In the document of the case.
    pub node: NodeId,
}

/// Which characters of a node are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Value,
    Key,
    /// A byte range of a string, without escapes.
    Inside(Range<usize>),
}

impl Place {
    pub const fn value(file: FileId, node: NodeId) -> Self {
        Self { file, node, part: Part::Value, case_value: None }
    }

    /// The name of a member, by its value.
    pub const fn key(file: FileId, node: NodeId) -> Self {
        Self { file, node, part: Part::Key, case_value: None }
    }

    /// A part of a string, as a byte range of its characters without escapes.
    pub const fn inside(file: FileId, string: NodeId, part: Range<usize>) -> Self {
        Self { file, node: string, part: Part::Inside(part), case_value: None }
    }

    /// The place as that of a value in a signing case.
    pub(super) fn of_case_value(self, value: CaseValue) -> Self {
        Self { case_value: Some(value), ..self }
    }

    /// Where a variable is read: its name in a binding, or the placeholder in a string.
    pub fn of_read(file: FileId, read: &Read) -> Self {
        match &read.part {
            Some(part) => Self::inside(file, read.node, part.clone()),
            None => Self::value(file, read.node),
        }
    }
}

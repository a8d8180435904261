//! Code activities (reference, Other activity types).

use super::binding::Binding;
use super::reader::{Member, Reader};
use crate::document::NodeId;

/// The members of a Code activity.
#[derive(Debug, Clone, PartialEq)]
pub struct Code<'d> {
    /// What the script is given.
    pub parameters: Member<Vec<CodeParameter<'d>>>,
    /// JavaScript.
    pub script: Member<&'d str>,
}

/// The global variable in which a script leaves its result (reference, Code).
pub const SCRIPT_RESULT: &str = "Json";

/// A named value for a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeParameter<'d> {
    /// The object.
    pub node: NodeId,
    /// Its name in the script.
    pub name: Member<&'d str>,
    /// Its value.
    pub value: Member<Binding<'d>>,
}

impl<'d> CodeParameter<'d> {
    pub(super) fn read(reader: &mut Reader<'d>, node: NodeId) -> Self {
        Self { node, name: reader.text(node, "name"), value: Binding::member(reader, node, "value") }
    }
}

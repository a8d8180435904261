//! Code activities (docs/platform.md, Code).

use super::binding::Binding;
use super::reader::{Member, Reader};
use crate::document::NodeId;
use crate::schema::Element;

#[derive(Debug, Clone, PartialEq)]
pub struct Code<'d> {
    pub parameters: Member<Vec<CodeParameter<'d>>>,
    /// JavaScript.
    pub script: Member<&'d str>,
}

/// The global variable in which a script leaves its result (docs/platform.md, Code).
pub const SCRIPT_RESULT: &str = "Json";

/// A variable of the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeParameter<'d> {
    pub node: NodeId,
    pub name: Member<&'d str>,
    pub value: Member<Binding<'d>>,
}

impl<'d> CodeParameter<'d> {
    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        reader.enter(Element::CodeParameter, node);
        Self { node, name: reader.text(node, "name"), value: Binding::member(reader, node, "value") }
    }
}

//! Conditions of While and If (docs/platform.md, Other activity types).

use super::binding::Binding;
use super::reader::{Member, Reader};
use crate::document::NodeId;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    Equal,
    NotEqual,
}

/// A comparison of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expression<'d> {
    pub node: NodeId,
    pub operand: Member<Operand>,
    pub left: Member<Binding<'d>>,
    pub right: Member<Binding<'d>>,
}

impl<'d> Expression<'d> {
    pub(super) fn read(reader: &mut Reader<'d, '_>, activity: NodeId) -> Member<Self> {
        reader.object(activity, "expression").map(|node, ()| {
            let operand = match reader.text(node, "operand") {
                Member::Known(node, "equal") => Member::Known(node, Operand::Equal),
                Member::Known(node, "notEqual") => Member::Known(node, Operand::NotEqual),
                Member::Known(node, _) | Member::Unknown(node) => Member::Unknown(node),
                Member::Absent => Member::Absent,
            };
            Self {
                node,
                operand,
                left: Binding::member(reader, node, "left"),
                right: Binding::member(reader, node, "right"),
            }
        })
    }
}

//! Conditions of While and If (reference, Expression).

use super::binding::Binding;
use super::reader::{Member, Reader};
use crate::document::NodeId;

/// How an expression compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// `equal`
    Equal,
    /// `notEqual`
    NotEqual,
}

/// A condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expression<'d> {
    /// The object.
    pub node: NodeId,
    /// `operand`
    pub operand: Member<Operand>,
    /// `left`
    pub left: Member<Binding<'d>>,
    /// `right`
    pub right: Member<Binding<'d>>,
}

impl<'d> Expression<'d> {
    pub(super) fn read(reader: &mut Reader<'d>, activity: NodeId) -> Member<Self> {
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

//! Value bindings: a literal, a variable, or nothing (docs/platform.md, Binding); and conditions, which compare two.

use super::reader::{Literal, Member, Reader};
use crate::document::{NodeId, NodeKind};
use crate::schema::Element;

/// Where the value of a binding comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// `static`: the literal.
    Static,
    /// `bound`, or `isBound` true: a variable.
    Bound,
    /// `notSet`: no value.
    NotSet,
    /// `isBound` false: the literal, or no value if it is empty.
    Unbound,
}

/// A value binding in either form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding<'d> {
    pub node: NodeId,
    /// `state`, or `isBound` where there is no `state`.
    pub state: Member<State>,
    /// The literal.
    pub value: Member<Literal<'d>>,
    /// The name of the variable.
    pub bound_to: Member<&'d str>,
    /// The id of the variable.
    pub bound_to_id: Member<i64>,
    /// `isBoundToSystemVariable`
    pub system: Member<bool>,
    /// Saved by the editor.
    pub has_warning: Member<bool>,
}

impl<'d> Binding<'d> {
    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        reader.enter(Element::Binding, node);
        Self {
            node,
            state: read_state(reader, node),
            value: reader.nullable(node, "value"),
            bound_to: reader.text(node, "boundTo"),
            bound_to_id: reader.identifier(node, "boundToId"),
            system: reader.boolean(node, "isBoundToSystemVariable"),
            has_warning: reader.boolean(node, "hasWarning"),
        }
    }

    /// A literal without the object around it.
    pub(super) const fn of_literal(node: NodeId, literal: Literal<'d>) -> Self {
        Self {
            node,
            state: Member::Known(node, State::Static),
            value: Member::Known(node, literal),
            bound_to: Member::Absent,
            bound_to_id: Member::Absent,
            system: Member::Absent,
            has_warning: Member::Absent,
        }
    }

    /// Reads the binding under a key.
    pub(super) fn member(reader: &mut Reader<'d, '_>, object: NodeId, key: &'static str) -> Member<Self> {
        reader.object(object, key).map(|node, ()| Self::read(reader, node))
    }

    fn required(reader: &mut Reader<'d, '_>, object: NodeId, key: &'static str) -> Member<Self> {
        let document = reader.lowering.document;
        let binding = reader.required(object, key, |node| (document.kind(node) == NodeKind::Object).then_some(()));
        binding.map(|node, ()| Self::read(reader, node))
    }

    /// Whether the value comes from a variable.
    pub fn is_bound(&self) -> bool {
        self.state.value() == Some(State::Bound)
    }

    /// Node and name of the variable it is bound to.
    pub fn target(&self) -> Option<(NodeId, &'d str)> {
        let (node, name) = self.bound_to.known()?;
        (self.is_bound() && !name.is_empty()).then_some((node, *name))
    }

    /// Node and name of the variable that it may be bound to, where only that it is bound cannot be read, or where it has
    /// no value although one is expected: then the variable was most likely meant (WF104).
    pub fn possible_target(&self) -> Option<(NodeId, &'d str)> {
        let (node, name) = self.bound_to.known()?;
        let is_unclear = match self.state.value() {
            Some(State::Static | State::Unbound) => self.is_empty(),
            Some(State::Bound | State::NotSet) => false,
            None => true,
        };
        (is_unclear && !name.is_empty()).then_some((node, *name))
    }

    /// Whether it names a variable, although it is not bound.
    pub fn has_stale_target(&self) -> bool {
        self.target().is_none() && self.bound_to.value().is_some_and(|name| !name.is_empty())
    }

    /// Node and value of the literal; `None` if the binding has none or ignores it.
    pub fn literal(&self) -> Option<(NodeId, Literal<'d>)> {
        let (node, literal) = self.value.known()?;
        let is_used = match self.state.value()? {
            State::Static => true,
            State::Unbound => !literal.is_empty(),
            State::Bound | State::NotSet => false,
        };
        is_used.then_some((node, *literal))
    }

    /// [`Self::literal`], if it is a string.
    pub fn literal_text(&self) -> Option<(NodeId, &'d str)> {
        match self.literal()? {
            (node, Literal::Text(text)) => Some((node, text)),
            _ => None,
        }
    }

    /// Whether it should have a literal, but has none, or null.
    pub fn lacks_literal(&self) -> bool {
        let is_missing = self.value.is_absent() || self.value.value() == Some(Literal::Null);
        self.state.value() == Some(State::Static) && is_missing
    }

    /// Whether it certainly has no value: it is not bound, and its literal is missing or empty.
    pub fn is_empty(&self) -> bool {
        match self.state.value() {
            Some(State::NotSet) => true,
            Some(State::Static | State::Unbound) => {
                !self.value.is_unknown() && self.value.get().is_none_or(|literal| literal.is_empty())
            }
            Some(State::Bound) | None => false,
        }
    }

    /// Whether both certainly have the same value.
    pub fn has_value_of(&self, other: &Self) -> bool {
        let value = |binding: &Self| (binding.target().map(|it| it.1), binding.literal().map(|it| it.1));
        let is_known = |binding: &Self| !binding.is_opaque() && !binding.value.is_unknown();
        is_known(self) && is_known(other) && value(self) == value(other)
    }

    /// Whether it may be bound to any variable, because a part of it cannot be read.
    pub fn is_opaque(&self) -> bool {
        self.state.is_unknown() || self.state.is_absent() || self.is_bound() && self.target().is_none()
    }
}

fn read_state(reader: &Reader<'_, '_>, node: NodeId) -> Member<State> {
    match reader.text(node, "state") {
        Member::Known(node, "static") => Member::Known(node, State::Static),
        Member::Known(node, "bound") => Member::Known(node, State::Bound),
        Member::Known(node, "notSet") => Member::Known(node, State::NotSet),
        Member::Known(node, _) | Member::Unknown(node) => Member::Unknown(node),
        Member::Absent => {
            reader.boolean(node, "isBound").map(|_, bound| if bound { State::Bound } else { State::Unbound })
        }
    }
}

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
    /// The variables that it compares, each with the other side.
    pub fn compared(&self) -> impl Iterator<Item = (&'d str, &Binding<'d>)> {
        let sides = [(&self.left, &self.right), (&self.right, &self.left)];
        sides.into_iter().filter_map(|(one, other)| Some((one.get()?.target()?.1, other.get()?)))
    }

    pub(super) fn read(reader: &mut Reader<'d, '_>, activity: NodeId) -> Member<Self> {
        reader.object(activity, "expression").map(|node, ()| {
            let operand = match reader.required_text(node, "operand") {
                Member::Known(node, "equal") => Member::Known(node, Operand::Equal),
                Member::Known(node, "notEqual") => Member::Known(node, Operand::NotEqual),
                Member::Known(node, _) | Member::Unknown(node) => Member::Unknown(node),
                Member::Absent => Member::Absent,
            };
            Self {
                node,
                operand,
                left: Binding::required(reader, node, "left"),
                right: Binding::required(reader, node, "right"),
            }
        })
    }
}

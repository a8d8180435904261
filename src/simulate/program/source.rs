//! Resolved bindings: the sources of values, and their targets.

use std::borrow::Borrow;

use crate::document::NodeId;
use crate::model::{Binding, Literal, Member};
use crate::simulate::variables::{Slot, VariableTable};

/// Something that a run needs, or the key because of which its activity fails.
pub type Readable<T> = Result<T, &'static str>;

/// Where a value comes from.
#[derive(Debug, Clone, Copy)]
pub enum Source<'p> {
    /// No value is given.
    Nothing,
    Text(&'p str),
    Variable {
        /// `None` if no variable has the name.
        slot: Option<Slot>,
        name: &'p str,
        /// The name in the binding.
        node: NodeId,
    },
    /// The activity that reads it fails.
    Unreadable,
}

impl<'p> Source<'p> {
    /// That of a member which holds a binding.
    pub fn of(member: &Member<impl Borrow<Binding<'p>>>, names: &VariableTable) -> Self {
        if member.is_absent() {
            return Self::Nothing;
        }
        match member.get().map(Borrow::borrow) {
            Some(binding) if !binding.is_opaque() && !binding.value.is_unknown() => Self::of_binding(binding, names),
            _ => Self::Unreadable,
        }
    }

    fn of_binding(binding: &Binding<'p>, names: &VariableTable) -> Self {
        if let Some((node, name)) = binding.target() {
            return Self::Variable { slot: names.slot(name), name, node };
        }
        match binding.literal() {
            None | Some((_, Literal::Null)) => Self::Nothing,
            Some((_, Literal::Boolean(true))) => Self::Text("true"),
            Some((_, Literal::Boolean(false))) => Self::Text("false"),
            Some((_, Literal::Number(text) | Literal::Text(text))) => Self::Text(text),
        }
    }
}

/// The variable that a value is written to.
#[derive(Debug, Clone, Copy)]
pub enum Target<'p> {
    Variable(Slot),
    /// No variable has this name, so the value is lost.
    Undefined(&'p str),
    Nothing,
}

impl<'p> Target<'p> {
    pub fn of(binding: Option<&Binding<'p>>, names: &VariableTable) -> Self {
        match binding.and_then(Binding::target) {
            Some((_, name)) => names.slot(name).map_or(Self::Undefined(name), Self::Variable),
            None => Self::Nothing,
        }
    }
}

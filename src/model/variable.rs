//! The variables of an order (docs/platform.md, Variable).

use super::reader::{Member, Reader};
use crate::document::NodeId;
use crate::schema::Element;

/// `variableType` of a variable that holds text.
pub const STRING_TYPE: &str = "String";

/// `variableType` of a variable that holds an uploaded file.
pub const FILE_TYPE: &str = "File";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable<'d> {
    pub node: NodeId,
    pub name: Member<&'d str>,
    pub id: Member<i64>,
    pub real_id: Member<i64>,
    /// The initial value.
    pub value: Member<&'d str>,
    /// `variableType`: `String`, `File`, …
    pub variable_type: Member<&'d str>,
    pub should_hide: Member<bool>,
    pub hide_all: Member<bool>,
    /// `hideStartIndex`
    pub hide_start: Member<i64>,
    pub hide_length: Member<i64>,
    /// `isInputParameter`
    pub is_input: Member<bool>,
    /// `isOutputParameter`
    pub is_output: Member<bool>,
    /// `isSystemVariable`
    pub is_system: Member<bool>,
    pub is_assignable: Member<bool>,
    /// `isBoundToSetupFormField`
    pub is_bound_to_setup_form: Member<bool>,
}

impl<'d> Variable<'d> {
    pub(super) fn read(reader: &mut Reader<'d>, node: NodeId) -> Self {
        reader.enter(Element::Variable, node);
        Self {
            node,
            name: reader.text(node, "name"),
            id: reader.integer(node, "id"),
            real_id: reader.integer(node, "realId"),
            value: reader.text(node, "value"),
            variable_type: reader.text(node, "variableType"),
            should_hide: reader.boolean(node, "shouldHide"),
            hide_all: reader.boolean(node, "hideAll"),
            hide_start: reader.integer(node, "hideStartIndex"),
            hide_length: reader.integer(node, "hideLength"),
            is_input: reader.boolean(node, "isInputParameter"),
            is_output: reader.boolean(node, "isOutputParameter"),
            is_system: reader.boolean(node, "isSystemVariable"),
            is_assignable: reader.boolean(node, "isAssignable"),
            is_bound_to_setup_form: reader.boolean(node, "isBoundToSetupFormField"),
        }
    }

    /// `variables` of a document.
    pub(super) fn list(reader: &mut Reader<'d>, root: NodeId) -> Member<Vec<Self>> {
        reader.list(root, "variables", Self::read)
    }

    /// Whether two declarations of one name say the same.
    pub fn declares_the_same(&self, other: &Self) -> bool {
        let flags = |variable: &Self| {
            [variable.is_input, variable.is_output, variable.is_system, variable.is_bound_to_setup_form]
        };
        self.id.is_same(other.id)
            && self.real_id.is_same(other.real_id)
            && self.variable_type.is_same(other.variable_type)
            && self.value.is_same(other.value)
            && flags(self).into_iter().zip(flags(other)).all(|(flag, other)| flag.is_same(other))
    }

    pub fn is_file(&self) -> bool {
        self.variable_type.value() == Some(FILE_TYPE)
    }

    /// Whether its only possible initial value is `value`.
    pub fn is_preset_by_value_alone(&self) -> bool {
        let set = |flag: &Member<bool>| flag.value() == Some(true);
        !self.value.is_unknown() && !set(&self.is_input) && !set(&self.is_bound_to_setup_form) && !set(&self.is_system)
    }

    /// Whether it has a value before any activity runs, regardless of forms.
    pub fn is_preset(&self) -> bool {
        let set = |flag: &Member<bool>| flag.value() == Some(true);
        self.value.value().is_some_and(|value| !value.is_empty())
            || self.value.is_unknown()
            || set(&self.is_input)
            || set(&self.is_bound_to_setup_form)
            || set(&self.is_system)
    }
}

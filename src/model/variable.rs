//! The variables of an order (docs/platform.md, Variable).

use super::reader::{Member, Reader};
use crate::document::NodeId;
use crate::schema::Element;

/// `variableType` of a variable that holds text.
pub const STRING_TYPE: &str = "String";

/// `variableType` of a variable that holds an uploaded file.
pub const FILE_TYPE: &str = "File";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable<'d> {
    pub node: NodeId,
    pub name: Member<&'d str>,
    pub id: Member<i64>,
    /// `variableType`: `String`, `File`, …
    pub variable_type: Member<&'d str>,
    /// `None` if all of these keys are absent, to save memory.
    details: Option<Box<VariableDetails<'d>>>,
}

/// The other members of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariableDetails<'d> {
    /// The initial value.
    pub value: Member<&'d str>,
    pub real_id: Member<i64>,
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

impl<'d> VariableDetails<'d> {
    const NONE: Self = Self {
        value: Member::Absent,
        real_id: Member::Absent,
        should_hide: Member::Absent,
        hide_all: Member::Absent,
        hide_start: Member::Absent,
        hide_length: Member::Absent,
        is_input: Member::Absent,
        is_output: Member::Absent,
        is_system: Member::Absent,
        is_assignable: Member::Absent,
        is_bound_to_setup_form: Member::Absent,
    };

    fn read(reader: &Reader<'d, '_>, node: NodeId) -> Self {
        Self {
            value: reader.text(node, "value"),
            real_id: reader.identifier(node, "realId"),
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
}

impl<'d> Variable<'d> {
    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        reader.enter(Element::Variable, node);
        let details = VariableDetails::read(reader, node);
        Self {
            node,
            name: reader.required_text(node, "name"),
            id: reader.required(node, "id", |id| reader.lowering.document.integer(id)),
            variable_type: reader.text(node, "variableType"),
            details: (details != VariableDetails::NONE).then(|| Box::new(details)),
        }
    }

    pub fn details(&self) -> &VariableDetails<'d> {
        self.details.as_deref().unwrap_or(&VariableDetails::NONE)
    }

    /// The initial value.
    pub fn value(&self) -> Member<&'d str> {
        self.details().value
    }

    /// `variables` of a document.
    pub(super) fn list(reader: &mut Reader<'d, '_>, root: NodeId) -> Member<Vec<Self>> {
        reader.list(root, "variables", Self::read)
    }

    /// Whether two declarations of one name say the same.
    pub fn declares_the_same(&self, other: &Self) -> bool {
        let [details, others] = [self, other].map(Self::details);
        let flags = |details: &VariableDetails<'_>| {
            [details.is_input, details.is_output, details.is_system, details.is_bound_to_setup_form]
        };
        self.id.is_same(other.id)
            && details.real_id.is_same(others.real_id)
            && self.variable_type.is_same(other.variable_type)
            && details.value.is_same(others.value)
            && flags(details).into_iter().zip(flags(others)).all(|(flag, other)| flag.is_same(other))
    }

    pub fn is_file(&self) -> bool {
        self.variable_type.value() == Some(FILE_TYPE)
    }

    /// Whether its only possible initial value is `value`.
    pub fn is_preset_by_value_alone(&self) -> bool {
        let details = self.details();
        let flags = [details.is_input, details.is_bound_to_setup_form, details.is_system];
        !self.value().is_unknown() && !flags.iter().any(Member::may_be_true)
    }

    /// Whether it has a value before any activity runs, or may have one, regardless of forms.
    pub fn is_preset(&self) -> bool {
        let details = self.details();
        let flags = [details.is_input, details.is_bound_to_setup_form, details.is_system];
        self.value().value().is_some_and(|value| !value.is_empty())
            || self.value().is_unknown()
            || flags.iter().any(Member::may_be_true)
    }
}

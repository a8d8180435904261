//! An occurrence of a variable's name.

use crate::diagnostic::FileId;
use crate::model::ActivityId;
use crate::source::Span;

/// The name of a variable at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableName<'a> {
    pub file: FileId,
    /// Of the variable. What is written may differ: a parameter of a script has a name of its own.
    pub name: &'a str,
    /// The bytes of the name alone, without quotes or braces.
    pub span: Span,
    pub kind: NameKind,
    pub access: Access,
    /// The activity that has it, if a workflow does.
    pub activity: Option<ActivityId>,
}

/// What has the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// `variables` of a workflow.
    Declaration,
    /// `variables` of a form.
    FormDeclaration,
    /// `boundTo` of a binding.
    Binding,
    /// `boundTo` of a form field.
    Field,
    /// A placeholder in a string.
    Placeholder,
    /// An entry of `assignedVariables`, `ownBoundVariables` or `allProviderParameters`.
    Copy,
    /// The name of a parameter of a script, which is bound to the variable.
    ScriptParameter,
    /// In a script: a use of a parameter that is bound to the variable, or of `Json`.
    Script {
        /// Whether it also names the property of an object.
        is_shorthand: bool,
    },
    /// In a script of a form: a name or a string.
    FormScript {
        is_string: bool,
        is_shorthand: bool,
        /// Whether a field of the form has this name, which may be what is meant.
        may_be_field: bool,
    },
}

/// What is done with the variable at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It is only named.
    None,
    Read,
    Write,
    /// A form field shows the variable and fills it; an activity of an undocumented type may do either.
    Both,
}

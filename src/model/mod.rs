//! Documents as their authors see them: activities, bindings, provider parameters, variables,
//! fields. Every item keeps the node it came from.
//!
//! Lowering is total: a malformed part becomes [`Member::Unknown`], which rules skip because the schema
//! has reported it already; the rest of the document is modeled.

mod activity;
mod approval;
mod assumption;
mod binding;
mod form;
mod provider;
mod reader;
mod signing_case;
mod variable;
mod workflow;

pub use activity::{
    Activity, ActivityId, ActivityKind, Assign, Code, CodeParameter, EditorWarning, NOT_OF_MEANING, Role,
    SCRIPT_RESULT, TYPES, undocumented_strings,
};
pub use approval::{Approval, Assignee, EVENTS, ON_APPROVE, ON_REJECT, is_late};
pub use assumption::{Assumption, AssumptionRow, Assumptions};
pub use binding::{Binding, Expression, Operand, State};
pub use form::{
    FIELD_TYPES, Field, FieldScript, FieldType, Form, Item, MAIL_VALIDATION, Properties, SELECT, VIEW_METHODS,
    script_words,
};
pub use provider::{ADDITIONAL_PARAMETERS, ALL_PARAMETERS, DECLARED_PARAMETERS, Parameter, Provider};
pub use reader::{Literal, LocaleText, Locales, Lowering, Member, NameList, UnknownMember};
pub use signing_case::{Party, SIGNATURE_TYPES, SigningCase, case_key};
pub use variable::{FILE_TYPE, STRING_TYPE, Variable, VariableDetails};
pub use workflow::{Workflow, enclosing_element};

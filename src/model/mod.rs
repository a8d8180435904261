//! Documents as their authors see them: activities, bindings, provider parameters, variables,
//! fields. Every item keeps the node it came from.
//!
//! Lowering is total: a malformed part becomes [`Member::Unknown`], which rules skip because the schema
//! has reported it already; the rest of the document is modeled.

mod activity;
mod approval;
mod binding;
pub mod case_key;
mod code;
mod element;
mod expression;
mod form;
mod literal;
mod locales;
mod lowering;
mod name_list;
mod parameter;
mod provider;
mod reader;
mod role;
mod signing_case;
mod variable;
mod workflow;

pub use activity::{
    Activity, ActivityId, ActivityKind, Assign, EditorWarning, NOT_OF_MEANING, TYPES, undocumented_strings,
};
pub use approval::{Approval, Assignee, EVENTS, ON_APPROVE, ON_REJECT};
pub use binding::{Binding, State};
pub use code::{Code, CodeParameter, SCRIPT_RESULT};
pub use element::enclosing_element;
pub use expression::{Expression, Operand};
pub use form::{FIELD_TYPES, Field, FieldScript, FieldType, Form, Item, MAIL_VALIDATION, Properties};
pub use literal::Literal;
pub use locales::{LocaleText, Locales};
pub use lowering::Lowering;
pub use name_list::NameList;
pub use parameter::Parameter;
pub use provider::{ADDITIONAL_PARAMETERS, ALL_PARAMETERS, DECLARED_PARAMETERS, Provider};
pub use reader::{Member, UnknownMember};
pub use role::Role;
pub use signing_case::{Party, SIGNATURE_TYPES, SigningCase};
pub use variable::{FILE_TYPE, STRING_TYPE, Variable};
pub use workflow::Workflow;

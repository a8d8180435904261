//! Documents as their authors see them: activities, bindings, provider parameters, variables,
//! fields. Every item keeps the node it came from.
//!
//! Lowering is total: a malformed part becomes [`Member::Unknown`], which rules pass over because
//! the schema has told it already; the rest of the document is modelled.

mod activity;
mod binding;
mod element;
mod form;
mod literal;
mod lowering;
mod provider;
mod reader;
mod role;
mod signing_case;
mod variable;
mod workflow;

pub use activity::{
    Activity, ActivityId, Approval, Assign, Assignee, Code, CodeParameter, Expression, Kind, Locales, Operand, TYPES,
};
pub use binding::{Binding, State};
pub use element::enclosing_element;
pub use form::{FIELD_TYPES, Field, FieldType, Form, Item, Properties};
pub use literal::Literal;
pub use lowering::Lowering;
pub use provider::{Parameter, Provider};
pub use reader::{Member, UnknownMember};
pub use role::Role;
pub use signing_case::{Party, SIGNATURE_TYPES, SigningCase};
pub use variable::Variable;
pub use workflow::Workflow;

/// The variable that a script sets (docs/platform.md, Code).
pub const SCRIPT_RESULT: &str = "Json";

//! What activities, forms and calls do with variables: where each is named, read and written, and the values it may have.

pub(super) mod fitting_variables;
pub(super) mod form_values;
pub(super) mod inferred_outputs;
pub(super) mod known_variables;
pub(super) mod name_uses;
pub(super) mod operands;
pub(super) mod removable;
pub(super) mod unwritten;
pub(super) mod used_variables;
pub(super) mod variable_names;
pub(super) mod variable_uses;
pub(super) mod wrong_bindings;

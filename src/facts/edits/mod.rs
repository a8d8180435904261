//! Edits of the arrays and copies that repeat what a fix changes.

pub(super) mod bound_lists;
pub(super) mod bound_values;
pub(super) mod declarations;
pub(super) mod declare;
pub(super) mod handle_status;
pub(super) mod literals;
pub(super) mod new_activity;
pub(super) mod parameter_copies;
pub(super) mod parts;
pub(super) mod rebind;
pub(super) mod removals;
pub(super) mod renumber;

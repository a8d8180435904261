//! How an order begins: the variables' own values, those that the scenario sets, and what is
//! submitted, through the form if there is one.

mod choice;
mod field;
mod fill;
mod form;
mod input;
mod submitted;
mod validation;

pub use fill::fill;
pub use validation::unreadable_key;

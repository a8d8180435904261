//! Code of ours that runs before a script.

use serde::{Deserialize, Serialize};

/// Prepares the globals of a script.
///
/// It is separate from the script, so that lines, columns and directives (`"use strict"`) of the
/// script are left unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    pub function: SetupFunction,
    pub argument: String,
}

/// A function of a setup. It is evaluated before the variables are set, which may replace built-in objects, and called
/// after that. If it returns a function, that one observes: it is called after the script, with the string in `Json` or
/// nothing, and its string becomes a part of the [`Reply`](super::Reply).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetupFunction {
    /// Observes the places of the script that are marked.
    Trace,
    /// Lets everything work that a script does with the JSON that it parses.
    Lenient,
}

/// `trace.js` is a function of that of `compared.js`.
const TRACE: &str = concat!("(", include_str!("setup/trace.js"), ")(", include_str!("setup/compared.js"), ")");

const LENIENT: &str = include_str!("setup/lenient.js");

impl SetupFunction {
    /// A JavaScript expression whose value is the function.
    pub(super) const fn expression(self) -> &'static str {
        match self {
            Self::Trace => TRACE,
            Self::Lenient => LENIENT,
        }
    }
}

//! Rules of a team's own: JavaScript files that are run in the sandbox of scripts.
//!
//! `engine` runs them: it loads rules, gives them the documents and the facts of a service, and returns what they report.
//! `runner` gives it sandboxes and keeps what was loaded, `options` are the options with which a rule runs, `examples` are
//! those of its page. `config` finds the files, and `lint` makes findings of the reports.

pub mod engine;
pub mod examples;
mod options;
mod runner;

pub use options::{OptionProblem, merged};
pub use runner::{LoadedRules, OwnRunner};

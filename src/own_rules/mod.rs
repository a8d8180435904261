//! Rules of a team's own: JavaScript files that are run in the sandbox of scripts.
//!
//! `engine` runs them: it loads rules, gives them the documents and the facts of a service, and returns what they report.
//! `examples` are those of its page.

pub mod engine;
pub mod examples;

//! A linter and simulator for workflow and form documents.
//!
//! # Modules
//!
//! Data flows in one direction, and a module uses only modules before it:
//!
//! 1. **Text and files.** [`common`] has maps and the limits, [`text`] the texts of files with their lines, and findings
//!    at places in them. [`files`] reads and writes, [`git`] reads old versions.
//! 2. **Text to documents.** [`document`] parses JSON into a flat arena that keeps the place of every key and value.
//!    [`schema`] validates it, [`model`] lowers it to activities, bindings, parameters, variables and fields; a malformed
//!    part becomes [`model::Member::Unknown`], so the rest is still checked.
//! 3. **Documents to services.** [`config`] reads `wflint.toml`, [`catalog`] the provider methods, and [`powershell`]
//!    reads these from the modules of plug-ins. [`project`] finds files and groups documents that share variables into
//!    services.
//! 4. **Services to facts.** [`script`] parses JavaScript and runs it in a child process. [`graph`] analyzes control
//!    and data flow: an abstract interpreter and a taint analysis. [`facts`] holds what several rules need, each fact
//!    computed on first use. [`own_rules`] runs the rules of a team's own in the sandbox.
//! 5. **Facts to findings.** [`rules`] has a file for each rule; findings yield to each other by cause
//!    (`rules/precedence.rs`). [`lint`] is the pipeline: load in parallel, check each service, apply configuration,
//!    suppressions and baselines. [`fix`] applies fixes.
//! 6. **Workflows to drawings.** [`draw`] draws a workflow with its findings.
//! 7. **Scenarios to runs.** [`simulate`] reads scenarios and runs workflows on a virtual clock, with a simulated
//!    directory ([`ldap`]) and e-signature provider. [`mutants`] changes workflows to see what the scenarios
//!    notice. [`synth`] makes up values for scenarios. [`explore`] searches all states that runs can reach, and
//!    [`diff`] compares two versions of documents, and what orders can do with each.
//! 8. **Results to output.** [`redaction`] hides secrets and masked values. [`report`] renders findings and runs, one
//!    file for each format; [`page`] is the HTML page for people who look. [`mod@format`] writes documents in one stable form, [`infer`] makes catalogs from calls, and
//!    [`init`] starter files. [`lsp`] is the language server. [`cli`] parses arguments and connects everything.

pub mod catalog;
pub mod cli;
pub mod common;
pub mod config;
pub mod diff;
pub mod document;
pub mod draw;
pub mod explore;
pub mod facts;
pub mod files;
pub mod fix;
pub mod format;
pub mod git;
pub mod graph;
pub mod infer;
pub mod init;
pub mod ldap;
pub mod lint;
#[cfg(not(target_family = "wasm"))]
pub mod lsp;
pub mod model;
pub mod mutants;
pub mod own_rules;
pub mod page;
pub mod powershell;
pub mod project;
pub mod redaction;
pub mod report;
pub mod rules;
pub mod schema;
pub mod script;
pub mod simulate;
pub mod synth;
pub mod text;

//! Every integration test, in one crate: `support` is compiled once, and one binary is linked.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails at the first error"
)]

mod support;

mod agreement;
mod assumptions;
mod breakage;
mod cases;
mod catalog;
mod cli;
mod corpus;
mod defects;
mod diff;
mod documents;
mod evaluation;
mod exploration;
mod explore;
mod fixes;
mod formats;
mod fuzz_corpus;
mod graph;
#[cfg(unix)]
mod guides;
mod infer;
mod init;
mod json;
mod layers;
mod limits;
mod load;
mod lsp;
mod lsp_features;
mod mutants;
mod own_rules;
mod packaging;
mod page;
mod page_hidden;
mod page_people;
mod page_words;
mod passing;
mod precedence;
mod properties;
mod readme;
mod registry;
mod repairs;
mod reports;
mod reuse;
mod rule_engine;
mod rules;
mod sandbox;
mod scenarios;
mod simulate;

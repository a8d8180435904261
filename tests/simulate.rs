//! `wflint --simulate` from outside: the examples, what is shown, exit codes, hostile scripts, and
//! what holds for every run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod support;

mod simulate {
    mod examples;
    mod hostile;
    mod problems;
    mod shown;
}

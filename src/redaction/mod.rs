//! Keeps secrets and the values of masked variables out of everything that is shown.
//!
//! Findings are redacted by what the documents hold: [`Redactions`] is given the sensitive values,
//! rewrites the messages of diagnostics and marks the places that excerpts cover, as a whole, with
//! [`REPLACEMENT`]. A simulation is redacted by what variables held in a run: [`Masker`] replaces
//! the characters that a variable's [`Mask`] hides, one for one, as the platform shows them.

mod masker;
mod redactions;

pub use masker::{Mask, Masker};
pub use redactions::{ExcerptRedactor, REPLACEMENT, Redactions, SensitiveValue, finds_copies, merge_overlapping};

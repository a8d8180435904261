//! The cost of compiling a script, which the engine does not count.

use crate::script::sandbox::polls_of;

/// What a slow machine takes to compile a script. That of ordinary scripts is nothing.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn polls_of_compiling(script: &str) -> u32 {
    const BYTES_PER_SECOND: f64 = 16e6;
    const NOTHING: f64 = 0.005;
    polls_of((script.len() as f64 / BYTES_PER_SECOND - NOTHING).max(0.0))
}

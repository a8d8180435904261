//! The cost of compiling a script, which the engine does not count.

use crate::script::sandbox::polls_of;
use crate::script::syntax::nesting_bound;

/// What a slow machine takes to compile a script: the longer the deeper expressions are nested (measured on chains of
/// `?:`). That of ordinary scripts is nothing.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn polls_of_compiling(script: &str) -> u32 {
    const BYTES_PER_SECOND: f64 = 16e6;
    const NESTING_THAT_DOUBLES: f64 = 1024.0;
    const NOTHING: f64 = 0.005;
    let nesting = nesting_bound(script).unwrap_or(script.len());
    let seconds = script.len() as f64 / BYTES_PER_SECOND * (1.0 + nesting as f64 / NESTING_THAT_DOUBLES);
    polls_of((seconds - NOTHING).max(0.0))
}

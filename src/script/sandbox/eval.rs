//! Evaluates source text in the engine.

use rquickjs::context::EvalOptions;
use rquickjs::{Ctx, Error, FromJs};

/// The file name of the script in stack traces. Positions are taken only from frames of this file.
pub(super) const SCRIPT: &str = "script";

/// Evaluates a global script in sloppy mode. `file` is its name in stack traces.
pub(super) fn eval<'js, V: FromJs<'js>>(ctx: &Ctx<'js>, source: &str, file: &str) -> Result<V, Error> {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(file.to_owned());
    ctx.eval_with_options(source, options)
}

//! Analyzes what a function returns: the keys of its tables.

mod aliases;
mod analysis;
mod bound;
mod emitted;
mod statements;
mod value;
mod values;

use super::syntax::Function;
use analysis::{Analysis, TOO_LARGE, UNKNOWN_VALUE};

pub use bound::{Bound, command_name};

/// The outputs of a function.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    /// In the order of the text, each once.
    pub keys: Vec<String>,
    /// Why there may be others, with the place.
    pub open: Vec<(usize, &'static str)>,
}

/// The output of every activity.
const COMMON: &str = "ZPActivityStatus";

pub(super) fn outputs(function: &Function) -> Outputs {
    let parameters = function.block.parameters.iter().map(|parameter| parameter.name.to_lowercase());
    let mut analysis = Analysis::new(parameters);
    analysis.block(&function.block.body, true);
    let mut all = analysis.left.take().unwrap_or_default();
    all.join(&analysis.returned);
    if all.keys.is_empty() && all.open.is_empty() {
        all.open.extend(all.last_commands.iter().map(|&at| (at, UNKNOWN_VALUE)));
    }
    if analysis.is_exhausted() {
        all.open.push((function.span.start, TOO_LARGE));
    }
    all.keys.sort_by_key(|(at, _)| *at);
    all.open.sort_unstable();
    all.open.dedup();
    let keys = all.keys.into_iter().map(|(_, key)| key);
    Outputs { keys: keys.filter(|key| !key.is_empty() && !key.eq_ignore_ascii_case(COMMON)).collect(), open: all.open }
}

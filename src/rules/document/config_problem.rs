use crate::rules::{Fixes, Rule};

// Judged over all services of a run, by `lint::problems`.
pub const RULE: Rule = rule!("WF000-config-problem", Warning | Error | Info, |_, _| {}, recommends_infos: true, fixes: Fixes::SafeOrUnsafe);

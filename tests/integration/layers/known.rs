//! The circles and rule imports that exist. A line that no longer holds fails the tests, so the lists only shrink.

/// The files of each circle, relative to `src/`. Part of a circle that is listed may remain.
pub const CIRCLES: &[&[&str]] = &[];

/// The files of groups that use a rule: which file, and the file of the rule.
pub const RULE_USES: &[(&str, &str)] = &[];

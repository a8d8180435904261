//! The groups of options in the help.

pub const FIXES: &str = "Fixes";
pub const LAWS: &str = "Laws";
pub const COVERAGE: &str = "Coverage of scenarios";
pub const SCENARIOS: &str = "Scenarios";
pub const MUTANTS: &str = "Mutants";
pub const RULE_SELECTION: &str = "Rule selection";
pub const FILE_SELECTION: &str = "File selection";
pub const KNOWN_FINDINGS: &str = "Known findings";
pub const OUTPUT: &str = "Output";
pub const MISCELLANEOUS: &str = "Miscellaneous";

//! Runs rules: `load` checks them without documents, `run` runs them on a service.

mod interface;

pub use interface::{
    Facts, Inserted, Meta, NodeRef, OwnDocument, OwnFix, Related, Report, RuleFile, RuleFiles, RuleProblem, RuleRun,
    Selected, ServiceInput,
};

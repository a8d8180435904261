//! Runs rules: `load` checks them without documents, `run` runs them on a service.
//!
//! Both send a `job` to the process of the sandbox. There `worker` runs the rules one after the other in a `realm`, an engine
//! with our prelude (`../prelude`): `modules` finds what they import, `tree` has the documents, which `host` lets the prelude
//! ask, and `problem` says where a rule went wrong. `shapes` describe what rules pass. `facts` are what wflint knows.

mod declarations;
mod facts;
mod host;
mod interface;
mod job;
mod modules;
mod parent;
mod problem;
mod realm;
mod shapes;
mod tree;
mod worker;

pub use declarations::{declarations, reference};
pub use facts::facts_of;
pub use interface::{
    Facts, Inserted, Meta, NodeRef, OwnDocument, OwnFix, Related, Report, RuleFile, RuleFiles, RuleProblem, RuleRun,
    Selected, ServiceInput,
};
pub use parent::{load, run};
pub use worker::RuleWorker;

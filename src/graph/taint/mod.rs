//! Taint analysis: which variables may hold a value that comes from a source at each point of a workflow,
//! and the path of that value to a sink.
//!
//! It is a forward data-flow analysis over the control-flow graph (Kildall's worklist algorithm). The fact at a
//! point is the set of tainted variables, and facts are joined by union. What is a source, and what
//! sanitizes, is the caller's [`TaintPolicy`].
//!
//! Taint is propagated by an Assign from the placeholders in its body to its result, and by a script from
//! the parameters that it names to `Json` (docs/platform.md, Other activity types). It is not propagated by a provider:
//! the outputs of a lookup are new values. Every other write removes the taint of the variable, and so does a
//! branch on which the variable equals a literal.
//!
//! Where conditions exclude some paths, a query then follows only the others to the sinks that taint reaches.

mod analysis;
mod feasible;
mod path;
mod policy;
mod propagation;

pub use analysis::{TaintAnalysis, variables_flowing_into};
pub use feasible::FeasiblePaths;
pub use path::{TaintPath, TaintSource, TaintStep};
pub use policy::{TaintPolicy, Transfer};

//! A workflow as runs need it: the names of variables and methods, conditions and placeholders are resolved once, not in
//! each step.

mod action;
mod assign;
mod call;
mod condition;
mod context;
mod source;

use std::sync::Arc;

pub use action::{Action, Delay, While};
pub use assign::{Assign, Part};
pub use call::{Call, Parameter};
pub use condition::Condition;
pub use source::{Readable, Source, Target};

use context::Context;

use super::variables::{Slot, VariableTable};
use crate::config::Config;
use crate::model::{Activity, ActivityId, Workflow};

/// The activities of a workflow, prepared for runs.
#[derive(Debug)]
pub struct Program<'p> {
    /// By activity.
    steps: Vec<Step<'p>>,
    /// The methods that the workflow calls, each once.
    methods: Vec<&'p str>,
    /// The variables that every call writes.
    pub common_outputs: Vec<Slot>,
}

#[derive(Debug)]
pub struct Step<'p> {
    pub activity: &'p Activity<'p>,
    pub action: Action<'p>,
}

impl<'p> Program<'p> {
    pub fn new(workflow: &'p Workflow<'p>, names: &VariableTable, config: &'p Config) -> Arc<Self> {
        let mut methods: Vec<&str> =
            workflow.activities.iter().filter_map(|activity| activity.provider()?.method.value()).collect();
        methods.sort_unstable();
        methods.dedup();
        let common_outputs = config.catalog.common_outputs.iter().filter_map(|name| names.slot(name));
        let mut program = Self { steps: Vec::new(), methods, common_outputs: common_outputs.collect() };
        let steps = workflow.activities.iter().map(|activity| {
            let action = Action::of(&activity.kind, &Context { names, config, methods: &program.methods });
            Step { activity, action }
        });
        program.steps = steps.collect();
        Arc::new(program)
    }

    pub fn step(&self, id: ActivityId) -> Option<&Step<'p>> {
        self.steps.get(id.0 as usize)
    }

    /// The call that an activity makes.
    pub fn call(&self, id: ActivityId) -> Option<&Call<'p>> {
        match &self.step(id)?.action {
            Action::Call(call) => call.as_ref().as_ref().ok(),
            _ => None,
        }
    }

    /// The methods that the workflow calls, in the order of their numbers.
    pub fn methods(&self) -> &[&'p str] {
        &self.methods
    }

    /// The number of a method.
    pub fn method(&self, name: &str) -> Option<usize> {
        self.methods.binary_search(&name).ok()
    }
}

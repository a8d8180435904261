//! The context in which activities are resolved.

use crate::config::Config;
use crate::simulate::variables::VariableTable;

pub struct Context<'c, 'p> {
    pub names: &'c VariableTable,
    pub config: &'p Config,
    /// The methods that the workflow calls, in the order of their numbers.
    pub methods: &'c [&'p str],
}

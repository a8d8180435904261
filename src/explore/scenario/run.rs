//! A run with the input of its scenario.

use std::rc::Rc;

use crate::explore::inputs::Inputs;
use crate::explore::order::Order;
use crate::explore::search::{Choice, Step};
use crate::simulate::Run;

/// A run of a search, with the input of its scenario.
pub struct ScenarioRun<'f, 'p, 's> {
    pub order: &'f Order<'p>,
    pub inputs: &'f Inputs,
    pub path: &'f [Step],
    /// The choices of a round of the cycle at its end.
    pub round: &'f [Rc<Choice>],
    /// At its end.
    pub run: &'f Run<'p, 's>,
}

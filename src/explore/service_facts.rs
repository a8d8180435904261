//! What exploring needs to know of a whole service, found once for all its workflows.

use super::inputs::Declarations;
use super::laws::SetVariables;
use super::order_form::OrderForms;
use crate::facts::{AnalyzedService, Context};
use crate::made_up::Needs;
use crate::project::ServiceModel;

pub struct ServiceFacts<'f, 'a> {
    pub needs: Needs<'f>,
    pub declarations: Declarations<'f, 'a>,
    pub forms: OrderForms<'f, 'a>,
    pub set: SetVariables<'f>,
}

impl<'f, 'a> ServiceFacts<'f, 'a> {
    pub fn new(service: &'f AnalyzedService<'a>, context: &'f Context<'a>, model: &'f ServiceModel<'a>) -> Self {
        Self {
            needs: Needs::of(context),
            declarations: Declarations::of(context),
            forms: OrderForms::of(model),
            set: SetVariables::of(service),
        }
    }
}

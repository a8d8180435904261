//! What a rule sees: one service, analyzed, and facts about it, each computed when a rule first asks for it.

use std::cell::OnceCell;
use std::ops::Deref;

use super::case_site::CaseSite;
use super::operands::OperandTypes;
use super::personal_ids::{Reaching, personal_ids};
use super::secrets::{self, Secret};
use super::sensitive_values::sensitive_values;
use super::service::AnalyzedService;
use crate::redaction::SensitiveValue;

/// A service and the facts about it.
pub struct Context<'a> {
    service: &'a AnalyzedService<'a>,
    cases: OnceCell<Vec<CaseSite<'a>>>,
    operand_types: OnceCell<OperandTypes<'a>>,
    personal_ids: OnceCell<Reaching<'a>>,
    secrets: OnceCell<Vec<Secret>>,
}

impl<'a> Context<'a> {
    /// Nothing is computed yet.
    pub const fn new(service: &'a AnalyzedService<'a>) -> Self {
        Self {
            service,
            cases: OnceCell::new(),
            operand_types: OnceCell::new(),
            personal_ids: OnceCell::new(),
            secrets: OnceCell::new(),
        }
    }

    /// The signing cases that the service describes.
    pub fn cases(&self) -> &[CaseSite<'a>] {
        self.cases.get_or_init(|| CaseSite::all(self.service))
    }

    pub fn operand_types(&self) -> &OperandTypes<'a> {
        self.operand_types.get_or_init(|| OperandTypes::of(self.service))
    }

    /// The variables that reach a personal id, each with one place that it reaches.
    pub fn personal_ids(&self) -> &Reaching<'a> {
        self.personal_ids.get_or_init(|| personal_ids(self.service))
    }

    pub fn secrets(&self) -> &[Secret] {
        self.secrets.get_or_init(|| secrets::find(self.service))
    }

    /// What redaction hides of the service.
    pub fn sensitive_values(&self) -> Vec<SensitiveValue<'a>> {
        sensitive_values(self.service, self.secrets())
    }
}

impl<'a> Deref for Context<'a> {
    type Target = AnalyzedService<'a>;

    fn deref(&self) -> &Self::Target {
        self.service
    }
}

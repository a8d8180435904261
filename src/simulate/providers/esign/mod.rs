//! The e-signature provider: requests create cases, a lookup tells their status.

mod case;
mod life;
mod request;

use std::sync::Arc;

pub use life::{act, expire, remind};
pub use request::{request, request_json};

use super::arguments::Arguments;
use super::{CallError, Outputs};
use crate::catalog::{Method, ParameterKind};
use crate::collections::HashMap;
use crate::simulate::assumption::Assumption;
use crate::simulate::quote;
use crate::simulate::run::Run;
use case::{Case, Status};

/// The cases of a run.
#[derive(Debug, Default)]
pub struct Esign {
    cases: Vec<Case>,
    by_id: HashMap<String, usize>,
}

/// Looks up the status of a case.
///
/// # Errors
/// An id that no case has.
pub fn status<'p>(run: &mut Run<'p, '_>, method: &'p Method, arguments: &Arguments<'p>) -> Result<Outputs, CallError> {
    // What happens at this instant has happened.
    let _ = run.catch_up();
    let Some(id) = arguments.of_kind(method, ParameterKind::CaseId) else {
        return Err(CallError::new("no case id is given"));
    };
    let text = id.text.as_str();
    let found = run.esign.by_id.get(text).and_then(|&index| run.esign.cases.get(index));
    let Some(case) = found else { return Err(id.wrong(&format!("is {}, which is the id of no case", quote(text)))) };
    let status = case.status;
    let value = Arc::clone(case.status_text());
    match status {
        Status::Sent => run.assume(Assumption::Sent),
        Status::Expired => run.assume(Assumption::Expired),
        Status::Finished | Status::Rejected => {}
    }
    let mut outputs = Outputs::default();
    for output in method.outputs.iter().filter(|output| !output.statuses.is_empty()) {
        outputs.0.extend(output.name.clone().map(|name| (name, Arc::clone(&value), false)));
    }
    Ok(outputs)
}

//! The status of a case.

use std::sync::Arc;

use super::case::Status;
use crate::catalog::{Method, ParameterKind};
use crate::simulate::assumption::Assumption;
use crate::simulate::clock::Priority;
use crate::simulate::providers::arguments::{Arguments, missing_of_kind};
use crate::simulate::providers::outcome::{CallError, Output, Outputs};
use crate::simulate::quote;
use crate::simulate::run::Run;

/// Looks up the status of a case.
///
/// # Errors
/// An unknown case id.
pub fn status<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    // People and expiries of this instant come first. Reminders do not change the status: they wait for the people
    // whose answers an approval takes at this instant, and for its timeout.
    run.catch_up(Priority::Reminder);
    let Some(id) = arguments.of_kind(method, ParameterKind::CaseId) else {
        return Err(CallError::new(missing_of_kind(method, ParameterKind::CaseId)));
    };
    let text = id.text.as_str();
    let found = run.cases.by_id(text);
    let Some(case) = found else {
        return Err(id.error(format!("unknown case id {} in {}", quote(text), id.parameter())));
    };
    let status = case.status;
    let value = Arc::clone(case.status_text());
    match status {
        Status::Sent => run.assume(Assumption::Sent),
        Status::Expired => run.assume(Assumption::Expired),
        Status::Finished | Status::Rejected => {}
    }
    let mut outputs = Outputs::default();
    for output in method.outputs.iter().filter(|output| !output.statuses.is_empty()) {
        outputs.0.extend(output.name.as_ref().map(|name| Output::requested(name.as_str(), Arc::clone(&value))));
    }
    Ok(outputs)
}

//! Values of a submission: hiding, setting and refusing them.

use std::sync::Arc;

use crate::diagnostic::Location;
use crate::model::Field;
use crate::simulate::assumption::Assumption;
use crate::simulate::run::Run;
use crate::simulate::scenario::Input;
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::Event;

/// Hides the value of a field whose variable is masked. Needed before the variable is set: when the
/// form refuses the value, the message quotes it.
pub(super) fn hide(run: &mut Run<'_, '_>, field: &Field<'_>, value: &Arc<str>) {
    let slot = field.target().and_then(|(_, variable)| run.plan.names.slot(variable));
    if let Some(mask) = slot.and_then(|slot| run.plan.names.mask(slot)) {
        run.values.hide(mask, Arc::clone(value));
    }
}

/// The value of an input; of a file, the generated id of the upload.
pub(super) fn input_value(run: &mut Run<'_, '_>, input: &Input) -> Arc<str> {
    match input {
        Input::Text(text) => Arc::clone(text),
        Input::File(name) if name.is_empty() => Arc::from(""),
        Input::File(_) => Arc::from(run.generate_id()),
    }
}

pub(super) fn fill_variable(run: &mut Run<'_, '_>, name: &str, value: Arc<str>) -> Result<(), Stop> {
    run.spend(value.len())?;
    match run.plan.names.slot(name) {
        Some(slot) => {
            if run.plan.names.mask(slot).is_some() {
                run.assume(Assumption::Masked);
            }
            run.values.set(&run.plan.names, slot, Arc::clone(&value));
            run.note(Event::Filled(slot, value));
        }
        None => run.note(Event::Lost(name.into())),
    }
    Ok(())
}

pub(super) fn refuse(location: Location, message: String) -> Stop {
    Stop::Refused(Failure { message, location: Some(location) })
}

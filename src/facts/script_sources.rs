//! Finds the scripts of a service.

use crate::project::ServiceModel;
use crate::script::syntax::{ParsedScripts, ScriptKind, Scripts};

/// Parses the scripts of Code activities and forms that were not parsed before.
pub fn scripts<'a>(model: &ServiceModel<'a>, parsed: Option<&ParsedScripts>) -> Scripts<'a> {
    let activities = model.workflows.iter().flat_map(|document| &document.workflow.activities);
    let codes =
        activities.filter_map(|activity| activity.code()?.script.value()).map(|text| (ScriptKind::Script, text));
    let forms = model.forms.iter().flat_map(|form| form.form.scripts()).map(|text| (ScriptKind::FunctionBody, text));
    Scripts::new(codes.chain(forms), parsed)
}

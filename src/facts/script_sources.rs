//! Finds the scripts of a service.

use crate::document::NodeId;
use crate::model::{Activity, Code, Kind};
use crate::project::ServiceModel;
use crate::script::syntax::{ScriptKind, Scripts};

/// A Code activity's own keys, and the node and text of its script.
pub fn code_of<'a>(activity: &'a Activity<'a>) -> Option<(&'a Code<'a>, NodeId, &'a str)> {
    let Kind::Code(code) = &activity.kind else { return None };
    let (node, text) = code.script.known()?;
    Some((code, node, text))
}

/// Parses the scripts of Code activities and forms.
pub fn scripts<'a>(model: &'a ServiceModel<'a>) -> Scripts<'a> {
    let activities = model.workflows.iter().flat_map(|document| &document.workflow.activities);
    let codes = activities.filter_map(code_of).map(|(_, _, text)| (ScriptKind::Script, text));
    let forms = model.forms.iter().flat_map(|form| form.form.scripts()).map(|text| (ScriptKind::FunctionBody, text));
    Scripts::new(codes.chain(forms))
}

//! The texts of a service's scripts.

use crate::document::NodeId;
use crate::model::{Activity, Code, Kind};
use crate::project::ServiceModel;
use crate::script::syntax::{Goal, Scripts};

/// The members, place and script of a Code activity.
pub fn code_of<'a>(activity: &'a Activity<'a>) -> Option<(&'a Code<'a>, NodeId, &'a str)> {
    let Kind::Code(code) = &activity.kind else { return None };
    let (node, text) = code.script.known()?;
    Some((code, node, text))
}

/// What the scripts of a service say.
pub fn scripts<'a>(model: &'a ServiceModel<'a>) -> Scripts<'a> {
    let activities = model.workflows.iter().flat_map(|document| &document.workflow.activities);
    let codes = activities.filter_map(code_of).map(|(_, _, text)| (Goal::Script, text));
    let forms = model.forms.iter().flat_map(|form| form.form.scripts()).map(|text| (Goal::FunctionBody, text));
    Scripts::new(codes.chain(forms))
}

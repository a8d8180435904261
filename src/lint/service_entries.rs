//! The workflows of `[[service]]` entries that have no effect.

use std::path::Path;

use super::options::Setup;
use super::outcome::Used;
use super::reach::Reach;
use crate::config::{Placed, ServiceEntry};
use crate::project::{ConfigFile, Content, is_json};
use crate::schema::DocumentKind;

/// A workflow that its entry does not find, and why.
pub(super) struct UnusedWorkflow<'c> {
    pub service: &'c str,
    pub workflow: &'c Placed,
    pub reason: &'static str,
}

/// The workflows of a configuration file that have no effect, as far as the run can judge them.
pub(super) fn unused_workflows<'s>(
    setup: &Setup<'s>,
    file: &ConfigFile,
    used: &Used,
    reach: &Reach<'_>,
) -> Vec<UnusedWorkflow<'s>> {
    // The entries are the same in each configuration that the file is part of.
    let first = file.uses.first().and_then(|first| Some((setup.project.configs.get(first.config)?, first.layer)));
    let Some((config, layer)) = first else { return Vec::new() };
    let unused = |service: &'s ServiceEntry| {
        let workflow = service.workflow.as_ref().filter(|workflow| workflow.place.layer == layer)?;
        let reason = reason(setup, file, service, used, reach)?;
        Some(UnusedWorkflow { service: &service.name, workflow, reason })
    };
    config.services.iter().filter_map(unused).collect()
}

/// Why the workflow of a service has no effect, if it has none and the run can tell. One that is excluded or ignored has an
/// effect when it is named.
fn reason(
    setup: &Setup<'_>,
    file: &ConfigFile,
    service: &ServiceEntry,
    used: &Used,
    reach: &Reach<'_>,
) -> Option<&'static str> {
    let (project, path) = (setup.project, service.workflow_path()?);
    let reported = reach.reported(&path);
    if project.has_nearest_configs && is_outside(setup, file, &path) {
        let is_walked = |folder| reach.reports_the_rest() && project.was_walked(folder);
        let is_judged = reported.is_some() || file.path.parent().is_some_and(is_walked);
        return is_judged.then_some("outside of the folder of the configuration");
    }
    match reach.config_of(&path) {
        Some(config) if file.uses.iter().all(|file_use| file_use.config != config) => {
            reported.map(|_| "another configuration applies to it")
        }
        Some(_) => reported.filter(|id| !used.workflows.contains(id)).map(|_| "not a workflow"),
        None => {
            let is_judged = reach.reports_the_rest() && project.was_walked(&path);
            (is_judged && !is_json(&path)).then_some("not a `.json` file")
        }
    }
}

/// Whether a configuration file that is the nearest one of some files is none of this path. A file that others extend may
/// have the services of their folders.
fn is_outside(setup: &Setup<'_>, file: &ConfigFile, path: &Path) -> bool {
    let configs = || file.uses.iter().filter_map(|it| Some((setup.project.configs.get(it.config)?, it.layer)));
    configs().any(|(config, layer)| layer + 1 == config.layers.len())
        && !configs().any(|(config, _)| path.starts_with(&config.folder))
}

/// Whether a file is a workflow, or broken.
pub(super) const fn may_be_workflow(content: &Content) -> bool {
    match content {
        Content::Document(kind, _) => matches!(kind, DocumentKind::Workflow),
        Content::Unrelated(_) | Content::Resembling(..) => false,
        Content::Invalid(_) | Content::OtherEncoding(_) | Content::NotUtf8(_) | Content::TooLarge(_) => true,
    }
}

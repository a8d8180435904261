//! Catalogs from calls: what workflows show of methods that no catalog has (`wflint catalog infer`).
//!
//! `observe` reads the calls, `method` puts those of one method together, and `verify` lints with the result: where a
//! guess about outputs would be reported as a finding, it is taken back.

mod method;
mod observe;
mod verify;

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::catalog::{NewCatalog, file_name, plugin_name};
use crate::collections::HashMap;
use crate::lint::Options;
use crate::project::Project;
use crate::text::quote;
use method::{InferredMethod, agreed};
use observe::{Call, observe};

/// The plug-in of methods whose calls name no module.
const NO_PLUGIN: &str = "unknown";

/// What the calls of a project show.
#[derive(Debug, Default)]
pub struct Inferred {
    /// Sorted by plug-in.
    pub catalogs: Vec<NewCatalog>,
    /// What is not known, and where calls contradict each other, each with its file and line.
    pub notes: Vec<String>,
    /// Why documents could not be read.
    pub unreadable: Vec<String>,
    /// Workflows that were read.
    pub workflows: usize,
}

/// Infers the methods that are called and that the catalogs of the project do not have. The configurations of the
/// project have them afterwards.
///
/// # Errors
/// An invalid selection of rules in a configuration.
pub fn infer(project: &mut Project, options: &Options) -> Result<Inferred, String> {
    let observed: Vec<_> = project.services.par_iter().map(|service| observe(project, service)).collect();
    let mut inferred = Inferred { unreadable: project.unreadable.clone(), ..Inferred::default() };
    let mut calls: Vec<(String, Vec<Call>)> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::default();
    for service in observed {
        inferred.workflows += service.workflows;
        inferred.unreadable.extend(service.unreadable);
        for (method, call) in service.calls {
            let index = *by_name.entry(method.clone()).or_insert_with(|| {
                calls.push((method, Vec::new()));
                calls.len() - 1
            });
            if let Some((_, calls)) = calls.get_mut(index) {
                calls.push(call);
            }
        }
    }
    let mut methods: Vec<InferredMethod> =
        calls.into_iter().map(|(name, calls)| InferredMethod::of(&name, calls)).collect();
    verify::verify(project, options, &mut methods)?;
    inferred.notes = methods.iter_mut().flat_map(InferredMethod::notes).collect();
    inferred.catalogs = catalogs(&methods, &mut inferred.notes);
    Ok(inferred)
}

/// One catalog for each plug-in. `package` and `module` are those of the file, so all calls of its methods must agree.
fn catalogs(methods: &[InferredMethod], notes: &mut Vec<String>) -> Vec<NewCatalog> {
    let mut by_file: BTreeMap<String, (&str, Vec<&InferredMethod>)> = BTreeMap::new();
    for method in methods {
        let plugin = method.first_module().map_or(NO_PLUGIN, plugin_name);
        // Names that differ only in case are one file on some systems.
        let (_, methods) = by_file.entry(file_name(plugin).to_lowercase()).or_insert((plugin, Vec::new()));
        methods.push(method);
    }
    let mut catalogs = Vec::new();
    for (plugin, methods) in by_file.into_values() {
        let package = agreed(methods.iter().map(|method| method.package()));
        let differs = |method: &&&InferredMethod| method.package().is_some() && package.is_none();
        if let Some(other) = methods.iter().find(differs).filter(|_| methods.len() > 1) {
            notes.push(format!(
                "{}: note: calls of {} name several packages, so it is left out",
                other.place(),
                quote(plugin)
            ));
        }
        catalogs.push(NewCatalog {
            plugin: plugin.to_owned(),
            package: package.map(str::to_owned),
            module: agreed(methods.iter().map(|method| method.module())).map(str::to_owned),
            methods: methods.iter().map(|method| method.method.clone()).collect(),
        });
    }
    catalogs
}

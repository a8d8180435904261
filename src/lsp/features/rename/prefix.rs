//! The edits that rename a prefix: in every call that has it, with the variables of all its outputs.

use std::collections::BTreeSet;

use super::{edits, new_name, refused};
use crate::collections::HashSet;
use crate::diagnostic::Edit;
use crate::facts::{AnalyzedService, OutputSite, output_sites, variable_names, with_copy};
use crate::lsp::features::snapshot::Snapshot;
use crate::text::quote;

/// # Errors
/// Why the prefix cannot be renamed, or not to this one.
pub fn edits(
    snapshot: &Snapshot<'_>,
    service: &AnalyzedService<'_>,
    old: &str,
    new: &str,
) -> Result<Vec<Edit>, String> {
    new_name::check_form(new)?;
    let sites: Vec<OutputSite<'_, '_>> = output_sites(service).filter(|site| site.prefix() == Some(old)).collect();
    let written = outputs(service, &sites, old);
    let renamed = |name: &str| format!("{new}{}", name.strip_prefix(old).unwrap_or(name));
    let new_names: Vec<String> = written.iter().map(|name| renamed(name)).collect();
    let taken = |name: &&String| new_name::is_taken(service, &HashSet::from_iter([name.as_str()]));
    if let Some(name) = new_names.iter().find(taken) {
        return Err(format!("{} is taken", quote(name)));
    }
    let names = variable_names(service);
    let known: BTreeSet<&str> = names.iter().map(|found| found.name).collect();
    let mut edits = Vec::new();
    for name in written.iter().filter(|name| known.contains(name.as_str())) {
        check_other_writers(service, name, old)?;
        refused::check_scenarios(snapshot, service, name, Some(old))?;
        edits.extend(edits::of_variable(snapshot, service, name, &renamed(name))?);
    }
    let json = serde_json::Value::from(new).to_string();
    for site in &sites {
        if let Some(node) = site.outputs.prefix_node {
            edits.extend(with_copy(site.analysis, site.activity, node, &json));
        }
    }
    Ok(edits)
}

/// The names of the outputs. Of calls whose outputs are not known, the declared variables with the prefix may be.
fn outputs(service: &AnalyzedService<'_>, sites: &[OutputSite<'_, '_>], prefix: &str) -> BTreeSet<String> {
    let known = sites.iter().flat_map(|site| &site.outputs.outputs).map(|output| output.name.clone());
    let mut outputs: BTreeSet<String> = known.collect();
    if sites.iter().any(|site| site.outputs.may_write.is_some()) {
        let declared = service.variable_lists().flat_map(|(_, list)| list).filter_map(|variable| variable.name.value());
        outputs.extend(declared.filter(|name| name.starts_with(prefix)).map(str::to_owned));
    }
    outputs
}

fn check_other_writers(service: &AnalyzedService<'_>, name: &str, prefix: &str) -> Result<(), String> {
    if service.is_system(name) {
        return Err(format!("{} is a system variable, which the platform names", quote(name)));
    }
    let mut others = output_sites(service).filter(|site| site.prefix() != Some(prefix));
    match others.find(|site| site.writes(name)) {
        Some(site) => {
            let prefix = site
                .prefix()
                .map_or_else(|| "without a prefix".to_owned(), |other| format!("with the prefix {}", quote(other)));
            Err(format!("{} is also an output {prefix}", quote(name)))
        }
        None => Ok(()),
    }
}

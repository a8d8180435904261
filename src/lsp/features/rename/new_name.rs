//! The names that a variable can get.

use crate::collections::HashSet;
use crate::facts::{AnalyzedService, code_names, output_sites, variable_names};
use crate::graph::placeholders;
use crate::model::SCRIPT_RESULT;
use crate::text::quote;

/// Whether a variable can get a name: a placeholder can have it, and it has no meaning yet.
pub fn check(service: &AnalyzedService<'_>, new: &str) -> Result<(), String> {
    check_form(new)?;
    if is_taken(service, &HashSet::from_iter([new])) {
        return Err(format!("{} is taken", quote(new)));
    }
    if let Some(site) = output_sites(service).find(|site| is_output(site.outputs.may_write, new)) {
        let prefix = quote(site.outputs.may_write.unwrap_or_default());
        return Err(format!("{} would be an output with the prefix {prefix}", quote(new)));
    }
    Ok(())
}

/// Whether a placeholder can have a name.
pub fn check_form(new: &str) -> Result<(), String> {
    let text = format!("{{{new}}}");
    if placeholders(&text).any(|found| found.name == new) {
        return Ok(());
    }
    let rule = "expected a letter or `_`, then letters, digits, `_` or `-`";
    Err(format!("{} cannot be in a placeholder: {rule}", quote(new)))
}

/// Whether one of these names has a meaning in the service.
pub fn is_taken(service: &AnalyzedService<'_>, new: &HashSet<&str>) -> bool {
    let is_result = |name: &&str| *name == SCRIPT_RESULT && service.codes().next().is_some();
    new.iter().any(|name| service.is_system(name) || is_result(name))
        || variable_names(service).iter().any(|found| new.contains(found.name))
        || output_sites(service).any(|site| site.outputs.outputs.iter().any(|output| new.contains(&*output.name)))
        || service.codes().any(|site| !code_names(&site, |name| new.contains(name)).is_empty())
}

fn is_output(may_write: Option<&str>, name: &str) -> bool {
    may_write.is_some_and(|prefix| !prefix.is_empty() && name.starts_with(prefix))
}

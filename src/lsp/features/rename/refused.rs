//! Refuses to rename names that something outside of the service determines.

use crate::facts::{AnalyzedService, output_sites};
use crate::graph::Resolution;
use crate::lsp::features::snapshot::Snapshot;
use crate::model::SCRIPT_RESULT;
use crate::project::{Content, File};
use crate::simulate::scenario::{self, ScenarioNameKind};
use crate::text::quote;

/// Why nothing can be renamed: a file of the service may have any name.
pub fn broken_file(snapshot: &Snapshot<'_>, service: &AnalyzedService<'_>) -> Option<String> {
    let documents = service.files.iter().filter(|file| is_broken(file)).map(|file| file.source.name.clone());
    let scenarios = snapshot
        .others
        .iter()
        .filter(|other| other.scenario_syntax().is_some_and(|syntax| !scenario::has_valid_syntax(other.text, syntax)));
    let mut broken = documents.chain(scenarios.map(|other| other.path.display().to_string()));
    Some(format!("{} cannot be read, and may name the variable", broken.next()?))
}

fn is_broken(file: &File) -> bool {
    !matches!(file.content, Content::Document(..) | Content::Unrelated(_) | Content::Resembling(..))
}

/// Whether a variable can be renamed: nothing outside the service gives it its name.
pub fn check(snapshot: &Snapshot<'_>, service: &AnalyzedService<'_>, name: &str) -> Result<(), String> {
    if service.is_system(name) {
        return Err(format!("{} is a system variable, which the platform names", quote(name)));
    }
    if is_undefined(service, name) {
        return Err(format!("undefined variable {}", quote(name)));
    }
    if name == SCRIPT_RESULT && service.codes().next().is_some() {
        return Err(format!("{} holds the results of scripts, which the platform names", quote(name)));
    }
    for site in output_sites(service) {
        if site.writes(name) {
            let method = site.provider.method.value().unwrap_or_default();
            return Err(match site.prefix() {
                Some(prefix) => format!(
                    "{} is an output with the prefix {}; rename the value of the prefix, with all its outputs",
                    quote(name),
                    quote(prefix)
                ),
                None => format!("{} is an output of {}, which names it", quote(name), quote(method)),
            });
        }
        let prefix = site.outputs.may_write.filter(|prefix| !prefix.is_empty() && name.starts_with(prefix));
        if let Some(prefix) = prefix {
            return Err(format!(
                "{} may be an output with the prefix {}; rename the value of the prefix, with all its outputs",
                quote(name),
                quote(prefix)
            ));
        }
    }
    check_scenarios(snapshot, service, name, None)
}

fn is_undefined(service: &AnalyzedService<'_>, name: &str) -> bool {
    let scopes = service.workflows.iter().map(|analysis| &analysis.scope).chain(&service.form_scopes);
    let mut resolutions = scopes.map(|scope| scope.resolve(name));
    resolutions.all(|resolution| matches!(resolution, Resolution::Undefined(_)))
}

/// Whether no scenario gives an output of a method the name of a variable, other than of calls with a prefix.
pub fn check_scenarios(
    snapshot: &Snapshot<'_>,
    service: &AnalyzedService<'_>,
    name: &str,
    prefix: Option<&str>,
) -> Result<(), String> {
    let scenarios = snapshot.others.iter().filter_map(|other| Some((other.text, other.scenario_syntax()?)));
    let names = scenarios.flat_map(|(text, syntax)| scenario::names(text, syntax));
    let mut outputs = names.filter_map(|found| match found.kind {
        ScenarioNameKind::Output { method } => Some((method, found.name)),
        _ => None,
    });
    let is_written = |(method, output): &(String, String)| {
        let calls = output_sites(service).filter(|site| site.provider.method.value() == Some(method));
        let mut others = calls.filter(|site| prefix.is_none() || site.prefix() != prefix);
        others.any(|site| name.strip_prefix(site.prefix().unwrap_or_default()) == Some(output))
    };
    match outputs.find(is_written) {
        Some((method, _)) => {
            Err(format!("{} is an output of {} in a scenario, which names it", quote(name), quote(&method)))
        }
        None => Ok(()),
    }
}

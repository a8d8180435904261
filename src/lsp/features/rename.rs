//! Renames a variable, or the prefix of outputs with all their variables, in all files of a service.

use std::collections::BTreeSet;

use gen_lsp_types::{PrepareRenameParams, RenameParams, TextDocumentPositionParams};
use serde_json::{Value, json};

use super::ask::Ask;
use super::edits::{Edits, text_edit, workspace_edit};
use super::occurrences::{Symbol, occurrence_at};
use super::renamed_places::edits_of_variable;
use super::snapshot::Snapshot;
use crate::facts::{AnalyzedService, OutputSite, code_names, output_sites, variable_names, with_copy};
use crate::graph::Resolution;
use crate::lsp::connection::Failure;
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::state::Server;
use crate::model::SCRIPT_RESULT;
use crate::project::{Content, File};
use crate::simulate::scenario::{self, ScenarioNameKind};
use crate::text::diagnostic::{Edit, FileId};
use crate::text::quote;
use crate::text::source::Span;

/// The name at a place.
pub fn prepare(server: &Server, params: &PrepareRenameParams) -> Result<Option<Value>, Failure> {
    first(server, &params.text_document_position_params, |ask| {
        Some(ask.answer(prepare_rename)?.map(|found| {
            let range = ask.range(found.span);
            range.map_or(Value::Null, |range| json!({ "range": range, "placeholder": found.name }))
        }))
    })
}

/// The edits that rename it.
pub fn handle(server: &Server, params: &RenameParams) -> Result<Option<Value>, Failure> {
    first(server, &params.text_document_position_params, |ask| {
        let ask = ask.with_shared();
        let edits = ask.answer(|snapshot, file, offset| rename(snapshot, file, offset, &params.new_name))?;
        Some(edits.map(|edits| workspace_edit(server, &by_document(&ask, &edits))))
    })
}

/// The first answer about a place, or else the last reason why there is none.
fn first(
    server: &Server,
    place: &TextDocumentPositionParams,
    answer: impl Fn(Ask<'_>) -> Option<Result<Value, String>>,
) -> Result<Option<Value>, Failure> {
    let mut refused = None;
    let uri = DocumentUri::of(&place.text_document.uri.0);
    for answer in Ask::all(server, &uri, place.position).into_iter().filter_map(answer) {
        match answer {
            Ok(found) => return Ok(Some(found)),
            Err(reason) => refused = Some(reason),
        }
    }
    refused.map_or(Ok(None), |reason| Err(Failure::refused(reason)))
}

fn by_document(ask: &Ask<'_>, edits: &[Edit]) -> Edits {
    let mut all = Edits::new();
    for of_file in edits.chunk_by(|a, b| a.file == b.file) {
        if let Some((uri, source)) = of_file.first().and_then(|edit| ask.source(edit.file)) {
            all.insert(uri, of_file.iter().map(|edit| text_edit(ask.server, source, edit)).collect());
        }
    }
    all
}

/// A name that can be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    /// Without quotes or braces.
    pub span: Span,
    pub name: String,
}

/// The name at an offset, if it can be renamed.
pub fn prepare_rename(snapshot: &Snapshot, file: FileId, offset: u32) -> Result<Renamable, String> {
    snapshot.analyze(|service| {
        let (target, span) = target_at(snapshot, service, file, offset)?;
        Ok(Renamable { span, name: target.name().to_owned() })
    })
}

/// The edits that rename the name at an offset, sorted, without overlaps.
pub fn rename(snapshot: &Snapshot, file: FileId, offset: u32, new: &str) -> Result<Vec<Edit>, String> {
    snapshot.analyze(|service| {
        let (target, _) = target_at(snapshot, service, file, offset)?;
        if target.name() == new {
            return Ok(Vec::new());
        }
        let mut edits = match &target {
            Target::Variable(old) => {
                check_new_name(service, new)?;
                edits_of_variable(snapshot, service, old, new)?
            }
            Target::Prefix(old) => prefix_edits(snapshot, service, old, new)?,
        };
        edits.sort_by_key(|edit| (edit.file, edit.span));
        edits.dedup();
        Ok(edits)
    })
}

fn target_at(
    snapshot: &Snapshot,
    service: &AnalyzedService<'_>,
    file: FileId,
    offset: u32,
) -> Result<(Target, Span), String> {
    if let Some(reason) = broken_file(snapshot, service) {
        return Err(reason);
    }
    let (target, span) = symbol_at(snapshot, service, file, offset)?;
    if let Target::Variable(name) = &target {
        check(snapshot, service, name)?;
    }
    Ok((target, span))
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Variable(String),
    /// The prefix of outputs.
    Prefix(String),
}

impl Target {
    fn name(&self) -> &str {
        let (Self::Variable(name) | Self::Prefix(name)) = self;
        name
    }
}

/// The symbol to rename at an offset, and its span there.
fn symbol_at(
    snapshot: &Snapshot,
    service: &AnalyzedService<'_>,
    file: FileId,
    offset: u32,
) -> Result<(Target, Span), String> {
    let touches = |span: Span| span.start <= offset && offset <= span.end;
    let mut sites = output_sites(service).filter(|site| site.file == file && touches(site.span));
    if let Some(site) = sites.find(|site| site.prefix().is_some()) {
        return Ok((Target::Prefix(site.prefix().unwrap_or_default().to_owned()), site.span));
    }
    let found = occurrence_at(snapshot, service, file, offset);
    let name = match found.as_ref().map(|found| &found.symbol) {
        Some(Symbol::Variable(name)) => name.clone(),
        Some(_) => return Err("only variables and prefixes of outputs can be renamed".to_owned()),
        None => return Err("expected the name of a variable, or the prefix of outputs".to_owned()),
    };
    let span = found.map(|found| found.place.span).unwrap_or_default();
    let written = snapshot.text(file).and_then(|text| text.get(span.range())).unwrap_or_default();
    // With escapes it is still the name.
    if written != name && !written.contains('\\') {
        return Err(format!(
            "{} is a parameter of the script, bound to {}; rename the variable where it is bound",
            quote(written),
            quote(&name)
        ));
    }
    Ok((Target::Variable(name), span))
}

/// Whether a variable can get a name: a placeholder can have it, and it has no meaning yet.
fn check_new_name(service: &AnalyzedService<'_>, new: &str) -> Result<(), String> {
    check_form(new)?;
    if is_taken(service, new) {
        return Err(format!("{} is taken", quote(new)));
    }
    match output_sites(service).find_map(|site| open_prefix(&site, new).map(quote)) {
        Some(prefix) => Err(format!("{} would be an output with the prefix {prefix}", quote(new))),
        None => Ok(()),
    }
}

/// The prefix of a call, of whose outputs not all are known, if one may have a name.
fn open_prefix<'a>(site: &OutputSite<'_, 'a>, name: &str) -> Option<&'a str> {
    site.outputs.may_write.filter(|prefix| !prefix.is_empty() && name.starts_with(prefix))
}

/// Whether a placeholder can have a name.
fn check_form(new: &str) -> Result<(), String> {
    if !new.trim().is_empty() && !new.contains(['{', '}']) && !new.contains(char::is_control) {
        return Ok(());
    }
    Err(format!("{} cannot be in a placeholder: expected a name without braces", quote(new)))
}

/// Whether a name has a meaning in the service.
fn is_taken(service: &AnalyzedService<'_>, new: &str) -> bool {
    service.is_system(new)
        || new == SCRIPT_RESULT && service.codes().next().is_some()
        || variable_names(service).iter().any(|found| found.name == new)
        || output_sites(service).any(|site| site.writes(new))
        || service.codes().any(|site| !code_names(&site, |name| name == new).is_empty())
}

/// Why nothing can be renamed: a file of the service may have any name.
fn broken_file(snapshot: &Snapshot, service: &AnalyzedService<'_>) -> Option<String> {
    let documents = service.files.iter().filter(|file| is_broken(file)).map(|file| file.source.name.clone());
    let scenarios = snapshot.others.iter().filter(|other| {
        other.scenario_syntax().is_some_and(|syntax| !scenario::has_valid_syntax(&other.source.text, syntax))
    });
    let mut broken = documents.chain(scenarios.map(|other| other.source.path.display().to_string()));
    Some(format!("{} cannot be read, and may name the variable", broken.next()?))
}

fn is_broken(file: &File) -> bool {
    !matches!(file.content, Content::Document(..) | Content::Unrelated(_) | Content::Resembling(..))
}

/// Whether a variable can be renamed: nothing outside the service gives it its name.
fn check(snapshot: &Snapshot, service: &AnalyzedService<'_>, name: &str) -> Result<(), String> {
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
            return Err(match site.prefix().filter(|prefix| name.starts_with(prefix)) {
                Some(prefix) => format!(
                    "{} is an output with the prefix {}; rename the value of the prefix, with all its outputs",
                    quote(name),
                    quote(prefix)
                ),
                None => format!("{} is an output of {}, which names it", quote(name), quote(method)),
            });
        }
        if let Some(prefix) = open_prefix(&site, name) {
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
fn check_scenarios(
    snapshot: &Snapshot,
    service: &AnalyzedService<'_>,
    name: &str,
    prefix: Option<&str>,
) -> Result<(), String> {
    let scenarios = snapshot.others.iter().filter_map(|other| Some((&*other.source.text, other.scenario_syntax()?)));
    let names = scenarios.flat_map(|(text, syntax)| scenario::names(text, syntax));
    let mut outputs = names.filter_map(|found| match found.kind {
        ScenarioNameKind::Output { method } => Some((method, found.name)),
        _ => None,
    });
    let is_written = |(method, output): &(String, String)| {
        let calls = output_sites(service).filter(|site| site.provider.method.value() == Some(method));
        let mut others = calls.filter(|site| prefix.is_none() || site.prefix() != prefix);
        let catalog = &service.config.catalog;
        let variable = |site: &OutputSite<'_, '_>| {
            catalog.output_variable(site.outputs.method, site.prefix().unwrap_or_default(), output) == name
        };
        others.any(|site| variable(&site))
    };
    match outputs.find(is_written) {
        Some((method, _)) => {
            Err(format!("{} is an output of {} in a scenario, which names it", quote(name), quote(&method)))
        }
        None => Ok(()),
    }
}

fn prefix_edits(snapshot: &Snapshot, service: &AnalyzedService<'_>, old: &str, new: &str) -> Result<Vec<Edit>, String> {
    check_form(new)?;
    let sites: Vec<OutputSite<'_, '_>> = output_sites(service).filter(|site| site.prefix() == Some(old)).collect();
    let written = outputs(service, &sites, old);
    let renamed = |name: &str| format!("{new}{}", name.strip_prefix(old).unwrap_or(name));
    let new_names: Vec<String> = written.iter().map(|name| renamed(name)).collect();
    if let Some(name) = new_names.iter().find(|name| is_taken(service, name)) {
        return Err(format!("{} is taken", quote(name)));
    }
    let names = variable_names(service);
    let known: BTreeSet<&str> = names.iter().map(|found| found.name).collect();
    let mut edits = Vec::new();
    for name in written.iter().filter(|name| known.contains(name.as_str())) {
        check_other_writers(service, name, old)?;
        check_scenarios(snapshot, service, name, Some(old))?;
        edits.extend(edits_of_variable(snapshot, service, name, &renamed(name))?);
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
    // Those that the prefix precedes.
    let known = sites.iter().flat_map(|site| &site.outputs.outputs).filter(|output| output.name != output.property);
    let known = known.map(|output| output.name.clone());
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

//! The occurrences of names in the files of a service.

use std::path::Path;

use super::snapshot::{FileSpan, OtherFile, Snapshot};
use crate::common::collections::HashSet;
use crate::config::{self, ConfigNameKind};
use crate::document::{Document, NodeId};
use crate::facts::{
    Access, AnalyzedService, NameKind, VariableName, code_names, form_script_names, output_sites, variable_names,
};
use crate::model::Member;
use crate::project::clean_path;
use crate::simulate::scenario::{self, ScenarioNameKind, ScenarioSyntax};
use crate::text::diagnostic::FileId;
use crate::text::source::Span;

/// What a name in a file refers to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A variable of the service.
    Variable(String),
    /// A workflow or form of the service.
    Document(FileId),
    /// An activity, by its name.
    Activity(String),
    /// A field of a form, by its name.
    Field(String),
    /// A provider method.
    Method(String),
    /// A rule or a group of rules, by code or name.
    Rule(String),
}

/// The role of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is declared.
    Declaration,
    /// A form declares it; if a workflow does so, this is a copy.
    FormDeclaration,
    /// It is named, neither read nor written.
    Mention,
    /// It is in the message of an expected failure, where a parameter may be meant.
    Message,
    Read,
    Write,
    /// Read or written, or both.
    Both,
    /// The prefix, or the call, of an output that is written to the variable, whose name is not written here.
    Output,
}

/// A place with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    pub symbol: Symbol,
    /// The name alone, without quotes or braces.
    pub place: FileSpan,
    pub role: Role,
}

/// The name at an offset; one that ends there, if no other begins.
pub fn occurrence_at(
    snapshot: &Snapshot,
    service: &AnalyzedService<'_>,
    file: FileId,
    offset: u32,
) -> Option<Occurrence> {
    let is_document = service.file(file).is_some();
    let names = if is_document { names(service) } else { names_beside(snapshot) };
    let touches = |found: &Occurrence| {
        let Span { start, end } = found.place.span;
        found.place.file == file && start < end && start <= offset && offset <= end
    };
    let found = names.into_iter().filter(touches);
    let scripts = if is_document { script_names_at(service, file, offset) } else { Vec::new() };
    found.chain(scripts.into_iter().filter(touches)).max_by_key(|found| offset < found.place.span.end)
}

/// Every place with a name, sorted.
pub fn occurrences(snapshot: &Snapshot, service: &AnalyzedService<'_>, symbol: &Symbol) -> Vec<Occurrence> {
    let named = names(service).into_iter().chain(names_beside(snapshot));
    let mut found: Vec<Occurrence> = named.filter(|found| found.symbol == *symbol).collect();
    if let Symbol::Variable(name) = symbol {
        found.extend(outputs(service, name));
        found.extend(script_names(service, name));
    }
    found.sort_by_key(|found| found.place);
    found
}

/// The names outside of scripts.
fn names(service: &AnalyzedService<'_>) -> Vec<Occurrence> {
    let mut found: Vec<Occurrence> = variable_names(service).iter().map(occurrence).collect();
    for (analysis, activity) in service.activities() {
        let at = (analysis.file, analysis.document);
        add(&mut found, at, activity.name, Role::Declaration, |name| Some(Symbol::Activity(name.to_owned())));
        let form = |name: &str| Some(Symbol::Document(service.model.form(name)?.file));
        add(&mut found, at, activity.form, Role::Mention, form);
        if let Some(provider) = activity.provider() {
            add(&mut found, at, provider.method, Role::Mention, |name| Some(Symbol::Method(name.to_owned())));
        }
    }
    for form in &service.model.forms {
        for field in &form.form.fields {
            let at = (form.file, form.document);
            add(&mut found, at, field.name, Role::Declaration, |name| Some(Symbol::Field(name.to_owned())));
        }
    }
    let documents = service.files.iter().map(|file| Occurrence {
        symbol: Symbol::Document(file.id),
        place: FileSpan { file: file.id, span: Span::new(0, 0) },
        role: Role::Declaration,
    });
    found.extend(documents);
    found
}

fn add<'d>(
    found: &mut Vec<Occurrence>,
    (file, document): (FileId, &Document),
    name: Member<&'d str>,
    role: Role,
    symbol: impl Fn(&'d str) -> Option<Symbol>,
) {
    if let Some((node, &name)) = name.known()
        && let Some(symbol) = symbol(name)
    {
        let place = FileSpan { file, span: document.span_inside(node, 0..name.len()) };
        found.push(Occurrence { symbol, place, role });
    }
}

/// The calls that write a variable.
fn outputs(service: &AnalyzedService<'_>, name: &str) -> Vec<Occurrence> {
    let writing = output_sites(service).filter(|site| site.writes(name));
    let occurrence = |file: FileId, span: Span| Occurrence {
        symbol: Symbol::Variable(name.to_owned()),
        place: FileSpan { file, span },
        role: Role::Output,
    };
    writing.map(|site| occurrence(site.file, site.span)).collect()
}

/// The uses of a variable in scripts.
fn script_names(service: &AnalyzedService<'_>, name: &str) -> Vec<Occurrence> {
    let codes = service.codes().flat_map(|site| code_names(&site, |variable| variable == name));
    let wanted: HashSet<&str> = declared(service).into_iter().filter(|known| *known == name).collect();
    let forms = service.form_scripts().flat_map(|script| form_script_names(&script, &wanted));
    codes.chain(forms).map(|found| occurrence(&found)).collect()
}

/// The uses of variables in the script at an offset.
fn script_names_at(service: &AnalyzedService<'_>, file: FileId, offset: u32) -> Vec<Occurrence> {
    let is_in = |document: &Document, node: NodeId| {
        let span = document.span(node);
        span.start < offset && offset < span.end
    };
    let codes = service.codes().filter(|site| site.analysis.file == file);
    if let Some(site) = codes.into_iter().find(|site| is_in(site.analysis.document, site.node)) {
        return code_names(&site, |_| true).iter().map(occurrence).collect();
    }
    let mut scripts = service.form_scripts().filter(|script| script.form.file == file);
    let Some(script) = scripts.find(|script| is_in(script.form.document, script.node)) else { return Vec::new() };
    form_script_names(&script, &declared(service)).iter().map(occurrence).collect()
}

/// The names of all declared variables.
fn declared<'a>(service: &AnalyzedService<'a>) -> HashSet<&'a str> {
    service.variable_lists().flat_map(|(_, list)| list).filter_map(|variable| variable.name.value()).collect()
}

fn occurrence(found: &VariableName<'_>) -> Occurrence {
    let role = match (found.kind, found.access) {
        (NameKind::Declaration, _) => Role::Declaration,
        (NameKind::FormDeclaration, _) => Role::FormDeclaration,
        (_, Access::None) => Role::Mention,
        (_, Access::Read) => Role::Read,
        (_, Access::Write) => Role::Write,
        (_, Access::Both) => Role::Both,
    };
    let place = FileSpan { file: found.file, span: found.span };
    Occurrence { symbol: Symbol::Variable(found.name.to_owned()), place, role }
}

/// The names in all scenarios and configurations.
pub fn names_beside(snapshot: &Snapshot) -> Vec<Occurrence> {
    snapshot.others.iter().flat_map(|other| names_in(snapshot, other)).collect()
}

fn names_in(snapshot: &Snapshot, other: &OtherFile) -> Vec<Occurrence> {
    let occurrence = |symbol: Symbol, span: Span, role: Role| {
        let place = FileSpan { file: other.id, span };
        Occurrence { symbol, place, role }
    };
    if let Some(syntax) = other.scenario_syntax() {
        return names_in_scenario(snapshot, other, syntax, occurrence);
    }
    let names = config::names(&other.source.text).into_iter().map(|found| {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let symbol = match found.kind {
            ConfigNameKind::Variable => Symbol::Variable(found.name),
            ConfigNameKind::Activity => Symbol::Activity(found.name),
            ConfigNameKind::Method => Symbol::Method(found.name),
            ConfigNameKind::Rule => Symbol::Rule(found.name),
        };
        occurrence(symbol, Span::new(offset(found.range.start), offset(found.range.end)), Role::Mention)
    });
    names.collect()
}

fn names_in_scenario(
    snapshot: &Snapshot,
    other: &OtherFile,
    syntax: ScenarioSyntax,
    occurrence: impl Fn(Symbol, Span, Role) -> Occurrence,
) -> Vec<Occurrence> {
    let names = scenario::names(&other.source.text, syntax).into_iter().filter_map(|found| {
        let role = if found.kind == ScenarioNameKind::InMessage { Role::Message } else { Role::Mention };
        let symbol = match found.kind {
            // The variable depends on the prefix of each call.
            ScenarioNameKind::Output { .. } => return None,
            ScenarioNameKind::Variable | ScenarioNameKind::InMessage => Symbol::Variable(found.name),
            ScenarioNameKind::Field => Symbol::Field(found.name),
            ScenarioNameKind::Activity => Symbol::Activity(found.name),
            ScenarioNameKind::Method => Symbol::Method(found.name),
            ScenarioNameKind::Document => {
                let folder = other.source.path.parent().unwrap_or(&other.source.path);
                let (path, _) = clean_path(Path::new(&found.name), folder);
                let file =
                    snapshot.service.files().iter().find(|file| clean_path(&file.source.path, folder).0 == path)?;
                Symbol::Document(file.id)
            }
        };
        Some(occurrence(symbol, found.span, role))
    });
    names.collect()
}

//! Catalogs from calls: what workflows show of methods that no catalog has, and what catalogs of plug-ins lack
//! (`wflint catalog infer`).
//!
//! `observe` reads the calls, `method` puts those of one method together, `amend` keeps what a known method lacks, and
//! `verify` lints with the result: where a guess about outputs would be reported as a finding, it is taken back.

mod amend;
mod method;
mod observe;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::catalog::{Catalog, Method, NewCatalog, file_name, plugin_name};
use crate::common::collections::{HashSet, IndexMap};
use crate::lint::{Linter, Options};
use crate::project::{Overrides, Project, Service};
use crate::text::diagnostic::{Diagnostic, FileId, Location};
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

/// Infers the methods that are called and that the catalogs of the project do not have, and what those lack that a
/// command wrote. `written` are the methods of others that a command wrote, and that are added to: they count as known.
/// The configurations of the project have all of them afterwards.
pub fn infer(project: &mut Project, options: &Options, written: &Catalog) -> Result<Inferred, String> {
    for config in &mut project.configs {
        let unknown = written.methods.iter().filter(|method| config.catalog.method(&method.name).is_none());
        let unknown: Vec<Method> = unknown.cloned().collect();
        Arc::make_mut(&mut config.catalog).extend(unknown);
    }
    let observed: Vec<_> = project.services.par_iter().map(|service| observe(project, service)).collect();
    let mut inferred = Inferred { unreadable: project.unreadable.clone(), ..Inferred::default() };
    let mut calls: IndexMap<String, Vec<Call>> = IndexMap::default();
    for service in observed {
        inferred.workflows += service.workflows;
        inferred.unreadable.extend(service.unreadable);
        for (method, call) in service.calls {
            calls.entry(method).or_default().push(call);
        }
    }
    let mut methods: Vec<InferredMethod> =
        calls.into_iter().map(|(name, calls)| InferredMethod::of(&name, calls)).collect();
    methods.extend(
        calls_of_written(project, written).into_values().map(|(known, calls)| InferredMethod::amending(known, calls)),
    );
    verify(project, options, &mut methods)?;
    inferred.notes = methods.iter_mut().flat_map(InferredMethod::notes).collect();
    inferred.catalogs = catalogs(&methods, &mut inferred.notes);
    Ok(inferred)
}

/// The methods of catalogs that a command wrote, with their calls, observed as if no catalog had them.
fn calls_of_written(project: &mut Project, written: &Catalog) -> IndexMap<String, (Method, Vec<Call>)> {
    let mut calls: IndexMap<String, (Method, Vec<Call>)> = IndexMap::default();
    let mut all = written.clone();
    for text in project.configs.iter().flat_map(|config| config.catalog_texts()) {
        // The configuration was read with it.
        _ = all.add_written("", text);
    }
    let is_written =
        |method: &Method| all.method(&method.name).is_some() && Catalog::built_in().method(&method.name).is_none();
    if !all.methods.iter().any(is_written) {
        return calls;
    }
    let catalogs: Vec<Arc<Catalog>> = project.configs.iter().map(|config| Arc::clone(&config.catalog)).collect();
    for (config, catalog) in project.configs.iter_mut().zip(&catalogs) {
        config.catalog = Arc::new(catalog.with_methods(|method| !is_written(method)));
    }
    let project_without: &Project = project;
    let services = project_without.services.par_iter();
    let observed: Vec<_> = services.map(|service| (service.config, observe(project_without, service).calls)).collect();
    for (config, catalog) in project.configs.iter_mut().zip(&catalogs) {
        config.catalog = Arc::clone(catalog);
    }
    for (config, observed) in observed {
        for (name, call) in observed {
            let known = catalogs.get(config).and_then(|catalog| catalog.method(&name));
            let Some(known) = known.filter(|known| is_written(known)) else { continue };
            calls.entry(name).or_insert_with(|| (known.clone(), Vec::new())).1.push(call);
        }
    }
    calls
}

/// One catalog for each plug-in. `package` and `module` are those of the file, so all calls of its methods must agree.
fn catalogs(methods: &[InferredMethod], notes: &mut Vec<String>) -> Vec<NewCatalog> {
    let mut by_file: BTreeMap<String, (&str, Vec<&InferredMethod>)> = BTreeMap::new();
    for method in methods.iter().filter(|method| method.has_news()) {
        let plugin = method.known_plugin().or_else(|| method.first_module().map(plugin_name)).unwrap_or(NO_PLUGIN);
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

/// The rules that report calls which contradict each other.
const CONTRADICTIONS: [&str; 3] = ["WF203", "WF205", "WF208"];

/// How much is taken back, from the first step on. Open outputs may be any variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// An output is left out if a finding is at its variable; the outputs become open.
    ForgetNamed,
    /// The outputs of the methods in whose calls a finding lies become open.
    OpenReported,
    /// Those of methods that are called without a static prefix, which may write any variable.
    OpenUnprefixed,
    /// Those of all methods of the service.
    OpenAll,
    /// And none are named of the methods in whose calls a finding lies.
    ForgetReported,
    /// None are named.
    ForgetAll,
}

const STEPS: [Step; 6] =
    [Step::ForgetNamed, Step::OpenReported, Step::OpenUnprefixed, Step::OpenAll, Step::ForgetReported, Step::ForgetAll];

/// What tells findings apart.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    code: &'static str,
    file: FileId,
    pointer: String,
    /// The offset in the file.
    start: u32,
    /// What is written there, without quotes and braces: the name of a variable, or something else.
    text: String,
}

/// Takes back outputs until the services that call the methods have no new finding, and adds the methods to the
/// configurations.
fn verify(project: &mut Project, options: &Options, methods: &mut [InferredMethod]) -> Result<(), String> {
    let calls: HashSet<FileId> = methods.iter().flat_map(|method| &method.calls).map(|call| call.file).collect();
    let services: Vec<Service> = project
        .services
        .iter()
        .filter(|service| service.files.iter().any(|file| calls.contains(file)))
        .cloned()
        .collect();
    if services.is_empty() {
        return Ok(());
    }
    let contents: Vec<Overrides> = services.iter().map(|service| project.contents(service)).collect();
    let catalogs: Vec<Arc<Catalog>> = project.configs.iter().map(|config| Arc::clone(&config.catalog)).collect();
    let before = findings(project, options, &services, &contents)?;
    add(project, &catalogs, methods);
    let mut steps: Vec<usize> = vec![0; services.len()];
    loop {
        let after = findings(project, options, &services, &contents)?;
        let mut changed = false;
        for (((service, before), after), step) in services.iter().zip(&before).zip(after).zip(&mut steps) {
            let new: Vec<&Key> = after.difference(before).collect();
            if new.is_empty() {
                continue;
            }
            // A step that changes nothing is followed by the next one at once.
            while let Some(next) = STEPS.get(*step)
                && !take_back(*next, service, &new, methods)
            {
                *step += 1;
            }
            changed |= *step < STEPS.len();
        }
        if !changed {
            return Ok(());
        }
        add(project, &catalogs, methods);
    }
}

/// Takes a step for the methods that a service with new findings calls; whether it changed anything.
fn take_back(step: Step, service: &Service, new: &[&Key], methods: &mut [InferredMethod]) -> bool {
    let rules: BTreeSet<&'static str> = new.iter().map(|key| key.code).collect();
    let mut changed = false;
    for method in methods {
        if step == Step::ForgetNamed {
            changed |= forget_named(method, service, new, &rules);
            continue;
        }
        // What a catalog says of its outputs stands.
        if method.is_amendment() {
            changed |= step == Step::ForgetAll && !std::mem::take(&mut method.method.outputs).is_empty();
            continue;
        }
        let calls: Vec<&Call> = method.calls.iter().filter(|call| service.files.contains(&call.file)).collect();
        let is_reported = || calls.iter().any(|call| new.iter().any(|key| is_in(call, key)));
        let is_concerned = match step {
            Step::ForgetNamed => false,
            Step::OpenReported | Step::ForgetReported => is_reported(),
            Step::OpenUnprefixed => calls.iter().any(|call| call.prefix.as_deref().is_none_or(str::is_empty)),
            Step::OpenAll | Step::ForgetAll => !calls.is_empty(),
        };
        if is_concerned && !method.is_open() {
            method.open(&rules);
            changed = true;
        }
        if is_concerned && matches!(step, Step::ForgetReported | Step::ForgetAll) && !method.method.outputs.is_empty() {
            method.method.outputs.clear();
            changed = true;
        }
    }
    changed
}

/// Forgets the outputs whose variables have a finding; whether there was one.
fn forget_named(method: &mut InferredMethod, service: &Service, new: &[&Key], rules: &BTreeSet<&'static str>) -> bool {
    let calls = method.calls.iter().filter(|call| service.files.contains(&call.file));
    let prefixes: BTreeSet<&str> = calls.filter_map(|call| call.prefix.as_deref()).collect();
    let is_variable = |output: &str| {
        prefixes.iter().any(|prefix| new.iter().any(|key| key.text.strip_prefix(prefix) == Some(output)))
    };
    let before = method.method.outputs.len();
    method.method.outputs.retain(|output| !output.name.as_deref().is_some_and(is_variable));
    let is_fewer = method.method.outputs.len() < before;
    if is_fewer {
        method.open(rules);
    }
    is_fewer
}

/// Whether a finding lies in a call.
fn is_in(call: &Call, key: &Key) -> bool {
    let inside =
        || key.pointer.strip_prefix(&call.pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    call.file == key.file && inside()
}

/// Gives every configuration the methods that it lacks.
fn add(project: &mut Project, catalogs: &[Arc<Catalog>], methods: &[InferredMethod]) {
    for (config, catalog) in project.configs.iter_mut().zip(catalogs) {
        config.catalog = Arc::clone(catalog);
        let is_known = |method: &&InferredMethod| catalog.method(&method.method.name).is_some();
        let news = methods.iter().filter(|method| method.is_amendment() == is_known(method));
        Arc::make_mut(&mut config.catalog).merge(news.map(|method| method.method.clone()));
    }
}

/// The findings of each service that are not about contradictions.
fn findings(
    project: &Project,
    options: &Options,
    services: &[Service],
    contents: &[Overrides],
) -> Result<Vec<HashSet<Key>>, String> {
    let linter = Linter::new(project, options)?;
    let found = services.par_iter().zip(contents).map(|(service, contents)| {
        let checked = linter.check(service, contents);
        let key = |diagnostic: &Diagnostic| {
            let Location { file, pointer, span } = &diagnostic.location;
            let text = checked.sources.get(file).and_then(|source| source.text.get(span.range())).unwrap_or_default();
            let text = text.trim_matches(['"', '{', '}']).to_owned();
            Key { code: diagnostic.code, file: *file, pointer: pointer.clone(), start: span.start, text }
        };
        checked.diagnostics.iter().filter(|it| !CONTRADICTIONS.contains(&it.code)).map(|it| key(it)).collect()
    });
    Ok(found.collect())
}

//! A commented configuration, with what there is to configure in a folder.
//!
//! Words begin with `##`, and settings with `# `, so that removing the latter uncomments them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::ORIGIN;
use crate::catalog::Catalog;
use crate::config::Config;
use crate::document::NodeKind;
use crate::facts::AnalyzedService;
use crate::files::boundary::Boundary;
use crate::files::read::read_regular;
use crate::files::toml_file;
use crate::model::{ActivityKind, FIELD_TYPES, FieldType, TYPES};
use crate::project::{self, File, Overrides, Project, Service, ServiceModel, clean_path, relative_name};
use crate::report::{is_visible_at, visible};
use crate::schema::DocumentKind;
use crate::text::suggest::{Suggester, nearest};
use crate::text::{count, first_of_list, quote};

/// Services that are listed.
const MAX_SERVICES: usize = 100;
/// Names in one list.
const MAX_NAMES: usize = 200;
/// Folders in which teams keep catalogs.
const CATALOG_FOLDERS: [&str; 2] = ["catalogs", "plugins"];

/// What the services of a folder use and wflint does not know.
#[derive(Default)]
struct Unknown {
    /// With the number of calls.
    methods: BTreeMap<String, usize>,
    /// Whether some activity of the type has children.
    activities: BTreeMap<String, bool>,
    fields: BTreeSet<String>,
}

/// One service: its name, and the paths of its documents.
struct ServiceFiles {
    name: String,
    workflows: Vec<PathBuf>,
    forms: Vec<PathBuf>,
    /// Whether a `[[service]]` of the new file could describe it.
    is_describable: bool,
}

/// A `wflint.toml` for a folder, and what is there.
pub struct StarterConfig {
    /// With all settings in comments: a lint reports what it reports without the file.
    pub text: String,
    /// With the catalogs and types that were found.
    pub with_settings: String,
    /// The settings that a configuration here lacks.
    pub missing: String,
    /// The configuration that applied here before.
    pub extends: Option<String>,
    pub workflows: Vec<PathBuf>,
    pub calls_unknown_methods: bool,
}

/// # Errors
/// An invalid configuration, or one further up that cannot be extended.
pub fn starter_config(folder: &Path) -> Result<StarterConfig, String> {
    let boundary = Boundary::below(vec![folder.to_path_buf()]);
    let request = project::Request {
        current: folder.to_path_buf(),
        paths: vec![PathBuf::from(".")],
        boundary: boundary.clone(),
        ..project::Request::default()
    };
    let project = project::find(&request).map_err(|error| error.0)?;
    let own = Config::find(folder);
    let above = own.as_ref().filter(|path| path.parent() != Some(folder));
    let extended = above.map(|path| extended(path, folder, &boundary)).transpose()?;
    let found: Vec<(ServiceFiles, Unknown)> =
        project.services.par_iter().filter_map(|service| look_at(&project, service, own.as_deref(), folder)).collect();
    let mut unknown = Unknown::default();
    let mut services = Vec::new();
    for (service, its) in found {
        unknown.add(its);
        services.push(service);
    }
    let catalogs = catalogs(folder, &boundary);
    let write = |is_set: bool| {
        let nothing = if is_set { "" } else { " Nothing is set yet." };
        let mut text = format!(
            "## {ORIGIN}{nothing} To set a key, remove the `#` and the space before it.\n\
             ## `wflint --show-settings .` shows all settings, docs/configuration.md describes them.\n"
        );
        if let Some(extended) = &extended {
            text += "\n## The configuration that applied here before.\n";
            let _ = writeln!(text, "extend = {}", string(extended));
        }
        text += "\n## Minimum severity that makes the exit code 1: error, warning, info or never.\n\
                 # fail-on = \"warning\"\n";
        let mark = if is_set { "" } else { "# " };
        write_methods(&unknown, &catalogs, mark, &mut text);
        write_types(&unknown, mark, &mut text);
        write_services(&services, folder, &mut text);
        text
    };
    let (text, with_settings) = (write(false), write(true));
    let is_named = |pattern: &&String| {
        let below = folder.join(pattern.trim_end_matches("/*.toml"));
        let mut files = project.configs.iter().filter(|config| config.path == own).flat_map(|config| &config.files);
        files.any(|file| file.starts_with(&below))
    };
    let unnamed: Vec<String> = catalogs.iter().filter(|pattern| !is_named(pattern)).cloned().collect();
    let missing = missing(&unknown, &unnamed);
    let workflows = services.into_iter().flat_map(|service| service.workflows).collect();
    let calls_unknown_methods = !unknown.methods.is_empty();
    Ok(StarterConfig { text, with_settings, missing, extends: extended, workflows, calls_unknown_methods })
}

/// The settings alone, without words about them.
fn missing(unknown: &Unknown, catalogs: &[String]) -> String {
    let mut text = String::new();
    if !unknown.methods.is_empty() {
        write_methods(unknown, catalogs, "", &mut text);
    }
    write_types(unknown, "", &mut text);
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// The name by which a configuration further up is extended.
fn extended(path: &Path, folder: &Path, boundary: &Boundary) -> Result<String, String> {
    let name = relative_name(path, folder);
    let refused =
        |reason: String| format!("{name} applies to this folder, and a new file here could not extend it: {reason}");
    boundary.check(path, folder).map_err(|error| refused(error.to_string()))?;
    if clean_path(Path::new(&name), folder).0 == path {
        Ok(name)
    } else {
        Err(refused("its path is not UTF-8".to_owned()))
    }
}

fn look_at(project: &Project, service: &Service, own: Option<&Path>, folder: &Path) -> Option<(ServiceFiles, Unknown)> {
    let config = project.configs.get(service.config)?;
    let read = project.read(service, &Overrides::new());
    let of_kind = |wanted: DocumentKind| {
        let files = read.files.iter().filter(|file| file.document().is_some_and(|(kind, _)| kind == wanted));
        files.map(|file| file.source.path.clone()).collect::<Vec<_>>()
    };
    let (workflows, forms) = (of_kind(DocumentKind::Workflow), of_kind(DocumentKind::Form));
    let first = workflows.first().or(forms.first())?;
    let name = match relative_name(first.parent().unwrap_or(first), folder) {
        name if name.is_empty() => {
            folder.file_name().map_or_else(|| ".".to_owned(), |it| it.to_string_lossy().into_owned())
        }
        name => name,
    };
    // Files below a configuration of their own do not follow that of this folder.
    let follows = config.path.as_deref() == own;
    let files = ServiceFiles { name, workflows, forms, is_describable: follows && config.services.is_empty() };
    let mut unknown = Unknown::default();
    if follows {
        let files: Vec<&File> = read.files.iter().collect();
        let suggester = Suggester::default();
        let model = ServiceModel::new(&files, config);
        unknown.look_at(&AnalyzedService::new(files, config, &model, &suggester, None));
    }
    Some((files, unknown))
}

impl Unknown {
    fn look_at(&mut self, service: &AnalyzedService<'_>) {
        for site in service.providers().filter(|site| site.outputs.method.is_none()) {
            if let Some(method) = site.provider.method.value().filter(|method| !method.is_empty()) {
                *self.methods.entry(method.to_owned()).or_default() += 1;
            }
        }
        for (analysis, activity) in service.activities() {
            let (ActivityKind::Unknown { .. }, Some(name)) = (&activity.kind, activity.type_name.value()) else {
                continue;
            };
            let children = analysis.document.member(activity.node, "activities");
            let is_container = children.is_some_and(|list| {
                analysis.document.kind(list) == NodeKind::Array && analysis.document.children(list).len() > 0
            });
            *self.activities.entry(name.to_owned()).or_default() |= is_container;
        }
        let fields = service.model.forms.iter().flat_map(|form| &form.form.fields);
        let unknown = fields.filter(|field| field.field_type == FieldType::Unknown);
        self.fields.extend(unknown.filter_map(|field| field.type_name.value()).map(str::to_owned));
    }

    fn add(&mut self, other: Self) {
        for (name, calls) in other.methods {
            *self.methods.entry(name).or_default() += calls;
        }
        for (name, is_container) in other.activities {
            *self.activities.entry(name).or_default() |= is_container;
        }
        self.fields.extend(other.fields);
    }
}

/// The patterns of the catalogs that lie in a folder, below the usual names.
fn catalogs(folder: &Path, boundary: &Boundary) -> Vec<String> {
    let is_catalog = |path: &Path| {
        let text = boundary.check(path, folder).and_then(|()| read_regular(path));
        text.is_ok_and(|text| Catalog::default().add("", &text).is_ok())
    };
    let has_catalogs = |name: &&'static str| {
        let folder = folder.join(name);
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files = entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).peekable();
        files.peek().is_some() && files.all(|path| is_catalog(&path))
    };
    CATALOG_FOLDERS.into_iter().filter(has_catalogs).map(|name| format!("{name}/*.toml")).collect()
}

/// `mark` is before each setting.
fn write_methods(unknown: &Unknown, catalogs: &[String], mark: &str, text: &mut String) {
    text.push_str("\n## Catalogs describe the methods of plug-ins.\n");
    if !unknown.methods.is_empty() && !mark.is_empty() {
        let called = unknown.methods.iter().map(|(name, calls)| format!("{} ({})", quote(name), count(*calls, "call")));
        let _ = writeln!(text, "## Methods in no catalog: {}.", visible(&first_of_list(called, "and")));
        text.push_str("## `wflint catalog infer --output catalogs .` infers them from the calls, `wflint catalog import` reads the\n");
        text.push_str("## modules of the plug-ins. ");
        if catalogs.is_empty() {
            text.push_str("Then set `catalogs = [\"catalogs/*.toml\"]` here, above the first line in brackets.\n");
        } else {
            text.push_str("Then uncomment the next line.\n");
        }
    }
    if catalogs.is_empty() && unknown.methods.is_empty() {
        text.push_str("## Every method that is called here is in a built-in catalog.\n");
    }
    if !catalogs.is_empty() {
        let _ = writeln!(text, "{mark}catalogs = {}", array(catalogs.iter().map(String::as_str)));
    }
}

fn write_types(unknown: &Unknown, mark: &str, text: &mut String) {
    let typo = |name: &str, known: &[&'static str]| nearest(name, known.iter().copied()).map(str::to_owned);
    let (mut lines, mut typos) = (String::new(), String::new());
    let mut note_typo = |name: &str, near: &str| {
        let _ = writeln!(typos, "## {}, a typo of {}?", visible(&quote(name)), quote(near));
    };
    let mut declared = Vec::new();
    for (name, is_container) in unknown.activities.iter().take(MAX_NAMES) {
        match typo(name, &TYPES) {
            Some(near) => note_typo(name, &near),
            None => declared.push(format!("{} = \"{}\"", key(name), if *is_container { "container" } else { "leaf" })),
        }
    }
    if !declared.is_empty() {
        let _ = writeln!(lines, "{mark}activities = {{ {} }}", declared.join(", "));
    }
    let mut fields = Vec::new();
    for name in unknown.fields.iter().take(MAX_NAMES) {
        match typo(name, &FIELD_TYPES) {
            Some(near) => note_typo(name, &near),
            None => fields.push(name.as_str()),
        }
    }
    if !fields.is_empty() {
        let _ = writeln!(lines, "{mark}fields = {}", array(fields.into_iter()));
    }
    if lines.is_empty() && typos.is_empty() {
        return;
    }
    text.push_str(
        "\n## Activity and field types that wflint does not know. A `leaf` has no children. To declare the variables that\n",
    );
    text.push_str("## it writes, use `{ kind = \"leaf\", writes = [\"Price\"] }`.\n");
    text.push_str(&typos);
    if !lines.is_empty() {
        let _ = writeln!(text, "{mark}[types]");
        text.push_str(&lines);
    }
}

fn write_services(services: &[ServiceFiles], folder: &Path, text: &mut String) {
    if services.is_empty() {
        text.push_str("\n## No workflow and no form was found.\n");
        return;
    }
    text.push_str("\n## The documents of one folder share their variables: they are one service. These were found; uncomment one\n");
    text.push_str("## to change its documents.\n");
    for service in services.iter().take(MAX_SERVICES) {
        let files = service.workflows.iter().chain(&service.forms);
        let names = files.clone().map(|path| relative_name(path, folder));
        let _ = writeln!(text, "\n## {}: {}", visible(&service.name), visible(&first_of_list(names, "and")));
        let is_written = |path: &PathBuf| clean_path(Path::new(&relative_name(path, folder)), folder).0 == *path;
        if !service.is_describable || !files.clone().all(is_written) || files.count() > MAX_NAMES {
            continue;
        }
        write_service(service, folder, text);
    }
    if services.len() > MAX_SERVICES {
        let _ = writeln!(text, "\n## And {}.", count(services.len() - MAX_SERVICES, "more service"));
    }
}

/// `[[service]]`, one for each workflow: the forms go to the one that they are named like, otherwise to the first.
fn write_service(service: &ServiceFiles, folder: &Path, text: &mut String) {
    let stem = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split('.').next().unwrap_or_default().to_owned()
    };
    let groups = service.workflows.len().max(1);
    for index in 0..groups {
        let workflow = service.workflows.get(index);
        let belongs = |form: &&PathBuf| {
            let owner = service.workflows.iter().position(|workflow| stem(workflow) == stem(form)).unwrap_or(0);
            owner == index
        };
        let forms: Vec<String> =
            service.forms.iter().filter(belongs).map(|form| pattern(&relative_name(form, folder))).collect();
        let name = match workflow {
            Some(workflow) if groups > 1 => format!("{} {}", service.name, stem(workflow)),
            _ => service.name.clone(),
        };
        let _ = writeln!(text, "# [[service]]\n# name = {}", string(&name));
        if let Some(workflow) = workflow {
            let _ = writeln!(text, "# workflow = {}", string(&relative_name(workflow, folder)));
        }
        if !forms.is_empty() {
            let _ = writeln!(text, "# forms = {}", array(forms.iter().map(String::as_str)));
        }
    }
}

/// A pattern that matches one path.
fn pattern(path: &str) -> String {
    let mut pattern = String::new();
    for one in path.chars() {
        if "*?[]{}!\\".contains(one) {
            let _ = write!(pattern, "[{one}]");
        } else {
            pattern.push(one);
        }
    }
    pattern
}

fn array<'s>(strings: impl Iterator<Item = &'s str>) -> String {
    let strings: Vec<String> = strings.map(string).collect();
    format!("[{}]", strings.join(", "))
}

fn string(text: &str) -> String {
    toml_file::quoted(text, |at, character| !is_visible_at(text, at, character))
}

/// A key, bare where it can be.
fn key(name: &str) -> String {
    let is_bare = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { string(name) }
}

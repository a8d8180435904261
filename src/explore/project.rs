//! Explores all services of a project, and judges the laws over all of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::breaks::Unlisted;
use super::explored::{Explored, ExploredLaw};
use super::laws::{Accepted, LawProblem, ServiceNames, unknown_names};
use super::service::{OrderResult, Request, ServiceResult, explore_service};
use crate::config::{BuiltInLaw, Config, ConfigPlace};
use crate::files::read::FileKey;
use crate::project::{ConfigFile, ConfigFileUse, relative_name};
use crate::text::diagnostic::{FileId, Location};
use crate::text::quoted_list;
use crate::text::source::SourceFile;
use crate::text::suggest;

/// The results of the services of a project.
#[derive(Debug, Default)]
pub struct ExploredProject {
    pub explored: Explored,
    /// The files that the results are about.
    pub sources: BTreeMap<FileId, SourceFile>,
    /// What could not be read, with the reason, besides the files of the project.
    pub unreadable: Vec<String>,
    /// Errors of configurations that are found only with the services: unknown names in laws.
    pub errors: Vec<String>,
    /// Other files that were read: directories (LDIF).
    pub files: Vec<PathBuf>,
}

impl ExploredProject {
    /// Whether a file was read, besides those of the project.
    pub fn reads(&self, file: &FileKey) -> bool {
        self.files.iter().any(|path| file.is_of(path))
    }
}

/// Explores the services of a project, several at a time.
///
/// # Errors
/// An unknown law in `only`, the names of the requested laws; all laws if it is empty.
pub fn explore_project(
    request: &Request<'_>,
    only: &[String],
    today: Date,
    pool: &ThreadPool,
) -> Result<ExploredProject, String> {
    let configs = &request.project.configs;
    let names = if request.proves {
        BuiltInLaw::ALL.into_iter().map(|law| law.name().to_owned()).collect()
    } else {
        law_names(configs)
    };
    for name in only {
        if !names.contains(name) {
            let known = names.iter().map(String::as_str);
            let hint = match suggest::did_you_mean(name, known.clone()) {
                hint if hint.is_empty() => format!("; expected {}", quoted_list(&known.collect::<Vec<_>>(), "or")),
                hint => hint,
            };
            return Err(format!("unknown law `{name}`{hint}"));
        }
    }
    let services = &request.project.services;
    let results: Vec<ServiceResult> =
        pool.install(|| services.par_iter().map(|service| explore_service(request, service)).collect());
    let mut merger = Merger {
        request,
        names: names.into_iter().filter(|name| only.is_empty() || only.contains(name)).collect(),
        accepted: configs.iter().map(|config| Accepted::new(config, Some(today))).collect(),
        project: ExploredProject::default(),
        service_names: configs.iter().map(|_| Vec::new()).collect(),
    };
    merger.project.explored.laws = merger
        .names
        .iter()
        .map(|name| ExploredLaw {
            name: name.clone(),
            holds: Some(true),
            broken: Vec::new(),
            unlisted: BTreeMap::new(),
            is_met: false,
            declared: None,
            has_unknown_names: false,
        })
        .collect();
    for result in results {
        merger.add(result);
    }
    Ok(merger.finish())
}

/// The requested built-in laws, then those of the configurations.
fn law_names(configs: &[Config]) -> Vec<String> {
    let is_asked = |law: &BuiltInLaw| configs.iter().any(|config| config.explore.laws.contains(law));
    let built_in = BuiltInLaw::ALL.into_iter().filter(is_asked).map(|law| law.name().to_owned());
    let mut names: Vec<String> = built_in.collect();
    for law in configs.iter().flat_map(|config| &config.laws) {
        if !names.contains(&law.name.value) {
            names.push(law.name.value.clone());
        }
    }
    names
}

struct Merger<'j> {
    request: &'j Request<'j>,
    names: Vec<String>,
    /// By configuration.
    accepted: Vec<Accepted>,
    project: ExploredProject,
    /// By configuration.
    service_names: Vec<Vec<ServiceNames>>,
}

impl Merger<'_> {
    fn add(&mut self, result: ServiceResult) {
        self.project.unreadable.extend(result.unreadable);
        self.project.sources.extend(result.sources);
        if !result.unexplored.is_empty() {
            self.leave_open(result.config);
        }
        self.project.explored.unexplored.extend(result.unexplored);
        for order in result.explored {
            self.add_order(result.config, order);
        }
    }

    fn add_order(&mut self, config: usize, order: OrderResult) {
        if !order.service.is_complete() {
            self.leave_open(config);
        }
        let workflow = self.path(order.service.workflow).to_path_buf();
        for mut broken in order.broken {
            let Some(law) = self.project.explored.laws.iter_mut().find(|law| law.name == broken.law) else { continue };
            let pointer = broken.run.location.pointer.clone();
            let accepted = self.accepted.get_mut(config);
            let reason =
                accepted.and_then(|all| all.accept(&law.name, &workflow, broken.activity.as_deref(), &pointer));
            broken.run.accepted = reason.map(str::to_owned);
            if broken.run.accepted.is_none() {
                law.holds = Some(false);
            }
            law.broken.push(broken.run);
        }
        self.count_unlisted(config, &order.unlisted, order.service.workflow, &workflow);
        for law in &mut self.project.explored.laws {
            let is_built_in = BuiltInLaw::ALL.into_iter().any(|built_in| built_in.name() == law.name);
            law.is_met |= is_built_in || order.met.contains(&law.name);
        }
        if let Some(names) = self.service_names.get_mut(config) {
            names.push(order.names);
        }
        self.project.explored.services.push(order.service);
    }

    /// Counts the faults that are not listed, without those that a `[[suppress]]` accepts.
    fn count_unlisted(&mut self, config: usize, unlisted: &[Unlisted], workflow: FileId, path: &Path) {
        for Unlisted { law, pointer, activity, number } in unlisted {
            let accepted = self.accepted.get_mut(config);
            if accepted.and_then(|all| all.accept(law, path, activity.as_deref(), pointer)).is_some() {
                continue;
            }
            if let Some(law) = self.project.explored.laws.iter_mut().find(|known| known.name == *law) {
                law.holds = Some(false);
                *law.unlisted.entry(workflow).or_default() += number;
            }
        }
    }

    /// Marks laws that no run has broken as undecided: a run that was not explored may break them.
    fn leave_open(&mut self, config: usize) {
        let Some(config) = self.request.project.configs.get(config) else { return };
        for law in &mut self.project.explored.laws {
            let is_asked = config.explore.laws.iter().any(|asked| asked.name() == law.name)
                || config.laws.iter().any(|own| own.name.value == law.name);
            law.holds = law.holds.filter(|holds| !(*holds && is_asked));
        }
    }

    fn path(&self, id: FileId) -> &Path {
        self.request.project.name_and_path(id).map_or(Path::new(""), |(_, path)| path)
    }

    fn finish(mut self) -> ExploredProject {
        let project = self.request.project;
        let complete: BTreeMap<&Path, bool> = self
            .project
            .explored
            .services
            .iter()
            .filter_map(|service| Some((project.name_and_path(service.workflow)?.1, service.is_complete())))
            .collect();
        let is_judged = |law: &str, workflow: &Path| {
            let is_gone = || !workflow.exists() && project.was_walked(workflow);
            self.names.iter().any(|name| name == law) && complete.get(workflow).copied().unwrap_or_else(is_gone)
        };
        let problems: Vec<(usize, LawProblem)> = self
            .accepted
            .iter()
            .enumerate()
            .flat_map(|(config, accepted)| {
                accepted.problems(is_judged).into_iter().map(move |problem| (config, problem))
            })
            .collect();
        for (config, problem) in problems {
            let Some(file) = self.config_file(config, problem.place.layer) else { continue };
            self.project.explored.warnings.push(problem.diagnostic(file));
        }
        self.place_laws();
        self.find_unknown_names();
        let name = |id: FileId| project.name_and_path(id).map(|(name, _)| name.to_owned()).unwrap_or_default();
        self.project.explored.services.sort_by_key(|service| name(service.workflow));
        self.project.explored.unexplored.sort_by_key(|(file, _)| name(*file));
        for law in &mut self.project.explored.laws {
            law.broken.sort_by_key(|broken| (name(broken.workflow), broken.location.pointer.clone()));
        }
        self.project
    }

    /// Finds the places of laws in the configurations.
    fn place_laws(&mut self) {
        for (index, config) in self.request.project.configs.iter().enumerate() {
            for own in &config.laws {
                let is_new = |law: &ExploredLaw| law.name == own.name.value && law.declared.is_none();
                let Some(at) = self.project.explored.laws.iter().position(is_new) else { continue };
                let ConfigPlace { layer, span } = own.name.place;
                let place = self.config_file(index, layer);
                let place = place.map(|file| Location { file, pointer: String::new(), span });
                self.project.explored.laws.get_mut(at).into_iter().for_each(|law| law.declared.clone_from(&place));
            }
        }
    }

    /// Laws with names that no service has are not judged.
    fn find_unknown_names(&mut self) {
        let project = self.request.project;
        for (config, names) in project.configs.iter().zip(&self.service_names) {
            for unknown in unknown_names(config, names, |folder| project.was_walked(folder)) {
                for law in &mut self.project.explored.laws {
                    if unknown.law.as_ref() == Some(&law.name) {
                        law.holds = None;
                        law.broken.clear();
                        law.unlisted.clear();
                        law.has_unknown_names = true;
                    }
                }
                self.project.errors.push(unknown.error.0);
            }
        }
    }

    /// The file with the number `layer` of a configuration, as a file of the report.
    fn config_file(&mut self, config: usize, layer: usize) -> Option<FileId> {
        let project = self.request.project;
        let is_file = |file: &ConfigFile| file.uses.contains(&ConfigFileUse { config, layer });
        let index = project.config_files.iter().position(is_file)?;
        let file = project.config_files.get(index)?;
        let id = project.id_of_other(index);
        self.project.sources.entry(id).or_insert_with(|| {
            SourceFile::new(file.path.clone(), relative_name(&file.path, &project.current), Arc::clone(&file.text))
        });
        Some(id)
    }
}

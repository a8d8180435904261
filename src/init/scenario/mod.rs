//! A first scenario for a workflow: every field filled, everybody asked agrees. It is run before it is written, and
//! completed by what the run shows, until nothing new comes.

mod draft;
mod fields;
mod learn;
mod trial;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::boundary::Boundary;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::facts::{AnalyzedService, Context, InferredOutputs, ProviderSite, inferred_outputs};
use crate::graph::{Analysis, Prefix, VarId, Writer};
use crate::lint::pool;
use crate::model::{ActivityId, Variable};
use crate::project::{
    self, ConfigSource, File, FormDocument, Overrides, Project, Service, ServiceModel, relative_name,
};
use crate::read::{Unsaved, is_regular};
use crate::script::{Evaluator, Sandbox};
use crate::simulate;
use crate::simulate::scenario::OutcomeKind;
use crate::suggest::Suggester;
use crate::synth::{Needs, PatternTests, Values};
use crate::text::quote;
use draft::Draft;
use learn::Lessons;
use trial::{Seen, Trial};

/// Runs before a scenario is written as it is then.
const MAX_ROUNDS: usize = 64;

pub struct ScenarioRequest<'r> {
    /// The workflow, absolute.
    pub workflow: &'r Path,
    /// Where the scenario is going to be.
    pub scenario: &'r Path,
    pub current: &'r Path,
    /// This program, which runs scripts in a child process.
    pub program: &'r Path,
}

/// A scenario that was made.
#[derive(Debug)]
pub struct StarterScenario {
    pub text: String,
    /// Whether it passes. Otherwise its comments say what to fill in.
    pub passes: bool,
}

/// Makes a scenario for a workflow. Needs the stack of the threads of [`pool`].
///
/// # Errors
/// The file holds no workflow, or cannot be read.
pub fn starter_scenario(request: &ScenarioRequest<'_>) -> Result<StarterScenario, String> {
    let folder = request.scenario.parent().unwrap_or(request.scenario);
    let boundary = Boundary::below(vec![request.current.to_path_buf(), folder.to_path_buf()]);
    let name = relative_name(request.workflow, request.current);
    let failed = |reason: &str| format!("cannot write a scenario for {name}: {reason}");
    if !is_regular(request.workflow) {
        return Err(format!("cannot read {name}: no such file"));
    }
    let project = project::find(&project::Request {
        current: request.current.to_path_buf(),
        paths: vec![request.workflow.to_path_buf()],
        boundary: boundary.clone(),
        ..project::Request::default()
    });
    let project = project.map_err(|error| error.0)?;
    if let Some(reason) = project.unreadable.first() {
        return Err(reason.clone());
    }
    let named = |service: &&Service| service.files.iter().any(|&id| project.is_reported(id));
    let service = project.services.iter().find(named).ok_or_else(|| failed("no such file"))?;
    let read = project.read(service, &Overrides::new());
    let file = read.files.iter().find(|file| file.reported);
    let unread = || read.unreadable.first().map_or_else(|| failed("not a workflow"), |(_, reason)| reason.clone());
    let file = file.ok_or_else(unread)?;
    file.workflow().map_err(|reason| failed(&reason))?;
    if let Some(duplicate) = file.duplicate_key() {
        return Err(failed(&duplicate));
    }
    let config = project.configs.get(service.config).ok_or_else(|| failed("not a workflow"))?;
    let files: Vec<&File> = read.files.iter().collect();
    let suggester = Suggester::default();
    let model = ServiceModel::new(&files, config);
    let evaluator = Evaluator::new(request.program.to_path_buf());
    let analyzed = AnalyzedService::new(files, config, &model, &suggester, Some(&evaluator));
    let context = Context::new(&analyzed);
    let analysis = context.workflows.iter().find(|analysis| analysis.file == file.id);
    let analysis = analysis.ok_or_else(|| failed("too many schema violations"))?;
    let threads = pool(Some(1))?;
    let text = |file: &File| (file.source.path.clone(), Arc::clone(&file.source.text));
    let made = Making {
        context: &context,
        analysis,
        project: &project,
        folder,
        trial: Trial {
            path: request.scenario,
            request: &simulate::Request {
                current: request.current.to_path_buf(),
                paths: Vec::new(),
                config: ConfigSource::Nearest,
                boundary,
                // Each run would read the documents again.
                unsaved: Unsaved::texts(read.files.iter().filter(|file| file.document().is_some()).map(text)),
            },
            pool: &threads,
            program: request.program,
        },
    };
    made.make()
}

/// What a scenario is made from.
struct Making<'m, 'a> {
    context: &'m Context<'a>,
    analysis: &'m Analysis<'a>,
    project: &'m Project,
    /// Of the scenario.
    folder: &'m Path,
    trial: Trial<'m>,
}

impl Making<'_, '_> {
    fn make(&self) -> Result<StarterScenario, String> {
        let needs = Needs::of(self.context);
        let mut values = Values::new(&needs);
        let inferred = inferred_outputs(self.context, self.analysis);
        let mut draft = self.first_draft(&inferred, &mut values);
        let mut lessons = Lessons { analysis: self.analysis, inferred: &inferred, outputs: HashMap::default() };
        let mut seen = self.trial.run(&draft.yaml())?;
        for _ in 0..MAX_ROUNDS {
            if !lessons.learn(&seen, &mut values, &mut draft) {
                break;
            }
            seen = self.trial.run(&draft.yaml())?;
        }
        lessons.trim(&seen, &mut draft);
        draft.ends = match seen.outcome {
            Some(OutcomeKind::Completed) => Some("completed"),
            Some(OutcomeKind::Terminated) => Some("terminated"),
            _ => None,
        };
        explain_end(&seen, &mut draft);
        let text = draft.yaml();
        // Without results that nothing used, and with its expectations.
        let last = self.trial.run(&text)?;
        if last.passed {
            draft.to_fill_in.clear();
            return Ok(StarterScenario { text: draft.yaml(), passes: true });
        }
        if !draft.to_fill_in.is_empty() {
            return Ok(StarterScenario { text, passes: false });
        }
        draft.fill_in("what `wflint simulate` reports".to_owned());
        Ok(StarterScenario { text: draft.yaml(), passes: false })
    }

    fn first_draft(&self, inferred: &HashMap<ActivityId, Arc<InferredOutputs>>, values: &mut Values<'_, '_>) -> Draft {
        let mut draft = Draft { workflow: self.relative(self.analysis.file), ..Draft::default() };
        let mut sandbox = Sandbox::new(self.trial.program.to_path_buf());
        let form = self.order_form(&mut draft);
        if let Some(form) = form {
            draft.form = Some(self.relative(form.file));
            fields::fill(form.form, values, &mut PatternTests::new(&mut sandbox), &mut draft);
        }
        let entries = if form.is_some() { &mut draft.variables } else { &mut draft.submit };
        let mut known: HashSet<String> = entries.iter().map(|(name, _)| name.clone()).collect();
        for name in self.given(form, inferred) {
            if known.insert(name.to_owned()) {
                entries.push((name.to_owned(), values.submitted(name)));
            }
        }
        draft
    }

    /// The path of a file relative to the folder of the scenario.
    fn relative(&self, file: FileId) -> String {
        self.project.name_and_path(file).map(|(_, path)| relative_name(path, self.folder)).unwrap_or_default()
    }

    /// The form that is filled before the workflow runs: of several, the one that is named like the workflow.
    fn order_form(&self, draft: &mut Draft) -> Option<&FormDocument<'_>> {
        let forms: Vec<_> = self.context.model.forms.iter().filter(|form| form.is_order_form).collect();
        let stem = |path: &str| path.rsplit('/').next().and_then(|name| name.split('.').next()).map(str::to_lowercase);
        let own = stem(&draft.workflow);
        let chosen = forms.iter().find(|form| Some(form.name.to_lowercase()) == own).or(forms.first()).copied()?;
        let others: Vec<String> =
            forms.iter().filter(|form| form.file != chosen.file).map(|form| quote(&self.relative(form.file))).collect();
        if !others.is_empty() {
            draft.notes.push(format!("Other forms that may be the order form: {}.", others.join(", ")));
        }
        Some(chosen)
    }

    /// The variables that are read and that the workflow itself does not write, nor the form: input parameters, variables
    /// of the platform, and what other workflows write. With a form, only those that something writes.
    fn given(
        &self,
        form: Option<&FormDocument<'_>>,
        inferred: &HashMap<ActivityId, Arc<InferredOutputs>>,
    ) -> Vec<&str> {
        let (analysis, context) = (self.analysis, self.context);
        let mut known: HashSet<String> = HashSet::default();
        let writes = analysis.effects.iter().flat_map(|effects| &effects.writes);
        let own = writes.filter(|write| write.by != Writer::Form);
        known.extend(own.map(|write| analysis.names.name(write.variable).to_owned()));
        let fields = form.into_iter().flat_map(|form| &form.form.fields);
        known.extend(fields.filter_map(|field| field.target()).map(|(_, name)| name.to_owned()));
        for site in ProviderSite::of(analysis) {
            if let (Some(outputs), Prefix::Static(prefix)) = (inferred.get(&site.activity.id), site.outputs.prefix) {
                known.extend(outputs.names.iter().map(|name| format!("{prefix}{name}")));
            }
        }
        let variables = context.variable_lists().flat_map(|(_, variables)| variables);
        let has_value = |variable: &&Variable<'_>| variable.value().value().is_some_and(|value| !value.is_empty());
        known.extend(variables.filter(has_value).filter_map(|variable| variable.name.value()).map(str::to_owned));
        let reads = analysis.effects.iter().flat_map(|effects| &effects.reads);
        let mut names: Vec<VarId> = reads.map(|read| read.variable).collect();
        names.sort_unstable();
        names.dedup();
        let names = names.into_iter().map(|variable| analysis.names.name(variable));
        let is_given = |name: &&str| {
            let exists = analysis.scope.is_provided(name) || analysis.scope.declarations.variable(name).is_some();
            let is_written = context.usage.has_known_writer(name) || analysis.scope.is_provided(name);
            exists && !known.contains(*name) && (form.is_none() || is_written)
        };
        names.filter(is_given).collect()
    }
}

/// Says what keeps the order from its end.
fn explain_end(seen: &Seen, draft: &mut Draft) {
    let Some(outcome) = seen.outcome.filter(|_| draft.ends.is_none()) else { return };
    let message = seen.failure.as_deref().unwrap_or("no reason given");
    let ends = match outcome {
        OutcomeKind::Failed => "fails",
        OutcomeKind::Refused => "is refused",
        _ => "is stuck",
    };
    draft.fill_in(format!("the order {ends}: {message}"));
}

/// The scenario beside a workflow: `a.workflow.json` and `a.json` have `a.scenario.yaml`.
///
/// # Errors
/// The workflow has no name in UTF-8, which a scenario could give.
pub fn scenario_path(workflow: &Path) -> Result<PathBuf, String> {
    let name = workflow.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| format!("{} has no name that a scenario could give", workflow.display()))?;
    let without = |name: &'static str, text: &str| -> Option<String> {
        let (stem, end) = text.split_at_checked(text.len().checked_sub(name.len())?)?;
        (end.eq_ignore_ascii_case(name) && !stem.is_empty()).then(|| stem.to_owned())
    };
    let stem = without(".json", name).unwrap_or_else(|| name.to_owned());
    let stem = without(".workflow", &stem).unwrap_or(stem);
    Ok(workflow.with_file_name(format!("{stem}.scenario.yaml")))
}

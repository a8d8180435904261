//! The scenarios of the services, as they ran, and what they cover.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::subject::Subject;
use super::timeline::{safe_events, timeline};
use super::ways::{Way, way};
use crate::common::outcomes::OutcomeKind;
use crate::explore::without_ids;
use crate::model::{Activity, ActivityId};
use crate::page::data::{RunData, RunKind};
use crate::page::{CoverageView, NotRunView, ScenarioView, Scenarios};
use crate::report::{RunText, shown_percent, visible};
use crate::simulate::{
    Branch, Coverage, FinishedScenario, RunEvent, RunEventKind, ScenarioSink, SessionSummary, show_duration,
};
use crate::text::diagnostic::FileId;
use crate::text::source::SourceFile;

/// Characters of a value in an expectation.
const MAX_VALUE: usize = 120;

/// The scenarios that ran, by the absolute path of their workflow.
#[derive(Debug, Clone, Default)]
pub struct ScenarioRuns {
    of: BTreeMap<PathBuf, WorkflowRuns>,
    pub scenarios: usize,
    /// Those that failed.
    pub failed: usize,
    /// Whether they were not run because no script may.
    left_out: bool,
    pub not_run: Vec<NotRun>,
    /// The names of scenario files, by path.
    pub names: BTreeMap<PathBuf, String>,
}

/// A scenario that could not be run.
#[derive(Debug, Clone)]
pub struct NotRun {
    pub path: PathBuf,
    pub name: String,
    /// The workflow that it names, if that is known. Otherwise it belongs to those of its folder.
    pub workflow: Option<PathBuf>,
    pub reasons: Vec<String>,
}

impl NotRun {
    fn is_of(&self, workflow: &Path) -> bool {
        match &self.workflow {
            Some(named) => named == workflow,
            None => self.path.parent() == workflow.parent(),
        }
    }
}

#[derive(Debug, Clone, Default)]
struct WorkflowRuns {
    runs: Vec<KeptRun>,
    coverage: CoverageView,
    /// By activity, how often it began.
    begun: Vec<u64>,
    /// By activity, the branches that count, with how often they were taken.
    branches: Vec<Vec<(&'static str, u64)>>,
}

/// A finished scenario. Masked values are covered.
#[derive(Debug, Clone)]
struct KeptRun {
    /// The file of the scenario.
    file: PathBuf,
    /// Without its timeline and the name of its file.
    view: ScenarioView,
    events: Vec<RunEvent>,
    /// Where the order stood at the end.
    last: Option<ActivityId>,
    /// The last status, without generated ids.
    status: Option<String>,
}

impl ScenarioRuns {
    /// None, because no script may run.
    pub fn left_out() -> Self {
        Self { left_out: true, ..Self::default() }
    }

    fn of(&self, subject: &Subject<'_, '_>) -> Option<&WorkflowRuns> {
        self.of.get(&subject.file.source.path).filter(|runs| !runs.runs.is_empty())
    }

    /// The name of a run's file.
    fn file(&self, run: &KeptRun) -> String {
        let name = self.names.get(&run.file).cloned().unwrap_or_else(|| file_name(&run.file));
        visible(&name).into_owned()
    }

    /// How often scenarios began an activity; `None` without scenarios.
    pub fn begun(&self, subject: &Subject<'_, '_>, id: ActivityId) -> Option<u64> {
        Some(self.of(subject)?.begun.get(id.0 as usize).copied().unwrap_or_default())
    }

    /// The branches of an activity that count, with how often scenarios took them.
    pub fn branches(&self, subject: &Subject<'_, '_>, id: ActivityId) -> Vec<(&'static str, u64)> {
        let branches = self.of(subject).and_then(|runs| runs.branches.get(id.0 as usize));
        branches.cloned().unwrap_or_default()
    }

    /// For each end of a workflow, the scenarios that end so; `None` without scenarios.
    pub fn ending(&self, subject: &Subject<'_, '_>, ends: &[Last<'_>]) -> Vec<Option<Covering>> {
        let Some(runs) = self.of(subject) else { return vec![None; ends.len()] };
        let mut covered: Vec<Covering> = vec![Covering::default(); ends.len()];
        for run in &runs.runs {
            let pointer = run.last.and_then(|id| subject.place_of(id)).map(|(pointer, _)| pointer);
            let there = ends.iter().map(|end| end.outcome == run.view.outcome && end.is_at(pointer.as_deref()));
            let there: Vec<bool> = there.collect();
            let is_same = |end: &Last<'_>| end.status == run.status;
            // A status that is that of an end means this one. Otherwise only values in it differ, which are made up.
            let means_one = ends.iter().zip(&there).any(|(end, there)| *there && is_same(end));
            let published_by = publisher(&run.events);
            let may_be = |end: &Last<'_>| if means_one { is_same(end) } else { end.published_by == published_by };
            let possible: Vec<bool> = ends.iter().zip(there).map(|(end, there)| there && may_be(end)).collect();
            let is_one = means_one || possible.iter().filter(|it| **it).count() == 1;
            let way = way(subject, &run.events);
            for ((end, _), covering) in ends.iter().zip(possible).zip(&mut covered).filter(|((_, may_be), _)| *may_be) {
                // Of several, the run covers those on whose way it was.
                let is_it = is_one || end.way == way;
                let files = if is_it { &mut covering.scenarios } else { &mut covering.alike };
                files.push(self.file(run));
            }
        }
        covered.into_iter().map(Some).collect()
    }
}

/// Scenarios that come to an end, by file.
#[derive(Debug, Clone, Default)]
pub struct Covering {
    pub scenarios: Vec<String>,
    /// Those that end in the same way, but not as the end's run does.
    pub alike: Vec<String>,
}

/// Where an end is.
pub struct Last<'e> {
    pub outcome: OutcomeKind,
    /// The pointer of the activity at which orders end.
    pub activity: Option<&'e str>,
    /// The Status that published last.
    pub published_by: Option<ActivityId>,
    pub way: Way,
    /// Its text, masked and without generated ids.
    pub status: Option<String>,
}

impl Last<'_> {
    /// Whether a run that stands at an activity ends here. A run that never ends may stand anywhere in its loop.
    fn is_at(&self, last: Option<&str>) -> bool {
        let Some(activity) = self.activity.filter(|_| self.outcome != OutcomeKind::Completed) else { return true };
        match last.and_then(|last| last.strip_prefix(activity)) {
            Some("") => true,
            Some(inside) => self.outcome == OutcomeKind::Stuck && inside.starts_with('/'),
            None => false,
        }
    }
}

/// The activity that publishes last in a run.
pub fn publisher(events: &[RunEvent]) -> Option<ActivityId> {
    events.iter().rev().find(|event| event.kind == RunEventKind::Published)?.activity
}

/// The scenarios of a workflow, and their runs for the player; a form that was not accepted has none.
pub fn scenarios(runs: &ScenarioRuns, subject: &Subject<'_, '_>) -> (Scenarios, Vec<RunData>) {
    let redacted = |text: &str| {
        let mut text = text.to_owned();
        subject.redactions.redact_text(&mut text);
        text
    };
    let shown = |text: &str| redacted(&visible(&subject.mask(text)));
    let not_run = runs.not_run.iter().filter(|it| it.is_of(&subject.file.source.path)).map(|it| NotRunView {
        file: shown(&it.name),
        reasons: it.reasons.iter().map(|reason| shown(reason)).collect(),
    });
    let not_run: Vec<NotRunView> = not_run.collect();
    let Some(kept) = runs.of(subject) else {
        return (Scenarios { left_out: runs.left_out, not_run, ..Scenarios::default() }, Vec::new());
    };
    let (mut views, mut data) = (Vec::new(), Vec::new());
    for run in &kept.runs {
        let events = safe_events(subject, &run.events);
        let view = ScenarioView {
            file: runs.file(run),
            name: redacted(&run.view.name),
            failure: run.view.failure.as_deref().map(redacted),
            checks: run.view.checks.iter().map(|(passed, text)| (*passed, redacted(text))).collect(),
            timeline: timeline(subject, &events),
            ..run.view.clone()
        };
        if view.outcome != OutcomeKind::Refused {
            let (id, title) = (view.id.clone(), view.name.clone());
            data.push(RunData { id, kind: RunKind::Scenario, title, outcome: view.outcome.word().to_owned(), events });
        }
        views.push(view);
    }
    let missing = kept.coverage.missing.iter().map(|name| redacted(&subject.mask(name))).collect();
    let coverage = Some(CoverageView { missing, ..kept.coverage.clone() });
    (Scenarios { scenarios: views, not_run, left_out: false, coverage }, data)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Keeps what the page shows of each scenario that finishes.
pub struct ScenarioCollector<'c> {
    /// The files of the session.
    sources: &'c BTreeMap<FileId, SourceFile>,
    pub runs: ScenarioRuns,
}

impl<'c> ScenarioCollector<'c> {
    pub fn new(sources: &'c BTreeMap<FileId, SourceFile>) -> Self {
        Self { sources, runs: ScenarioRuns::default() }
    }

    fn path(&self, id: FileId) -> Option<&Path> {
        self.sources.get(&id).map(|source| source.path.as_path())
    }
}

impl ScenarioSink for ScenarioCollector<'_> {
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let file = self.path(finished.plan.scenario_file).map(Path::to_path_buf).unwrap_or_default();
        let Some(workflow) = self.path(finished.plan.file).map(Path::to_path_buf) else { return Ok(()) };
        let status = finished.ended.record.statuses.last();
        let kept = self.runs.of.entry(workflow).or_default();
        kept.runs.push(KeptRun {
            view: view(finished, format!("scenario-{}", kept.runs.len() + 1), &file_name(&file)),
            file,
            events: finished.events(),
            last: finished.ended.last,
            status: status.map(|(_, text)| without_ids(&finished.masker.apply(text.as_str()))),
        });
        Ok(())
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        (self.runs.scenarios, self.runs.failed) = (summary.scenarios, summary.failed);
        for coverage in &summary.coverage {
            let Some(path) = self.path(coverage.file).map(Path::to_path_buf) else { continue };
            let Some(kept) = self.runs.of.get_mut(&path) else { continue };
            kept.coverage = covered(coverage);
            for activity in (0..).map(ActivityId).map_while(|id| coverage.activity(id)) {
                kept.begun.push(coverage.times_begun(activity.id));
                let branches = Branch::of(activity).iter();
                let taken = branches.map(|branch| (branch.word(), coverage.times_taken(activity.id, *branch)));
                kept.branches.push(taken.collect());
            }
        }
        Ok(())
    }
}

fn view(finished: &FinishedScenario<'_>, id: String, file_name: &str) -> ScenarioView {
    let text = RunText::new(finished, MAX_VALUE);
    let shown = |text: &str| visible(text).into_owned();
    let name = finished.plan.scenario.name.as_deref().unwrap_or(file_name);
    let checks = RunText::new(finished, MAX_VALUE).for_page();
    let checks = finished.checks.iter().map(|check| (check.passed, shown(&checks.check(check))));
    ScenarioView {
        id,
        name: shown(&text.mask(name)),
        file: String::new(),
        passed: finished.passed(),
        outcome: finished.ended.outcome(),
        failure: finished.ended.failure().map(|failure| shown(&text.failure(&failure.message))),
        checks: checks.collect(),
        timeline: Vec::new(),
        elapsed: show_duration(finished.ended.elapsed),
    }
}

fn covered(coverage: &Coverage<'_>) -> CoverageView {
    let (activities, branches) = (coverage.activity_count(), coverage.branch_count());
    let missing = coverage.unreached().map(Activity::display_name);
    let of_branches = coverage.unreached_branches();
    let of_branches = of_branches.map(|(activity, branch)| format!("{} ({})", activity.display_name(), branch.word()));
    CoverageView {
        activities: (activities.covered, activities.all),
        branches: (branches.covered, branches.all),
        percent: shown_percent(activities + branches),
        missing: missing.chain(of_branches).map(|name| visible(&name).into_owned()).collect(),
    }
}

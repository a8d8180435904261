//! `wflint explain --run FILE:LINE`: a run that proves a finding about a path.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::options::Color;
use super::places;
use super::show::use_color;
use super::world::{Exit, Failure, World, print_error, print_line};
use crate::explore::{
    Covers, Cut, Ending, Explored, ExploredEnd, ExploredService, NamedPlace, Request, explore_project,
};
use crate::files::boundary::Boundary;
use crate::files::paths::clean_path;
use crate::files::read::Unsaved;
use crate::init::scenario_document;
use crate::lint::{self, Options, Outcome, pool};
use crate::project::{self, ConfigSource, Overrides, Project};
use crate::report::{Report, RunFormat, SimulationOutput, SimulationReports, Style, visible};
use crate::rules::REGISTRY;
use crate::simulate::{self, Session, load_unsaved};
use crate::text::count;
use crate::text::diagnostic::{Diagnostic, Location};
use crate::text::suggest::Suggester;

/// The rules whose findings a run can show.
const SHOWN: [&str; 5] = ["WF303", "WF401", "WF403", "WF404", "WF407"];

/// Shows the runs for the findings on a line.
pub(super) fn run(place: &str, color: Color, world: &mut World<'_>) -> Result<Exit, Failure> {
    let (file, line) = parse(place)?;
    let (path, _) = clean_path(&file, &world.current);
    let folder = path.parent().unwrap_or(&path).to_path_buf();
    let boundary = Boundary::below(vec![world.current.clone(), folder.clone()]);
    let project = project::find(&project::Request {
        current: world.current.clone(),
        paths: vec![path.clone()],
        boundary: boundary.clone(),
        ..project::Request::default()
    });
    let project = project.map_err(|error| Failure::Message(error.0))?;
    let (outcome, findings) = findings(&project, &path, line, world)?;
    if findings.is_empty() {
        return Err(Failure::Message(nothing_there(&outcome, place)));
    }
    let request = Request {
        project: &project,
        program: &world.program,
        boundary: &boundary,
        max_states: None,
        covers: Covers::Nothing,
        proves: true,
        embeds: None,
        overrides: &Overrides::new(),
        progress: &|_| {},
    };
    let threads = pool(None).map_err(Failure::Message)?;
    let found = explore_project(&request, &[], world.today, &threads).map_err(Failure::Message)?;
    let mut exit = Exit::Clean;
    for (_, reason) in &found.explored.unexplored {
        print_error(world, &format!("cannot explore {place}: {reason}"));
        exit = Exit::Failure;
    }
    for finding in &findings {
        let proof = Proof { finding, explored: &found.explored, folder: &folder, boundary: &boundary, color };
        exit = exit.max(proof.show(world)?);
    }
    Ok(exit)
}

/// The file and the line of `FILE:LINE`, or `FILE:LINE:COLUMN` as reports write it.
fn parse(place: &str) -> Result<(PathBuf, u32), Failure> {
    match places::parse(place) {
        Some((file, line, _)) => Ok((PathBuf::from(file), line)),
        None => Err(Failure::Message(format!("expected FILE:LINE after `--run`, found `{}`", visible(place)))),
    }
}

/// The findings on a line that a run can show.
fn findings(
    project: &Project,
    path: &Path,
    line: u32,
    world: &World<'_>,
) -> Result<(Outcome, Vec<Diagnostic>), Failure> {
    let options = Options { today: Some(world.today), program: Some(world.program.clone()), ..Options::default() };
    let outcome = lint::on_pool(None, || lint::lint(project, &options)).and_then(|outcome| outcome);
    let outcome = outcome.map_err(Failure::Message)?;
    let is_there = |it: &&Diagnostic| {
        let is_in_file = project.name_and_path(it.location.file).is_some_and(|(_, own)| own == path);
        let source = outcome.sources.get(&it.location.file);
        is_in_file && source.is_some_and(|source| source.position(it.location.span.start).line == line)
    };
    let findings = outcome.diagnostics.iter().map(Box::as_ref).filter(is_there);
    let findings = findings.filter(|it| SHOWN.contains(&it.code)).cloned().collect();
    Ok((outcome, findings))
}

fn nothing_there(outcome: &Outcome, place: &str) -> String {
    if let Some(reason) = outcome.unreadable.first() {
        return reason.clone();
    }
    let names: Vec<String> = REGISTRY
        .iter()
        .filter(|rule| SHOWN.contains(&rule.code))
        .map(|rule| format!("{} ({})", rule.code, rule.name))
        .collect();
    format!("no finding at {} that a run can show; runs show {}", visible(place), names.join(", "))
}

struct Proof<'p> {
    finding: &'p Diagnostic,
    explored: &'p Explored,
    /// Of the workflow.
    folder: &'p Path,
    boundary: &'p Boundary,
    color: Color,
}

impl Proof<'_> {
    /// Shows the finding and its run.
    fn show(&self, world: &mut World<'_>) -> Result<Exit, Failure> {
        let Diagnostic { code, name, message, .. } = self.finding;
        print_line(world, &format!("{code} {name}: {message}"), "  ")?;
        let Some(service) = self.service() else { return Ok(Exit::Failure) };
        let states = count(service.states, "state");
        let Some(scenario) = self.scenario() else {
            let line = match (service.is_complete(), *code) {
                (false, _) => {
                    let help = service.cut.and_then(Cut::help).map(|help| format!("; {help}")).unwrap_or_default();
                    format!("No run was found that shows it, in {states}{help}.")
                }
                (true, "WF401") => format!("No run reaches it; explored completely ({states})."),
                (true, _) => format!("No run shows it; explored completely ({states})."),
            };
            print_line(world, &line, "")?;
            return Ok(match (service.is_complete(), *code) {
                (false, _) => Exit::Failure,
                (true, "WF401") => Exit::Clean,
                (true, _) => Exit::Findings,
            });
        };
        writeln!(world.stdout)?;
        let yaml = scenario_document(scenario);
        self.show_timeline(&yaml, world)?;
        // The run needs the values that the scenario may not show.
        let shown = service.masker.apply(&yaml);
        let heading = match &shown {
            Cow::Borrowed(_) => "The scenario, for a file beside the workflow:",
            Cow::Owned(_) => {
                "The scenario, with its masked values hidden; `wflint explore --write` writes scenarios that run:"
            }
        };
        print_line(world, heading, "")?;
        writeln!(world.stdout)?;
        world.stdout.write_all(shown.as_bytes())?;
        Ok(Exit::Clean)
    }

    fn service(&self) -> Option<&ExploredService> {
        let file = self.finding.location.file;
        self.explored.services.iter().find(|service| service.workflow == file)
    }

    /// The scenario of a run that shows the finding.
    fn scenario(&self) -> Option<&serde_json::Value> {
        let service = self.service()?;
        match self.finding.code {
            "WF303" => self.fault(),
            "WF401" => None,
            "WF404" => {
                let shown = service.shown_claims.iter().find(|claim| self.is_about(&claim.activity));
                // In a loop without a delay nobody acts, so that it never ends with any status.
                let endless =
                    || self.cycle(service).filter(|end| end.ending == Ending::Endless && end.assumed.is_none());
                shown.map(|claim| &claim.scenario).or_else(|| endless().map(|end| &end.scenario))
            }
            _ => self.cycle(service).map(|end| &end.scenario),
        }
    }

    /// The run that reads the variable while it is unset.
    fn fault(&self) -> Option<&serde_json::Value> {
        let at = &self.finding.location;
        let broken = self.explored.laws.iter().flat_map(|law| &law.broken);
        let is_there = |location: &Location| location.file == at.file && location.span == at.span;
        let mut broken = broken.filter(|broken| is_there(&broken.location));
        broken.find_map(|broken| broken.scenario.as_ref())
    }

    /// The cycle of the loop that the finding is about; one without an end, if there is one.
    fn cycle<'s>(&self, service: &'s ExploredService) -> Option<&'s ExploredEnd> {
        let is_about = |end: &ExploredEnd| end.activity.as_ref().is_some_and(|at| self.is_about(at));
        let cycles = service.ends.iter().filter(|end| end.ending.is_cycle() && is_about(end));
        cycles.min_by_key(|end| (end.ending != Ending::Endless, end.assumed.is_some()))
    }

    /// Whether the finding is about an activity, not about one inside.
    fn is_about(&self, activity: &NamedPlace) -> bool {
        let pointer = self.finding.location.pointer.as_str();
        let rest = pointer.strip_prefix(activity.location.pointer.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') && !rest.starts_with("/activities/"))
    }

    fn show_timeline(&self, yaml: &str, world: &mut World<'_>) -> Result<(), Failure> {
        let path = self.folder.join("run.scenario.yaml");
        let request = simulate::Request {
            current: world.current.clone(),
            paths: Vec::new(),
            config: ConfigSource::Nearest,
            boundary: self.boundary.clone(),
            unsaved: Unsaved::default(),
        };
        let mut loaded = load_unsaved(&path, yaml, &request).map_err(|error| Failure::Message(error.0))?;
        let outcome = Outcome { sources: std::mem::take(&mut loaded.sources), ..Outcome::default() };
        let (suggester, fallback) = (Suggester::default(), crate::config::Config::default());
        let session = Session::new(&loaded, &suggester, &fallback);
        let style = Style {
            color: use_color(self.color, world.stdout_shows.color),
            links: false,
            width: world.widths.stdout,
            quiet: false,
        };
        let threads = pool(Some(1)).map_err(Failure::Message)?;
        let report = Report { outcome: &outcome, style };
        let output = SimulationOutput { format: RunFormat::Human, style, out: world.stdout };
        let mut reports = SimulationReports::new(report, vec![output]);
        session.run(&threads, &world.program, &mut reports)?;
        Ok(())
    }
}

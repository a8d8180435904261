//! `wflint graph`: draws a workflow.

use super::options::{GraphFormat, GraphOptions, LintOptions};
use super::targets::Targets;
use super::world::{Exit, Failure, World};
use super::{baseline, request, show};
use crate::document::Document;
use crate::draw::{Drawing, MAX_ACTIVITIES, Texts, find_part};
use crate::facts::{AnalyzedService, Context};
use crate::lint::{self, Linter, Options};
use crate::model::{ActivityId, Workflow};
use crate::project::{self, File, Request, Service, ServiceModel};
use crate::redaction::Redactions;
use crate::report::visible;
use crate::suggest::{Suggester, nearest};
use crate::text::{list, quote};

const NOTHING: &str = "nothing to draw: no workflow found";

pub(super) fn run(options: &GraphOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let format = format(options)?;
    if world.current.join(&options.file).is_dir() {
        let name = options.file.display();
        return Err(Failure::Message(format!("cannot draw {name}: expected a workflow, found a folder")));
    }
    let lint_options = options.lint_options();
    show::check_output(&lint_options.run, world)?;
    let request = request::request(&lint_options, world)?;
    let rules = Options {
        today: Some(world.today),
        program: (!options.no_scripts).then(|| world.program.clone()),
        ..Options::default()
    };
    let activity = options.activity.as_deref();
    let drawn = lint::on_pool(None, || draw(&lint_options, rules, &request, activity)).and_then(|drawn| drawn);
    let drawing = drawn.map_err(Failure::Message)?;
    let text = match format {
        GraphFormat::Mermaid => drawing.mermaid(),
        GraphFormat::Dot => drawing.dot(),
        GraphFormat::Svg => drawing.svg("wf-"),
    };
    show::write_text(&lint_options.run, text.as_bytes(), world)?;
    Ok(Exit::Clean)
}

fn format(options: &GraphOptions) -> Result<GraphFormat, Failure> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let Some(output) = &options.output else { return Ok(GraphFormat::Mermaid) };
    let extension = output.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    GraphFormat::of_extension(extension).ok_or_else(|| {
        let name = output.display();
        Failure::Message(format!("unknown format of {name}, expected `.mmd`, `.dot`, `.svg`, or the option `--format`"))
    })
}

fn draw(
    lint_options: &LintOptions,
    mut rules: Options,
    request: &Request,
    activity: Option<&str>,
) -> Result<Drawing, String> {
    let project = project::find(request).map_err(|error| error.0)?;
    if let Some(reason) = project.unreadable.first() {
        return Err(reason.clone());
    }
    rules.baselines = baseline::load(lint_options, &project.configs, request)?;
    let targets = Targets::new(&lint_options.run, &rules.baselines, &request.current);
    targets.check(|file| project.reads(file))?;
    let linter = Linter::new(&project, &rules)?;
    let drawn = |service: &Service| service.files.iter().find(|&&id| project.is_reported(id)).copied();
    let mut services = project.services.iter();
    let (service, id) = services.find_map(|service| Some((service, drawn(service)?))).ok_or(NOTHING)?;
    // Read once: the file may change meanwhile, and places of findings must be those of what is drawn.
    let contents = project.contents(service);
    let found = linter.check(service, &contents).diagnostics;
    let read = project.read(service, &contents);
    let files: Vec<&File> = read.files.iter().collect();
    let name = project.name_and_path(id).map_or("", |(name, _)| name);
    let file = files.iter().find(|file| file.id == id);
    let unread = || read.unreadable.iter().find(|(unread, _)| *unread == id).map(|(_, reason)| reason.clone());
    let file = file.ok_or_else(|| unread().unwrap_or_else(|| format!("cannot draw {name}: not a workflow")))?;
    let document = file.workflow().map_err(|reason| format!("cannot draw {name}: {reason}"))?;
    let config = project.configs.get(service.config).ok_or(NOTHING)?;

    let suggester = Suggester::default();
    let model = ServiceModel::new(&files, config);
    let workflow = model.workflows.iter().find(|workflow| workflow.file == id);
    let workflow = &workflow.ok_or_else(|| format!("cannot draw {name}: too many schema violations"))?.workflow;
    let analyzed = AnalyzedService::new(files.clone(), config, &model, &suggester, None);
    let sources = files.iter().map(|file| (file.id, &file.source));
    let redactions = Redactions::new(Context::new(&analyzed).sensitive_values(), sources);
    let texts = Texts { document, file: id, redactions: &redactions, visible };
    let found = found.iter().map(Box::as_ref).filter(|finding| finding.location.file == id);
    let part = activity.map(|wanted| part(wanted, workflow, document)).transpose()?;
    Drawing::new(name, workflow, part, found, &texts).map_err(|number| {
        format!(
            "cannot draw {name}: {number} activities, the limit is {MAX_ACTIVITIES}; draw a part with `--activity NAME`"
        )
    })
}

/// Pointers that an error lists.
const MAX_LISTED: usize = 5;

fn part(wanted: &str, workflow: &Workflow<'_>, document: &Document) -> Result<ActivityId, String> {
    find_part(workflow, document, wanted).map_err(|pointers| match pointers.len() {
        0 => {
            let names = workflow.activities.iter().filter_map(|activity| activity.name.value());
            let hint =
                nearest(wanted, names).map_or_else(String::new, |name| format!("; did you mean {}?", quote(name)));
            format!("unknown activity {}{hint}", quote(wanted))
        }
        number => {
            let mut listed: Vec<&str> = pointers.iter().map(String::as_str).take(MAX_LISTED).collect();
            if number > MAX_LISTED {
                listed.push("…");
            }
            let pointers = list(&listed, "or");
            format!("{number} activities are named {}; name one by its pointer: {pointers}", quote(wanted))
        }
    })
}

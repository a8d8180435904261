//! `wflint graph`: draws a workflow.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::lint_options::LintOptions;
use super::options::headings::{FILE_SELECTION, MISCELLANEOUS, OUTPUT};
use super::options::{OutputFile, RunOptions, SettingsOptions};
use super::targets::Targets;
use super::world::{Exit, Failure, World};
use super::{known, request, show};
use crate::document::Document;
use crate::draw::{Drawing, MAX_ACTIVITIES, Texts, find_part};
use crate::facts::{AnalyzedService, Context};
use crate::lint::{self, Linter, Options, Spot};
use crate::model::{Activity, ActivityId, Workflow};
use crate::project::{self, File, Request, Service, ServiceModel};
use crate::redaction::Redactions;
use crate::report::visible;
use crate::text::source::SourceFile;
use crate::text::suggest::{Suggester, nearest};
use crate::text::{list, quote};

const NOTHING: &str = "nothing to draw: no workflow found";

#[derive(Debug, Args)]
pub(super) struct GraphOptions {
    /// The workflow, or `-` for standard input; with `FILE:LINE` only the activity there
    pub file: PathBuf,
    /// The line, which is then no part of the file.
    #[arg(skip)]
    pub spot: Option<Spot>,
    /// Draw only this activity, given by its name or JSON Pointer, and what is inside it
    #[arg(long, help_heading = FILE_SELECTION, value_name = "NAME")]
    pub activity: Option<String>,
    /// Name of the file that is read from standard input
    #[arg(long, help_heading = FILE_SELECTION, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// Output format [default: by the extension of `--output`, otherwise mermaid]
    #[arg(long, help_heading = OUTPUT, value_enum)]
    pub format: Option<GraphFormat>,
    /// Write the drawing to this file
    #[arg(long, help_heading = OUTPUT, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Do not run the scripts of Code activities
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub no_scripts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    /// A flowchart that code hosts show in Markdown
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// A picture, for light and dark pages
    Svg,
}

impl GraphFormat {
    /// The format of a file with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "mmd" | "mermaid" => Some(Self::Mermaid),
            "dot" | "gv" => Some(Self::Dot),
            "svg" => Some(Self::Svg),
            _ => None,
        }
    }
}

impl GraphOptions {
    /// The options of a lint that finds what the drawing shows.
    pub fn lint_options(&self) -> LintOptions {
        LintOptions {
            paths: vec![self.file.clone()],
            stdin_filename: self.stdin_filename.clone(),
            no_scripts: self.no_scripts,
            run: RunOptions {
                output: self.output.iter().map(|path| OutputFile { format: None, path: path.clone() }).collect(),
                settings: self.settings.clone(),
                ..RunOptions::default()
            },
            ..LintOptions::default()
        }
    }
}

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
    let drawn = lint::on_pool(None, || draw(options, &lint_options, rules, &request)).and_then(|drawn| drawn);
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
    options: &GraphOptions,
    lint_options: &LintOptions,
    mut rules: Options,
    request: &Request,
) -> Result<Drawing, String> {
    let project = project::find(request).map_err(|error| error.0)?;
    if let Some(reason) = project.unreadable.first() {
        return Err(reason.clone());
    }
    rules.baselines = known::load_baselines(lint_options, &project.configs, request)?;
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
    let part = match (&options.activity, &options.spot) {
        (Some(wanted), _) => Some(part(wanted, workflow, document)?),
        (None, Some(spot)) => part_at(spot, workflow, document, &file.source),
        (None, None) => None,
    };
    Drawing::new(name, workflow, part, found, &texts).map_err(|number| {
        format!(
            "cannot draw {name}: {number} activities, the limit is {MAX_ACTIVITIES}; draw a part with `--activity NAME`"
        )
    })
}

/// The innermost activity at a place.
fn part_at(spot: &Spot, workflow: &Workflow<'_>, document: &Document, source: &SourceFile) -> Option<ActivityId> {
    let span = |activity: &&Activity<'_>| document.span(activity.node);
    let there = workflow.activities.iter().filter(|activity| spot.touches(source, span(activity)));
    there.min_by_key(|activity| span(activity).range().len()).map(|activity| activity.id)
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

//! `wflint graph`: draws a workflow.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::lint_options::LintOptions;
use super::options::headings::{FILE_SELECTION, MISCELLANEOUS, OUTPUT};
use super::options::{OutputFile, RunOptions, SettingsOptions};
use super::targets::Targets;
use super::world::{Exit, Failure, World, print_error, print_note, unwritable};
use super::{known, request, show};
use crate::document::Document;
use crate::draw::{Drawing, MAX_ACTIVITIES, Outline, SVG_PREFIX, Texts, find_part};
use crate::facts::{AnalyzedService, Context, masked_variables};
use crate::files::paths::clean_path;
use crate::lint::{self, Linter, Options, Spot};
use crate::model::{Activity, ActivityId, Workflow};
use crate::project::{self, Content, File, Project, Request, Service, ServiceModel};
use crate::redaction::Redactions;
use crate::report::{visible, wrap_guarded};
use crate::schema::DocumentKind;
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::source::SourceFile;
use crate::text::suggest::{Suggester, nearest};
use crate::text::{count, list, quote};

pub(super) const NOTHING: &str = "nothing to draw: no workflow found";

#[derive(Debug, Args)]
pub(super) struct GraphOptions {
    /// The workflow, a folder of workflows, or `-` for standard input; with `FILE:LINE` only the activity there
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
    /// Write the drawing to this file; of a folder each to its own file below this folder
    #[arg(long, help_heading = OUTPUT, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Show the drawing in a browser, again after each change, until Ctrl-C (exit code 130); prints its address
    #[arg(long, help_heading = OUTPUT, conflicts_with_all = ["output", "format", "activity", "stdin_filename"])]
    pub serve: bool,
    /// With `--serve`: open the browser
    #[arg(long, help_heading = OUTPUT, requires = "serve")]
    pub open: bool,
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
    /// An outline in words: what happens, to be read aloud
    Text,
}

impl GraphFormat {
    /// The format of a file with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "mmd" | "mermaid" => Some(Self::Mermaid),
            "dot" | "gv" => Some(Self::Dot),
            "svg" => Some(Self::Svg),
            "txt" => Some(Self::Text),
            _ => None,
        }
    }
}

impl GraphFormat {
    /// That of the files in a folder.
    const fn extension(self) -> &'static str {
        match self {
            Self::Mermaid => "mmd",
            Self::Dot => "dot",
            Self::Svg => "svg",
            Self::Text => "txt",
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
    let is_folder = world.current.join(&options.file).is_dir();
    let format = format(options, is_folder)?;
    let lint_options = options.lint_options();
    if !is_folder {
        show::check_output(&lint_options.run, world)?;
    }
    let request = request::request(&lint_options, world)?;
    let rules = Options {
        today: Some(world.today),
        program: (!options.no_scripts).then(|| world.program.clone()),
        ..Options::default()
    };
    let drawn = lint::on_pool(None, || draw_all(options, format, &lint_options, rules, &request, is_folder));
    let Drawn { drawings, problems } = drawn.and_then(|drawn| drawn).map_err(Failure::Message)?;
    for problem in &problems {
        print_error(world, problem);
    }
    match &options.output {
        Some(folder) if is_folder => write_each(&drawings, format, folder, options, world)?,
        _ if format == GraphFormat::Svg && drawings.len() > 1 => {
            let message = "several SVGs need files of their own: add `--output DIR`";
            return Err(Failure::Message(message.to_owned()));
        }
        _ => {
            let texts: Vec<&str> = drawings.iter().map(|(_, text)| text.as_str()).collect();
            let mut text = texts.join("\n");
            if let Some(width) = world.widths.paths.filter(|_| format == GraphFormat::Text && options.output.is_none())
            {
                text = wrapped(&text, width);
            }
            show::write_text(&lint_options.run, text.as_bytes(), world)?;
        }
    }
    Ok(if problems.is_empty() { Exit::Clean } else { Exit::Failure })
}

/// Breaks the lines of an outline, each aligned below the text after its number.
fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let content = line.trim_start_matches(' ');
        let number = content.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or_default();
        let before = line.len() - content.len() + if number > 0 { number + 1 } else { 0 };
        out.push_str(&wrap_guarded(line, width, &" ".repeat(before.min(width / 2))));
        out.push('\n');
    }
    out
}

/// Writes each drawing below a folder, under the path of its workflow.
fn write_each(
    drawings: &[(PathBuf, String)],
    format: GraphFormat,
    folder: &Path,
    options: &GraphOptions,
    world: &mut World<'_>,
) -> Result<(), Failure> {
    let (origin, _) = clean_path(&options.file, &world.current);
    let (target, shown) = clean_path(folder, &world.current);
    if target.exists() && !target.is_dir() {
        return Err(unwritable(&shown, &"not a folder"));
    }
    for (path, text) in drawings {
        let (path, _) = clean_path(path, &world.current);
        let below = path.strip_prefix(&origin).unwrap_or(&path).with_extension(format.extension());
        let file = target.join(below);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent).map_err(|error| unwritable(&shown, &error))?;
        }
        show::write_file(&file, text.as_bytes(), world)?;
    }
    print_note(world, &format!("Wrote {} to {shown}.", count(drawings.len(), "drawing")), "")
}

fn format(options: &GraphOptions, is_folder: bool) -> Result<GraphFormat, Failure> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let Some(output) = options.output.as_ref().filter(|_| !is_folder) else { return Ok(GraphFormat::Mermaid) };
    let extension = output.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    GraphFormat::of_extension(extension).ok_or_else(|| {
        let name = output.display();
        Failure::Message(format!(
            "unknown format of {name}, expected `.mmd`, `.dot`, `.svg`, `.txt`, or the option `--format`"
        ))
    })
}

/// The texts of the drawings by the paths of their workflows, and why others could not be drawn.
struct Drawn {
    drawings: Vec<(PathBuf, String)>,
    problems: Vec<String>,
}

/// Draws the workflow that is named, or those of a folder.
fn draw_all(
    options: &GraphOptions,
    format: GraphFormat,
    lint_options: &LintOptions,
    mut rules: Options,
    request: &Request,
    is_folder: bool,
) -> Result<Drawn, String> {
    let project = project::find(request).map_err(|error| error.0)?;
    let mut drawn = Drawn { drawings: Vec::new(), problems: project.unreadable.clone() };
    if let Some(reason) = project.unreadable.first().filter(|_| !is_folder) {
        return Err(reason.clone());
    }
    rules.baselines = known::load_baselines(lint_options, &project.configs, request, &request.current)?;
    if !is_folder {
        let targets = Targets::new(&lint_options.run, &rules.baselines, &request.current);
        targets.check(|file| project.reads(file))?;
    }
    let linter = Linter::new(&project, &rules)?;
    let mut is_there = false;
    for service in &project.services {
        let reported = service.files.iter().copied().filter(|&id| project.is_reported(id));
        let part = Part { options, format, project: &project, linter: &linter, service };
        for (id, result) in part.draw(&reported.collect::<Vec<_>>(), is_folder) {
            is_there = true;
            match result {
                Ok(text) => {
                    let path = project.name_and_path(id).map_or_else(PathBuf::new, |(_, path)| path.to_path_buf());
                    drawn.drawings.push((path, text));
                }
                Err(reason) if is_folder => drawn.problems.push(reason),
                Err(reason) => return Err(reason),
            }
        }
    }
    drawn.drawings.sort_by(|(one, _), (other, _)| one.cmp(other));
    if is_there || !drawn.problems.is_empty() { Ok(drawn) } else { Err(NOTHING.to_owned()) }
}

/// The workflows of one service.
struct Part<'p> {
    options: &'p GraphOptions,
    format: GraphFormat,
    project: &'p Project,
    linter: &'p Linter<'p>,
    service: &'p Service,
}

impl Part<'_> {
    /// Draws files of the service. Of a folder, what is not a workflow is left out.
    fn draw(&self, ids: &[FileId], is_folder: bool) -> Vec<(FileId, Result<String, String>)> {
        if ids.is_empty() {
            return Vec::new();
        }
        // Read once: the files may change meanwhile, and places of findings must be those of what is drawn.
        let contents = self.project.contents(self.service);
        let found = self.linter.check(self.service, &contents).diagnostics;
        let read = self.project.read(self.service, &contents);
        let files: Vec<&File> = read.files.iter().collect();
        let Some(config) = self.project.configs.get(self.service.config) else { return Vec::new() };
        let suggester = Suggester::default();
        let model = ServiceModel::new(&files, config);
        // Only an outline says what scripts build.
        let evaluator = self.linter.evaluator().filter(|_| self.format == GraphFormat::Text && config.evaluate_scripts);
        let analyzed = AnalyzedService::new(files.clone(), config, &model, &suggester, evaluator);
        let sources = files.iter().map(|file| (file.id, &file.source));
        let redactions = Redactions::new(Context::new(&analyzed).sensitive_values(), sources);
        let is_other = |file: &File| matches!(file.document(), Some((kind, _)) if kind != DocumentKind::Workflow);
        let mut drawn = Vec::new();
        for &id in ids {
            let name = self.project.name_and_path(id).map_or("", |(name, _)| name);
            let Some(file) = files.iter().find(|file| file.id == id) else {
                let reason = read.unreadable.iter().find(|(unread, _)| *unread == id).map(|(_, reason)| reason.clone());
                // Other JSON of the folder.
                if is_folder && reason.is_none() {
                    continue;
                }
                drawn.push((id, Err(reason.unwrap_or_else(|| format!("cannot draw {name}: not a workflow")))));
                continue;
            };
            let is_similar =
                matches!(file.content, Content::Resembling(..)) && file.meant != Some(DocumentKind::Workflow);
            if is_folder && (is_other(file) || is_similar) {
                continue;
            }
            let found = found.iter().map(Box::as_ref).filter(|finding| finding.location.file == id);
            let result = self.draw_one(file, name, &analyzed, &redactions, found);
            drawn.push((id, result));
        }
        drawn
    }

    fn draw_one<'f>(
        &self,
        file: &File,
        name: &str,
        service: &AnalyzedService<'_>,
        redactions: &Redactions,
        found: impl Iterator<Item = &'f Diagnostic>,
    ) -> Result<String, String> {
        let document = file.workflow().map_err(|reason| format!("cannot draw {name}: {reason}"))?;
        let analysis = service.workflows.iter().find(|workflow| workflow.file == file.id);
        let analysis = analysis.ok_or_else(|| format!("cannot draw {name}: too many schema violations"))?;
        let workflow = analysis.workflow;
        let masked = masked_variables(service).into_keys().collect();
        let texts = Texts { document, file: file.id, redactions, masked: Some(&masked), visible };
        let part = match (&self.options.activity, &self.options.spot) {
            (Some(wanted), _) => Some(part(wanted, workflow, document)?),
            (None, Some(spot)) => part_at(spot, workflow, document, &file.source),
            (None, None) => None,
        };
        let draw = |found| Drawing::new(name, workflow, part, found, &texts);
        let drawn = match self.format {
            GraphFormat::Mermaid => draw(found).map(|drawing| drawing.mermaid()),
            GraphFormat::Dot => draw(found).map(|drawing| drawing.dot()),
            GraphFormat::Svg => draw(found).map(|drawing| drawing.svg(SVG_PREFIX)),
            GraphFormat::Text => {
                Outline::new(name, service, analysis, part, found, &texts).map(|outline| outline.text())
            }
        };
        drawn.map_err(|number| {
            format!(
                "cannot draw {name}: {number} activities, the limit is {MAX_ACTIVITIES}; draw a part with `--activity NAME`"
            )
        })
    }
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

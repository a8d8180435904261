//! One finding, drawn by miette.

use std::borrow::Cow;
use std::fmt::{self, Write};

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use super::group::Group;
use super::script::Script;
use super::snippet::{CONTEXT_LINES, Snippet, Spot};
use crate::report::escape::{guard_lines, visible};
use crate::report::results::Report;
use crate::report::style::Style;
use crate::rules::{is_public, page_address};
use crate::text::diagnostic::{Diagnostic, FileId, Location, Severity, quote};
use crate::text::{columns, count, list, wrap};

/// Columns beside the lines of a message, and beside those of a help: two of them are on the right.
const MESSAGE_INDENT: usize = 6;
const HELP_INDENT: usize = 10;
const MAX_RELATED: usize = 12;
/// Other places of one finding.
const MAX_PLACES: usize = 12;

/// A finding as miette takes it.
#[derive(Debug)]
struct Drawn {
    message: String,
    help: Option<String>,
    severity: Severity,
    snippet: Snippet,
}

impl Drawn {
    fn new(report: &Report<'_>, diagnostic: &Diagnostic, help: Option<&str>) -> Self {
        let width = report.style.width;
        Self {
            message: wrap(&visible(&diagnostic.message), width - MESSAGE_INDENT, ""),
            help: help.map(|help| wrap(&visible(help), width - HELP_INDENT, "")),
            severity: diagnostic.severity,
            snippet: snippet(report, diagnostic, width),
        }
    }
}

/// All of a finding: code, message, places, help, fix; with the other places of the same finding.
pub(super) fn draw_group(report: &Report<'_>, group: &Group<'_>) -> Result<String, fmt::Error> {
    let diagnostic = group.first;
    let drawn = Drawn::new(report, diagnostic, diagnostic.help.as_deref());
    let (theme, mut head) = look(report.style, diagnostic, group.activity(), &drawn.snippet);
    let help_style = theme.styles.help;
    let mut out = String::new();
    let width = report.style.width;
    if !group.others.is_empty() {
        let _ = write!(head, ", {}", count(group.others.len() + 1, "place"));
    }
    writeln!(out, "{}", wrap(&head, width, "  "))?;
    handler(theme).render_report(&mut out, &drawn)?;
    write_place(report, diagnostic, &mut out)?;
    if let Some(left_out) = diagnostic.related.len().checked_sub(MAX_RELATED).filter(|&number| number > 0) {
        let note = format!("  {} {} not shown", help_style.style("note:"), count(left_out, "more related place"));
        writeln!(out, "{}", wrap(&note, width, "        "))?;
    }
    if !group.others.is_empty() {
        let line = format!("  {} {}", help_style.style("also at"), other_places(report, &group.others));
        writeln!(out, "{}", wrap(&line, width, "    "))?;
    }
    for (index, fix) in diagnostic.repairs().enumerate() {
        let is_fix = index == 0 && diagnostic.fix.is_some();
        let word = format!("{} ({}):", if is_fix { "fix" } else { "or" }, fix.applicability.word());
        let line = format!("  {} {}", help_style.style(word), visible(&fix.title));
        writeln!(out, "{}", wrap(&line, width, "    "))?;
    }
    Ok(guarded(&out, report.style.width))
}

/// `line:column` of the first ones, and the number of the rest.
fn other_places(report: &Report<'_>, others: &[&Diagnostic]) -> String {
    let place = |finding: &&Diagnostic| {
        let (start, _) = report.range(finding.location.file, finding.location.span);
        format!("{}:{}", start.line, start.column)
    };
    let mut places: Vec<String> = others.iter().take(MAX_PLACES).map(place).collect();
    if let Some(more) = others.len().checked_sub(MAX_PLACES).filter(|&more| more > 0) {
        places.push(format!("{more} more"));
    }
    list(&places, "and")
}

/// A drawn text that holds no command of a build server. An escape may have made a line too wide.
fn guarded(drawn: &str, width: usize) -> String {
    let fit = |line: &str| if columns(line) > width { wrap(line, width, "  … ") } else { line.to_owned() };
    match guard_lines(drawn) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text.split('\n').map(fit).collect::<Vec<_>>().join("\n"),
    }
}

/// The message and the places of a finding, without the code and the name of a rule.
pub fn draw_place(report: &Report<'_>, diagnostic: &Diagnostic) -> Result<String, fmt::Error> {
    let drawn = Drawn::new(report, diagnostic, None);
    let (theme, _) = look(report.style, diagnostic, None, &drawn.snippet);
    let mut out = String::new();
    handler(theme).render_report(&mut out, &drawn)?;
    write_place(report, diagnostic, &mut out)?;
    Ok(guarded(&out, report.style.width))
}

/// The lines of a finding's places, without its message.
pub fn draw_excerpt(report: &Report<'_>, diagnostic: &Diagnostic) -> String {
    let drawn = Drawn { message: String::new(), ..Drawn::new(report, diagnostic, None) };
    let (theme, _) = look(report.style, diagnostic, None, &drawn.snippet);
    let mut out = String::new();
    // A string can be written to.
    let _ = handler(theme).render_report(&mut out, &drawn).and_then(|()| write_place(report, diagnostic, &mut out));
    // The first line has the sign of the severity before the message.
    let lines = guarded(&out, report.style.width);
    let lines: Vec<&str> = lines.lines().skip_while(|line| !line.contains(['╭', '│', '·', ':'])).collect();
    lines.join("\n").trim_end().to_owned()
}

/// The place in a file whose lines are not shown.
fn write_place(report: &Report<'_>, diagnostic: &Diagnostic, out: &mut String) -> fmt::Result {
    let location = &diagnostic.location;
    let Some(source) = report.source(location.file).filter(|source| !source.is_quoted) else { return Ok(()) };
    let (start, _) = report.range(location.file, location.span);
    let place = format!("    at {}:{}:{}", visible(&source.name), start.line, start.column);
    writeln!(out, "{}", wrap(&place, report.style.width, "    "))
}

/// The finding's place, its other part, then the related ones.
fn snippet(report: &Report<'_>, diagnostic: &Diagnostic, width: usize) -> Snippet {
    let own = &diagnostic.location;
    let also = diagnostic.also.map(|span| (Location { span, ..own.clone() }, Some("compared with this")));
    let related = diagnostic.related.iter().take(MAX_RELATED);
    let related = related.map(|label| (label.location.clone(), Some(label.message.as_str())));
    let places: Vec<_> = std::iter::once((own.clone(), None))
        .chain(also)
        .chain(related)
        .filter_map(|(place, message)| {
            let source = report.source(place.file).filter(|source| source.is_quoted)?;
            Some((source, place, message))
        })
        .collect();
    // Places in one script are shown together.
    let mut scripts: Vec<(FileId, Script)> = Vec::new();
    for (source, place, _) in &places {
        if script_of(&scripts, place).is_none() {
            scripts.extend(Script::around(source, place).map(|script| (place.file, script)));
        }
    }
    let spots = places.iter().map(|(source, place, message)| match script_of(&scripts, place) {
        Some(script) => {
            Spot::inside(&script.source, script.span(place.span), *message, source.position(place.span.start))
        }
        None => Spot::new(source, place.span, *message),
    });
    Snippet::new(spots.collect(), width)
}

/// The script that a place is in.
fn script_of<'s>(scripts: &'s [(FileId, Script)], place: &Location) -> Option<&'s Script> {
    let span = place.span.range();
    let is_inside = |script: &Script| span.start + 1 >= script.content.start && span.end <= script.content.end + 1;
    scripts.iter().find(|(file, script)| *file == place.file && is_inside(script)).map(|(_, script)| script)
}

fn handler(theme: GraphicalTheme) -> GraphicalReportHandler {
    GraphicalReportHandler::new_themed(theme)
        // All texts are wrapped before: of long words miette may make lines that are too wide.
        .with_wrap_lines(false)
        .with_context_lines(CONTEXT_LINES as usize)
        .without_cause_chain()
        .with_urls(false)
}

/// The colors, with the finding's own place in that of its severity, and the first line.
fn look(style: Style, diagnostic: &Diagnostic, activity: Option<&str>, snippet: &Snippet) -> (GraphicalTheme, String) {
    let mut theme = if style.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let styles = &mut theme.styles;
    let own = match diagnostic.severity {
        Severity::Error => styles.error,
        Severity::Warning => styles.warning,
        Severity::Info => styles.advice,
    };
    let related = styles.help;
    styles.highlights = snippet.labels().map(|label| if label.primary() { own } else { related }).collect();
    let word = format!("{}[{}]", diagnostic.severity.word(), diagnostic.code);
    let word = own.style(word).to_string();
    let address = page_address(diagnostic.code, diagnostic.name);
    let address = address.filter(|address| style.links && is_public(address));
    let word = address.map_or_else(|| word.clone(), |address| linked(&word, &address));
    let mut head = format!("{word} {}", diagnostic.name);
    // Many messages name the activity themselves.
    let activity = activity.map(quote);
    if let Some(activity) = activity.filter(|activity| !diagnostic.message.contains(activity)) {
        let _ = write!(head, " in {}", visible(&activity));
    }
    (theme, head)
}

/// A text that a terminal shows as a link.
fn linked(text: &str, address: &str) -> String {
    format!("\u{1b}]8;;{address}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\")
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Drawn {}

impl miette::Diagnostic for Drawn {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.snippet)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.snippet.labels()))
    }
}

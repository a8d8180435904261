//! One finding, as miette draws it.

use std::fmt::{self, Write};

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use super::snippet::{CONTEXT, Snippet, Spot};
use super::summary::count;
use crate::diagnostic::{Diagnostic, Severity, quote};
use crate::report::escape::visible;
use crate::report::findings::{Report, Style};

/// Characters a line of the report when nothing is said, and the least that makes sense.
const WIDTH: (usize, usize) = (100, 40);
/// Characters a line of a document, at most.
const LONGEST_LINE: usize = 200;
/// What precedes a document's line: its number and a bar.
const GUTTER: usize = 10;
/// Related places that are shown.
const RELATED: usize = 12;

/// What miette draws: the message, the snippet, the help.
#[derive(Debug)]
struct Drawn {
    message: String,
    help: Option<String>,
    severity: Severity,
    snippet: Snippet,
}

/// A finding's lines.
pub(super) fn draw(report: &Report<'_>, diagnostic: &Diagnostic) -> Result<String, fmt::Error> {
    let drawn = Drawn {
        message: visible(&diagnostic.message).into_owned(),
        help: diagnostic.help.as_deref().map(|help| visible(help).into_owned()),
        severity: diagnostic.severity,
        snippet: Snippet::new(spots(report, diagnostic), room(report.style)),
    };
    let (theme, head) = look(report.style, diagnostic, &drawn.snippet);
    let help_style = theme.styles.help;
    let mut out = String::new();
    writeln!(out, "{head}")?;
    handler(report.style, theme).render_report(&mut out, &drawn)?;
    if let Some(left_out) = diagnostic.related.len().checked_sub(RELATED).filter(|&number| number > 0) {
        writeln!(out, "  {} {} not shown", help_style.style("note:"), count(left_out, "more related place"))?;
    }
    if let Some(fix) = &diagnostic.fix {
        let word = format!("fix ({}):", fix.applicability.word());
        writeln!(out, "  {} {}", help_style.style(word), visible(&fix.title))?;
    }
    Ok(out)
}

/// The message and the snippet alone.
pub(super) fn draw_place(report: &Report<'_>, diagnostic: &Diagnostic) -> Result<String, fmt::Error> {
    let drawn = Drawn {
        message: visible(&diagnostic.message).into_owned(),
        help: None,
        severity: diagnostic.severity,
        snippet: Snippet::new(spots(report, diagnostic), room(report.style)),
    };
    let (theme, _) = look(report.style, diagnostic, &drawn.snippet);
    let mut out = String::new();
    handler(report.style, theme).render_report(&mut out, &drawn)?;
    Ok(out)
}

/// The finding's place, then the related ones.
fn spots<'r>(report: &Report<'r>, diagnostic: &'r Diagnostic) -> Vec<Spot<'r>> {
    let related = diagnostic.related.iter().take(RELATED);
    let related = related.map(|label| (&label.location, Some(label.message.as_str())));
    std::iter::once((&diagnostic.location, None))
        .chain(related)
        .filter_map(|(place, message)| Some(Spot::new(report.source(place.file)?, place.span, message)))
        .collect()
}

/// Columns for a document's line: so many that a terminal does not break it.
fn room(style: Style) -> usize {
    style.width.map_or(LONGEST_LINE, |width| width.max(WIDTH.1).saturating_sub(GUTTER).min(LONGEST_LINE))
}

fn handler(style: Style, theme: GraphicalTheme) -> GraphicalReportHandler {
    GraphicalReportHandler::new_themed(theme)
        .with_width(style.width.unwrap_or(WIDTH.0).max(WIDTH.1))
        .with_context_lines(CONTEXT as usize)
        .without_cause_chain()
        .with_urls(false)
}

/// The colours, the finding's own place in that of its severity, and the first line.
fn look(style: Style, diagnostic: &Diagnostic, snippet: &Snippet) -> (GraphicalTheme, String) {
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
    let mut head = format!("{} {}", own.style(word), diagnostic.name);
    let activity = diagnostic.activity.as_deref().map(quote);
    if let Some(activity) = activity.filter(|activity| !diagnostic.message.contains(activity)) {
        let _ = write!(head, " in {}", visible(&activity));
    }
    (theme, head)
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

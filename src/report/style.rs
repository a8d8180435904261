//! The look of text for people: its colors and its width.

use anstyle::{AnsiColor, Color};

/// Neither colored nor bold.
pub(crate) const PLAIN: anstyle::Style = anstyle::Style::new();
pub(crate) const GOOD: anstyle::Style = anstyle::Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));
pub(crate) const BAD: anstyle::Style = anstyle::Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red)));
pub(crate) const WARNING: anstyle::Style = anstyle::Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));
pub(crate) const DIM: anstyle::Style = anstyle::Style::new().dimmed();
pub(crate) const CODE: anstyle::Style = anstyle::Style::new().fg_color(Some(Color::Ansi(AnsiColor::Cyan)));
pub(crate) const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// The width of a report without a terminal.
pub const DEFAULT_WIDTH: usize = 100;

/// The look of human-readable reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub color: bool,
    /// Whether codes are links to the pages of their rules (OSC 8).
    pub links: bool,
    /// Columns at which lines are wrapped and cut, at least 40.
    pub width: usize,
    /// Without the summary.
    pub quiet: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, links: false, width: DEFAULT_WIDTH, quiet: false }
    }
}

impl Style {
    pub(super) const fn painter(self) -> Painter {
        Painter { color: self.color }
    }
}

/// Paints, or leaves text unchanged where the output shows no colors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Painter {
    pub color: bool,
}

impl Painter {
    pub fn paint(self, style: anstyle::Style, text: &str) -> String {
        if self.color && style != PLAIN { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

//! The colors of a simulation's report.

use anstyle::{AnsiColor, Color, Style};

pub(super) const GOOD: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));
pub(super) const BAD: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red)));
pub(super) const WARNING: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const BOLD: Style = Style::new().bold();

/// Paints, or leaves text unchanged where the output shows no colors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Painter {
    pub color: bool,
}

impl Painter {
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

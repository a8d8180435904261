//! The colors of text for people.

use anstyle::{AnsiColor, Color, Style};

pub(crate) const GOOD: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));
pub(crate) const BAD: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red)));
pub(crate) const WARNING: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const CODE: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Cyan)));
pub(crate) const BOLD: Style = Style::new().bold();

/// Paints, or leaves text unchanged where the output shows no colors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Painter {
    pub color: bool,
}

impl Painter {
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.color && style != Style::new() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

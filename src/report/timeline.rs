//! A timeline for terminals: rows of a time, an activity, and what happened. What repeats the row before is left out.

use std::fmt::Write;

use anstyle::Style;

use super::escape::{visible, wrap_guarded};
use super::style::{DIM, Painter};
use crate::text::{columns, fit};

/// Most columns of a time.
pub(super) const MAX_TIME_WIDTH: usize = 12;

/// Prints rows.
pub(super) struct Timeline {
    pub painter: Painter,
    /// Columns of a line.
    width: usize,
    /// Columns of marks before the times.
    mark_width: usize,
    /// Columns of times, and of names, which are cut there.
    time_width: usize,
    name_width: usize,
    /// Time and name of the last row, which are not repeated.
    pub time: Option<String>,
    name: Option<String>,
}

/// A row. Nothing is escaped.
pub(super) struct Row<'r> {
    pub mark: &'static str,
    pub time: &'r str,
    pub name: &'r str,
    pub text: &'r str,
    pub style: Style,
}

impl Timeline {
    pub fn new(painter: Painter, width: usize, [mark_width, time_width, name_width]: [usize; 3]) -> Self {
        Self { painter, width, mark_width, time_width, name_width, time: None, name: None }
    }

    /// The column at which names begin, from 0.
    const fn name_column(&self) -> usize {
        2 + self.mark_width + self.time_width + 2
    }

    /// The columns that a text has before it is broken.
    pub const fn room(&self) -> usize {
        self.width.saturating_sub(self.name_column() + self.name_width + 2)
    }

    pub fn push(&mut self, row: &Row<'_>, out: &mut String) {
        let has_same_time = self.time.as_deref() == Some(row.time);
        let has_same_name = has_same_time && self.name.as_deref() == Some(row.name);
        let time = if has_same_time { "".into() } else { fit(row.time, self.time_width.max(MAX_TIME_WIDTH)) };
        let time = self.painter.paint(DIM, &format!("{time:0$}", self.time_width));
        let name = visible(if has_same_name { "" } else { row.name });
        let name = fit(&name, self.name_width);
        let space = self.name_width - columns(&name);
        let head = format!("  {:1$}{time}  {name}{2:space$}  ", row.mark, self.mark_width, "");
        self.push_wrapped(row.style, &head, &visible(row.text), self.name_column() + self.name_width + 2, out);
        self.time = Some(row.time.to_owned());
        self.name = Some(row.name.to_owned());
    }

    /// Says what is left out between two rows.
    pub fn push_gap(&mut self, text: &str, out: &mut String) {
        let column = self.name_column();
        self.push_wrapped(DIM, &" ".repeat(column), &visible(text), column + 2, out);
        self.name = None;
    }

    /// Writes a text after what begins its first line; the others have so many columns before them. All lines have the
    /// columns that are left beside these.
    fn push_wrapped(&self, style: Style, first: &str, text: &str, indent: usize, out: &mut String) {
        let wrapped = wrap_guarded(text, self.width.saturating_sub(indent), "");
        for (index, line) in wrapped.lines().enumerate() {
            let before = if index == 0 { first } else { &" ".repeat(indent) };
            let _ = writeln!(out, "{before}{}", self.painter.paint(style, line));
        }
        if wrapped.is_empty() {
            let _ = writeln!(out, "{}", first.trim_end());
        }
    }
}

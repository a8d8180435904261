//! Shows the reports of `--watch`: each replaces the last one on a terminal, and follows it otherwise.

use std::io::IsTerminal;

use terminal_size::{Width, terminal_size_of};

use crate::cli::world::{Failure, Widths, World, today};
use crate::text::{visible_columns, wrap};

const WAITING: &str = "Watching for changes, press Ctrl-C to stop.";

pub struct Screen {
    /// Whether standard output and standard error are terminals.
    stdout: bool,
    stderr: bool,
    /// The output on the terminal since the first line of the last run.
    drawn: String,
}

impl Screen {
    pub fn new() -> Self {
        let (stdout, stderr) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
        Self { stdout, stderr, drawn: String::new() }
    }

    /// Shows the output of a run when it has ended; the old report stays until then.
    pub fn show(
        &mut self,
        world: &mut World<'_>,
        is_quiet: bool,
        run: impl FnOnce(&mut World<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        // The terminal may be wider or narrower than for the last report.
        world.widths = Widths::measured();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        {
            let mut inner = World {
                current: world.current.clone(),
                stdin: &mut std::io::empty(),
                stdout: &mut out,
                stderr: &mut err,
                stdout_shows: world.stdout_shows,
                stderr_has_color: world.stderr_has_color,
                widths: world.widths,
                // A progress bar would be drawn beside the report.
                stderr_is_terminal: false,
                program: world.program.clone(),
                today: today(),
                step_summary: world.step_summary.clone(),
                unsaved: world.unsaved.clone(),
            };
            run(&mut inner)?;
        }
        if !is_quiet {
            let waiting = world.widths.stderr.map_or_else(|| WAITING.to_owned(), |width| wrap(WAITING, width, ""));
            err.extend(waiting.bytes().chain([b'\n']));
        }
        let mut shown = String::new();
        for (is_drawn, text) in [(self.stdout, &out), (self.stderr, &err)] {
            if is_drawn {
                shown += &String::from_utf8_lossy(text);
            }
        }
        if self.stdout {
            world.stdout.write_all(clear(&self.drawn, width()).as_bytes())?;
        }
        world.stdout.write_all(&out)?;
        world.stdout.flush()?;
        world.stderr.write_all(&err)?;
        world.stderr.flush()?;
        self.drawn = shown;
        Ok(())
    }
}

/// The columns of the terminal, which may have changed.
fn width() -> Option<usize> {
    terminal_size_of(std::io::stdout()).map(|(Width(columns), _)| usize::from(columns))
}

/// The escape sequence that moves the cursor up to the first line of the old output and clears the rest of the screen.
/// Rows that have scrolled off stay.
fn clear(drawn: &str, width: Option<usize>) -> String {
    let rows: usize = drawn.lines().map(|line| rows(line, width)).sum();
    if rows == 0 { String::new() } else { format!("\u{1b}[{rows}F\u{1b}[J") }
}

/// The rows that a line takes.
fn rows(line: &str, width: Option<usize>) -> usize {
    let Some(width) = width.filter(|&width| width > 0) else { return 1 };
    visible_columns(line).div_ceil(width).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_rows_that_were_drawn_are_cleared() {
        assert_eq!(clear("", Some(80)), "");
        assert_eq!(clear("a\n\nb\n", Some(80)), "\u{1b}[3F\u{1b}[J");
        assert_eq!(
            clear(&format!("{}\n", "x".repeat(81)), Some(80)),
            "\u{1b}[2F\u{1b}[J",
            "a long line takes two rows"
        );
        let colored = format!("\u{1b}[31m{}\u{1b}[0m\n", "x".repeat(80));
        assert_eq!(clear(&colored, Some(80)), "\u{1b}[1F\u{1b}[J", "colors take no columns");
    }
}

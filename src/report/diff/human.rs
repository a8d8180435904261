//! `--format human`: a list of changes for each service.

use std::io::{self, Write};

use super::lines::{Line, ORDERS_TITLE, Piece, Sign, groups, order_lines, stat};
use crate::diff::{Diff, ServiceChange, ServiceDiff};
use crate::report::Style;
use crate::report::escape::{visible, wrap_guarded};
use crate::report::style::{BAD, BOLD, GOOD, PLAIN, Painter, WARNING};
use crate::text::count;

/// Writes the changes of each service, or with `is_short` only how many they are.
pub(super) fn write(diff: &Diff, is_short: bool, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let printer = Printer { painter: style.painter(), width: style.width };
    for service in &diff.services {
        if is_short {
            printer.line(PLAIN, &visible(&stat(service)), "    ", out)?;
        } else {
            printer.service(service, out)?;
        }
    }
    let has_changes = !diff.services.is_empty();
    let indent = if has_changes { "  " } else { "" };
    match diff.noise {
        0 => Ok(()),
        files => printer.line(PLAIN, &format!("{indent}{}", noise_line(files, has_changes)), indent, out),
    }
}

/// The line about files that differ without a change of meaning.
pub(super) fn noise_line(files: usize, has_changes: bool) -> String {
    let more = if has_changes { " more" } else { "" };
    let files = count(files, "file").replacen(' ', &format!("{more} "), 1);
    format!("only editor state, ids or the order of members changed in {files}")
}

/// The name of a service, with its documents.
pub(super) fn documents(service: &ServiceDiff) -> String {
    const MAX_SHOWN: usize = 3;
    let mut shown: Vec<&str> = service.documents.iter().map(String::as_str).take(MAX_SHOWN).collect();
    if service.documents.len() > MAX_SHOWN {
        shown.push("…");
    }
    if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) }
}

struct Printer {
    painter: Painter,
    width: usize,
}

impl Printer {
    fn service(&self, service: &ServiceDiff, out: &mut dyn Write) -> io::Result<()> {
        let name = format!("{}{}", visible(&service.service), visible(&documents(service)));
        let (style, line) = match &service.change {
            ServiceChange::Added => (GOOD, format!("+ service {name}")),
            ServiceChange::Removed => (BAD, format!("- service {name}")),
            ServiceChange::Moved(from) => (BOLD, format!("» service {name}, moved from {}", visible(from))),
            ServiceChange::Changed => (BOLD, name),
        };
        self.line(style, &line, "    ", out)?;
        for group in groups(service) {
            self.line(PLAIN, &format!("  {}", visible(&group.title)), "    ", out)?;
            for line in group.lines() {
                self.change(&line, out)?;
            }
        }
        if let Some(found) = &service.orders {
            self.line(PLAIN, &format!("  {ORDERS_TITLE}"), "    ", out)?;
            for line in order_lines(found) {
                self.change(&line, out)?;
            }
        }
        Ok(())
    }

    fn change(&self, line: &Line<'_>, out: &mut dyn Write) -> io::Result<()> {
        let text: String = line.pieces.iter().map(piece).collect();
        self.line(style(line.sign), &format!("    {} {text}", line.sign.text()), "        ", out)?;
        let Some((removed, added)) = line.script else { return Ok(()) };
        for (sign, lines) in [(Sign::Removed, removed), (Sign::Added, added)] {
            for line in lines.lines() {
                let line = visible(line.trim_end_matches('\r')).replace("\\t", "  ");
                self.line(style(sign), &format!("        {} {line}", sign.text()), "            ", out)?;
            }
        }
        Ok(())
    }

    fn line(&self, style: anstyle::Style, line: &str, indent: &str, out: &mut dyn Write) -> io::Result<()> {
        for line in wrap_guarded(line, self.width, indent).lines() {
            writeln!(out, "{}", self.painter.paint(style, line))?;
        }
        Ok(())
    }
}

fn piece(piece: &Piece<'_>) -> String {
    match piece {
        Piece::Words(words) => words.clone(),
        Piece::Name(name) => format!("`{}`", visible(name)),
        Piece::Value(value) | Piece::Cause(value) => visible(value).into_owned(),
    }
}

const fn style(sign: Sign) -> anstyle::Style {
    match sign {
        Sign::Added => GOOD,
        Sign::Removed => BAD,
        Sign::Changed | Sign::Moved | Sign::Unknown => WARNING,
        Sign::Same => PLAIN,
    }
}

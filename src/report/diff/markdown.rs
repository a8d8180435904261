//! `--format markdown`: a heading and lists for each service, for a comment in a pull request.

use std::io::{self, Write};

use super::human::noise_line;
use super::lines::{Line, ORDERS_TITLE, Piece, Sign, groups, order_lines, stat};
use crate::diff::{Diff, ServiceChange, ServiceDiff};
use crate::report::markup::{code, message};
use crate::text::count;

/// Lines of a list from which on it is folded.
const MAX_OPEN: usize = 15;
/// Bytes of a report. GitHub refuses a comment of more than 65,536 characters.
const MAX_BYTES: usize = 60_000;

pub(super) fn write(diff: &Diff, is_short: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::default();
    page.push("## wflint diff\n\n");
    if diff.services.is_empty() {
        page.push("The meaning is the same.\n\n");
    }
    for service in &diff.services {
        if is_short {
            // A sign at the beginning would start another list.
            let line = message(&stat(service));
            let line = line.strip_prefix('+').map(|rest| format!("&#43;{rest}")).unwrap_or(line);
            let line = line.strip_prefix('-').map(|rest| format!("&#45;{rest}")).unwrap_or(line);
            page.line(&format!("- {line}\n"));
        } else {
            page.service(service);
        }
    }
    if is_short && !diff.services.is_empty() {
        page.push("\n");
    }
    if page.left_out > 0 {
        let line = format!("{} not listed here.\n\n", count(page.left_out, "more line"));
        page.text.push_str(&line);
    }
    if diff.noise > 0 {
        let line = format!("{}\n", message(&noise_line(diff.noise, !diff.services.is_empty())));
        page.text.push_str(&line);
    }
    out.write_all(page.text.as_bytes())
}

#[derive(Default)]
struct Page {
    text: String,
    /// Lines that the page has no room for.
    left_out: usize,
}

impl Page {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn line(&mut self, line: &str) {
        if self.left_out > 0 || self.text.len() + line.len() > MAX_BYTES {
            self.left_out += 1;
        } else {
            self.text.push_str(line);
        }
    }

    fn service(&mut self, service: &ServiceDiff) {
        let documents: Vec<String> = service.documents.iter().take(3).map(|name| code(name)).collect();
        let documents = if documents.is_empty() { String::new() } else { format!(" ({})", documents.join(", ")) };
        let what = match &service.change {
            ServiceChange::Added => ": new".to_owned(),
            ServiceChange::Removed => ": removed".to_owned(),
            ServiceChange::Moved(from) => format!(": moved from {}", code(from)),
            ServiceChange::Changed => String::new(),
        };
        self.line(&format!("### {}{documents}{what}\n\n", code(&service.service)));
        for group in groups(service) {
            self.group(&group.title, || group.lines());
        }
        if let Some(found) = &service.orders {
            let lines = order_lines(found);
            self.group(ORDERS_TITLE, || lines.iter().cloned());
        }
    }

    fn group<'r, L: ExactSizeIterator<Item = Line<'r>>>(&mut self, title: &str, lines: impl Fn() -> L) {
        let number: usize = lines().map(|line| 1 + script_lines(&line).len()).sum();
        let title = message(title);
        let is_folded = number > MAX_OPEN && self.left_out == 0;
        if is_folded {
            self.push(&format!("<details><summary>{title}: {}</summary>\n\n", count(lines().len(), "line")));
        } else {
            self.line(&format!("**{title}**\n\n"));
        }
        for line in lines() {
            let pieces: String = line.pieces.iter().map(piece).collect();
            self.line(&format!("- {} {pieces}\n", code(line.sign.text())));
            for (sign, text) in script_lines(&line) {
                self.line(&format!("  - {}\n", code(&format!("{} {text}", sign.text()))));
            }
        }
        self.push(if is_folded { "\n</details>\n\n" } else { "\n" });
    }
}

/// The lines of a script that were removed and added.
fn script_lines<'r>(line: &Line<'r>) -> Vec<(Sign, &'r str)> {
    let (removed, added) = line.script.unwrap_or_default();
    let removed = removed.lines().map(|line| (Sign::Removed, line));
    removed.chain(added.lines().map(|line| (Sign::Added, line))).collect()
}

fn piece(piece: &Piece<'_>) -> String {
    match piece {
        Piece::Words(words) => message(words),
        Piece::Name(name) => code(name),
        Piece::Value(value) => code(value),
        Piece::Cause(cause) => message(cause),
    }
}

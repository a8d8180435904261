//! `wflint man`: the man pages, one for each command.

use std::io;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::command_line::Cli;
use super::world::{Exit, Failure, World, print_path, unwritable};
use crate::files::read::{ReadError, read_up_to};
use crate::files::write::{can_write, replace};

const VERSION: &str = concat!("wflint ", env!("CARGO_PKG_VERSION"));
/// The beginning of each page, in every version. A file without it was not written by wflint.
const MARK: &str = ".\\\" Written by `wflint man`";

/// A page and its file.
struct Page {
    path: PathBuf,
    text: String,
}

pub(super) fn run(folder: &Path, world: &mut World<'_>) -> Result<Exit, Failure> {
    let target = world.current.join(folder);
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, &target, &mut pages)?;
    refuse_other_files(&pages)?;
    std::fs::create_dir_all(&target).map_err(|error| unwritable(&folder.display(), &error))?;
    for page in &pages {
        can_write(&page.path).map_err(|error| unwritable(&page.path.display(), &error))?;
    }
    for Page { path, text } in &pages {
        replace(path, text.as_bytes()).map_err(|error| unwritable(&path.display(), &error))?;
        print_path(world, &path.display().to_string())?;
    }
    Ok(Exit::Clean)
}

/// Adds the pages of a command and of the commands below it.
fn add_pages(command: &clap::Command, folder: &Path, pages: &mut Vec<Page>) -> io::Result<()> {
    let end = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command.clone().after_help(None).after_long_help(None));
    let mut page = Vec::new();
    man.render(&mut page)?;
    let page = String::from_utf8_lossy(&page);
    let (macros, page) = page.split_once("\n.TH ").unwrap_or(("", &page));
    let (_, page) = page.split_once('\n').unwrap_or(("", page));
    let name = command.get_display_name().unwrap_or(command.get_name());
    // `clap_mangen` does not quote the empty date, so that the version would be taken for it.
    let title = format!(".TH {} 1 \"\" \"{VERSION}\" wflint", name.to_uppercase());
    let text = format!("{MARK} of {VERSION}\n{macros}\n{title}\n{page}{}", sections(&end).to_roff());
    pages.push(Page { path: folder.join(man.get_filename()), text });
    command.get_subcommands().try_for_each(|below| add_pages(below, folder, pages))
}

/// The sections of the text after the options: headings with literal lines, or a paragraph.
fn sections(end: &str) -> Roff {
    let mut roff = Roff::new();
    for part in end.split("\n\n").filter(|part| !part.is_empty()) {
        let Some((heading, lines)) = part.split_once(":\n") else {
            roff.control("SH", ["NOTES"]).text([roman(part)]);
            continue;
        };
        let heading = if heading == "Exit codes" { "EXIT STATUS".to_owned() } else { heading.to_uppercase() };
        roff.control("SH", [heading.as_str()]).control("nf", []);
        for line in lines.lines() {
            roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
        }
        roff.control("fi", []);
    }
    roff
}

/// # Errors
/// Names a file that exists and is not a page of wflint, and lists what was not written because of it.
fn refuse_other_files(pages: &[Page]) -> Result<(), Failure> {
    for page in pages {
        let reason = match read_up_to(&page.path, MARK.len() as u64) {
            Ok(start) if start.starts_with(MARK.as_bytes()) => continue,
            Err(ReadError::Missing) => continue,
            Ok(_) => "it was not written by `wflint man`".to_owned(),
            Err(error) => error.to_string(),
        };
        let all: Vec<String> = pages.iter().map(|page| page.path.display().to_string()).collect();
        let path = page.path.display();
        return Err(Failure::Message(format!(
            "cannot replace {path}: {reason}; nothing was written of {}",
            all.join(", ")
        )));
    }
    Ok(())
}

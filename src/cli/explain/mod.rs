//! `wflint explain`: a rule's page, or the run that shows a finding.

mod proof;

use crate::cli::options::{Color, PageFormat};
use crate::cli::show::use_color;
use crate::cli::world::{Exit, Failure, World};
use crate::report::{page, without_findings};
use crate::rules::{Group, REGISTRY};
use crate::suggest::nearest;

/// Prints a rule's page; with `all`, also the findings expected in its examples.
pub(super) fn run(
    word: &str,
    all: bool,
    format: PageFormat,
    color: Color,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    let rule = REGISTRY.iter().find(|rule| [rule.code, rule.name].iter().any(|known| known.eq_ignore_ascii_case(word)));
    let Some(rule) = rule else {
        return Err(Failure::Message(format!("unknown rule `{word}`; {}", hint(word))));
    };
    let text = if all { rule.page.to_owned() } else { without_findings(rule.page) };
    match format {
        PageFormat::Markdown => world.stdout.write_all(text.as_bytes())?,
        PageFormat::Human => {
            let text = page(rule, &text, world.widths.stdout, use_color(color, world.stdout_shows.color));
            world.stdout.write_all(text.as_bytes())?;
        }
    }
    Ok(Exit::Clean)
}

pub(super) use proof::run as show_run;

/// A suggestion of a rule with a similar name.
fn hint(word: &str) -> String {
    if Group::ALL.iter().any(|group| group.name() == word) {
        return format!("`{word}` is a group, `wflint rules` lists its rules");
    }
    match nearest(word, REGISTRY.iter().flat_map(|rule| [rule.code, rule.name])) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`wflint rules` lists all rules".to_owned(),
    }
}

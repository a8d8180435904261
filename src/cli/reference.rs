//! `wflint explain` and `wflint schema`: what the program contains.

use clap::ValueEnum;

use super::options::Color;
use super::rules::own_rules_here;
use super::show::use_color;
use super::world::{Exit, Failure, World};
use crate::model::AssumptionRow;
use crate::report::{page, without_findings};
use crate::rules::{Group, Preset, REGISTRY, Rule, page_of};
use crate::schema::SCHEMAS;
use crate::text::suggest::nearest;
use crate::text::wrap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PageFormat {
    /// For the terminal
    Human,
    /// The page as it is written
    Markdown,
}

/// Prints an assumption, or a rule's page; with `all`, also the findings expected in its examples.
pub(super) fn explain(
    word: &str,
    all: bool,
    format: PageFormat,
    color: Color,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    if let Some(row) = AssumptionRow::all().find(|row| word.eq_ignore_ascii_case(&format!("A{}", row.number))) {
        return assumption(row, world);
    }
    let is_meant = |rule: &&Rule| [rule.code, rule.name].iter().any(|known| known.eq_ignore_ascii_case(word));
    let of_wflint = REGISTRY.iter().find(is_meant);
    let own = if of_wflint.is_none() { own_rules_here(world) } else { Vec::new() };
    let Some(rule) = of_wflint.or_else(|| own.iter().copied().find(is_meant)) else {
        if word.strip_prefix(['A', 'a']).is_some_and(|number| number.parse::<u32>().is_ok()) {
            let last = AssumptionRow::all().map(|row| row.number).max().unwrap_or_default();
            return Err(Failure::Message(format!("unknown assumption `{word}`; they are A1 to A{last}")));
        }
        return Err(Failure::Message(format!("unknown rule `{word}`; {}", hint(word, &own))));
    };
    let text = page_of(rule);
    let text = if all { text.into_owned() } else { without_findings(&text) };
    match format {
        PageFormat::Markdown => world.stdout.write_all(text.as_bytes())?,
        PageFormat::Human => {
            let text = page(rule, &text, world.widths.stdout, use_color(color, world.stdout_shows.color));
            world.stdout.write_all(text.as_bytes())?;
        }
    }
    Ok(Exit::Clean)
}

fn assumption(row: AssumptionRow, world: &mut World<'_>) -> Result<Exit, Failure> {
    let lines = [
        format!("A{}: an assumption about what the platform does not document", row.number),
        format!("  open question:   {}", row.question),
        format!("  wflint assumes:  {}", row.text),
        "docs/assumptions.md lists all assumptions.".to_owned(),
    ];
    for line in lines {
        writeln!(world.stdout, "{}", wrap(&line, world.widths.stdout, "                   "))?;
    }
    Ok(Exit::Clean)
}

/// A suggestion of a rule with a similar name.
fn hint(word: &str, own: &[&Rule]) -> String {
    if Group::ALL.iter().any(|group| group.name() == word) {
        return format!("`{word}` is a group, `wflint rules` lists its rules");
    }
    if Preset::named(word).is_some() {
        return format!("`{word}` is a preset, `wflint rules` lists its rules");
    }
    match nearest(word, REGISTRY.iter().chain(own.iter().copied()).flat_map(|rule| [rule.code, rule.name])) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`wflint rules` lists all rules".to_owned(),
    }
}

/// The names of the JSON Schemas.
pub(super) fn schema_names() -> Vec<&'static str> {
    SCHEMAS.iter().map(|schema| schema.name).collect()
}

pub(super) fn schema(name: &str, world: &mut World<'_>) -> Result<Exit, Failure> {
    let text = SCHEMAS.iter().find(|schema| schema.name == name).map_or("", |schema| schema.text);
    world.stdout.write_all(text.as_bytes())?;
    Ok(Exit::Clean)
}

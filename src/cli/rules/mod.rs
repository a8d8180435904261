//! `wflint rules`: the rules of wflint and the user's own, and what helps to write one.

mod new;
mod own;
mod test;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::options::headings::OUTPUT;
use super::world::{Exit, Failure, World};
use crate::own_rules::engine;
use crate::rules::{Preset, REGISTRY, Rule};
use crate::text::wrap;
use own::{config, own_rules};

pub(super) use own::own_rules_here;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    Human,
    Json,
}

#[derive(Debug, Args)]
pub(super) struct RulesOptions {
    /// Output format of the list
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = ListFormat::Human)]
    format: ListFormat,
    /// Run the examples in the pages of your own rules, or of those with these codes, and show what differs
    #[arg(long, value_name = "CODE", num_args = 0.., value_delimiter = ',', conflicts_with_all = ["new", "types"])]
    test: Option<Vec<String>>,
    /// Write a rule and its page to begin with, such as `ORG101-approvals-end`
    ///
    /// The files are written to the folder of the first pattern of `rules` in `wflint.toml`.
    #[arg(long, value_name = "STEM", conflicts_with = "types")]
    new: Option<String>,
    /// Print TypeScript declarations of everything that a rule can use
    #[arg(long)]
    types: bool,
}

pub(super) fn run(options: &RulesOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    if let Some(words) = &options.test {
        return test::run(words, world);
    }
    if let Some(stem) = &options.new {
        return new::run(stem, world);
    }
    if options.types {
        world.stdout.write_all(engine::declarations().as_bytes())?;
        return Ok(Exit::Clean);
    }
    let own = own_rules(&config(world)?, world);
    list(options.format, REGISTRY.iter().chain(own), world)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    code: &'static str,
    name: &'static str,
    group: &'static str,
    presets: Vec<&'static str>,
    severity: &'static str,
    other_severities: Vec<&'static str>,
    fix: &'static str,
}

impl Listed {
    fn new(rule: &Rule) -> Self {
        // A report of the user's own rules may have any severity.
        let others = if rule.is_own() { &[] } else { rule.other_severities };
        Self {
            code: rule.code,
            name: rule.name,
            group: rule.group_name(),
            presets: rule.presets().map(Preset::name).collect(),
            severity: rule.severity.word(),
            other_severities: others.iter().map(|severity| severity.word()).collect(),
            fix: rule.fixes.word(),
        }
    }
}

fn list(
    format: ListFormat,
    rules: impl Iterator<Item = &'static Rule>,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    let rules: Vec<Listed> = rules.map(Listed::new).collect();
    match format {
        ListFormat::Json => {
            serde_json::to_writer_pretty(&mut *world.stdout, &rules).map_err(std::io::Error::from)?;
            writeln!(world.stdout)?;
        }
        ListFormat::Human => {
            for rule in rules {
                let severities: Vec<&str> = std::iter::once(rule.severity).chain(rule.other_severities).collect();
                let fix = match rule.fix {
                    "none" => String::new(),
                    // So short that each rule has one line.
                    "safe or unsafe" => "  fix: some safe".to_owned(),
                    fix => format!("  fix: {fix}"),
                };
                let (code, name, group, preset) =
                    (rule.code, rule.name, rule.group, rule.presets.first().unwrap_or(&""));
                let line = format!("{code}  {name:<32} {group:<9} {preset:<12} {}{fix}", severities.join(", "));
                writeln!(world.stdout, "{}", wrap(line.trim_end(), world.widths.stdout, "       "))?;
            }
        }
    }
    Ok(Exit::Clean)
}

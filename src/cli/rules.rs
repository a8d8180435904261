//! `wflint rules`: the list of rules.

use serde::Serialize;

use super::options::ListFormat;
use super::world::{Exit, Failure, World};
use crate::rules::{REGISTRY, Rule};
use crate::text::wrap;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    code: &'static str,
    name: &'static str,
    group: &'static str,
    severity: &'static str,
    other_severities: Vec<&'static str>,
    fix: &'static str,
}

impl From<&Rule> for Listed {
    fn from(rule: &Rule) -> Self {
        Self {
            code: rule.code,
            name: rule.name,
            group: rule.group().name(),
            severity: rule.severity.word(),
            other_severities: rule.other_severities.iter().map(|severity| severity.word()).collect(),
            fix: rule.fixes.word(),
        }
    }
}

pub(super) fn run(format: ListFormat, world: &mut World<'_>) -> Result<Exit, Failure> {
    let rules: Vec<Listed> = REGISTRY.iter().map(Listed::from).collect();
    match format {
        ListFormat::Json => {
            serde_json::to_writer_pretty(&mut *world.stdout, &rules).map_err(std::io::Error::from)?;
            writeln!(world.stdout)?;
        }
        ListFormat::Human => {
            for rule in rules {
                let severities: Vec<&str> = std::iter::once(rule.severity).chain(rule.other_severities).collect();
                let fix = if rule.fix == "none" { String::new() } else { format!("  fix: {}", rule.fix) };
                let line = format!("{}  {:<32} {:<9} {}{fix}", rule.code, rule.name, rule.group, severities.join(", "));
                writeln!(world.stdout, "{}", wrap(line.trim_end(), world.widths.stdout, "       "))?;
            }
        }
    }
    Ok(Exit::Clean)
}

//! `wflint explain`: a rule's page.

use super::world::{Exit, Failure, World};
use crate::rules::REGISTRY;
use crate::suggest::did_you_mean;

pub(super) fn run(word: &str, world: &mut World<'_>) -> Result<Exit, Failure> {
    let Some(rule) = REGISTRY.iter().find(|rule| rule.code.eq_ignore_ascii_case(word) || rule.name == word) else {
        let suggestion: String = did_you_mean(word, REGISTRY.iter().flat_map(|rule| [rule.code, rule.name]));
        let hint = if suggestion.is_empty() { "; `wflint rules` lists all rules" } else { &suggestion };
        return Err(Failure::Message(format!("unknown rule `{word}`{hint}")));
    };
    world.stdout.write_all(rule.page.as_bytes())?;
    Ok(Exit::Clean)
}

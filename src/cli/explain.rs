//! `wflint explain`: a rule's page.

use super::world::{Exit, Failure, World};
use crate::rules::REGISTRY;
use crate::suggest::nearest;

pub(super) fn run(word: &str, world: &mut World<'_>) -> Result<Exit, Failure> {
    let Some(rule) = REGISTRY.iter().find(|rule| rule.code.eq_ignore_ascii_case(word) || rule.name == word) else {
        let hint = match nearest(word, REGISTRY.iter().flat_map(|rule| [rule.code, rule.name])) {
            Some(name) => format!("did you mean `{name}`?"),
            None => "`wflint rules` lists all rules".to_owned(),
        };
        return Err(Failure::Message(format!("unknown rule `{word}`; {hint}")));
    };
    world.stdout.write_all(rule.page.as_bytes())?;
    Ok(Exit::Clean)
}

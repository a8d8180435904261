//! `wflint schema`: the JSON Schemas.

use super::world::{Exit, Failure, World};
use crate::schema::SCHEMAS;

/// The names that can be asked for.
pub(super) fn names() -> Vec<&'static str> {
    SCHEMAS.iter().map(|schema| schema.name).collect()
}

pub(super) fn run(name: &str, world: &mut World<'_>) -> Result<Exit, Failure> {
    let schema = SCHEMAS.iter().find(|schema| schema.name == name);
    let text = schema.map(|schema| schema.text).unwrap_or_default();
    world.stdout.write_all(text.as_bytes())?;
    Ok(Exit::Clean)
}

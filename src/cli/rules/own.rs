//! The user's own rules, of the configuration of the current folder.

use std::sync::Arc;

use crate::cli::world::{Failure, World};
use crate::config::{Config, OwnRule, OwnRules};
use crate::files::boundary::Boundary;
use crate::own_rules::OwnRunner;
use crate::project::{self, Request};
use crate::rules::{Rule, own_rule};
use crate::script::Evaluator;
use crate::text::suggest;

/// The configuration of the current folder.
pub fn config(world: &World<'_>) -> Result<Config, Failure> {
    project::config_of(&request(world)).map_err(Failure::Message)
}

pub fn request(world: &World<'_>) -> Request {
    Request {
        current: world.current.clone(),
        paths: vec![".".into()],
        boundary: Boundary::below(vec![world.current.clone()]),
        ..Request::default()
    }
}

/// The user's own rules, with the severities that they say they have.
pub fn own_rules(config: &Config, world: &World<'_>) -> Vec<&'static Rule> {
    let runner = OwnRunner::new(Evaluator::new(world.program.clone()));
    let mut found = Vec::new();
    for rules in &config.own_rules {
        let loaded = runner.load(rules);
        for (index, rule) in rules.rules.iter().enumerate() {
            let meta = loaded.as_ref().and_then(|loaded| loaded.rules.get(index)?.as_ref().ok());
            found.push(own_rule(rule, meta.map(|meta| meta.severity)));
        }
    }
    found
}

/// Those of the current folder, of which an invalid configuration has none.
pub fn own_rules_here(world: &World<'_>) -> Vec<&'static Rule> {
    config(world).map(|config| own_rules(&config, world)).unwrap_or_default()
}

/// The rules of a configuration with one of these codes or names, or all of them.
pub fn chosen<'c>(config: &'c Config, words: &[String]) -> Result<Vec<&'c OwnRule>, Failure> {
    let all = || config.own_rules.iter().flat_map(|rules: &Arc<OwnRules>| &rules.rules);
    let matches = |rule: &OwnRule, word: &str| own_rule(rule, None).matches(word);
    for word in words {
        if !all().any(|rule| matches(rule, word)) {
            let near = suggest::did_you_mean(word, all().flat_map(|rule| [rule.code, rule.name]));
            return Err(Failure::Message(format!("unknown rule of your own `{word}`{near}")));
        }
    }
    let chosen: Vec<_> =
        all().filter(|rule| words.is_empty() || words.iter().any(|word| matches(rule, word))).collect();
    if chosen.is_empty() {
        let message = "no rules of your own; name their files in wflint.toml, such as `rules = [\"rules/*.js\"]`";
        return Err(Failure::Message(message.to_owned()));
    }
    Ok(chosen)
}

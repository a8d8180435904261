//! Starter files (`wflint init`): `config` writes a configuration, `starter` a scenario for a workflow, and `recipes` the
//! files for CI and hooks. `exploration` makes the scenarios of `wflint explore --write` and `--suggest`; `yaml` writes all
//! of them.

mod config;
mod exploration;
mod names;
mod recipes;
mod starter;
mod yaml;

pub use config::{StarterConfig, starter_config};
pub use exploration::{ExploredScenario, ORIGIN_BYTES, ScenarioChoice, explored_scenarios, is_explored_scenario};
pub use recipes::Recipe;
pub use starter::{ScenarioRequest, StarterScenario, scenario_path, starter_scenario};
pub use yaml::document as scenario_document;

/// The first line of each file.
const ORIGIN: &str = "Written by `wflint init`.";

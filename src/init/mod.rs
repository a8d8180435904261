//! Starter files (`wflint init`): `config` writes a configuration, `scenario` a scenario for a workflow, and `recipes`
//! the files for CI and hooks. `exploration` writes the scenarios of `wflint explore --write`.

mod config;
mod exploration;
mod recipes;
mod scenario;
mod yaml;

pub use config::starter_config;
pub use exploration::{
    ExploredScenario, ORIGIN_BYTES, ScenarioChoice, explored_scenarios, is_explored_scenario, scenario_document,
};
pub use recipes::Recipe;
pub use scenario::{ScenarioRequest, StarterScenario, scenario_path, starter_scenario};

/// The first line of each file.
const ORIGIN: &str = "Written by `wflint init`.";
/// That of a scenario that exploring has found.
const EXPLORE_ORIGIN: &str = "Written by `wflint explore --write`.";

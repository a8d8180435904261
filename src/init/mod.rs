//! Starter files (`wflint init`): a configuration, a scenario for a workflow, and what runs wflint in CI and hooks.

mod config;
mod recipes;
mod scenario;
mod yaml;

pub use config::starter_config;
pub use recipes::Recipe;
pub use scenario::{ScenarioRequest, StarterScenario, scenario_path, starter_scenario};

/// The first line of each file.
const ORIGIN: &str = "Written by `wflint init`.";

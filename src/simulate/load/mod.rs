//! Reads scenarios and everything that they name: documents and directories.

mod directories;
mod documents;
mod find;
mod loaded;
mod loader;
mod problem;
mod request;
mod scenarios;

pub use find::is_scenario;
pub use loaded::{Loaded, LoadedDocument, LoadedScenario};
pub(super) use problem::scenario_problem;
pub use request::Request;
pub use scenarios::{load, load_unsaved};

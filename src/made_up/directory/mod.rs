//! Makes up directory entries: for the lookups of a run ([`ScenarioDirectory`]), and for those of a search, with all possible
//! answers ([`AskedDirectory`]).

mod answer;
mod answers;
mod asked;
mod asked_entry;
mod complete;
mod properties;
mod scenario_directory;
mod searched;
#[cfg(test)]
mod tests;

pub use answer::Answer;
pub use asked::AskedDirectory;
pub use properties::PropertyUses;
pub use scenario_directory::ScenarioDirectory;
pub use searched::SearchedDirectory;

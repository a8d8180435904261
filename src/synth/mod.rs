//! Made-up values for scenarios: `people`, values that fit fields and variables (`values`, by what `needs` finds out
//! about their use), results of directory lookups (`lookups`), and directory entries (`directory`).

mod directory;
mod fields;
mod fit;
mod lookups;
mod needs;
mod patterns;
mod people;
mod values;

pub use directory::{SUFFIX, ScenarioDirectory, escaped};
pub use fields::{default_text, default_value, file_name, of_type};
pub use fit::{fits, others};
pub use lookups::{LookupAnswer, PropertyUses};
pub use needs::Needs;
pub use patterns::PatternTests;
pub use people::Person;
pub use values::{LAST_RESORTS, Submitted, Values, of_validation};
